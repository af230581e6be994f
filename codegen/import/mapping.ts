// Checks a mapping that was read: what it says, and nothing else.
import { isObject, type Mapping } from './model.ts';
import { didYouMean } from './nearest.ts';

type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'a text');
const letter: Check = (value) => (typeof value === 'string' && value.length === 1 ? undefined : 'one character');
const switched: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false');
const object: Check = (value) => (isObject(value) ? undefined : 'an object');
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : values.map((each) => `'${each}'`).join(' or ');

const ofMapping: Readonly<Record<keyof Mapping | '$schema', Check>> = {
  $schema: text,
  group: text,
  key: (value) => (value === null ? undefined : text(value)),
  delimiter: letter,
  encoding: text,
  decimal: oneOf('.', ','),
  thousands: letter,
  date: text,
  empty: oneOf('absent', 'null'),
  safe: switched,
  rowKey: text,
  columns: object,
  constants: object,
};

const ofTarget: Readonly<Record<string, Check>> = {
  to: text,
  by: text,
  within: object,
  values: object,
  times: (value) => (typeof value === 'number' && Number.isFinite(value) ? undefined : 'a number'),
  split: text,
};

/** @throws TypeError with the first thing that is wrong */
export function checkMapping(value: unknown): Mapping {
  const mapping = checked(value, ofMapping, '');
  for (const [name, target] of Object.entries(isObject(mapping['columns']) ? mapping['columns'] : {})) {
    if (target === null || typeof target === 'string') continue;
    const { to } = checked(target, ofTarget, `columns.${name}: `);
    if (to === undefined) throw new TypeError(`columns.${name}: 'to' is required.`);
  }
  return mapping as Mapping;
}

function checked(
  value: unknown,
  checks: Readonly<Record<string, Check>>,
  place: string,
): { readonly [key: string]: unknown } {
  if (!isObject(value)) throw new TypeError(`${place}must be an object.`);
  for (const [name, each] of Object.entries(value)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined)
      throw new TypeError(`${place}'${name}' is unknown${didYouMean(name, Object.keys(checks)) || '.'}`);
    const words = check(each);
    if (words !== undefined) throw new TypeError(`${place}'${name}' must be ${words}.`);
  }
  return value;
}
