// The stages of a delete: lock, locks of the record's state, what refers to it (restrict, cascade, clear), the row, effects.
// The engine does what a database's own cascades would, so that the rules of the records on the way hold too.
import { problems } from '../problems.ts';
import type { Referrer, Values } from '../registry/model.ts';
import type { RowStore } from '../storage/rows.ts';
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
    input: { values: {} },
    isCascade,
  });
  await draft.guard();
  await draft.run('lock');
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
  const isLeftWanting = async (record: Readonly<Values>): Promise<boolean> => {
    if (store === undefined) return requiredWhen.test({ ...record, [field.key]: null });
    // The list itself is read only of records that need one.
    if (!requiredWhen.test({ ...record, [field.key]: [] })) return false;
    const items = (await scope.whole(resource.name, String(record['id'])))?.[field.key];
    return Array.isArray(items) && items.every((item) => item === id);
  };
  const pages =
    store === undefined
      ? pagesOf((after) => rows.page(scope.session, { [field.key]: id }, after, pageSize))
      : holderPages(scope, rows, await store.holders(scope.session, field.key, id));
  for await (const page of pages) for (const record of page) if (await isLeftWanting(record)) return true;
  return false;
}

const pageSize = 500;

/** Records page by page, oldest first. */
async function* pagesOf(
  read: (after: Readonly<Values> | undefined) => Promise<readonly Values[]>,
): AsyncGenerator<readonly Values[]> {
  let page = await read(undefined);
  while (page.length > 0) {
    yield page;
    if (page.length < pageSize) return;
    page = await read(page.at(-1));
  }
}

async function* holderPages(scope: Scope, rows: RowStore, ids: readonly string[]): AsyncGenerator<readonly Values[]> {
  for (let start = 0; start < ids.length; start += pageSize)
    yield await rows.records(scope.session, ids.slice(start, start + pageSize));
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
