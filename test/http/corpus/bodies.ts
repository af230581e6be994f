// Bodies that are no JSON object, or come in the wrong wrapping.
import { gzipSync } from 'node:zlib';
import { bodyMessage, type Row } from './row.ts';

const targets = [
  ['POST', '/job-titles'],
  ['PATCH', '/clients/{client}'],
  ['PATCH', '/workspace-settings'],
] as const;

const deepest = 32;
const arrays = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const bytes = (...values: number[]): Buffer =>
  Buffer.from([...Buffer.from('{"name":"'), ...values, ...Buffer.from('"}')]);

export const malformed: readonly (string | Buffer)[] = [
  ...[
    '',
    ' ',
    '{',
    '}',
    '[',
    ']',
    '[[',
    '{"name":}',
    '{"name"}',
    '{"name" "x"}',
    '{name:"x"}',
    "{'name':'x'}",
    '{"name":"x",}',
    '{,}',
    '{"a":[1,]}',
    '{"a":[,1]}',
  ],
  ...[
    '{"a":1 "b":2}',
    '{"a":1,,"b":2}',
    '{"name":"x"}{"name":"y"}',
    '{"name":"x"} x',
    '{}{}',
    '{},',
    'undefined',
    'NaN',
    'Infinity',
    '-Infinity',
    'True',
    'nul',
    'tru',
    'falsey',
  ],
  ...[
    '{"a":NaN}',
    '{"a":undefined}',
    '{"a":Infinity}',
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":5.}',
    '{"a":1e}',
    '{"a":1e+}',
    '{"a":0x10}',
    '{"a":1_000}',
    '{"a":--1}',
    '{"a":-}',
    '{"a":1n}',
  ],
  ...[
    '{"a":"\t"}',
    '{"a":"\n"}',
    '{"a":"\u0001"}',
    '{"a":"\u0000"}',
    '{"a":"\\x41"}',
    '{"a":"\\u12"}',
    '{"a":"\\uZZZZ"}',
    '{"a":"\\"}',
    '{"a":"b',
    '"abc',
    '{"a":[}',
    '{"a":{]',
    '{"a":(1)}',
  ],
  ...[
    '// x\n{}',
    '{/*x*/}',
    '{}//',
    '\ufeff{}',
    '\u00a0{}',
    '{}\u2028',
    '<a/>',
    'name=x',
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--',
  ],
  `{"a":${'-'.repeat(100_000)}}`,
  ...[
    bytes(0xff),
    bytes(0xc0, 0x80),
    bytes(0xed, 0xa0, 0x80),
    bytes(0xe2, 0x82),
    bytes(0xf8, 0x88, 0x80, 0x80, 0x80),
    bytes(0xf4, 0x90, 0x80, 0x80),
    bytes(0x80),
    bytes(0x00),
  ],
  ...[
    Buffer.from('\ufeff{}', 'utf16le'),
    Buffer.from('{}', 'utf16le'),
    gzipSync('{"name":"x"}'),
    Buffer.from([0x16, 0x03, 0x01, 0x02]),
    Buffer.alloc(64),
  ],
];

export const noObjects = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1.5',
  '1e999',
  '-1e999',
  '""',
  '"{}"',
  '[]',
  '[{}]',
  '[null]',
  ' [ ] ',
  arrays(deepest),
  arrays(deepest + 1),
  '['.repeat(100_000),
  arrays(200_000),
  '["\\u0000"]',
  '"\\ud800"',
];

const lone = 'must be without lone surrogates';
const nul = 'must be without U+0000';
const twice = 'is given twice';
const deep = 'must have at most 31 levels';
/** Valid JSON that the service does not take, and its error. */
export const refused: readonly (readonly [body: string, error: string])[] = [
  ['{"name":"\\ud800"}', `'name' ${lone}`],
  ['{"name":"\\udc00\\ud800"}', `'name' ${lone}`],
  ['{"a":[1,{"b":"a\\ud83dz"}]}', `'a[1].b' ${lone}`],
  ['{"\\ud800":1}', `'\ufffd' ${lone}`],
  ['{"name":"\\u0000"}', `'name' ${nul}`],
  ['{"x":{"y":"}"},"name":"a\\u0000b"}', `'name' ${nul}`],
  ['{"\\u0000":1}', `'\\u0000' ${nul}`],
  ['{"a":{"b\\u0000":1}}', `'a.b\\u0000' ${nul}`],
  ['{"name":"a","name":"b"}', `'name' ${twice}`],
  ['{"name":"a","n\\u0061me":"b"}', `'name' ${twice}`],
  ['{"a":{"b":1,"b":2}}', `'a.b' ${twice}`],
  ['{"a":[[],{"c":"]"},{"b":1,"b":1}]}', `'a[2].b' ${twice}`],
  ['{"":1,"":2}', `'' ${twice}`],
  ['{"__proto__":{"polluted":1}}', "'__proto__' is not allowed"],
  ['{"\\u005f_proto__":{"polluted":1}}', "'__proto__' is not allowed"],
  ['{"a":{"__proto__":{"polluted":1}}}', "'a.__proto__' is not allowed"],
  ['{"a":[{"__proto__":1}]}', "'a[0].__proto__' is not allowed"],
  ['{"__proto__":null}', "'__proto__' is not allowed"],
  [objects(deepest + 1), `'a' ${deep}`],
  [`{"name":${arrays(deepest)}}`, `'name' ${deep}`],
  ['{"a":'.repeat(100_000), `'a' ${deep}`],
];

export const types = [
  ...[
    '',
    'text/plain',
    'text/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
  ],
  ...[
    'application/json5',
    'application/jsonx',
    'application/*',
    '*/*',
    'application/merge-patch+json',
    'application/vnd.api+json',
    'application/json-patch+json',
    'json',
    'application',
  ],
  ...[
    'application/json; charset=utf-16',
    'application/json;charset=latin1',
    'application/json; charset=',
    'application/json, text/plain',
    'application /json',
    'x application/json',
    '"application/json"',
  ],
];
export const encodings = [
  'gzip',
  'deflate',
  'br',
  'zstd',
  'compress',
  'identity, gzip',
  'gzip, gzip',
  'x',
  'identity;q=1',
];

const json = 'application/json';
const limit = 1_048_576;
/** A body of exactly so many bytes. */
const sized = (length: number): string => `{"name":"${'x'.repeat(length - 11)}"}`;

export const bodyRows: readonly Row[] = targets.flatMap(([method, path]) => [
  ...malformed.map(
    (body): Row => ({ method, path, body, status: 400, message: 'The request body is not valid JSON.' }),
  ),
  ...refused.map(([body, error]): Row => ({ method, path, body, status: 400, message: bodyMessage, errors: [error] })),
  ...noObjects.map(
    (body): Row => ({ method, path, body, status: 400, message: 'The request body must be a JSON object.' }),
  ),
  ...types.map(
    (type): Row => ({
      method,
      path,
      body: '{"name":"x"}',
      headers: { 'content-type': type },
      status: 415,
      message: 'The request body must be application/json.',
    }),
  ),
  ...encodings.map(
    (encoding): Row => ({
      method,
      path,
      body: gzipSync('{"name":"x"}'),
      headers: { 'content-type': json, 'content-encoding': encoding },
      status: 415,
      message: 'The request body must be application/json.',
    }),
  ),
  { method, path, body: sized(limit + 1), status: 413, message: 'The request body is too large.' },
  {
    method,
    path,
    body: sized(limit + 1),
    headers: { 'content-type': json, 'transfer-encoding': 'chunked' },
    status: 413,
    message: 'The request body is too large.',
  },
  {
    method,
    path,
    body: sized(limit),
    status: 400,
    message: bodyMessage,
    errors: ["'name' must be at most 255 characters"],
  },
]);
