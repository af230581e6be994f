// Reads a part of a database: records, those that go along when they are deleted, and the files that these name.
import { shouldYield, yieldToLoop } from '../../admission/event-loop.ts';
import { nameInFull } from '../changes/change.ts';
import { namesIn } from '../transaction/references.ts';
import type { Scope } from '../transaction/scope.ts';
import type { KeptRecord } from './recreate.ts';

/** All of them, each behind those that it names. @throws Problem where they are too many */
export async function readPart(scope: Scope, group: string, ids: readonly string[]): Promise<readonly KeptRecord[]> {
  const found = new Map<string, KeptRecord>();
  await gather(scope, { group, ids }, found);
  return inOrder(scope, [...found.values()]);
}

interface Wanted {
  readonly group: string;
  readonly ids: readonly string[];
}

async function gather(scope: Scope, { group, ids }: Wanted, found: Map<string, KeptRecord>): Promise<void> {
  const { registry } = scope.groups;
  const wanted = ids.filter((id) => !found.has(nameInFull({ group, id })));
  if (wanted.length === 0) return;
  const { rows, resource } = scope.groups.get(group);
  scope.bound.take('along', resource, wanted);
  const versions = await rows.versions(scope.session, wanted);
  const records = await scope.records.wholeMany(group, wanted);
  for (const values of records) {
    const id = String(values['id']);
    found.set(nameInFull({ group, id }), { group, id, values, version: versions.get(id) ?? 0 });
  }
  for (const { resource: along, field, list } of registry.referrers.get(group) ?? []) {
    const referring = scope.groups.get(along.name).rows;
    if (field.onDelete !== 'cascade' || referring.listOf(list ?? field) !== undefined) continue;
    const named = await referring.naming(scope.session, { key: field.key, ids: wanted, limit: scope.bound.limit });
    await gather(scope, { group: along.name, ids: named.map(({ id }) => id) }, found);
  }
  if (registry.files === undefined || registry.files.name === group) return;
  const { name } = registry.files;
  const named = records.flatMap((values) => [...namesIn(resource.fields, values)]);
  const files = named.filter(({ target }) => target === name).map(({ id }) => id);
  await gather(scope, { group: name, ids: [...new Set(files)] }, found);
}

/** Sorts records so that each comes after the records that it names; in a circle, one has to be first. */
export async function inOrder(scope: Scope, records: readonly KeptRecord[]): Promise<readonly KeptRecord[]> {
  const places = new Map([...scope.groups.registry.resources.keys()].map((name, place) => [name, place]));
  const placeOf = ({ group }: KeptRecord): number => places.get(group) ?? 0;
  const open = new Map(records.toSorted((a, b) => placeOf(a) - placeOf(b)).map((record) => [record.id, record]));
  const ordered: KeptRecord[] = [];
  const take = (record: KeptRecord): void => {
    open.delete(record.id);
    const { fields } = scope.groups.get(record.group).resource;
    for (const { id } of namesIn(fields, record.values)) {
      const other = open.get(id);
      if (other !== undefined) take(other);
    }
    ordered.push(record);
  };
  for (const record of open.values()) {
    if (shouldYield()) await yieldToLoop();
    if (open.has(record.id)) take(record);
  }
  return ordered;
}
