// The stages of a create and of an update, as one reads them: lock and read, merge, fill, derive, check, write, effects.
import { isRecord } from '../behaviours/record-values.ts';
import { problems } from '../problems.ts';
import type { Field, Value, Values } from '../registry/model.ts';
import type { BodyInput } from '../request/intent.ts';
import { newId, risingTime, timeOfId } from '../values/id.ts';
import { Draft, sameValue } from './draft.ts';
import type { Group } from './groups.ts';
import type { Scope, Writers } from './scope.ts';

/** Makes a record. @returns it as stored. @throws Problem for all that is wrong with it. */
export async function createRecord(scope: Scope, group: Group, input: BodyInput): Promise<Values> {
  const id = newId();
  const createdAt = timeOfId(id) ?? '';
  const values: Values = { ...copyOf(input.values), id, createdAt };
  const draft = new Draft({ scope, group, operation: 'create', before: undefined, values, input });
  await prepare(draft);
  const modified = modifiedField(group);
  if (modified !== undefined) values[modified.key] = createdAt;
  scope.attempt.note(group, values);
  await group.rows.insert(scope.session, values);
  scope.forget(group.resource.name, id);
  await draft.run('after');
  return values;
}

interface UpdateOptions {
  /** The id as the caller wrote it, for the message. */
  readonly idAsSent: string;
  /** Changes that the service makes are not held up by locks and transitions, which are for callers. */
  readonly isService?: boolean;
}

/** Changes a record under lock. @throws Problem for all that is wrong with the change. */
export async function updateRecord(
  scope: Scope,
  group: Group,
  id: string,
  input: BodyInput,
  { idAsSent, isService }: UpdateOptions,
): Promise<void> {
  const before = await group.rows.find(scope.session, id, { lock: true });
  if (before === undefined) throw problems.recordUnknown(idAsSent);
  const values = merge(group.resource.fields, before, input.values);
  if (isService !== true) refuseLocked(group, before, values, input);
  const draft = new Draft({ scope, group, operation: 'update', before, values, input });
  if (isService !== true) refuseTransitions(draft);
  await prepare(draft);
  const changed = draft.changedKeys();
  const modified = modifiedField(group);
  if (changed.length > 0) {
    if (modified !== undefined) {
      values[modified.key] = risingTime();
      if (!changed.includes(modified.key)) changed.push(modified.key);
    }
    scope.attempt.note(group, values);
    await group.rows.update(scope.session, values, changed);
    scope.forget(group.resource.name, String(values['id']));
  }
  await draft.run('after');
}

/** The stages before the row is written, shared by create and update. */
async function prepare(draft: Draft): Promise<void> {
  // A body with faults is judged as far as it goes, and nothing more is asked of other records.
  const isFaulty = draft.hasFaults;
  if (isFaulty) await draft.checkReferences();
  else await draft.guard();
  await draft.run('lock');
  await draft.fill();
  // Owners that the body leaves to their defaults.
  if (!isFaulty) await draft.guard();
  if (!isFaulty && draft.doubtsReferences()) await draft.checkReferences();
  draft.checkPresence();
  if (draft.hasFaults) {
    // All that the body alone can tell is told at once; what needs other records waits until that holds.
    await draft.run('check', 'local');
    await draft.checkReferences();
    draft.conclude();
  }
  await draft.derive();
  await draft.run('check');
  if (draft.hasFaults) await concludeByReferences(draft);
}

/** Rules that need other records count only once the references hold. */
async function concludeByReferences(draft: Draft): Promise<void> {
  const lone = new Draft({
    scope: draft.scope,
    group: draft.group,
    operation: 'update',
    before: draft.before,
    values: draft.values,
    input: { values: Object.fromEntries([...draft.sent].map((key) => [key, draft.values[key]])) },
  });
  await lone.checkReferences();
  lone.conclude();
  draft.conclude();
}

/** 409 for a locked record, then for a locked field; both before the body is judged. */
function refuseLocked({ resource }: Group, before: Readonly<Values>, values: Readonly<Values>, input: BodyInput): void {
  if (resource.lockedUpdate?.test(before) === true) throw problems.readOnly(resource.title);
  for (const { key, lockedWhen } of resource.fields) {
    const isWrong = input.wrong?.keys.has(key) === true;
    if (lockedWhen === undefined || !(isWrong || Object.hasOwn(input.values, key))) continue;
    if ((isWrong || !sameValue(before[key], values[key])) && lockedWhen.test(before))
      throw problems.readOnly(resource.title);
  }
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
    if (from !== to && field.transitions[from]?.includes(to) !== true)
      draft.refuse(field.key, `cannot change from '${from}' to '${to}'`);
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

/** The stages change lists and objects in place, and a unit of work may run again: each run has its own. */
function copyOf(values: Readonly<Values>): Values {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, copyValue(value)]));
}

function copyValue(value: Value | undefined): Value | undefined {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? (value as Value[]).map((item) => copyValue(item) ?? null) : copyOf(value as Values);
}

/** The field that holds the time of the last change. */
export const modifiedField = (group: Group): Field | undefined =>
  group.resource.fields.find((field) => field.derived?.use === 'modified');

/** How rules make and change records. */
export const writers: Writers = {
  create: (scope, group, values) => createRecord(scope, scope.groups.get(group), { values }),
  change: (scope, group, id, values) =>
    updateRecord(scope, scope.groups.get(group), id, { values }, { idAsSent: id, isService: true }),
};
