// Guides and headings that were renamed: old addresses redirect, old anchors still lead to their headings.
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPraxis, startPraxis } from '../../src/app/serve.ts';
import { readConfig } from '../../src/config.ts';
import { guideAddress, readManual } from '../../src/pages/site/manual.ts';
import { movedAnchors, movedGuides } from '../../src/pages/site/moved-guides.ts';
import { folders } from '../support/service/praxis.ts';

const manual = readManual();
let praxis: RunningPraxis;
let withoutPages: RunningPraxis;

beforeAll(async () => {
  const environment = { PORT: '0', DATABASE_URL: 'sqlite::memory:', RESOURCES: folders.test };
  const logger = pino({ level: 'silent' });
  praxis = await startPraxis(readConfig(environment), logger);
  withoutPages = await startPraxis(readConfig({ ...environment, PAGES: 'false' }), logger);
});
afterAll(async () => {
  await praxis.stop();
  await withoutPages.stop();
});

const request = (path: string, init: RequestInit = {}, service = praxis): Promise<Response> =>
  fetch(new URL(path, service.address), { redirect: 'manual', ...init });

/** Status and target of a response. */
const redirectFrom = async (path: string, init?: RequestInit): Promise<readonly [number, string | null]> => {
  const { status, headers } = await request(path, init);
  return [status, headers.get('location')];
};

describe('addresses of guides', () => {
  it('redirect from an old name to a guide that exists', async () => {
    expect(Object.keys(movedGuides)).toContain('figures');
    for (const [old, current] of Object.entries(movedGuides)) {
      expect(manual.find(old), old).toBeUndefined();
      expect(manual.find(current), current).toBeDefined();
      for (const method of ['GET', 'HEAD'])
        expect(await redirectFrom(guideAddress(old), { method }), `${method} ${old}`).toEqual([
          308,
          guideAddress(current),
        ]);
    }
    expect((await fetch(new URL('/docs/guides/figures', praxis.address))).status).toBe(200);
  });

  it.each([
    ['figures.md', 'computed-fields'],
    ['computed-fields.md', 'computed-fields'],
    ['decisions/cel.md', 'decisions/cel'],
  ])('redirect from the file name %s', async (file, name) => {
    expect(await redirectFrom(guideAddress(file))).toEqual([308, guideAddress(name)]);
  });

  it('lead people from an old name with a slash at its end to the guide', async () => {
    const response = await fetch(new URL('/docs/guides/figures/', praxis.address), {
      headers: { Accept: 'text/html' },
    });
    expect([response.status, new URL(response.url).pathname]).toEqual([200, '/docs/guides/computed-fields']);
  });

  it('accept only reads', async () => {
    const response = await request('/docs/guides/figures', { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['nothing', 'nothing.md', 'constructor', 'figures.md.md', 'toString.md'])(
    'answer 404 for %s',
    async (name) => {
      expect((await request(guideAddress(name))).status).toBe(404);
    },
  );

  it('do not redirect if the service has no pages', async () => {
    expect((await request('/docs/guides/figures', {}, withoutPages)).status).toBe(404);
  });
});

describe('anchors of guides', () => {
  it.each(Object.entries(movedAnchors))('of %s lead to the renamed heading', async (name, anchors) => {
    const text = await (await request(guideAddress(name))).text();
    const ids = manual.find(name)?.sections.map(({ id }) => id) ?? [];
    expect(Object.keys(anchors).length).toBeGreaterThan(0);
    for (const [old, current] of Object.entries(anchors)) {
      expect(ids, `the current anchor of ${old}`).toContain(current);
      expect(text.split(`id="${old}"`), `one element with the id ${old}`).toHaveLength(2);
      expect(text, `${old} is in its heading`).toMatch(
        new RegExp(`<h[23] id="${current}">(?:<span id="[^"]+"></span>)*<span id="${old}"></span>`),
      );
    }
  });
});
