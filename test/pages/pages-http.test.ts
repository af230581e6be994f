// The pages as bytes: what is sent with them, and what they say of a registry.
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientText } from '../../codegen/client-text.ts';
import { type RunningPraxis, startPraxis } from '../../src/app/serve.ts';
import { readConfig } from '../../src/config.ts';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { functionNames, macroNames } from '../../src/formulas/language/names.ts';
import { createPages } from '../../src/pages/pages.ts';
import { rules, rulesWith } from '../../src/rules/catalogue.ts';
import { type Folder, folders, registryOf } from '../support/service/praxis.ts';

let praxis: RunningPraxis;
let origin: string;
beforeAll(async () => {
  const environment = {
    PORT: '0',
    DATABASE_URL: 'sqlite::memory:',
    RESOURCES: folders.test,
    CORS_ORIGINS: 'https://a.example',
  };
  praxis = await startPraxis(readConfig(environment), pino({ level: 'silent' }));
  origin = new URL(praxis.address).origin;
});
afterAll(() => praxis.stop());

const ask = (path: string, init: RequestInit = {}) => fetch(origin + path, init);
const plain = { headers: { 'Accept-Encoding': 'identity' } };

/** Addresses in the text of a page. */
const addresses = (text: string): string[] =>
  [...text.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map((match) => match[1] ?? '');

describe('pages over HTTP', () => {
  it('need no token, and let nothing in from elsewhere', async () => {
    const answer = await ask('/docs/groups', plain);
    expect(answer.status).toBe(200);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      vary: 'Origin, Accept-Encoding',
    });
    expect(headers['content-security-policy']?.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]),
    );
    expect(await answer.text()).not.toMatch(/style="|<style|<script>|onclick/);
  });

  it.each(['/docs', '/docs/groups/nothing', '/console', '/console/somewhere'])(
    'share neither their window nor the device with others: %s',
    async (path) => {
      const { headers } = await ask(path, { headers: { Accept: 'text/html' } });
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('permissions-policy')?.split(', ')).toEqual(
        expect.arrayContaining(['camera=()', 'geolocation=()', 'microphone=()', 'payment=()']),
      );
    },
  );

  it('lead to nothing that is not there', async () => {
    const seen = new Set<string>();
    const waiting = ['/docs'];
    for (const path of waiting) {
      if (seen.has(path)) continue;
      seen.add(path);
      const answer = await ask(path);
      expect(answer.status, path).toBe(200);
      if (answer.headers.get('content-type')?.startsWith('text/html')) waiting.push(...addresses(await answer.text()));
    }
    const registry = registryOf('test');
    for (const name of registry.resources.keys()) expect(seen).toContain(`/docs/groups/${name}`);
    for (const { resource, operation } of endpointsOf(registry))
      expect(seen).toContain(`/docs/groups/${resource.name}/${operation}`);
    for (const path of ['/docs/guides', '/docs/groups', '/docs/rules', '/docs/map', '/docs/writes', '/openapi.json'])
      expect(seen).toContain(path);
  });

  it('are packed for those who ask, under another tag, and are the same unpacked', async () => {
    const whole = await ask('/docs/groups', plain);
    expect(whole.headers.get('content-encoding')).toBeNull();
    const text = await whole.text();
    for (const [accepted, coding] of [
      ['br, gzip;q=0.8', 'br'],
      ['gzip, deflate', 'gzip'],
    ] as const) {
      const packed = await ask('/docs/groups', { headers: { 'Accept-Encoding': accepted } });
      expect(packed.headers.get('content-encoding')).toBe(coding);
      expect(packed.headers.get('etag')).toBe(whole.headers.get('etag')?.replace(/"$/, `-${coding}"`));
      expect(await packed.text()).toBe(text);
    }
    const refused = await ask('/docs/groups', { headers: { 'Accept-Encoding': 'gzip;q=0' } });
    expect(refused.headers.get('content-encoding')).toBeNull();
  });

  it('answer 304 to a tag that is known, and HEAD without a body', async () => {
    const etag = (await ask('/docs/map', plain)).headers.get('etag') ?? '';
    const known = await ask('/docs/map', {
      headers: { 'Accept-Encoding': 'identity', 'If-None-Match': `"x", W/${etag}` },
    });
    expect([known.status, await known.text()]).toEqual([304, '']);
    const head = await ask('/docs/map', { ...plain, method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag]);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000);
  });

  it('have files that may be kept for good, under addresses that change with them', async () => {
    const text = await (await ask('/docs/groups/shelf/create')).text();
    const files = addresses(text).filter((path) => path.startsWith('/docs/files/'));
    expect(files.length).toBeGreaterThan(5);
    for (const path of files) {
      const answer = await ask(path);
      expect(answer.headers.get('cache-control'), path).toBe('public, max-age=31536000, immutable');
      const other = await ask(path.replace(/files\/[^/]+/, 'files/AAAAAAAAAAAAAAAAAAAAAA'));
      expect(other.status, path).toBe(404);
    }
  });

  it.each([
    '/docs/',
    '/docs/groups/nothing',
    '/docs/files/',
    '/docs/files/x/package.json',
    '/docs/files/x/constructor',
    '/nothing',
    '/docs/groups/nothing/',
    '/metrics/',
  ])('tell programs that there is no %s', async (path) => {
    const answer = await ask(path);
    expect([answer.status, await answer.json()]).toEqual([404, { status: 404, message: 'No such path.' }]);
  });

  const asPeople = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

  it.each(['/nothing', '/docs/groups/nothing', '/docs/groups/<b>/list', '/docs/files/x'])(
    'show people a page where there is no %s',
    async (path) => {
      const answer = await ask(path, asPeople);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('vary')).toContain('Accept');
      const text = await answer.text();
      expect(text).toContain('Page not found');
      expect(text).not.toContain('<b>/list');
    },
  );

  it('tell people which group they may have meant', async () => {
    const [name = ''] = [...registryOf('test').resources.keys()];
    const text = await (await ask(`/docs/groups/${name}x`, asPeople)).text();
    expect(text).toContain(`Did you mean <a href="/docs/groups/${name}">`);
  });

  it.each([
    ['/docs/', '/docs'],
    ['/docs/groups/', '/docs/groups'],
  ])('lead people from %s to %s', async (path, meant) => {
    const answer = await ask(path, { ...asPeople, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, meant]);
  });

  it.each([
    [{}, '/console'],
    [{ CONSOLE: 'false' }, '/docs'],
    [{ CONSOLE: 'false', PAGES: 'false' }, undefined],
  ])('are where the root leads, or else nowhere: %j', async (environment, meant) => {
    const config = readConfig({ PORT: '0', DATABASE_URL: 'sqlite::memory:', RESOURCES: folders.test, ...environment });
    const service = await startPraxis(config, pino({ level: 'silent' }));
    try {
      const root = new URL('/', service.address).href;
      const answer = await fetch(root, { headers: { Accept: '*/*' }, redirect: 'manual' });
      expect(answer.headers.get('location') ?? undefined).toBe(meant);
      if (meant === undefined) expect(await answer.json()).toEqual({ status: 404, message: 'No such path.' });
      else expect((await fetch(root)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  it('are for reading alone: nobody is shown a page for a write, nor one below the API', async () => {
    for (const [path, method] of [
      ['/nothing', 'POST'],
      ['/api/nothing', 'GET'],
    ] as const) {
      const answer = await ask(path, { ...asPeople, method });
      expect(answer.headers.get('content-type'), path).toBe('application/json; charset=utf-8');
    }
  });

  it('have an icon where browsers look for one', async () => {
    const answer = await ask('/favicon.ico');
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'image/svg+xml',
      'no-cache',
    ]);
  });

  it('are small: each is packed into less than 30 kB, and all of its files together into less than 25', async () => {
    const registry = registryOf('product');
    const endpoints = endpointsOf(registry);
    const pages = createPages({ registry, endpoints, signatures: rules });
    const packed = async (path: string): Promise<number> => {
      const page = await pages.find(path)?.();
      if (page === undefined) throw new Error(path);
      return (page.packed.gzip ?? page.body).length;
    };
    const files = new Set<string>();
    const paths = ['/docs', '/docs/guides/metrics', '/docs/groups', '/docs/rules', '/docs/map', '/docs/writes'];
    for (const name of ['invoice', 'project', 'time-entry'])
      paths.push(`/docs/groups/${name}`, `/docs/groups/${name}/create`, `/docs/groups/${name}/list`);
    for (const path of paths) {
      expect(await packed(path), path).toBeLessThan(30_000);
      const text = (await pages.find(path)?.())?.body.toString() ?? '';
      for (const file of addresses(text)) if (file.startsWith('/docs/files/')) files.add(file);
    }
    let all = 0;
    for (const file of files) all += await packed(file);
    expect(all).toBeLessThan(25_000);
  });

  it.each([
    ['slashes', `/docs${'/'.repeat(7900)}x`, {}],
    ['digits of a weight', '/docs', { 'Accept-Encoding': `gzip;q=0.${'1'.repeat(12_000)}x` }],
  ])('take no longer over many %s than over other text', async (_case, path, headers) => {
    const other = (text: string): string => text.replaceAll(/[/1]{9,}/g, (run) => 'a'.repeat(run.length));
    const cpuOf = async (asked: string, sent: Record<string, string>): Promise<number> => {
      await ask(asked, { headers: { ...asPeople.headers, ...sent } });
      const before = process.cpuUsage();
      for (let nth = 0; nth < 10; nth += 1) await ask(asked, { headers: { ...asPeople.headers, ...sent } });
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const plainHeaders = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, other(text)]));
    const plainCpu = await cpuOf(other(path), plainHeaders);
    // Time of the processor, and generous: it is thirty times as much where each place is looked at again for each.
    expect(await cpuOf(path, headers)).toBeLessThan(4 * plainCpu + 50_000);
  });

  it('refuse other methods', async () => {
    const answer = await ask('/docs', { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

async function textOf(folder: Folder, path: string): Promise<string> {
  const registry = registryOf(folder);
  const page = createPages({ registry, endpoints: endpointsOf(registry), signatures: rules }).find(path);
  const made = await page?.();
  const { gzip } = made?.packed ?? {};
  expect(gzip && gunzipSync(gzip).equals(made?.body ?? gzip)).toBe(true);
  return made?.body.toString() ?? '';
}

const wordsOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#39;', "'");

describe('what pages say', () => {
  it('has each field, filter and operation of every group', async () => {
    const registry = registryOf('product');
    for (const endpoint of endpointsOf(registry)) {
      const html = await textOf('product', `/docs/groups/${endpoint.resource.name}`);
      expect(html).toContain(`href="/docs/groups/${endpoint.resource.name}/${endpoint.operation}"`);
      for (const name of endpoint.filters.keys())
        expect(html.replaceAll('<wbr>', '')).toContain(`<code>${name}</code>`);
      for (const { name } of endpoint.resource.fields) expect(html).toContain(`id="field-${name}"`);
    }
  });

  it('says rules and conditions in words', async () => {
    const text = wordsOf(await textOf('product', '/docs/groups/cost-period'));
    expect(text).toContain(
      'Only if costMethodId is not fixed_monthly . Otherwise the field is empty, and requests must not set it.',
    );
    expect(text).toContain(
      'Computed: null if costMethodId is fixed_monthly , otherwise costPerHour + overheadCostPerHour .',
    );
    expect(text).toContain('Computed: the minimum p.start of (the costPeriods for which p.memberId is memberId and');
    expect(text).toContain('Each record has a unique combination of memberId and start');
    const invoice = wordsOf(await textOf('product', '/docs/groups/invoice'));
    expect(invoice).toContain(
      'In sources of lines : id must be billable: typeId is not project_expense or projectExpense.isBillable is true',
    );
  });

  it('says what a computed record is made of', async () => {
    const html = await textOf('product', '/docs/groups/exchange-rate');
    const text = wordsOf(html);
    expect(text).toContain('The service computes the record for each request');
    expect(text).toContain('rate : ( workspace.rate for fromCurrency , c , date )} for each of');
    expect(text).toContain('exchange-rate-period.rate');
    expect(html.match(/>query parameter</g)).toHaveLength(2);
  });

  it('says that an effect sets fields of the record itself', async () => {
    const text = wordsOf(await textOf('lending', '/docs/groups/plan'));
    expect(text).toContain(
      'When a new day begins, if nextOn is today : updates the record itself; sets done to done + 1 .',
    );
    expect(await textOf('lending', '/docs/search.json')).toContain('updates the record itself; sets done');
  });

  it('puts the right article before a group', async () => {
    const text = wordsOf(await textOf('product', '/docs/groups/member'));
    expect(text).toContain('When a record is created: creates an Availability Period with memberId : id ;');
    expect(text).toContain('reference to a Job Title');
  });

  it('says what a delete does', async () => {
    const text = wordsOf(await textOf('product', '/docs/groups/member'));
    expect(text).toMatch(/Also deletes records of: .*Cost Period/);
    expect(text).toMatch(/Refused \(409\) while records of these groups refer to it: .*Time Entry/);
  });

  it('says what figures, states and effects are, with links to what they look at and to what looks at them', async () => {
    const html = await textOf('books', '/docs/groups/account');
    const text = wordsOf(html);
    expect(text).toContain('Depends on balance , lineCount .');
    expect(text).toContain(
      'Set automatically: overdrawn if balance &lt; 0 ; used if lineCount &gt; 0 ; otherwise unused .',
    );
    expect(html).toContain('href="/docs/groups/journal#field-lines.debit"');
    expect(html).toMatch(/Used by <a href="#field-total"><code>total<\/code><\/a>, <a href="#field-stateId">/);
    const period = wordsOf(await textOf('books', '/docs/groups/period'));
    expect(period).toContain(
      'Computed: turnover × 1.1 ; only while goalMode is auto , otherwise requests set the value.',
    );
    expect(period).toContain('Used by effects , rules of Journal .');
    expect(period).toContain(
      'When a record is updated, if isClosed is true and old.isClosed is false: creates a Closing with periodId : id ; turnover : turnover ; on : today .',
    );
    expect(period).toContain('When a record is deleted: deletes Closing : the closings for which c.periodId is id .');
    expect(wordsOf(await textOf('books', '/docs/groups/closing'))).toContain(
      'Effects of other groups also write these records: Period .',
    );
  });

  it('says what named formulas look at, and who calls them', async () => {
    const html = await textOf('garage', '/docs/groups/customer');
    expect(html).toContain('id="formula-cardOn"');
    expect(html).toContain('href="/docs/groups/card#field-price"');
    expect(html).toContain('href="/docs/groups/job#formula-fee"');
  });

  it.each(['books', 'garage', 'figures', 'conditions', 'atRead', 'product'] as const)(
    'leads to places that are there (%s)',
    async (folder) => {
      const registry = registryOf(folder);
      const endpoints = endpointsOf(registry);
      const pages = createPages({ registry, endpoints, signatures: rules });
      const paths = [
        ...['/docs', '/docs/guides', '/docs/groups', '/docs/rules', '/docs/map', '/docs/writes'],
        ...[...registry.resources.keys()].map((name) => `/docs/groups/${name}`),
        ...endpoints.map(({ resource, operation }) => `/docs/groups/${resource.name}/${operation}`),
      ];
      const texts = new Map<string, string>();
      for (const path of paths) texts.set(path, (await pages.find(path)?.())?.body.toString() ?? '');
      const astray = [...texts].flatMap(([path, text]) =>
        [...text.matchAll(/href="(\/docs[^"#]*)?#([^"]+)"/g)].flatMap(([, at = '', place = '']) =>
          texts.get(at === '' ? path : at)?.includes(`id="${place}"`) === true
            ? []
            : [`${path} leads to ${at}#${place}`],
        ),
      );
      expect(astray).toEqual([]);
    },
  );

  it('escapes what stands in descriptors', async () => {
    const registry = registryOf('test');
    const [[name = '', resource] = []] = registry.resources;
    if (resource === undefined) throw new Error('no group');
    const nasty = '<img src=x onerror=alert(1)> "&';
    const changed = new Map(registry.resources).set(name, {
      ...resource,
      title: nasty,
      description: nasty,
      area: nasty,
    });
    const pages = createPages({ registry: { ...registry, resources: changed }, endpoints: [], signatures: rules });
    for (const path of [`/docs/groups/${name}`, '/docs/groups', '/docs/map', '/docs']) {
      const text = (await pages.find(path)?.())?.body.toString() ?? '';
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;&amp;');
      expect(text).not.toContain('<img src=x');
    }
  });

  it('leaves no placeholder of a rule unfilled', () => {
    for (const [name, rule] of Object.entries(rules)) {
      const { says, parameters } = rule;
      for (const [, parameter = ''] of says.matchAll(/\{(\w+)/g))
        expect(Object.keys(parameters), name).toContain(parameter);
      expect(says.replaceAll(/\{\w+(?::\w+)?\}/g, ''), name).not.toMatch(/[{}]/);
    }
  });

  it('draws states: what callers change, and what follows by itself', async () => {
    const html = await textOf('product', '/docs/groups/invoice');
    const words = /<svg[^>]*role="img" aria-label="([^"]*)"/.exec(html)?.[1];
    expect(words).toBe(
      'draft to issued; issued to draft; issued to void; issued to paid, automatically; paid to issued, automatically',
    );
    expect(html.match(/<path class="way"/g)?.length).toBeGreaterThanOrEqual(3);
    expect(html.match(/<path class="way follows"/g)).toHaveLength(2);
    expect(wordsOf(html)).toContain('paid if statusId is issued and amountDue ≤ 0 .');
    // What may follow from any state comes from none of them.
    const account = await textOf('books', '/docs/groups/account');
    expect(account).toContain('any state to overdrawn, automatically');
    expect(await textOf('product', '/docs/groups/job-title')).not.toContain('role="img"');
  });

  it('draws the groups around one, each as a link', async () => {
    const html = await textOf('product', '/docs/groups/payment');
    const drawing = /<svg class="neighbours"[\s\S]*?<\/svg>/.exec(html)?.[0] ?? '';
    for (const name of ['client', 'invoice', 'payment-method'])
      expect(drawing).toContain(`href="/docs/groups/${name}"`);
    // Of many a few are named, and the rest is a number.
    expect(await textOf('product', '/docs/groups/member')).toMatch(
      /href="#referred-to-by"><rect[^>]*><text[^>]*>and \d+ more</,
    );
  });

  it('has every rule and all that formulas are made of, those of an application of its own too', async () => {
    const registry = registryOf('product');
    const own = rulesWith({ alwaysGreen: { parameters: { field: { field: 'text' } }, says: '{field} is green.' } });
    const page = await createPages({ registry, endpoints: [], signatures: own }).find('/docs/rules')?.();
    const html = page?.body.toString() ?? '';
    for (const name of Object.keys(own)) expect(html).toContain(`id="rule-${name}"`);
    for (const name of functionNames) expect(html).toContain(`id="function-${name}"`);
    for (const name of macroNames) expect(html).toContain(`id="macro-${name}"`);
    const text = wordsOf(html);
    expect(text).toContain('alwaysGreen field is green.');
    expect(text).toContain('to must be on or after from');
    expect(text).toContain('firstOfMonth(day) → &#39;2026-02-01&#39;'.replaceAll('&#39;', "'"));
    expect(html).toContain('<a href="/docs/groups/task#field-parent">task.parent</a>');
  });

  it('writes each operation down for curl and for the generated client', async () => {
    const registry = registryOf('product');
    const client = clientText(registry);
    for (const { resource, operation, method, path } of endpointsOf(registry)) {
      const html = await textOf('product', `/docs/groups/${resource.name}/${operation}`);
      const [curl = '', script = ''] = [...html.matchAll(/<pre [^>]*><code>([\s\S]*?)<\/code>/g)].map(([, code = '']) =>
        code.replaceAll(/<[^>]*>/g, ''),
      );
      expect(curl).toContain(`/api${path.split('{')[0]}`);
      expect(curl.startsWith(method === 'GET' ? 'curl ' : `curl -X ${method} `)).toBe(true);
      const property = /await praxis\.(\w+)\.(\w+)\(/.exec(script);
      expect(property?.[2]).toBe(operation);
      expect(client).toContain(`readonly ${property?.[1]}: `);
    }
  });

  it('draws no two groups at one place', async () => {
    const html = await textOf('product', '/docs/map');
    const boxes = [
      ...html.matchAll(/data-name="([^"]+)"[^>]*><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g),
    ].map(([, name, ...numbers]) => ({ name, box: numbers.map(Number) }));
    expect(boxes.length).toBe(registryOf('product').resources.size);
    for (const [index, { name, box }] of boxes.entries()) {
      const [x = 0, y = 0, width = 0, height = 0] = box;
      const over = boxes
        .slice(index + 1)
        .filter(
          ({ box: [otherX = 0, otherY = 0, otherWidth = 0, otherHeight = 0] }) =>
            x < otherX + otherWidth && otherX < x + width && y < otherY + otherHeight && otherY < y + height,
        );
      expect(
        over.map((other) => other.name),
        name,
      ).toEqual([]);
    }
  });
});
