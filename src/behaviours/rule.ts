// What a named rule is: a value with only the moments that it needs. A rule reaches other records only through the
// transaction that it is handed, and changes to them pass the same stages as a caller's.

import type { Ask, TallyAsk, TallyQuestion, Wanted } from '../formulas/evaluate/facts.ts';
import type { Memo } from '../formulas/evaluate/memo.ts';
import type { Collection, Tree } from '../formulas/language/tree.ts';
import type { RecordValue } from '../formulas/language/value.ts';
import type { ConflictKind, Field, Resource, RuleSignature, RuleUse, Value, Values } from '../registry/model.ts';
import type { StoredFacts } from './asked.ts';

/** A condition beside equality. `key` is that of a field, or `id`; null passes only with `orNull`. */
export interface Bounds {
  readonly key: string;
  readonly operator: '<=' | '>=' | '!=';
  readonly value: string;
  readonly orNull?: boolean;
}

/** An id in the owned list or link list `list`: under `key`, in the items of an owned one. */
export interface Held {
  readonly list: string;
  readonly key: string;
  readonly id: string;
}

/** Records of the group `target` that others may name in the list at `path` (`lines.sources`). */
export interface Named {
  readonly path: string;
  readonly target: string;
  readonly ids: readonly string[];
}

/** Texts or ids that records may have under `key`. */
export interface Candidates {
  readonly key: string;
  readonly values: readonly string[];
}

/** A record that names another one in a list. */
export interface Holding {
  readonly holder: string;
  readonly id: string;
}

/** Records of a group; or items of a list of them, by the keys of the lists that lead to these. */
export interface Source {
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

/** What of a list is wanted. */
export interface Narrowing {
  readonly limit?: number;
  readonly bounds?: readonly Bounds[];
}

/**
 * Rows that own what a rule is about to compare: their counters are raised. A written row conflicts on every node of a
 * cluster; a lock only on one. Without a group: the row that stands for what no other owns.
 */
export interface Guarded {
  readonly group: string | undefined;
  readonly ids: readonly string[];
}

/** The row of the workspace's settings, or one of the service's own where there is none. */
export const workspaceRow: readonly Guarded[] = Object.freeze([{ group: undefined, ids: [] }]);

/** The record that a reference names. */
export function guardedBy(field: Field | undefined, values: Readonly<Values>): readonly Guarded[] {
  const id = field && textOf(values, field.key);
  return field?.kind === 'reference' && id ? [{ group: field.target, ids: [id] }] : [];
}

/**
 * What has been read already and is as it was, to be had without waiting: undefined for what is to be asked for. Shared: not
 * to be changed.
 */
interface RecordsAtHand {
  /** One record without its lists; null where there is none. The single one of a group has the id ''. */
  recordAtHand(group: string, id: string): Readonly<Values> | null | undefined;
  /** What `seek` would find. @param ask The ask as `askText` writes it. */
  foundAtHand(source: Source, ask: string): readonly Found[] | undefined;
  /** What `listsOf` would give of one record. */
  listsAtHand(source: Source, id: string): PlacedLists | undefined;
}

/** The records of the workspace, for what only looks at them. */
interface ReadableRecords extends RecordsAtHand {
  /** One record without its lists, or undefined. */
  find(group: string, id: string): Promise<Values | undefined>;
  /** One record with its lists, each of which is a statement. */
  whole(group: string, id: string): Promise<Values | undefined>;
  /** Those of these records that there are, by id, without their lists; few statements for any number. */
  many(group: string, ids: readonly string[]): Promise<ReadonlyMap<string, Values>>;
  /** Records whose fields equal `where`, oldest first, without their lists. */
  list(group: string, where: Readonly<Values>, narrowing?: Narrowing): Promise<Values[]>;
  exists(group: string, where: Readonly<Values>, bounds?: readonly Bounds[]): Promise<boolean>;
  /**
   * What each of these asks finds, oldest record first; asks that differ in their values alone are few statements. Limits may
   * be passed over. What is found is shared: not to be changed.
   */
  seek(source: Source, asks: readonly Ask[]): Promise<readonly (readonly Found[])[]>;
  /** Whether each of these asks finds at most so many, which are known then: all of them in one statement. */
  few(source: Source, asks: readonly Ask[], most?: number): Promise<readonly boolean[]>;
  /** Whether the database can tell what is asked of a collection as a whole. */
  canTally(source: Source, ask: TallyAsk): boolean;
  /** What each of these comes to; questions that differ in their values alone are few statements. */
  tally(source: Source, questions: readonly TallyQuestion[]): Promise<readonly Whole[]>;
  /** Whether there is any at all, but for those of the record `except`. */
  hasAny(source: Source, except: string): Promise<boolean>;
  /** A list, or the lists inside a list, of each of these records, by their ids; few statements for any number. Shared, too. */
  listsOf(source: Source, ids: readonly string[]): Promise<ReadonlyMap<string, PlacedLists>>;
  /** Which of the candidates the records whose fields equal `where` have; one statement for a thousand. */
  among(group: string, where: Readonly<Values>, candidates: Candidates): Promise<ReadonlySet<string>>;
  /** The greatest integer under `key` of such records; null without any. */
  greatest(group: string, where: Readonly<Values>, key: string): Promise<number | null>;
  /** Which records of `group` name which of these. */
  holding(group: string, named: Named): Promise<readonly Holding[]>;
  /** What is known of a group. */
  resource(group: string): Resource;
  /** Whether such a record is there; with `by`, whether it is that one. */
  isHeld(group: string, held: Held, by?: string): Promise<boolean>;
  /** The workspace's settings; empty where no group holds them. */
  workspace(): Promise<Values>;
  /** The group that holds them. */
  workspaceGroup(): string | undefined;
  /** What formulas have found among them so far. */
  readonly facts: StoredFacts;
  /** Takes the locks that are wanted: what is asked for from here on is read behind them. */
  takeLocks(): void;
  /** Follows `project.client.isInternal` from a record. Undefined when a reference on the way is null. */
  follow(resource: Resource, values: Readonly<Values>, path: string): Promise<Values[string]>;
}

/** The records of the workspace, as the transaction of one write sees them: with what it has wanted to change so far. */
export interface Records extends ReadableRecords {
  /** The next number of a sequence, from 1; given back when the write is undone. */
  next(sequence: string): Promise<number>;
}

/** What a rule may want of other records once its own is written. Each change passes the stages of its own group. */
export interface Effects {
  /** Creates a record as the service itself: read-only fields may be given. */
  create(group: string, values: Readonly<Values>): Promise<Values>;
  /** Changes a record as the service itself: locks and transitions are for callers. */
  change(group: string, id: string, values: Readonly<Values>): Promise<void>;
  /** Removes a record as the service itself, with what goes along with it. */
  remove(group: string, id: string): Promise<void>;
  /**
   * Brings fields of records up to date. Unlike other changes this moves no time of change, and neither conditions nor
   * effects are asked about it: what is set follows from what has been judged. Records that are not there are passed over.
   */
  refresh(group: string, ids: readonly string[], figures: Readonly<Values>): Promise<void>;
  /** Guards what only an effect makes known; all else is for the rule's `guard`, before anything is read. */
  guard(...guarded: readonly Guarded[]): void;
}

/**
 * What keeps what a condition looks at as it is until the write ends: called before anything of it is read, so that of two writes
 * that look at each other the one that is judged second sees the first.
 */
export interface Keeping {
  /** A record that is read by its id; that of the workspace's settings is ''. */
  record(group: string, id: string): void;
  /** Records, or items of their lists, that have these values. */
  collection(collection: Collection, wanted: readonly Wanted[]): void;
}

/** One use of a rule, at one moment of one write. */
export interface Moment {
  readonly use: RuleUse;
  readonly resource: Resource;
  readonly operation: 'create' | 'update' | 'delete';
  /** The record as stored; undefined on create. */
  readonly before: Readonly<Values> | undefined;
  /** The record as it will be. `fill` and `derive` change it. */
  readonly values: Values;
  /** The same as formulas stand on it. */
  readonly self: RecordValue;
  /** Keys that the body names. */
  readonly sent: ReadonlySet<string>;
  /** The key that this use derives, when it stands on a field. */
  readonly key: string;
  /** The member to whom the token belongs. */
  readonly actingMember: string | null;
  /** `YYYY-MM-DD` in the workspace's time zone. */
  today(): Promise<string>;
  readonly records: Records;
  /** What formulas of other rules have found, as long as nothing changes. */
  readonly memo?: Memo | undefined;
  /** Of what is judged. */
  readonly keeping?: Keeping | undefined;
  /** Adds `'<key>' <text>` to the answer's errors. */
  refuse(key: string, text: string): void;
  /** Answers with a conflict (409) that the rule's `conflicts` name; about a record of `group`, this one's without it. */
  conflict(kind: ConflictKind, group?: string): never;
  /** Whether none of these keys, or places in lists (`lines[0].amount`), has been refused yet. */
  isSound(...keys: readonly string[]): boolean;
  /** True when the delete comes from the record that owns this one. */
  readonly isCascade: boolean;
  /** Whether this write deletes a record, also where it is not carried out yet. */
  isLeaving(group: string, id: string): boolean;
  /** The ids of such records of a group. */
  leavingOf(group: string): readonly string[];
}

/** The same once the record is written, when the rule may change others. */
export interface Aftermath extends Moment {
  readonly effects: Effects;
}

type Step = (moment: Moment) => void | Promise<void>;

/** One request for a computed record. */
export interface Question {
  readonly use: RuleUse;
  readonly resource: Resource;
  /** Its parameters by key, those that the caller left out with their defaults. */
  readonly values: Readonly<Values>;
  readonly records: ReadableRecords;
}

export type WriteOperation = Moment['operation'];

/** The moments of a write at which rules act. */
export type RuleStep = 'guard' | 'foresee' | 'lock' | 'fill' | 'derive' | 'check' | 'last' | 'after';

/** A step of the writes of a group, before there is any. @public Declaration files name it. */
export interface Part {
  readonly use: RuleUse;
  readonly resource: Resource;
  readonly step: RuleStep;
  readonly operation: WriteOperation;
}

/** A formula that a rule will evaluate: on the record, or on each item of its lists under these keys. */
export interface Foreseen {
  readonly tree: Tree;
  readonly lists: readonly string[];
}

export interface Rule extends RuleSignature {
  /** Keys whose change on update calls for the rule; without it, every update does. */
  readonly looksAt?: (use: RuleUse, resource: Resource) => readonly string[];
  /** Operations that the rule takes part in; all three without it. */
  readonly on?: readonly WriteOperation[];
  /** Whether a use may have anything to do in a step, as its arguments and its group tell; without it, it may. */
  readonly takesPart?: (part: Part) => boolean;
  /** Looks at nothing but the record itself, so that it needs no transaction. */
  readonly isLocal?: true | ((use: RuleUse) => boolean);
  /**
   * What to guard, as far as the body and the stored record tell. Raised for all rules of a write at once and in one order,
   * before anything is read: what is read later counts until the write ends. Asked again when missing values are filled in.
   */
  readonly guard?: (moment: Moment) => readonly Guarded[];
  /** For people: the parameters for the reference whose record it guards, where one is given, else the row that is common to all. */
  readonly guards?: readonly string[];
  /** The formulas that it will evaluate, as far as the body and the stored record tell: what they look at is read ahead, together. */
  readonly foresee?: (moment: Moment) => readonly Foreseen[];
  /** Answers with a conflict that goes before whatever else is wrong; of an update or a delete. */
  readonly lock?: Step;
  /** Gives values to fields that the body leaves out. */
  readonly fill?: Step;
  /** Computes derived fields. */
  readonly derive?: Step;
  /** Refuses; before a delete, too. */
  readonly check?: Step;
  /** Answers with a conflict once nothing else is wrong; on a delete, before what hangs on the record is looked at. */
  readonly last?: Step;
  /** Effects on other records, after the row is written. */
  readonly after?: (moment: Aftermath) => void | Promise<void>;
  /** Makes a computed record: its fields that are no parameters, by key; those left out are null. Such a rule has no other moment. */
  readonly compute?: (question: Question) => Promise<Values>;
}

/** Whether a use of a rule looks at nothing but the record itself. */
export const isLocalUse = (rule: Rule | undefined, use: RuleUse): boolean =>
  typeof rule?.isLocal === 'function' ? rule.isLocal(use) : rule?.isLocal === true;

/** An argument of a use as text. The checks of the registry have seen that it is one. */
export const textArgument = (use: RuleUse, name: string): string => String(use.arguments[name] ?? '');

/** An argument of a use as a list of texts. */
export const textArguments = (use: RuleUse, name: string): readonly string[] => {
  const value = use.arguments[name];
  return Array.isArray(value) ? value.map(String) : [];
};

/** The key of a field that an argument names by its name or its key. */
export function keyArgument(resource: Resource, use: RuleUse, name: string): string {
  return keyOfName(resource, textArgument(use, name));
}

export const keyOfName = (resource: Resource, name: string): string => resource.byName.get(name)?.key ?? name;

/** A value of a record as text, or null. */
export const textOf = (values: Readonly<Values>, key: string): string | null => {
  const value = values[key];
  return typeof value === 'string' ? value : null;
};
