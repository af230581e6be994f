// Records that come back with the ids that they had, through the stages of any write.
import { problems } from '../../problems.ts';
import type { Values } from '../../registry/model/model.ts';
import type { RecordName } from '../changes/change.ts';
import { isSent, sentOf } from '../changes/sent-values.ts';
import { referenceFaults } from '../transaction/references.ts';
import type { Scope } from '../transaction/scope.ts';
import { createRecord } from '../write/write.ts';

/** A record as it was kept. */
export interface KeptRecord extends RecordName {
  readonly values: Readonly<Values>;
  readonly version: number;
}

/** Wants a record made again that may name others which are gone. @throws Problem for all that is wrong with it */
export async function bringBackRecord(scope: Scope, record: KeptRecord): Promise<void> {
  const { resource } = scope.groups.get(record.group);
  const faults = await referenceFaults({
    existing: (name, ids) => scope.records.existing(name, ids),
    titleOf: (name) => scope.groups.get(name).resource.title,
    fields: resource.fields.filter(({ stored }) => stored),
    values: record.values,
  });
  if (faults.length > 0)
    throw problems.bodyInvalid(faults.map(({ place, title }) => `'${place}' does not refer to an existing ${title}`));
  await recreate(scope, record);
}

/** Wants a record made again; what follows from the rest of it does so anew. @throws Problem for all that is wrong with it */
export async function recreate(scope: Scope, { group: name, id, values, version }: KeptRecord): Promise<void> {
  const group = scope.groups.get(name);
  const sent: Values = {};
  for (const field of group.resource.fields) {
    const value = values[field.key];
    if (value !== undefined && isSent(field)) sent[field.key] = sentOf(field, value);
  }
  const restored = { id, createdAt: String(values['createdAt']), version: version + 1 };
  await createRecord(scope, { group, input: { values: sent }, restored });
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
