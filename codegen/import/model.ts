// What the parts of the importer hand on: requests and answers, mappings, rows. None of them imports anything from elsewhere, or needs
// a module of Node, so that all run in browsers too, and can be copied beside a generated client.

/** What of an answer is looked at. */
export interface ImportAnswer {
  readonly status: number;
  /** Parsed. */
  readonly body: unknown;
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
  /** Texts and what they stand for. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** What a number is multiplied by. */
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
  /** Whether a `'` before texts that spreadsheets would run is taken away. */
  readonly safe?: boolean;
  /** The column whose equal values, one behind the other, are one record: its rows give the items of a list (`lines[].amount`). */
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
  /** In the order of the header; null for nothing. */
  readonly cells?: readonly (string | null)[];
  readonly record?: Json;
  /** What is wrong with it by itself. */
  readonly fault?: string;
  readonly raw: RefusedRow['row'];
}
