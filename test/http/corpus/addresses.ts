// Paths, ids, methods and parameters that are wrong.
import { unknownParameter } from './meant.ts';
import { encoded, foreignId, hostileTexts, type Row, unknownId } from './row.ts';

const badId = "Parameter 'id' is not a valid UUID.";
const noPath = 'No such path.';

export const wrongIds = [
  ...[
    '1',
    'x',
    'null',
    'undefined',
    'me',
    '%20',
    '%00',
    `${unknownId}0`,
    unknownId.slice(1),
    unknownId.replaceAll('-', ''),
    unknownId.replace('0', 'g'),
    unknownId.replace('-', '_'),
  ],
  ...[
    `%7B${unknownId}%7D`,
    `urn:uuid:${unknownId}`,
    `${unknownId}%20`,
    `%20${unknownId}`,
    `${unknownId}%00`,
    `${unknownId}%0A`,
    `${unknownId},${unknownId}`,
    `${unknownId};x=1`,
    `${unknownId}%2F..`,
  ],
  ...[
    '%E0%A4%A',
    '%FF',
    '%',
    '%zz',
    '%2e%2e',
    '%2F',
    '..%2F..',
    '%C0%AE',
    unknownId.replace('0', '%D9%A0'),
    '1%27%20or%201=1',
    '0x01',
    '-1',
    '01890a5d-ac96-774b-bcce',
    '*',
    '~',
    '@',
    '%F0%9F%98%80',
  ],
];
const withId = ['/clients', '/tax-rates', '/member-certifications', '/project-tags'];

export const wrongPaths = [
  ...[
    '/',
    '/client',
    '/Clients',
    '/CLIENTS',
    '/clients/',
    '/clients//',
    '//clients',
    '/clients.json',
    '/client%73',
    '/clients%2F',
    '/clients%3Flimit=1',
    `/clients/${unknownId}/`,
    `/clients/${unknownId}/x`,
  ],
  ...[
    '/clients/x/y/z',
    '/./clients',
    '/x/../clients',
    '/constructor',
    '/__proto__',
    '/__proto__/x',
    '/toString',
    '/hasOwnProperty/x',
    '/%00',
    '/%FF',
    '/workspace-settings/x',
    '/exchange-rate/x',
    `/exchange-rate/${unknownId}`,
    '/exchange-rates',
    '/admin',
    '/.env',
    '/api/clients',
  ],
];

const methodsAndPaths: readonly (readonly [string, string])[] = [
  ...['TRACE', 'PROPFIND', 'MKCOL', 'SEARCH', 'PURGE', 'LINK', 'DELETE', 'PATCH'].map(
    (method) => [method, '/clients'] as const,
  ),
  ...['PUT', 'POST', 'COPY', 'MOVE', 'UNLOCK', 'REBIND', 'SOURCE'].map(
    (method) => [method, `/clients/${unknownId}`] as const,
  ),
  ...['POST', 'PUT', 'DELETE'].map((method) => [method, '/workspace-settings'] as const),
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, '/exchange-rate'] as const),
];

const lists = [
  '/project-rate-cards',
  '/pipeline-activity-types',
  '/business-units',
  '/payments',
  '/cost-periods',
  '/member-tags',
  '/locations',
  '/clients',
  '/contacts',
];
export const wrongLimits = [
  ...[
    '0',
    '101',
    '-1',
    '-0',
    '1.5',
    '1e1',
    '%2B5',
    '+5',
    '05',
    '0x10',
    '0b1',
    '%205',
    '5%20',
    '5%00',
    '',
    'ten',
    'NaN',
    'Infinity',
    'null',
    'true',
    '[]',
    '1,2',
    '1000',
    '9007199254740993',
  ],
  ...['9'.repeat(300), '%EF%BC%95', '%D9%A5', '1%3Bselect', '%27', '10%0A', '1_0', '10n'],
];
const limitMessage = (limit: string): string => {
  const text = decodeURIComponent(limit);
  return text.includes('\0')
    ? "Parameter 'limit' must be without U+0000."
    : "Parameter 'limit' must be an integer from 1 to 100.";
};
export const wrongCursors = [
  '',
  'x',
  '0',
  unknownId.replaceAll('-', ''),
  `${unknownId}%20`,
  `%7B${unknownId}%7D`,
  `urn:uuid:${unknownId}`,
  unknownId.replace('a', 'x'),
  '%27%20or%20%271%27=%271',
  'null',
  `${unknownId},`,
];
const cursors = ['startingAfter', 'endingBefore'];
/** Lists that can be asked for in another order. */
const sorted: ReadonlySet<string> = new Set(['/clients', '/contacts']);

export const unknownNames = [
  'sort',
  'order',
  'page',
  'offset',
  'field',
  'Limit',
  'LIMIT',
  'limit[]',
  'limit[0]',
  'limit[gte]',
  'starting_after',
  'id',
  'id[]',
  '__proto__',
  '__proto__[x]',
  'constructor',
  'toString',
  'access_token',
  '$where',
  'createdAt',
  "'",
  '',
  ' limit',
  'limit ',
  'limit\t',
  '😀',
];

const uuidFilters = [
  ['/project-rate-cards', 'projectId'],
  ['/payments', 'clientId'],
  ['/cost-periods', 'memberId'],
  ['/clients', 'ownerId'],
  ['/clients', 'tagId'],
  ['/contacts', 'practiceId'],
] as const;
const wordFilters = [
  ['/clients', 'recordStatusId', 'one of active, archived'],
  ['/opportunity-stages', 'statusId', 'one of open, won, lost'],
  ['/invoices', 'statusId', 'one of draft, issued, paid, void'],
  ['/invoices', 'currency', 'an ISO 4217 currency code'],
  ['/expense-reports', 'number', 'an integer from 0 to 9007199254740991'],
  ['/expense-reports', 'date', 'a date (YYYY-MM-DD)'],
  ['/expense-reports', 'dateOnBefore', 'a date (YYYY-MM-DD)'],
  ['/invoices', 'dueOnAfter', 'a date (YYYY-MM-DD)'],
  ['/exchange-rate', 'date', 'a date (YYYY-MM-DD)'],
  ['/exchange-rate', 'fromCurrency', 'an ISO 4217 currency code'],
] as const;
/** No value of any of these kinds. */
export const wrongWords = [
  '',
  'x',
  'OPEN',
  'active,archived',
  '-1',
  '1.5',
  '2023-02-29',
  '0999-12-31',
  '10000-01-01',
  '2024-1-1',
  '2024-01-01T00:00:00Z',
  'usd',
  'XXX',
  '99999999999999999999',
  "' or 1=1 --",
  '%',
  '{}',
  '😀',
];
const textFilters = [
  '/clients?name=',
  '/clients?nameContains=',
  '/contacts?emailEndsWith=',
  '/locations?name=',
  '/expense-reports?titleStartsWith=',
];

export const addressRows: readonly Row[] = [
  ...withId.flatMap((path) =>
    wrongIds.map((id): Row => ({ method: 'GET', path: `${path}/${id}`, status: 400, message: badId })),
  ),
  ...wrongIds.flatMap((id): Row[] => [
    { method: 'PATCH', path: `/expense-reports/${id}`, body: '{', status: 400, message: badId },
    { method: 'DELETE', path: `/skills/${id}`, status: 400, message: badId },
  ]),
  ...[
    unknownId,
    unknownId.toUpperCase(),
    foreignId,
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ].flatMap((id): Row[] => [
    ...withId.map(
      (path): Row => ({
        method: 'GET',
        path: `${path}/${id}`,
        status: 404,
        message: `Object with id '${id}' not found.`,
      }),
    ),
    { method: 'PATCH', path: `/clients/${id}`, body: '{}', status: 404, message: `Object with id '${id}' not found.` },
    { method: 'DELETE', path: `/industries/${id}`, status: 404, message: `Object with id '${id}' not found.` },
  ]),
  ...wrongPaths.flatMap((path): Row[] =>
    ['GET', 'POST', 'DELETE'].map((method) => ({ method, path, status: 404, message: noPath })),
  ),
  ...methodsAndPaths.map(([method, path]): Row => ({ method, path, status: 405, message: 'Method not allowed.' })),
  ...lists.flatMap((path): Row[] => [
    ...wrongLimits.map((limit) => ({
      method: 'GET',
      path: `${path}?limit=${limit}`,
      status: 400,
      message: limitMessage(limit),
    })),
    ...cursors.flatMap((name) =>
      wrongCursors.map((id) => ({
        method: 'GET',
        path: `${path}?${name}=${id}`,
        status: 400,
        message: `Parameter '${name}' is not a valid UUID.`,
      })),
    ),
    ...cursors.map((name) => ({
      method: 'GET',
      path: `${path}?${name}=${foreignId}`,
      status: 400,
      message: `Parameter '${name}' does not refer to a known record.`,
    })),
    ...unknownNames
      .filter((name) => name !== 'sort' || !sorted.has(path))
      .map((name) => ({
        method: 'GET',
        path: `${path}?${encoded(name)}=1`,
        status: 400,
        message: unknownParameter(name, { id: `${path}/{id}`, ...(sorted.has(path) && { order: 'sort' }) }),
      })),
    { method: 'GET', path: `${path}?limit=1&limit=1`, status: 400, message: "Parameter 'limit' is given twice." },
    { method: 'GET', path: `${path}?limit=1&l%69mit=2`, status: 400, message: "Parameter 'limit' is given twice." },
    {
      method: 'GET',
      path: `${path}?limit=%FF`,
      status: 400,
      message: "Parameter 'limit' must be percent-encoded UTF-8.",
    },
    {
      method: 'GET',
      path: `${path}?limit=%C0%80`,
      status: 400,
      message: "Parameter 'limit' must be percent-encoded UTF-8.",
    },
    { method: 'GET', path: `${path}?%FF=1`, status: 400, message: "Parameter '%FF' is not allowed." },
    {
      method: 'GET',
      path: `${path}?startingAfter=${unknownId}&endingBefore=${unknownId}`,
      status: 400,
      message: "Parameters 'startingAfter' and 'endingBefore' are mutually exclusive.",
    },
  ]),
  ...uuidFilters.flatMap(([path, name]) =>
    wrongCursors.map(
      (id): Row => ({
        method: 'GET',
        path: `${path}?${name}=${id}`,
        status: 400,
        message: `Parameter '${name}' is not a valid UUID.`,
      }),
    ),
  ),
  ...wordFilters.flatMap(([path, name, words]) =>
    wrongWords.map(
      (word): Row => ({
        method: 'GET',
        path: `${path}?${name}=${encoded(word)}`,
        status: 400,
        message: `Parameter '${name}' must be ${words}.`,
      }),
    ),
  ),
  ...textFilters.map(
    (start): Row => ({
      method: 'GET',
      path: `${start}a%00b`,
      status: 400,
      message: `Parameter '${start.slice(start.indexOf('?') + 1, -1)}' must be without U+0000.`,
    }),
  ),
  ...['GET /clients/{client}', 'DELETE /skills/{skill}', 'GET /workspace-settings', 'GET /exchange-rate'].flatMap(
    (line): Row[] => {
      const [method = '', path = ''] = line.split(' ');
      return ['limit', 'name', 'startingAfter', 'x'].map((name) => ({
        method,
        path: `${path}?${name}=1`,
        status: 400,
        message: unknownParameter(name),
      }));
    },
  ),
  ...['date=2026-01-01&date=2026-01-01', 'date=2026-01-01&fromCurrency=EUR&d%61te=2026-01-02'].map(
    (query): Row => ({
      method: 'GET',
      path: `/exchange-rate?${query}`,
      status: 400,
      message: "Parameter 'date' is given twice.",
    }),
  ),
  ...['dateAfter', 'toCurrency', 'rates', 'Date', 'fromCurrency[]'].map(
    (name): Row => ({
      method: 'GET',
      path: `/exchange-rate?${name}=2026-01-01`,
      status: 400,
      message: unknownParameter(name),
    }),
  ),
  ...hostileTexts
    .filter((text) => text.length < 1000)
    .flatMap((text): Row[] => [
      { method: 'GET', path: `/clients/${encoded(text)}`, status: 400, message: badId },
      {
        method: 'GET',
        path: `/payments?clientId=${encoded(text)}`,
        status: 400,
        message: "Parameter 'clientId' is not a valid UUID.",
      },
      {
        method: 'GET',
        path: `/job-titles?${encoded(text)}=1`,
        status: 400,
        message: unknownParameter(text),
      },
      { method: 'DELETE', path: `/industries/${encoded(text)}`, status: 400, message: badId },
    ]),
];
