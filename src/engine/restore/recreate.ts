// Records that come back as they were, with the ids that they had.
import { shouldYield, yieldToLoop } from '../../admission/event-loop.ts';
import type { Field, Values } from '../../registry/model/model.ts';
import type { RecordName } from '../changes/change.ts';
import { namesIn, type ReferenceFault, referenceFaults } from '../transaction/references.ts';
import type { Scope } from '../transaction/scope.ts';
import { createRecord } from '../write/write.ts';

/** Number of records whose rows are written together: the values of all rows are bound in one turn of the event loop. */
const recordsAtOnce = 200;

/** A record as it was kept: all its stored fields. */
export interface KeptRecord extends RecordName {
  readonly values: Readonly<Values>;
  readonly version: number;
}

/**
 * Wants records made again, each behind those that it names: as they were, but for figures that follow from others at all times.
 * They are judged when all of them are there.
 * @param onRecord Told of each before it is made, and of what it names that is gone; may throw. @throws Problem
 */
export async function bringBackRecords(
  scope: Scope,
  records: readonly KeptRecord[],
  onRecord: (record: KeptRecord, gone: readonly ReferenceFault[]) => void,
): Promise<void> {
  const fieldsByGroup = new Map<string, readonly Field[]>();
  const fieldsOf = (group: string): readonly Field[] => {
    const fields = fieldsByGroup.get(group) ?? scope.groups.get(group).resource.fields.filter(({ stored }) => stored);
    fieldsByGroup.set(group, fields);
    return fields;
  };
  const there = new Map<string, Set<string>>();
  const named: { readonly target: string; readonly id: string }[] = [];
  for (const { group, values } of records) {
    if (shouldYield()) await yieldToLoop();
    named.push(...namesIn(fieldsOf(group), values));
  }
  for (const [target, those] of Map.groupBy(named, (each) => each.target))
    there.set(target, new Set(await scope.records.existing(target, [...new Set(those.map(({ id }) => id))])));
  for (const [index, record] of records.entries()) {
    if (index % recordsAtOnce === recordsAtOnce - 1) await scope.carryOn();
    else if (shouldYield()) await yieldToLoop();
    const { group: name, id, values, version } = record;
    const gone = await referenceFaults({
      existing: (target) => Promise.resolve(there.get(target) ?? new Set()),
      titleOf: (target) => scope.groups.get(target).resource.title,
      fields: fieldsOf(name),
      values,
    });
    onRecord(record, gone);
    const restored = { id, createdAt: String(values['createdAt']), version: version + 1 };
    await createRecord(scope, { group: scope.groups.get(name), input: { values }, restored });
    there.get(name)?.add(id);
  }
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
