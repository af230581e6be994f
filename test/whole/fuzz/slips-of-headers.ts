// What may be wrong with the headers of a request, and with how its body is framed.
import { type Draft, dropHeader, type Slip, setHeader, toBytes } from './draft.ts';

const otherToken: Slip = (draft, { random, token }) => {
  const odd = [
    ...[
      '',
      'Bearer',
      'Bearer ',
      'Basic YTpi',
      `Token ${token}`,
      `Bearer ${token}x`,
      `Bearer ${token.toUpperCase()}`,
      token,
      'Bearer nobody-nobody-nobody',
    ],
    ...[
      `bearer ${token}`,
      `Bearer   ${token}`,
      `Bearer ${token} `,
      `Bearer ${token}, Bearer ${token}`,
      toBytes('Bearer é'),
      `Bearer ${'x'.repeat(5000)}`,
    ],
  ];
  setHeader(draft, 'Authorization', random.pick(odd));
  return true;
};

const noToken: Slip = (draft) => {
  dropHeader(draft, 'Authorization');
  return true;
};

const repeated: Slip = (draft, { random }) => {
  const [name, value] = random.pick(draft.headers);
  draft.headers.push([random.pick([name, name.toUpperCase()]), random.pick([value, 'x', ''])]);
  return true;
};

const noHost: Slip = (draft, { random }) => {
  dropHeader(draft, 'Host');
  if (random.chance(0.5))
    draft.headers.unshift(['Host', random.pick(['', 'a b', '[::1', 'x:99999', '..', toBytes('é')])]);
  return true;
};

/** What a service has no business to look at, or to stumble over. */
const harmless: readonly (readonly [string, string])[] = [
  ...([
    ['Accept', 'text/xml'],
    ['Accept', 'application/json;q=0'],
    ['Accept-Encoding', 'gzip, br;q=0.5, *;q=0'],
    ['Accept-Language', '*;;;'],
    ['Origin', 'https://evil.example'],
    ['Origin', 'null'],
    ['Cookie', '__proto__=1; a=%00'],
    ['X-Forwarded-For', "'; drop table client; --"],
    ['X-Forwarded-Host', 'evil.example'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-Request-Id', '00000000-0000-0000-0000-000000000000'],
  ] as const),
  ...([
    ['Range', 'bytes=0-1'],
    ['If-Modified-Since', 'x'],
    ['If-Match', '*'],
    ['If-None-Match', '"x", W/"y"'],
    ['Idempotency-Key', ''],
    ['Prefer', 'return=minimal; x="'],
    ['traceparent', '00-00000000000000000000000000000000-0000000000000000-00'],
    ['Upgrade', 'h2c'],
    ['TE', 'trailers'],
    ['Date', 'yesterday'],
    ['constructor', '1'],
    ['__proto__', '1'],
  ] as const),
];
const stray: Slip = (draft, { random }) => {
  const [name, value] = random.pick(harmless);
  draft.headers.push([name, value]);
  return true;
};

const expectation: Slip = (draft, { random }) => {
  setHeader(draft, 'Expect', random.pick(['100-continue', '100-CONTINUE', '200-ok', '', 'x']));
  draft.isLast = true;
  return true;
};

const long: Slip = (draft, { random }) => {
  draft.headers.push(['X-Long', 'x'.repeat(random.pick([4000, 8000, 15_000, 17_000, 40_000]))]);
  draft.isLast = true;
  return true;
};

const many: Slip = (draft, { random }) => {
  const count = random.pick([100, 1000, 3000]);
  for (let nth = 0; nth < count; nth += 1) draft.headers.push([`x${nth}`, '1']);
  draft.isLast = true;
  return true;
};

/** Lines that are no headers. */
const badLine: Slip = (draft, { random }) => {
  const lines: [string, string][] = [
    ['X y', '1'],
    ['', 'x'],
    ['X-A ', '1'],
    ['X-A', 'a\0b'],
    ['X-A', 'a\rb'],
    ['X-A', 'a\r\n folded'],
    [toBytes('é'), '1'],
    ['X-A', '\x7f'],
  ];
  draft.headers.push(random.pick(lines));
  draft.isLast = true;
  return true;
};

const closing: Slip = (draft) => {
  setHeader(draft, 'Connection', 'close');
  return true;
};

const older: Slip = (draft, { random }) => {
  draft.version = random.pick(['1.0', '0.9', '2.0', '1.2', '3', 'x']);
  draft.isLast = true;
  return true;
};

/** In pieces; some of them are none. */
const inChunks: Slip = (draft, { random }) => {
  if (draft.body === undefined) return false;
  const { body } = draft;
  // Between two fields: an id in two pieces would not be found, and be another one in the other service.
  const middle = Math.max(0, body.indexOf(',', random.between(0, body.length)));
  const pieces = [body.subarray(0, middle), body.subarray(middle)].filter((piece) => piece.length > 0);
  const text = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece.toString('latin1')}\r\n`).join('');
  const odd = [
    `${text}0\r\n\r\n`,
    `${text}0\r\n\r\n`,
    `${text}0;a=b\r\nX-Trailer: 1\r\n\r\n`,
    `zz\r\n${text}0\r\n\r\n`,
    `-1\r\n\r\n`,
  ];
  draft.body = Buffer.from(random.pick(odd), 'latin1');
  draft.headers.push(['Transfer-Encoding', random.pick(['chunked', 'chunked', 'chunked', 'CHUNKED', 'gzip, chunked'])]);
  if (random.chance(0.1)) draft.headers.push(['Content-Length', String(body.length)]);
  draft.isLast = true;
  return true;
};

const oddLength: Slip = (draft, { random }) => {
  const length = draft.body?.length ?? 0;
  for (const value of random.pick([
    ['+1'],
    ['x'],
    ['-1'],
    ['1', '1'],
    [`${length}`, `${length}`],
    ['0x1'],
    ['99999999999999999999'],
    [''],
  ]))
    draft.headers.push(['Content-Length', value]);
  draft.isLast = true;
  return true;
};

/** Headers that the document names, with what none of them is. */
const oddDeclared: Slip = (draft: Draft, { random }) => {
  const { headers } = draft.operation;
  if (headers.length === 0) return false;
  const odd = [
    '',
    'x',
    '"',
    '"x',
    'W/"',
    '*, "x"',
    '"a" "b"',
    'é',
    'x'.repeat(300),
    'tx=rollback, tx=commit',
    'tx=',
    'tx="rollback"',
    '00-0',
    `"${'x'.repeat(300)}"`,
  ];
  const { name } = random.pick(headers);
  if (random.chance(0.8)) dropHeader(draft, name);
  draft.headers.push([name, toBytes(random.pick(odd))]);
  return true;
};

export const headerSlips: Readonly<Record<string, Slip>> = {
  ...{
    otherToken,
    noToken,
    repeated,
    noHost,
    stray,
    expectation,
    long,
    badLine,
    closing,
    older,
    inChunks,
    oddLength,
    oddDeclared,
    many,
  },
};
