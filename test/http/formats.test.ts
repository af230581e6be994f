// One registration of formats serves bodies, the document and those who check answers; what reads paths and parameters agrees.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addFormats } from '../../src/endpoints/values/formats.ts';
import { isDate } from '../../src/values/date.ts';
import { isUuid } from '../../src/values/format.ts';

const ajv = addFormats(new Ajv2020({ strict: true }));
const accepts = (format: string) => ajv.compile({ type: 'string', format });
const digits = (least: number, most: number) => fc.integer({ min: least, max: most });
const padded = (number: number, length: number): string => String(number).padStart(length, '0');

test('a date of a body is a date of a parameter', () => {
  const isFormat = accepts('date');
  const near = fc
    .tuple(digits(0, 10_000), digits(0, 13), digits(0, 32), fc.constantFrom('-', '/', ''))
    .map(([year, month, day, by]) => [padded(year, 4), padded(month, 2), padded(day, 2)].join(by));
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: near }, fc.string()), (text) => {
      expect(isFormat(text), text).toBe(isDate(text));
    }),
    { numRuns: 5000 },
  );
  for (const [text, is] of [
    ['0999-12-31', false],
    ['1000-01-01', true],
    ['9999-12-31', true],
    ['2024-02-29', true],
    ['1900-02-29', false],
    ['2000-02-29', true],
    ['2026-04-31', false],
    ['2026-1-1', false],
  ] as const)
    expect([text, isFormat(text)]).toEqual([text, is]);
});

test('an id of a body is an id of a path', () => {
  const isFormat = accepts('uuid');
  const near = fc
    .tuple(fc.uuid(), fc.constantFrom('', 'urn:uuid:', '{', ' '), fc.boolean())
    .map(([id, before, isUpper]) => before + (isUpper ? id.toUpperCase() : id));
  fc.assert(
    fc.property(fc.oneof(near, fc.string({ minLength: 36, maxLength: 36 })), (text) => {
      expect(isFormat(text), text).toBe(isUuid(text));
    }),
  );
});

test.each([
  ['email', 'ada@localhost', true],
  ['email', 'ada', false],
  ['url', 'https://b%C3%BCcher.example/%C3%A4', true],
  ['uri', 'https://b%C3%BCcher.example/%C3%A4', true],
  ['url', 'https://bücher.example/ä', false],
  ['uri', 'http://example.com/%', false],
  ['url', 'ftp://example.com', false],
  ['currency', 'EUR', true],
  ['currency', 'XXX', false],
  ['time-zone', 'Europe/Kyiv', true],
  ['time-zone', '+01:00', false],
  ['time', '23:59', true],
  ['time', '23:59:00Z', false],
  ['slug', 'a-b', true],
  ['slug', 'a--b', false],
  ['date-time', '2026-02-28T10:11:12.345Z', true],
  ['date-time', '2026-02-28 10:11:12', false],
])('%s: %s', (format, text, is) => {
  expect(accepts(format)(text)).toBe(is);
});
