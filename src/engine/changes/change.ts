// The changes that a write wants, as values: records created, updated, deleted, by the caller, by effects, by cascades. Judging
// makes changes and one writer carries them out; a dry run, a log or a permission only reads them.
import type { Values } from '../../registry/model/model.ts';

/** A record of a group. */
export interface RecordName {
  readonly group: string;
  readonly id: string;
}

/** A record's name as one text, to be looked up by. */
export const nameInFull = ({ group, id }: RecordName): string => `${group}/${id}`;

/**
 * Why a record changes: a caller wants it, or the change of another record (`of`) brings it about: as an effect of a rule,
 * as a figure that a rule keeps right, because it goes with the record it belongs to, or because it refers to one that goes.
 * Effects that hang on a day have the rule `day`.
 */
export type Cause =
  | { readonly kind: 'caller' }
  | { readonly kind: 'effect' | 'figure'; readonly rule: string; readonly of: RecordName }
  | { readonly kind: 'cascade' | 'clear'; readonly of: RecordName }
  /** A day has begun, and a figure of the record, or a state, is another one with it. */
  | { readonly kind: 'day'; readonly day: string; readonly isState: boolean; readonly of: RecordName };

export const byCaller: Cause = Object.freeze({ kind: 'caller' });

/** A record that comes. */
export interface Creation extends RecordName {
  readonly kind: 'create';
  readonly after: Readonly<Values>;
  readonly cause: Cause;
  /** Of one that comes back: the version behind that of its delete. */
  readonly version?: number;
}

/** Items that a list loses: those that name the record `target`. */
export interface Lost {
  /** Keys of the list, from outside inwards. */
  readonly list: readonly [string, ...string[]];
  /** Of the reference that they name it by. */
  readonly reference: string;
  /** Under which they have its id. */
  readonly key: string;
  readonly target: string;
}

/** A record that becomes another. */
export interface Update extends RecordName {
  readonly kind: 'update';
  /** As stored, at least what changes; undefined where nothing depends on it, so that nobody has read it. */
  readonly before: Readonly<Values> | undefined;
  /** As it will be, at least what changes. */
  readonly after: Readonly<Values>;
  /** Keys of the stored fields that change. */
  readonly keys: readonly string[];
  /** Where this is all that changes. */
  readonly lost?: Lost;
  readonly cause: Cause;
  /** Whether the record becomes another version of itself: at most once with each write. */
  readonly isNewVersion?: boolean;
}

/** A record that goes, with its lists. */
interface Deletion extends RecordName {
  readonly kind: 'delete';
  /** As stored, at least what others look at. */
  readonly before: Readonly<Values>;
  readonly cause: Cause;
  /** The same for those that may go in one statement. */
  readonly together: object;
}

export type Change = Creation | Update | Deletion;
