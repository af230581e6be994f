// Types that the parts of the importer exchange, and the check of mappings. The parts import only each other and need no module of
// Node: they also run in browsers, and a generated client includes them.
import { suggestName } from './names.ts';

/** What of an answer is looked at. */
export interface ImportAnswer {
  readonly status: number;
  /** Parsed. */
  readonly body: unknown;
  /** Text of the body; undefined if the call does not have it. */
  readonly text?: string;
}

/** Sends one request of the API; `path` is below its base. @throws where there is no answer */
export type ImportCall = (
  method: 'GET' | 'POST',
  path: string,
  request?: { readonly body: unknown; readonly key?: string | undefined; readonly isTrial?: boolean },
) => Promise<ImportAnswer>;

/** Where a column goes. */
export interface Target {
  /** A field of the body, or `reference.field`. */
  readonly to: string;
  /** The field by which a reference is looked up. */
  readonly by?: string;
  /** Further filters of that look-up: a column's value, or `client.key of Client`. */
  readonly within?: Readonly<Record<string, string>>;
  /** Values by the strings that stand for them; for a list, for its items. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Factor of a number, or of each number of a list. */
  readonly times?: number;
  /** What stands between the values of a list. */
  readonly split?: string;
}

/** How the columns of a file become the fields of a group. */
export interface Mapping {
  readonly group?: string;
  readonly key?: string | null;
  readonly delimiter?: string;
  readonly encoding?: string;
  /** `.` or `,` */
  readonly decimal?: string;
  readonly thousands?: string;
  /** `DD.MM.YYYY` */
  readonly date?: string;
  readonly empty?: 'absent' | 'null';
  /** Whether to remove the `'` before cells that spreadsheets would run. */
  readonly safe?: boolean;
  /** The column whose equal values in adjacent rows are one record: its rows give the items of a list (`lines[].amount`). */
  readonly rowKey?: string;
  readonly columns?: Readonly<Record<string, string | Target | null>>;
  readonly constants?: Readonly<Record<string, unknown>>;
}

/** A row that was not taken. */
export interface RefusedRow {
  readonly line: number;
  readonly errors: readonly string[];
  /** As it was: cells in the order of the header, or a record. */
  readonly row: readonly (string | null)[] | Json;
}

/** The import cannot be begun, or not go on; what was taken before stays. */
export class ImportFault extends Error {
  override readonly name = 'ImportFault';
}

export type Json = { readonly [key: string]: unknown };
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** A row of a file. */
export interface SourceRow {
  /** On which it begins. */
  readonly line: number;
  /** Strings in the order of the header, or values that a mapping reads from a record; null if empty. */
  readonly cells?: readonly unknown[];
  readonly record?: Json;
  /** What is wrong with it by itself. */
  readonly fault?: string;
  readonly raw: RefusedRow['row'];
}

type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'a text');
const letter: Check = (value) => (typeof value === 'string' && value.length === 1 ? undefined : 'one character');
const thousands: Check = (value) =>
  typeof value === 'string' && /^[^\d+\-eE]$/.test(value) ? undefined : 'one character that is in no number';
const switched: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false');
const object: Check = (value) => (isObject(value) ? undefined : 'an object');
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : values.map((each) => `'${each}'`).join(' or ');

const mappingChecks: Readonly<Record<keyof Mapping | '$schema', Check>> = {
  $schema: text,
  group: text,
  key: (value) => (value === null ? undefined : text(value)),
  delimiter: letter,
  encoding: text,
  decimal: oneOf('.', ','),
  thousands,
  date: text,
  empty: oneOf('absent', 'null'),
  safe: switched,
  rowKey: text,
  columns: object,
  constants: object,
};

const targetChecks: Readonly<Record<string, Check>> = {
  to: text,
  by: text,
  within: object,
  values: object,
  times: (value) => (typeof value === 'number' && Number.isFinite(value) ? undefined : 'a number'),
  split: text,
};

/** Checks a mapping from a file. @throws TypeError with the first fault */
export function checkMapping(value: unknown): Mapping {
  const mapping = checked(value, mappingChecks, '');
  for (const [name, target] of Object.entries(isObject(mapping['columns']) ? mapping['columns'] : {})) {
    if (target === null || typeof target === 'string') continue;
    const { to } = checked(target, targetChecks, `columns.${name}: `);
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
      throw new TypeError(`${place}'${name}' is unknown${suggestName(name, Object.keys(checks)) || '.'}`);
    const expected = check(each);
    if (expected !== undefined) throw new TypeError(`${place}'${name}' must be ${expected}.`);
  }
  return value;
}
