// Where formulas look beyond a record, and what they find there: records, items of lists, aggregates.
import type { Value, Values } from '../registry/model/model.ts';

/** Records of a group; or items of a list of them, by the keys of the lists that lead to these. */
export interface RecordSource {
  readonly group: string;
  readonly lists: readonly string[];
}

/** A record without its lists; or an item of one of them, with the items around it, from outside inwards. */
export interface Found {
  readonly record: Readonly<Values>;
  readonly items: readonly { readonly place: number; readonly values: Readonly<Values> }[];
}

/** What a collection comes to: a plain value, or the first or the last records of it. */
export interface Whole {
  readonly value: string | null;
  readonly records: readonly Readonly<Values>[];
}

/** The lists of a record under one key, by the places of the items around them (`2`; '' for the record's own). */
export type PlacedLists = ReadonlyMap<string, readonly { readonly place: number; readonly value: Value }[]>;
