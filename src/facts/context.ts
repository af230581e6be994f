// The context of a write for formulas: the record before and after, who writes, what is deleted along with it.

import type { Wanted } from '../formulas/evaluate/facts.ts';
import type { Memo } from '../formulas/evaluate/memo.ts';
import type { evaluateGenerated } from '../formulas/generate/generate.ts';
import type { Collection } from '../formulas/language/tree.ts';
import type { RecordValue } from '../formulas/language/value.ts';
import type { Resource, Values } from '../registry/model/model.ts';
import type { Befores } from './befores.ts';
import type { Records } from './records.ts';
import type { Results } from './results.ts';

export type WriteOperation = 'create' | 'update' | 'delete';

/**
 * What keeps what a condition looks at as it is until the write ends: called before anything of it is read, so that of two writes
 * that look at each other the one that is judged second sees the first.
 */
export interface Keeping {
  /** Ids of records that are kept so by now, by their groups. */
  readonly kept: ReadonlyMap<string, ReadonlySet<string>>;
  /** A record that is read by its id; that of the workspace's settings is ''. */
  record(group: string, id: string): void;
  /** Records, or items of their lists, that have these values. */
  collection(collection: Collection, wanted: readonly Wanted[]): void;
}

/** One write, as formulas stand in it. */
export interface WriteContext {
  readonly resource: Resource;
  readonly operation: WriteOperation;
  /** The record as stored; undefined on create. */
  readonly before: Readonly<Values> | undefined;
  /** The record as it will be. `fill` and `derive` of rules change it. */
  readonly values: Values;
  /** Of a record that is still to be filled in: where it is counted what was asked of it that is not known yet. */
  readonly gaps?: RecordValue['gaps'];
  /** Keys that the body names. */
  readonly sent: ReadonlySet<string>;
  /** The member to whom the token belongs. */
  readonly actingMember: string | null;
  /** `YYYY-MM-DD` in the workspace's time zone. */
  today(): Promise<string>;
  readonly records: Records;
  /** What formulas of other rules have found, as long as nothing changes. */
  readonly memo?: Memo | undefined;
  /** What formulas have given on the record. */
  readonly results?: Results | undefined;
  /** What formulas have found that it was before. */
  readonly befores?: Befores | undefined;
  /** Of what is judged. */
  readonly keeping?: Keeping | undefined;
  /** Records that this write deletes, also where it is not carried out yet: `group/id`. */
  readonly beingDeleted: ReadonlySet<string>;
}

/** In what formulas are evaluated that read records. */
export interface Surroundings {
  readonly records: WriteContext['records'];
  /** The write itself; conditions of rules ask for nothing of it. */
  readonly write?: Pick<WriteContext, 'today' | 'actingMember' | 'before' | 'values' | 'resource' | 'operation'> &
    Partial<Pick<WriteContext, 'sent' | 'results' | 'befores'>>;
  /** The day of who only reads. */
  readonly today?: WriteContext['today'] | undefined;
  /** Who acts, of who only reads; nobody without it. */
  readonly actor?: string | null;
  /** Whether the record of the write is being made, so that no other can name it yet. */
  readonly isNew?: boolean;
  /** What others have found in the same write, where nothing has changed since. */
  readonly memo?: Memo | undefined;
  /** How formulas are evaluated, where not by generated functions. */
  readonly evaluator?: typeof evaluateGenerated;
  /** Records of collections that are read in all, of those who would rather not know than read more. */
  readonly mostRead?: number | undefined;
}
