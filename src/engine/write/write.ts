// The stages of a create and of an update: lock and read, merge, defaults, derived fields, checks, write, effects.

import { isRecord } from '../../facts/record-values.ts';
import { factsOf } from '../../facts/without-deleted.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { Problem, problems } from '../../problems.ts';
import type { Condition, Field, Values } from '../../registry/model/model.ts';
import type { BodyInput } from '../../request/intent.ts';
import { faultOf } from '../../storage/errors.ts';
import { newId, risingTime, timeOfId } from '../../values/id.ts';
import { type Soon, soon } from '../../values/soon.ts';
import { byCaller, type Cause, type RecordName } from '../changes/change.ts';
import { copyOf, copyValue } from '../changes/copy-values.ts';
import { isAsStored, sameValue } from '../changes/same-value.ts';
import { Draft } from '../draft/draft.ts';
import { writeOf } from '../draft/moment.ts';
import { refuseSentFigures, refuseWrongFigures } from '../figures/compute-figure.ts';
import { deferOutOfBounds } from '../figures/out-of-bounds.ts';
import { followStates } from '../figures/states.ts';
import type { Group } from '../plan/groups.ts';
import { keepBefore } from '../rules/before-write.ts';
import { declaredEffects } from '../rules/effects.ts';
import {
  affectOthers,
  deferredChecks,
  hasDeferredChecks,
  holdToTheEnd,
  runDeferredChecks,
  runRules,
  wantLocks,
} from '../rules/rule-steps.ts';
import { lockedAsSeen, type Precondition } from '../transaction/precondition.ts';
import type { EffectsOf, Scope } from '../transaction/scope.ts';
import { maintain } from '../upkeep/maintain.ts';
import { applyByOthers, fillRecord } from './defaults.ts';
import { removeRecord } from './delete.ts';
import { deriveFields } from './derive.ts';
import { prefetch } from './prefetch.ts';
import { checkRequired, doubtsReferences, lacksAny } from './required.ts';

interface CreateOptions {
  readonly group: Group;
  readonly input: BodyInput;
  /** Changes that the service makes itself are not held up by locks and transitions, which are for callers. */
  readonly cause?: Cause;
  /** The id that it has elsewhere; a new one without it. */
  readonly id?: string | undefined;
  /** Of a record that comes back as it was: its id, its time, and the version that it goes on with. Effects have had their time. */
  readonly restored?: { readonly id: string; readonly createdAt: string; readonly version: number };
}

/** Judges a new record and wants it made. @returns it as it will be. @throws Problem for all that is wrong with it. */
export async function createRecord(
  scope: Scope,
  { group, input, cause = byCaller, id: given, restored }: CreateOptions,
): Promise<Values> {
  const judge = cause.kind === 'caller' ? scope.judge : undefined;
  judge?.creates(group, input);
  scope.bound.begin(group.resource, 'created');
  const { id, createdAt } = restored ?? datedId(given ?? newId());
  // The stages change lists and objects in place, and a unit of work may run again: each run has its own.
  const values: Values = { ...copyOf(input.values), id, createdAt };
  scope.subject ??= { group: group.resource.name, id };
  const draft = new Draft({
    scope,
    group,
    operation: 'create',
    before: undefined,
    values,
    input,
    isEffect: cause.kind === 'effect',
    isRestored: restored !== undefined,
  });
  await judge?.references(scope, draft);
  await prepare(draft);
  holdToTheEnd([draft]);
  if (group.modified !== undefined) values[group.modified] = restored === undefined ? createdAt : risingTime();
  const version = restored && { version: restored.version };
  scope.collect({ kind: 'create', group: group.resource.name, id, after: values, cause, ...version });
  if (draft.isRefused) await concludeFinally(draft);
  if (restored === undefined) await affect(draft);
  else await affectOthers(draft);
  return values;
}

const datedId = (id: string) => ({ id, createdAt: timeOfId(id) ?? '' });

interface UpdateOptions extends Omit<CreateOptions, 'input' | 'id' | 'restored'> {
  readonly input?: BodyInput;
  /** Instead, where it hangs on the record before. */
  readonly inputOf?: (before: Readonly<Values>) => BodyInput;
  readonly id: string;
  /** The id as the caller wrote it, for the message. */
  readonly idAsSent?: string;
  /** What the caller has seen of the record. */
  readonly precondition?: Precondition;
  /** Whether fields get values that they had before; `silently`: without effects, which there were none of when they lost these. */
  readonly restores?: 'openly' | 'silently';
}

/** Judges a change of a record under lock and wants it. @returns its values. @throws Problem for all that is wrong with it. */
export async function updateRecord(scope: Scope, options: UpdateOptions): Promise<Values> {
  const { group, id, idAsSent = id, precondition, cause = byCaller, restores } = options;
  const inputFor = (stored: Readonly<Values>): BodyInput =>
    options.inputOf?.(stored) ?? options.input ?? { values: {} };
  const judge = cause.kind === 'caller' ? scope.judge : undefined;
  const newValues = options.input?.values;
  const judging =
    judge &&
    ((stored: Readonly<Values>) =>
      judge.updates(scope, group, { before: stored, idAsSent, inputOf: () => inputFor(stored), newValues }));
  await judge?.meets(scope, group, { id, idAsSent });
  const before = await lockedAsSeen(scope, { group: group.resource.name, id }, { precondition, judge: judging });
  if (before === undefined) throw problems.recordUnknown(idAsSent);
  scope.bound.begin(group.resource, 'changed');
  scope.subject ??= { group: group.resource.name, id };
  const input = inputFor(before);
  const values = merge(group.resource.fields, before, input.values);
  const draft = new Draft({
    scope,
    group,
    operation: 'update',
    before,
    values,
    input,
    isEffect: cause.kind === 'effect',
    isRestored: restores !== undefined,
  });
  // What a record has lost in spite of its locks comes back in spite of them.
  if (cause.kind === 'caller' && restores !== 'silently') {
    await refuseLocked(draft, before);
    refuseTransitions(draft);
  }
  await judge?.references(scope, draft);
  await prepare(draft);
  const keys = draft.changedKeys();
  // What its caller does not see counts as changed: the version, and the time, do not tell a right guess.
  for (const { key, stored } of group.resource.fields)
    if (stored && draft.sent.has(key) && judge?.hides(key) === true && !keys.includes(key)) keys.push(key);
  if (keys.length > 0) {
    holdToTheEnd([draft]);
    const { modified } = group;
    if (modified !== undefined) {
      values[modified] = risingTime();
      if (!keys.includes(modified)) keys.push(modified);
    }
    scope.collect({ kind: 'update', ...nameOf(group, values), before, after: values, keys, cause });
  }
  if (draft.isRefused) await concludeFinally(draft);
  if (restores === 'silently') await affectOthers(draft);
  else await affect(draft);
  return values;
}

/**
 * Tells what is wrong with a record together with what hangs on figures of others, as they would be after it.
 * @throws Problem
 */
async function concludeFinally(draft: Draft): Promise<void> {
  try {
    await maintain(draft.scope);
  } catch {
    // What follows from what is wrong may be wrong as well.
    draft.conclude();
  }
  await runDeferredChecks([deferredChecks(draft)]);
}

/** What a write does to other records: by its rules, then as its descriptor declares. */
async function affect(draft: Draft): Promise<void> {
  const affected = affectOthers(draft);
  if (affected instanceof Promise) await affected;
  const { scope, group, before, values, sent } = draft;
  const { states } = group;
  const hasBecome = states.some(({ key }) => !sent.has(key) && !sameValue(before?.[key], values[key]));
  if (group.resource.effects.length > 0)
    await declaredEffects(draft, [draft.operation, ...(hasBecome ? (['becomes'] as const) : [])]);
  if (states.some(({ key }) => sent.has(key))) scope.deferStates(nameOf(group, values), before);
}

/**
 * Does a write with all that follows from it: figures and states of others, its own states. Its rows are asked for then;
 * `scope.done` tells whether they were written.
 * @throws Problem, or what has stopped the rows that were written meanwhile
 */
export async function perform<T>(scope: Scope, write: () => Promise<T>): Promise<T> {
  try {
    const result = await write();
    await settle(scope);
    await scope.judge?.conclude(scope);
    scope.launch();
    const keeping = scope.keepLog();
    if (keeping instanceof Promise) await keeping;
    return result;
  } catch (error) {
    const told = (await scope.judge?.insteadOf(scope, error)) ?? error;
    await tellStopped(scope, told);
    throw told;
  }
}

/**
 * What follows from rows that were never written is not what is wrong; but what a body must not say goes before a key that is
 * taken, and before a column that cannot hold the row of a refused record.
 */
async function tellStopped(scope: Scope, error: unknown): Promise<void> {
  try {
    await scope.done();
  } catch (stopped) {
    const isOfBody = error instanceof Problem && (error.status === 400 || error.status === 403);
    const { kind } = faultOf(stopped);
    if (!isOfBody || (kind !== 'unique' && kind !== 'range')) throw stopped;
  }
}

async function settle(scope: Scope): Promise<void> {
  try {
    await maintain(scope);
  } catch (error) {
    // What a figure of another record cannot hold is told only where nothing else is wrong.
    if (error instanceof Problem) await runDeferredChecks(scope.deferred.splice(0));
    throw error;
  }
  await runDeferredChecks(scope.deferred.splice(0));
}

interface RefreshOptions {
  readonly group: Group;
  readonly ids: readonly string[];
  readonly figures: Readonly<Values>;
  readonly cause: Cause;
}

/** Wants figures of records to be these, where they are not. */
async function refreshRecords(scope: Scope, { group, ids, figures, cause }: RefreshOptions): Promise<void> {
  const { name } = group.resource;
  const keys = Object.keys(figures);
  for (const [id, record] of await scope.records.many(name, ids)) {
    const before = { ...record, ...(await scope.records.listsUnder(name, id, keys)) };
    const changed = keys.filter((key) => !sameValue(before[key], figures[key]));
    const after = { ...before, ...figures };
    if (changed.length > 0) scope.collect({ kind: 'update', group: name, id, before, after, keys: changed, cause });
  }
}

const nameOf = ({ resource }: Group, values: Readonly<Values>): RecordName => ({
  group: resource.name,
  id: String(values['id']),
});

/** The stages before the row is written, shared by create and update. Faults are left where others may be found later. */
async function prepare(draft: Draft): Promise<void> {
  // A body with faults is judged as far as it goes, and nothing more is asked of other records.
  const isFaulty = draft.hasFaults;
  if (isFaulty) await draft.checkReferences();
  else {
    wantLocks([draft]);
    const read = prefetch(draft);
    if (read instanceof Promise) await read;
    draft.scope.takeLocks();
  }
  const filled = soon(runRules(draft, 'lock'), () => fillRecord(draft));
  if (filled instanceof Promise) await filled;
  // Owners that the body leaves to their defaults. Behind them all that was read is read again.
  if (!isFaulty && wantLocks([draft])) await prefetch(draft);
  // A reference to nothing gives no values.
  const isLacking = lacksAny(draft);
  if (!isFaulty && (isLacking || doubtsReferences(draft))) await draft.checkReferences();
  if (isLacking) checkRequired(draft);
  if (draft.hasFaults) {
    // All that the body alone can tell is told at once; what needs other records waits until that holds.
    await runRules(draft, 'check', 'local');
    await refuseSentFigures(draft);
    await draft.checkReferences();
    draft.conclude();
  }
  const applied = applyByOthers(draft);
  if (applied instanceof Promise) await applied;
  // References that follow from others are known by now; what figures hang on by these is looked at again.
  do {
    const computed = soon(deriveFields(draft), () => followStates(draft, { standing: draft.sent, old: draft.before }));
    if (computed instanceof Promise) await computed;
  } while (wantLocks([draft]));
  draft.scope.takeLocks();
  deferOutOfBounds(draft);
  const kept = keepBefore(draft);
  if (kept instanceof Promise) await kept;
  refuseWrongFigures(draft);
  const checked = runRules(draft, 'check');
  if (checked instanceof Promise) await checked;
  if (draft.hasFaults) {
    await checkLoneReferences(draft);
    if (hasDeferredChecks(draft)) return;
    draft.conclude();
  }
  const concluded = concludeWithConflicts(draft);
  if (concluded instanceof Promise) await concluded;
  if (hasDeferredChecks(draft) && !draft.isRefused) draft.scope.deferred.push(deferredChecks(draft));
}

/**
 * Conflicts are told once nothing else is wrong: references to nothing, too, which else the database finds, and what is
 * judged last.
 */
function concludeWithConflicts(draft: Draft): Soon<void> {
  const hold = async (error: unknown): Promise<void> => {
    if (!(error instanceof Problem)) throw error;
    await checkLoneReferences(draft);
    if (!hasDeferredChecks(draft)) throw error;
    draft.conflict = error;
  };
  try {
    const judged = runRules(draft, 'last');
    return judged instanceof Promise ? judged.catch(hold) : undefined;
  } catch (error) {
    return hold(error);
  }
}

/**
 * Rules that need other records count only once the references hold; what the body alone can tell is told with these.
 * @throws Problem
 */
async function checkLoneReferences(draft: Draft): Promise<void> {
  const lone = new Draft({
    scope: draft.scope,
    group: draft.group,
    operation: draft.operation,
    before: draft.before,
    values: draft.values,
    input: { values: Object.fromEntries([...draft.sent].map((key) => [key, draft.values[key]])) },
  });
  await lone.checkReferences();
  if (!lone.hasFaults) return;
  await runRules(lone, 'check', 'local');
  lone.conclude();
}

/** 409 for a locked record, then for a locked field; both before the body is judged. */
async function refuseLocked(draft: Draft, before: Readonly<Values>): Promise<void> {
  const { resource } = draft.group;
  if (resource.lockedUpdate?.test(before) === true) throw problems.readOnly(resource.title);
  const isMeant = (field: Field): boolean =>
    draft.sent.has(field.key) &&
    (!draft.isSound(field.key) || !isAsStored(field, before[field.key], draft.values[field.key]));
  for (const { when, fields } of resource.lockedFields)
    if (fields.some(isMeant) && (await holdsStored(draft, when, before))) throw problems.readOnly(resource.title);
}

/** Whether a condition holds of the record as it is stored. */
async function holdsStored(draft: Draft, { tree }: Condition, before: Readonly<Values>): Promise<boolean> {
  const facts = factsOf({ ...writeOf(draft), values: { ...before } });
  return (await facts.evaluate(tree, recordValue(before))).value === true;
}

function refuseTransitions(draft: Draft): void {
  for (const field of draft.group.resource.fields) {
    if (
      !('transitions' in field) ||
      field.transitions === undefined ||
      !draft.sent.has(field.key) ||
      !draft.isSound(field.key)
    )
      continue;
    const from = String(draft.before?.[field.key]);
    const to = String(draft.values[field.key]);
    const told = draft.scope.judge?.hides(field.key) === true ? '…' : `'${from}'`;
    if (from !== to && field.transitions[from]?.includes(to) !== true)
      draft.refuse(field.key, `cannot change from ${told} to '${to}'`, 'transition-refused');
  }
}

/** The stored record with what the body sends; objects are merged field by field. */
function merge(fields: readonly Field[], before: Readonly<Values>, sent: Readonly<Values>): Values {
  const values: Values = copyOf(before);
  for (const field of fields) {
    if (!Object.hasOwn(sent, field.key)) continue;
    const value = sent[field.key];
    const old = before[field.key];
    const isMerged = field.kind === 'object' && isRecord(value) && isRecord(old);
    values[field.key] = isMerged ? { ...old, ...value } : copyValue(value);
  }
  return values;
}

/** How rules change other records. */
export const effectsOf: EffectsOf = (scope, { rule, of }) => {
  const effect: Cause = { kind: 'effect', rule, of };
  const groupOf = (name: string): Group => scope.groups.get(name);
  return {
    create: (group, values) => createRecord(scope, { group: groupOf(group), input: { values }, cause: effect }),
    change: async (group, id, values) => {
      await updateRecord(scope, { group: groupOf(group), id, input: { values }, cause: effect });
    },
    // Callers may send these fields themselves: whoever has not seen them must not overwrite them.
    refresh: (group, ids, figures) => refreshRecords(scope, { group: groupOf(group), ids, figures, cause: effect }),
    remove: (group, id) => removeRecord(scope, { group: groupOf(group), id, cause: effect }),
  };
};
