// Records that come back as they were, with the ids that they had.
import { problems } from '../../problems.ts';
import type { Values } from '../../registry/model/model.ts';
import type { RecordName } from '../changes/change.ts';
import { type ReferenceFault, referenceFaults } from '../transaction/references.ts';
import type { Scope } from '../transaction/scope.ts';
import { createRecord } from '../write/write.ts';

/** A record as it was kept: all its stored fields. */
export interface KeptRecord extends RecordName {
  readonly values: Readonly<Values>;
  readonly version: number;
}

/** Wants a record made again that may name others which are gone. @throws Problem for all that is wrong with it */
export async function bringBackRecord(scope: Scope, record: KeptRecord): Promise<void> {
  const faults = await goneReferences(scope, record);
  if (faults.length > 0)
    throw problems.bodyInvalid(faults.map(({ place, title }) => `'${place}' does not refer to an existing ${title}`));
  await recreate(scope, record);
}

/** What a record names that is gone. */
export const goneReferences = (scope: Scope, { group, values }: KeptRecord): Promise<readonly ReferenceFault[]> =>
  referenceFaults({
    existing: (name, ids) => scope.records.existing(name, ids),
    titleOf: (name) => scope.groups.get(name).resource.title,
    fields: scope.groups.get(group).resource.fields.filter(({ stored }) => stored),
    values,
  });

/**
 * Wants a record made again: as it was, but for figures that follow from others at all times. It is judged when all that comes back
 * with it is there.
 */
export async function recreate(scope: Scope, { group: name, id, values, version }: KeptRecord): Promise<void> {
  const restored = { id, createdAt: String(values['createdAt']), version: version + 1 };
  await createRecord(scope, { group: scope.groups.get(name), input: { values }, restored });
}

/** Those of these records that are not there. */
export async function missingOf(scope: Scope, records: readonly KeptRecord[]): Promise<readonly KeptRecord[]> {
  const there = new Map<string, ReadonlySet<string>>();
  for (const [group, own] of Map.groupBy(records, (record) => record.group)) {
    const ids = own.map(({ id }) => id);
    there.set(group, await scope.records.existing(group, ids));
  }
  return records.filter(({ group, id }) => there.get(group)?.has(id) !== true);
}
