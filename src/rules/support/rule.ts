// The interface of a named rule: an object with hooks for the steps of a write that it needs. It reads other records only
// through the transaction that it receives, and its own writes pass the same steps as a caller's.

import type { WriteContext, WriteOperation } from '../../facts/context.ts';
import type { ReadFacts } from '../../facts/read-facts.ts';
import type { ReadableRecords } from '../../facts/records.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { RecordValue } from '../../formulas/language/value.ts';
import type { FieldCode } from '../../problems/codes.ts';
import type { ConflictKind, Field, Resource, RuleSignature, RuleUse, Values } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';

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
}

/** One use of a rule, at one moment of one write. */
export interface Moment extends WriteContext {
  readonly use: RuleUse;
  /** The record as formulas stand on it. */
  readonly self: RecordValue;
  /** The key that this use derives, when it stands on a field. */
  readonly key: string;
  /** Adds `'<key>' <text>` to the answer's errors, with the code `condition-unmet` unless another one is given. */
  refuse(key: string, text: string, code?: FieldCode): void;
  /** Answers with a conflict (409) that the rule's `conflicts` name; about a record of `group`, this one's without it. */
  conflict(kind: ConflictKind, group?: string): never;
  /** Whether none of these keys, or places in lists (`lines[0].amount`), has been refused yet. */
  isSound(...keys: readonly string[]): boolean;
  /** Whether who writes may be told what the record has in a field. */
  isTold(key: string): boolean;
  /** True when the delete comes from the record that owns this one. */
  readonly isCascade: boolean;
}

/** The same once the record is written, when the rule may change others. */
export interface Aftermath extends Moment {
  readonly effects: Effects;
}

type Step = (moment: Moment) => void | Promise<void>;

/** The same where the record is judged: nothing that conditions look at changes between one and the next. */
export interface Judgement extends Moment {
  /** What they look at, for all of them. */
  readonly facts: ReadFacts;
}

type JudgingStep = (moment: Judgement) => void | Promise<void>;

/** One request for a computed record. */
export interface Question {
  readonly use: RuleUse;
  readonly resource: Resource;
  /** Its parameters by key, those that the caller left out with their defaults. */
  readonly values: Readonly<Values>;
  readonly records: ReadableRecords;
}

/** The moments of a write at which rules act. */
export type RuleStep = 'guard' | 'prefetch' | 'lock' | 'fill' | 'derive' | 'check' | 'last' | 'after';

/** A step of the writes of a group, before there is any. @public Declaration files name it. */
export interface StepOfWrites {
  readonly use: RuleUse;
  readonly resource: Resource;
  readonly step: RuleStep;
  readonly operation: WriteOperation;
}

/** A formula that a rule will evaluate: on the record, or on each item of its lists under these keys. */
export interface PrefetchedFormula {
  readonly tree: Tree;
  readonly lists: readonly string[];
  /** What it stands on instead, where that is neither the record nor an item of it. */
  readonly items?: (record: RecordValue) => readonly RecordValue[];
}

/** A condition of a use. It is judged by itself: the use is asked only where it does not hold, to say so. */
export interface PlannedCondition {
  readonly tree: Tree;
  /** Keys of the record that must be sound where it is judged. */
  readonly sound: readonly string[];
  /** Whether a write calls for it. */
  readonly isAsked: (write: Pick<Moment, 'resource' | 'operation' | 'before' | 'values' | 'sent'>) => boolean;
}

/** The steps of one use; with a condition, what they do where that does not hold. @public Declaration files name it. */
export interface PlannedSteps extends Pick<Rule, 'check' | 'last'> {
  readonly condition?: PlannedCondition;
}

export interface Rule extends RuleSignature {
  /** Keys whose change on update calls for the rule; without it, every update does. */
  readonly looksAt?: (use: RuleUse, resource: Resource) => readonly string[];
  /** Whether a field that an update sends calls for `check` and `last` also if its value stays; without it, it does not. */
  readonly isCalledBySent?: (use: RuleUse) => boolean;
  /** Operations that the rule takes part in; all three without it. */
  readonly on?: readonly WriteOperation[];
  /** Whether a use may have anything to do in a step, as its arguments and its group tell; without it, it may. */
  readonly takesPart?: (part: StepOfWrites) => boolean;
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
  readonly prefetch?: (moment: Moment) => readonly PrefetchedFormula[];
  /** The steps of one use, where startup can tell what else each write would look up. They stand for those of the same name. */
  readonly plan?: (use: RuleUse, resource: Resource) => PlannedSteps;
  /** Answers with a conflict that goes before whatever else is wrong; of an update or a delete. */
  readonly lock?: Step;
  /** Gives values to fields that the body leaves out. */
  readonly fill?: Step;
  /** Computes derived fields. */
  readonly derive?: Step;
  /** Refuses; before a delete, too. */
  readonly check?: JudgingStep;
  /** Answers with a conflict once nothing else is wrong; on a delete, before what hangs on the record is looked at. */
  readonly last?: JudgingStep;
  /** Effects on other records, after the row is written. */
  readonly after?: (moment: Aftermath) => void | Promise<void>;
  /** Makes a computed record: its fields that are no parameters, by key; those left out are null. Such a rule has no other moment. */
  readonly compute?: (question: Question) => Promise<Values>;
}

/** The rule of a use. The checks of the registry have seen that there is one of its name. */
export const ruleOf = (rules: Readonly<Record<string, Rule>>, { use }: RuleUse): Rule =>
  rules[use] ?? unreachable(`there is no rule ${use}`);

/** Whether a use of a rule looks at nothing but the record itself. */
export const isLocalUse = ({ isLocal }: Rule, use: RuleUse): boolean =>
  typeof isLocal === 'function' ? isLocal(use) : isLocal === true;

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
