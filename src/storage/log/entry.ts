// An entry of the log of changes as it is kept: who changed which record, why, and what of it.
import type { Value } from '../../registry/model/model.ts';

/** What a write did to a record: that alone, or that all records of a group are to be read anew. */
export type EntryOperation = 'create' | 'update' | 'delete' | 'reset';

/** A record, by its group and its id. */
export interface NamedRecord {
  readonly group: string;
  readonly id: string;
}

/** Why a record has changed. */
export type EntryCause =
  | { readonly kind: 'caller' | 'setup' | 'repair' | 'switch' }
  | { readonly kind: 'undo'; readonly write: string }
  | { readonly kind: 'effect' | 'figure'; readonly rule: string; readonly of: NamedRecord }
  | { readonly kind: 'cascade' | 'clear'; readonly of: NamedRecord }
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'migration'; readonly name: string };
export type CauseKind = EntryCause['kind'];

/** Of one field: what it was and what it is; what a list has lost; nothing, where its values are not kept in the log. */
export interface FieldChange {
  readonly from?: Value;
  readonly to?: Value;
  readonly removed?: readonly string[] | { readonly field: string; readonly id: string };
  /** The items that named it, for who takes that back. */
  readonly items?: readonly Value[];
}

/** Who has asked for a write, and by which request. */
export interface EntryActor {
  readonly member: string | null;
  /** `id` is null for the token of the configuration. */
  readonly token: { readonly id: string | null; readonly name: string };
}

/** What is kept of an entry as JSON. */
export interface EntryData {
  /** By the keys of fields at the time of writing; null where they are too long to be kept. */
  readonly changes: Readonly<Record<string, FieldChange>> | null;
  readonly cause: EntryCause;
  /** Fields that came by another cause than the entry. */
  readonly also?: Readonly<Record<string, CauseKind>>;
  readonly name: string | null;
  /** Null for the service itself. */
  readonly by: EntryActor | null;
  readonly request: string | null;
  readonly trace: string | null;
}

/** What a migration calls otherwise, begins or ends: in the words of tables and columns, which it knows alone. */
export type Renaming =
  | { readonly do: 'addTable'; readonly table: string }
  | { readonly do: 'renameTable'; readonly table: string; readonly to: string }
  | { readonly do: 'dropTable'; readonly table: string }
  | { readonly do: 'renameColumn'; readonly table: string; readonly column: string; readonly to: string }
  | { readonly do: 'dropColumn'; readonly table: string; readonly column: string }
  /** New value → the value before. */
  | {
      readonly do: 'renameValues';
      readonly table: string;
      readonly column: string;
      readonly values: Readonly<Record<string, string>>;
    };

/** Stands in the log behind the entries that are by the names before. */
export interface KeptRenaming {
  /** Entries with smaller ids are older. */
  readonly id: number;
  readonly renaming: Renaming;
}

/** An entry that is to be kept. */
export interface NewEntry {
  readonly write: string;
  /** Its place among the entries of the write, from 1. */
  readonly part: number;
  /** Which operation of a batch it is of, from 1. */
  readonly step: number | null;
  readonly group: string;
  readonly record: string;
  /** Of the record behind the write; `table` where it is read there, less what later parts add to it. */
  readonly version: number | null | { readonly table: string; readonly less: number };
  /** `rename`: of a migration, for who reads older entries; shown to nobody. */
  readonly operation: EntryOperation | 'rename';
  readonly at: string;
  /** The write that is undone: in the first part alone. */
  readonly undoes: string | null;
  readonly cause: CauseKind;
  /** `EntryData` as JSON. */
  readonly data: string;
}

/** An entry as it was read. */
export interface KeptEntry {
  readonly id: number;
  /** Null where it has none yet. */
  readonly position: number | null;
  readonly write: string;
  readonly part: number;
  readonly step: number | null;
  readonly group: string;
  readonly record: string;
  readonly version: number | null;
  readonly operation: EntryOperation;
  readonly at: string;
  readonly data: EntryData;
  /** Length of the data as JSON, in UTF-16 units. */
  readonly length: number;
}
