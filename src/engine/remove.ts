// The stages of a delete: lock, locks of the record's state, what refers to it (restrict, cascade, clear), the row, effects.
// The engine does what a database's own cascades would, so that the rules of the records on the way hold too.
import { isUnset } from '../behaviours/record-values.ts';
import { problems } from '../problems.ts';
import type { Referrer, Values } from '../registry/model.ts';
import { Draft } from './draft.ts';
import type { Group } from './groups.ts';
import type { Scope } from './scope.ts';

/** Deletes a record and what goes with it. @throws Problem 404, or 409 with the message of the record that stops it. */
export async function removeRecord(
  scope: Scope,
  group: Group,
  id: string,
  idAsSent: string,
  isCascade = false,
): Promise<void> {
  const before = await group.rows.find(scope.session, id, { lock: true });
  if (before === undefined) {
    // On the way of a cascade two paths may lead to one record.
    if (isCascade) return;
    throw problems.recordUnknown(idAsSent);
  }
  const { resource } = group;
  if (resource.lockedDelete?.test(before) === true) throw problems.readOnly(resource.title);
  const draft = new Draft({
    scope,
    group,
    operation: 'delete',
    before,
    values: before,
    input: { values: {}, faults: [] },
    isCascade,
  });
  await draft.run('guard');
  await draft.run('check');
  const referrers = scope.groups.registry.referrers.get(resource.name) ?? [];
  for (const referrer of referrers) if (await isHeldBack(scope, referrer, id)) throw problems.inUse(resource.title);
  for (const referrer of referrers) await release(scope, referrer, id);
  await group.rows.remove(scope.session, id);
  scope.forget();
  await draft.run('after');
}

/** Whether a reference keeps the record from going: it restricts, or it would leave a record without what it needs. */
async function isHeldBack(scope: Scope, { resource, field, list }: Referrer, id: string): Promise<boolean> {
  const { rows } = scope.groups.get(resource.name);
  const store = rows.listOf(list ?? field);
  if (field.onDelete === 'restrict') {
    if (store !== undefined) return store.isHeld(scope.session, field.key, id);
    return scope.exists(resource.name, { [field.key]: id });
  }
  const { requiredWhen } = field;
  if (field.onDelete !== 'clear' || requiredWhen === undefined || list !== undefined) return false;
  const holders =
    store === undefined
      ? await rows.list(scope.session, { [field.key]: id })
      : await held(scope, resource.name, await store.holders(scope.session, field.key, id));
  return holders.some((record) => {
    const items = record[field.key];
    const after = {
      ...record,
      [field.key]: Array.isArray(items) ? (items as string[]).filter((item) => item !== id) : null,
    };
    return requiredWhen.test(after) && isUnset(after[field.key]);
  });
}

async function held(scope: Scope, group: string, ids: readonly string[]): Promise<Values[]> {
  const records: Values[] = [];
  for (const id of ids) {
    const record = await scope.find(group, id);
    if (record !== undefined) records.push(record);
  }
  return records;
}

/** Lets go of the record: deletes what goes with it, clears what names it, takes it out of lists. */
async function release(scope: Scope, { resource, field, list }: Referrer, id: string): Promise<void> {
  const group = scope.groups.get(resource.name);
  const store = group.rows.listOf(list ?? field);
  if (field.onDelete === 'restrict') return;
  if (store !== undefined) return store.removeTarget(scope.session, field.key, id);
  if (field.onDelete === 'clear') return group.rows.clear(scope.session, field.key, id);
  for (const record of await group.rows.list(scope.session, { [field.key]: id })) {
    await removeRecord(scope, group, String(record['id']), String(record['id']), true);
  }
}
