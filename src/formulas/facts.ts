// What a formula is evaluated on: values of records, and a way to ask for those of others.
import type { Collection } from './tree.ts';
import type { Unknown } from './value.ts';

/** A record, or an item or object of one, with its values as the engine keeps them (numbers as text or as numbers). */
export interface RecordValue {
  readonly values: Readonly<Record<string, unknown>>;
  /** Of a record. */
  readonly id: string | undefined;
  /** Of an item: the record, or the item, in whose list it stands, and its place there, from 0. */
  readonly owner: RecordValue | undefined;
  readonly place: number;
  /** Keys whose values mean nothing: nothing that hangs on them can be told. */
  readonly unsound?: ReadonlySet<string>;
}

/** Records wanted of a collection: `value` is one id or key, for each narrowing of the formula. */
export interface Wanted {
  readonly key: string;
  readonly up: number;
  /** Whether it is sought among the ids of a list. */
  readonly isAmong: boolean;
  readonly value: string | boolean;
}

/**
 * What is known besides the record itself. Whatever is not known yet is `unknown`, is noted as asked for, and known when
 * the formula is evaluated again: so all that one round can know is read together.
 */
export interface Facts {
  /** A record by its id; null where there is none, or where it goes with this write. */
  record(group: string, id: string): RecordValue | null | Unknown;
  /** Those of a collection that have all these values, in the order of their making; none wanted: any one will do. */
  collection(collection: Collection, wanted: readonly Wanted[]): readonly RecordValue[] | Unknown;
  workspace(): RecordValue | null | Unknown;
  /** The record before the write; null on create. */
  old(): RecordValue | null | Unknown;
  today(): string | Unknown;
  actor(): string | null | Unknown;
}

/** A record by itself, as a formula stands on it. */
export const recordValue = (values: Readonly<Record<string, unknown>>): RecordValue => ({
  values,
  id: typeof values['id'] === 'string' ? values['id'] : undefined,
  owner: undefined,
  place: 0,
});

/** Nothing but the record itself, and that the keys of the database see to it that a record is there for each id. */
export const noFacts: Facts = Object.freeze({
  record: (_group: string, id: string) => recordValue({ id }),
  collection: () => [],
  workspace: () => null,
  old: () => null,
  today: () => {
    throw new Error('there is no day without a workspace');
  },
  actor: () => null,
});
