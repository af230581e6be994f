// A write that somebody wants undone: its entries by the names of today.
import { problems } from '../problems.ts';
import type { Resource } from '../registry/model/model.ts';
import type { FieldChange, KeptEntry } from '../storage/log/entry.ts';
import { isUndone, readWrite } from '../storage/log/read-log.ts';
import type { Session } from '../storage/schema/session.ts';
import { missingWrite } from './history.ts';
import type { NamesOfToday } from './names.ts';
import type { LogGround } from './page.ts';

/** The entries of a write, and whether they are all that it had. */
interface ReadWrite {
  readonly entries: readonly KeptEntry[];
  readonly isWhole: boolean;
}

interface Undone {
  readonly write: string;
  /** Told each group of which records were changed. @throws Problem where the caller may not */
  readonly allow: (resource: Resource, entry: KeptEntry) => void;
}

/** @throws Problem 404; 410 for a write that is older than the log; 409 where it was undone already */
export async function readUndone(
  session: Session,
  ground: Pick<LogGround, 'unit' | 'dialect' | 'names'>,
  { write, allow }: Undone,
): Promise<ReadWrite> {
  const found = await readWrite(session, ground.dialect, write);
  const [first] = found;
  if (first === undefined) throw await missingWrite(ground, write);
  const entries = found.map((entry) => entryToday(entry, ground.names));
  for (const entry of entries) {
    const resource = ground.names.resource(entry.group);
    if (resource !== undefined) allow(resource, entry);
  }
  if (await isUndone(session, write)) throw problems.writeUndone();
  return { entries, isWhole: first.part === 1 && found.every(({ operation }) => operation !== 'reset') };
}

function entryToday(entry: KeptEntry, names: NamesOfToday): KeptEntry {
  const resource = names.resource(entry.group);
  if (resource === undefined || entry.data.changes === null) return entry;
  const changes = changesToday(entry.group, entry.data.changes, names);
  return { ...entry, group: resource.name, data: { ...entry.data, changes } };
}

/** Changes by the keys that fields have now; none of fields that are gone. */
export function changesToday(
  group: string,
  changes: Readonly<Record<string, FieldChange>>,
  names: NamesOfToday,
): Readonly<Record<string, FieldChange>> {
  const fields = names.resource(group)?.fields ?? [];
  return Object.fromEntries(
    Object.entries(changes).flatMap(([key, change]) => {
      const field = names.field(fields, key);
      return field === undefined ? [] : [[field.key, change]];
    }),
  );
}
