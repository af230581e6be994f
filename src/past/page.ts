// Entries that were read → what their reader is shown of them.
import type { Resource } from '../registry/model/model.ts';
import type { KeptEntry } from '../storage/log/entry.ts';
import { countParts } from '../storage/log/read-log.ts';
import type { Dialect } from '../storage/schema/dialect.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { type EntrySight, entryJson, goneJson } from './entry-json.ts';
import type { Listeners } from './listeners.ts';
import type { NamesOfToday } from './names.ts';
import type { LogWatch } from './watch.ts';

/** Maximum length of a page, in bytes of UTF-8; a longer first entry is shown all the same. */
export const maxPageBytes = 1024 * 1024;

/** What a reader may see of an entry: nothing, that the record has left their sight, or some of its fields. */
export type Judged = 'hidden' | 'gone' | EntrySight;

/** Who reads: judges entries, one for each. */
export interface LogReader {
  /** Whether names of all members are seen. */
  readonly namesMembers: boolean;
  judge(entries: readonly KeptEntry[]): Promise<readonly Judged[]>;
  /** Whether the history of a record is seen, which may be gone. */
  sees(resource: Resource, id: string): Promise<boolean>;
}

/** What reading the log stands on. */
export interface LogGround {
  readonly unit: UnitOfWork;
  readonly dialect: Dialect;
  readonly names: NamesOfToday;
  readonly watch: LogWatch;
  readonly listeners: Listeners;
  /** What references show of members, by their ids. */
  readonly memberNames: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Whether there is such a record now. */
  readonly isThere: (group: string, id: string) => Promise<boolean>;
  /** Whether the feature of a group is on. */
  readonly isEnabled: (resource: Resource) => boolean;
}

/** An entry as it is shown. */
export interface ShownEntry {
  readonly entry: KeptEntry;
  readonly operation: KeptEntry['operation'] | 'gone';
  readonly json: string;
}

/** By what entries of a page are called: their position in the feed, or their own number in the history of a record. */
export type PlaceWord = 'position' | 'entry';

/** What a reader is shown of entries by the names of today: those that they may not see are left out. */
export async function shownEntries(
  { unit, names, memberNames, isEnabled }: LogGround,
  entries: readonly KeptEntry[],
  { reader, placeWord }: { readonly reader: LogReader; readonly placeWord: PlaceWord },
): Promise<readonly ShownEntry[]> {
  const members = new Set(entries.map(({ data }) => data.by?.member).filter((id) => typeof id === 'string'));
  const [judged, parts, named] = await Promise.all([
    reader.judge(entries),
    countParts(
      unit.direct,
      entries.map(({ write }) => write),
    ),
    members.size === 0 || !reader.namesMembers ? new Map<string, string>() : memberNames([...members]),
  ]);
  return entries.flatMap((entry, index): ShownEntry[] => {
    const resource = names.registry.resources.get(entry.group);
    const sight = judged[index] ?? 'hidden';
    if (sight === 'hidden' || (resource !== undefined && !isEnabled(resource))) return [];
    const place = `"${placeWord}":"${placeWord === 'position' ? entry.position : entry.id}"`;
    if (sight === 'gone')
      return resource === undefined ? [] : [{ entry, operation: 'gone', json: goneJson(entry, resource, place) }];
    const json = entryJson(entry, { registry: names.registry, parts, members: named }, { place, sight });
    return json === undefined ? [] : [{ entry, operation: entry.operation, json }];
  });
}
