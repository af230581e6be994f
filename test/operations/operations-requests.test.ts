// What all operations of the interface have in common: who may ask, in which order faults are told, pages, switches.
import { expect, test } from 'vitest';
import {
  expectFaults,
  expectGone,
  expectProblem,
  foreignId,
  pageOf,
  recordOf,
  type Shown,
  unknownId,
  unknownRecord,
} from '../support/service/answers.ts';
import { type Answer, accessToken, onEveryDatabase } from '../support/service/praxis.ts';

const gates = [
  ['project_rate_cards', 'Project Rate Cards', ['/project-rate-cards']],
  ['business_units', 'Business Units', ['/business-units']],
  [
    'pipeline',
    'Pipeline',
    ['/contacts', '/contact-tags', '/opportunity-pipelines', '/opportunity-stages', '/pipeline-activity-types'],
  ],
] as const;
const features = gates.map(([feature]) => feature);
const lists = [
  '/project-rate-cards',
  '/pipeline-activity-types',
  '/business-units',
  '/payments',
  '/cost-periods',
  '/member-tags',
  '/locations',
];

const badId = "Parameter 'id' is not a valid UUID.";
const badType = 'The request body must be application/json.';
const badJson = 'The request body is not valid JSON.';
const plainText = { headers: { 'content-type': 'text/plain' } };
const megabytes = 'x'.repeat(2_000_000);

onEveryDatabase(
  'requests',
  (context) => {
    const turn = async (on: readonly string[]) =>
      recordOf(await context.call('PATCH', '/workspace-settings', { features: on }));

    test('wants a token for every operation and every path', async () => {
      const missing = 'Authentication is required.';
      const invalid = 'The access token is not valid.';
      for (const [authorization, message] of [
        ['', missing],
        ['Bearer', missing],
        ['Bearer ', missing],
        [`Basic ${accessToken}`, missing],
        [accessToken, missing],
        ['Bearer wrong-token-0123456789', invalid],
        [`Bearer ${accessToken}x`, invalid],
        [`Bearer ${accessToken.toUpperCase()}`, invalid],
        [`Bearer ${accessToken} x`, invalid],
      ] as const) {
        for (const [method, path] of [
          ['GET', '/clients'],
          ['PATCH', '/clients/x'],
          ['DELETE', '/nowhere'],
          ['PUT', '/skills'],
        ] as const) {
          const answer = await context.call(method, path, undefined, { headers: { authorization } });
          expectProblem(answer, 401, message);
          expect(answer.headers['www-authenticate']).toBe(
            message === missing ? 'Bearer' : 'Bearer error="invalid_token"',
          );
        }
      }
      recordOf(
        await context.call('GET', '/workspace-settings', undefined, {
          headers: { authorization: `bearer ${accessToken}` },
        }),
      );
      expectProblem(
        await context.call('GET', `/clients?access_token=${accessToken}`),
        400,
        "Parameter 'access_token' is not allowed.",
      );
    });

    test('tells the first of two faults', async () => {
      const title = await context.make('job-title', { name: 'Taken' });
      const [readOnly] = await context.all('pipeline-activity-type', '&name=Edit');
      const type = `/pipeline-activity-types/${readOnly?.id}`;
      const unknown = unknownRecord(unknownId);
      const cases: readonly [string, () => Promise<Answer>, number, string][] = [
        ['path before id', () => context.call('GET', '/nowhere/x?y=1'), 404, 'No such path.'],
        [
          'method before id and parameters',
          () => context.call('PUT', '/clients/x?y=1', '{'),
          405,
          'Method not allowed.',
        ],
        ['id before parameters', () => context.call('GET', '/clients/x?y=1'), 400, badId],
        ['id before the body', () => context.call('PATCH', '/clients/x', '{', plainText), 400, badId],
        [
          'parameters before the type of the body',
          () => context.call('POST', '/job-titles?y=1', '{', plainText),
          400,
          "Parameter 'y' is not allowed.",
        ],
        [
          'parameters before an unknown id',
          () => context.call('GET', `/clients/${unknownId}?y=1`),
          400,
          "Parameter 'y' is not allowed.",
        ],
        ['type before size', () => context.call('POST', '/job-titles', megabytes, plainText), 415, badType],
        ['type before JSON', () => context.call('POST', '/job-titles', '{', plainText), 415, badType],
        [
          'type before an unknown id',
          () => context.call('PATCH', `/clients/${unknownId}`, '{}', plainText),
          415,
          badType,
        ],
        [
          'size before JSON',
          () => context.call('POST', '/job-titles', megabytes),
          413,
          'The request body is too large.',
        ],
        ['JSON before an unknown id', () => context.call('PATCH', `/clients/${unknownId}`, '{'), 400, badJson],
        [
          'an object before an unknown id',
          () => context.call('PATCH', `/clients/${unknownId}`, '[]'),
          400,
          'The request body must be a JSON object.',
        ],
        [
          'unknown id before the body',
          () => context.call('PATCH', `/clients/${unknownId}`, { name: 5, x: 1 }),
          404,
          unknown,
        ],
        [
          'read-only before the body',
          () => context.call('PATCH', type, { typeId: 'call', name: 5 }),
          409,
          'The Pipeline Activity Type is read-only.',
        ],
        [
          'read-only before a taken name',
          () => context.call('PATCH', type, { typeId: 'call', name: 'Call' }),
          409,
          'The Pipeline Activity Type is read-only.',
        ],
      ];
      for (const [name, send, status, message] of cases) {
        const answer = await send();
        expect([name, answer.status, answer.body]).toEqual([name, status, { status, message }]);
      }
      expectFaults(
        await context.call('POST', '/job-titles', { name: 'taken', isActive: 1 }),
        "'isActive' must be a boolean",
      );
      expectFaults(
        await context.call('PATCH', `/job-titles/${title.id}`, { name: 'taken', x: 1 }),
        "'x' is not allowed",
      );
      const { key } = await context.make('client');
      const lost = { name: 'x', key, industryId: unknownId };
      expectFaults(await context.call('POST', '/clients', lost), "'industryId' does not refer to an existing Industry");
    });

    test.each(gates)(
      'closes the groups of %s while it is off, and keeps their records',
      async (feature, name, paths) => {
        const contact = await context.make('contact');
        const unit = await context.make('business-unit');
        const client = await context.make('client', { businessUnitId: unit.id });
        await turn(features.filter((other) => other !== feature));
        for (const path of paths) {
          for (const [method, rest] of [
            ['GET', ''],
            ['GET', '/x'],
            ['PATCH', `/${unknownId}`],
            ['POST', ''],
            ['DELETE', '/x'],
            ['GET', '?limit=0'],
          ] as const) {
            const body = method === 'PATCH' || method === 'POST' ? '{' : undefined;
            expectProblem(await context.call(method, path + rest, body), 403, `Feature '${name}' is not enabled.`);
          }
          expectProblem(await context.call('SEARCH', path), 405, 'Method not allowed.');
          expectProblem(await context.call('GET', `${path}/x/y`), 404, 'No such path.');
          const anonymous = await context.call('GET', path, undefined, { headers: { authorization: '' } });
          expectProblem(anonymous, 401, 'Authentication is required.');
        }
        const open = gates.filter(([other]) => other !== feature).flatMap(([, , others]) => others);
        for (const path of open) pageOf(await context.call('GET', path));
        const shown = recordOf(
          await context.call('PATCH', `/clients/${client.id}`, { businessUnitId: unit.id, code: 'x' }),
        );
        expect(shown.businessUnit).toEqual({ id: unit.id, name: unit.name });
        await turn(features);
        expect(recordOf(await context.call('GET', `/contacts/${contact.id}`))).toEqual(contact);
      },
    );

    test.each(lists)('pages through %s', async (path) => {
      const refused = async (query: string, message: string) =>
        expectProblem(await context.call('GET', `${path}?${query}`), 400, message);
      for (const limit of [
        '0',
        '101',
        '-1',
        '1.5',
        '1e1',
        '+5',
        '%2B5',
        '05',
        '0x10',
        '%205',
        '5%20',
        '',
        'ten',
        '9'.repeat(40),
        '%EF%BC%95',
      ]) {
        await refused(`limit=${limit}`, "Parameter 'limit' must be an integer from 1 to 100.");
      }
      for (const cursor of ['startingAfter', 'endingBefore']) {
        for (const wrong of [
          '',
          'x',
          unknownId.replaceAll('-', ''),
          `${unknownId}%20`,
          `{${unknownId}}`,
          `urn:uuid:${unknownId}`,
          unknownId.replace('0', 'g'),
        ]) {
          await refused(`${cursor}=${wrong}`, `Parameter '${cursor}' is not a valid UUID.`);
        }
        await refused(`${cursor}=${foreignId}`, `Parameter '${cursor}' does not refer to a known record.`);
        await refused(`${cursor}=${unknownId}&${cursor}=${unknownId}`, `Parameter '${cursor}' is given twice.`);
      }
      await refused(
        `startingAfter=${unknownId}&endingBefore=${unknownId}`,
        "Parameters 'startingAfter' and 'endingBefore' are mutually exclusive.",
      );
      for (const name of ['Limit', 'limit[]', 'limit[gte]'])
        await refused(`${encodeURIComponent(name)}=1`, `Parameter '${name}' is not allowed; did you mean 'limit'?`);
      await refused('page=1', "Parameter 'page' is not allowed; did you mean 'startingAfter'?");
      await refused('id=1', `Parameter 'id' is not allowed; did you mean '${path}/{id}'?`);
      for (const name of ['limit[0]', '__proto__', 'constructor', 'createdAt']) {
        await refused(`${encodeURIComponent(name)}=1`, `Parameter '${name}' is not allowed.`);
      }
      expect(pageOf(await context.call('GET', `${path}?limit=100`)).hasMore).toBe(false);
    });

    test('shows every record once, newest first, in both directions and at any size of page', async () => {
      const made: Shown[] = [];
      for (let count = 0; count < 23; count++) made.unshift(await context.make('location'));
      const ids = made.map(({ id }) => id);
      const page = async (query: string) => {
        const { results, hasMore } = pageOf(await context.call('GET', `/locations?${query}`));
        return { ids: results.map(({ id }) => id), hasMore };
      };
      expect(await page('')).toEqual({ ids: ids.slice(0, 10), hasMore: true });
      for (const size of [1, 4, 22, 23, 100]) {
        const down: string[] = [];
        for (let cursor = ''; ; cursor = `&startingAfter=${down.at(-1)}`) {
          const { ids: found, hasMore } = await page(`limit=${size}${cursor}`);
          down.push(...found);
          if (!hasMore) break;
        }
        expect(down).toEqual(ids);
        const up: string[] = [String(ids.at(-1))];
        for (let more = true; more; ) {
          const { ids: found, hasMore } = await page(`limit=${size}&endingBefore=${up[0]?.toUpperCase()}`);
          up.unshift(...found);
          more = hasMore;
        }
        expect(up).toEqual(ids);
      }
      expect(await page(`endingBefore=${ids[0]}`)).toEqual({ ids: [], hasMore: false });
      expect(await page(`startingAfter=${ids.at(-1)}`)).toEqual({ ids: [], hasMore: false });
      expectGone(await context.call('DELETE', `/locations/${ids[5]}`));
      expect(await page(`limit=2&startingAfter=${ids[5]}`)).toEqual({ ids: ids.slice(6, 8), hasMore: true });
      expect(await page(`limit=2&endingBefore=${ids[5]}`)).toEqual({ ids: ids.slice(3, 5), hasMore: true });
    });

    test('answers HEAD and OPTIONS, and 405 to other methods', async () => {
      const { id } = await context.make('client');
      const empty = async (method: string, path: string) => {
        const { status, text } = await context.call(method, path);
        return [status, text];
      };
      expect(await empty('HEAD', `/clients/${id}`)).toEqual([200, '']);
      expect(await empty('HEAD', `/clients/${unknownId}`)).toEqual([404, '']);
      for (const [path, allow] of [
        ['/clients', 'GET, HEAD, POST, PUT, OPTIONS'],
        [`/clients/${id}`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
        ['/workspace-settings', 'GET, HEAD, PATCH, OPTIONS'],
      ] as const) {
        const answer = await context.call('OPTIONS', path);
        expect([answer.status, answer.headers.allow]).toEqual([204, allow]);
        for (const method of ['SEARCH', 'TRACE', 'PROPFIND', 'LOCK', 'REPORT', 'M-SEARCH']) {
          const refusal = await context.call(method, path);
          expectProblem(refusal, 405, 'Method not allowed.');
          expect(refusal.headers.allow).toBe(allow);
        }
      }
    });

    test.each([
      ['/clients/', 404],
      ['/Clients', 404],
      ['//clients', 404],
      ['/clients//', 404],
      ['/client', 404],
      ['/clients.json', 404],
      ['/client%73', 404],
      ['/clients%2F', 404],
      ['/clients/%00', 400],
      [`/clients/${unknownId}/`, 404],
      [`/clients/${unknownId}%2Fx`, 400],
      [`/clients/${unknownId};x`, 400],
      [`/clients/%E0%A4%A`, 400],
      ['/workspace-settings/x', 404],
      ['/constructor', 404],
      ['/__proto__', 404],
      ['/__proto__/x', 404],
    ])('answers %s with %i', async (path, status) => {
      expectProblem(await context.call('GET', path), status, status === 404 ? 'No such path.' : badId);
    });
  },
  'product',
);
