// The interface by which formulas and rules read records: as the transaction of the write sees them.
import type { Ask, TallyAsk, TallyQuestion } from '../formulas/evaluate/facts.ts';
import type { PathStart, Resource, Values } from '../registry/model/model.ts';
import type { Soon } from '../values/soon.ts';
import type { StoredFacts } from './pending-questions.ts';
import type { Found, PlacedLists, RecordSource, Whole } from './sources.ts';

/** A condition beside equality. `key` is that of a field, or `id`; null passes only with `orNull`. */
export interface Bounds {
  readonly key: string;
  readonly operator: '<=' | '>=' | '!=';
  readonly value: string;
  readonly orNull?: boolean;
}

/** Texts or ids that records may have under `key`. */
export interface Candidates {
  readonly key: string;
  readonly values: readonly string[];
}

/** What of a list is wanted. */
export interface Narrowing {
  readonly limit?: number;
  readonly bounds?: readonly Bounds[];
}

/**
 * What has been read already and is as it was, to be had without waiting: undefined for what is to be asked for. Shared: not
 * to be changed.
 */
interface RecordsAtHand {
  /** One record without its lists; null where there is none. The single one of a group has the id ''. */
  recordAtHand(group: string, id: string): Readonly<Values> | null | undefined;
  /** What `query` would find. @param ask The ask as `askText` writes it. */
  foundAtHand(source: RecordSource, ask: string): readonly Found[] | undefined;
  /** What `listsOf` would give of one record. */
  listsAtHand(source: RecordSource, id: string): PlacedLists | undefined;
}

/** The records of the workspace, for what only looks at them. */
export interface ReadableRecords extends RecordsAtHand {
  /** One record without its lists, or undefined. */
  find(group: string, id: string): Promise<Values | undefined>;
  /** One record with its lists, each of which is a statement. */
  whole(group: string, id: string): Promise<Values | undefined>;
  /** Those of these records that there are, by id, without their lists; few statements for any number. */
  many(group: string, ids: readonly string[]): Soon<ReadonlyMap<string, Values>>;
  /** Records whose fields equal `where`, oldest first, without their lists. */
  list(group: string, where: Readonly<Values>, narrowing?: Narrowing): Promise<Values[]>;
  exists(group: string, where: Readonly<Values>): Soon<boolean>;
  /**
   * What each of these asks finds, oldest record first; asks that differ in their values alone are few statements. Limits may
   * be passed over. What is found is shared: not to be changed.
   */
  query(source: RecordSource, asks: readonly Ask[]): Soon<readonly (readonly Found[])[]>;
  /** Whether each of these asks finds at most so many, which are known then: all of them in one statement. */
  few(source: RecordSource, asks: readonly Ask[], most?: number): Soon<readonly boolean[]>;
  /** Whether the database can tell what is asked of a collection as a whole. */
  canTally(source: RecordSource, ask: TallyAsk): boolean;
  /** What each of these comes to; questions that differ in their values alone are few statements. */
  tally(source: RecordSource, questions: readonly TallyQuestion[]): Soon<readonly Whole[]>;
  /** Whether there is any at all, but for those of the record `except`. */
  hasAny(source: RecordSource, except: string): Soon<boolean>;
  /** A list, or the lists inside a list, of each of these records, by their ids; few statements for any number. Shared, too. */
  listsOf(source: RecordSource, ids: readonly string[]): Soon<ReadonlyMap<string, PlacedLists>>;
  /** Which of the candidates the records whose fields equal `where` have; one statement for a thousand. */
  among(group: string, where: Readonly<Values>, candidates: Candidates): Promise<ReadonlySet<string>>;
  /** The greatest integer under `key` of such records; null without any. */
  greatest(group: string, where: Readonly<Values>, key: string): Promise<number | null>;
  /** What is known of a group. */
  resource(group: string): Resource;
  /** The workspace's settings; empty where no group holds them. */
  workspace(): Soon<Values>;
  /** The group that holds them. */
  workspaceGroup(): string | undefined;
  /** What formulas have found among them so far. */
  readonly facts: StoredFacts;
  /** Takes the locks that are wanted: what is asked for from here on is read behind them. */
  takeLocks(): void;
  /** Follows `project.client.isInternal` from a record. Undefined when a reference on the way is null. */
  follow(resource: PathStart, values: Readonly<Values>, path: string): Soon<Values[string]>;
}

/** The records of the workspace, as the transaction of one write sees them: with what it has wanted to change so far. */
export interface Records extends ReadableRecords {
  /** The next number of a sequence, from 1; given back when the write is undone. */
  next(sequence: string): Promise<number>;
}
