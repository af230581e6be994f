// What one transaction leaves in the log of changes: gathered operation by operation, kept at the end, before the commit.
import { yieldIfDue } from '../../admission/event-loop.ts';
import type { Registry } from '../../registry/model/model.ts';
import { appendEntries } from '../../storage/log/append.ts';
import type { EntryActor, EntryData, NewEntry } from '../../storage/log/entry.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Session } from '../../storage/schema/session.ts';
import { tableName } from '../../storage/schema/tables.ts';
import { newId, timeOfId } from '../../values/id.ts';
import { type Soon, soon } from '../../values/soon.ts';
import { type Change, nameInFull, type RecordName } from '../changes/change.ts';
import { type CauseOf, causeOf, type Entry, entriesOf } from './entries.ts';

/** Entries that are written as JSON without a pause. */
const entriesAtOnce = 20;

/** Who asks for a write, by which request, and what that makes of its causes. */
export interface Origin {
  readonly by: EntryActor | null;
  readonly request: string | null;
  readonly trace: string | null;
  readonly toCause?: CauseOf;
  /** The write that this one takes back. */
  readonly undoes?: string;
}

/** The service itself. */
export const ownOrigin: Origin = Object.freeze({ by: null, request: null, trace: null });

interface LogParts {
  readonly registry: Registry;
  readonly dialect: Dialect;
  /** Told when a transaction with entries is committed. */
  readonly committed: () => void;
}

/** The log of a service, as its writes see it. */
export class ChangeLog {
  readonly parts: LogParts;

  constructor(parts: LogParts) {
    this.parts = parts;
  }

  /** For one run of a transaction. */
  begin(origin: Origin): WriteLog {
    return new WriteLog(this.parts, origin);
  }

  /** Whether writes of a group leave entries. */
  isOf(group: string): boolean {
    return this.parts.registry.resources.get(group)?.isLogged === true;
  }
}

/** The longest entry, in bytes of JSON. */
const longest = 256 * 1024;
/** A letter has three bytes at the most. */
const isTooLong = (json: string): boolean => json.length * 3 > longest && Buffer.byteLength(json) > longest;

/** An entry and the operation that it is of. */
interface Placed {
  readonly entry: Entry;
  readonly step: number | null;
}

/** The entries of one transaction. */
export class WriteLog {
  readonly id = newId();
  /** Which operation of a batch is being done, from 1; null where there is one alone. */
  step: number | null = null;
  readonly #parts: LogParts;
  readonly #origin: Origin;
  #placed: Placed[] = [];
  /** Versions of records that go, by `nameInFull`. */
  readonly #versions = new Map<string, number>();
  readonly #asked: Promise<void>[] = [];
  #count = 0;

  constructor(parts: LogParts, origin: Origin) {
    this.#parts = parts;
    this.#origin = origin;
  }

  /** Whether it keeps what becomes of a group. */
  isOf(group: string): boolean {
    return this.#parts.registry.resources.get(group)?.isLogged === true;
  }

  /** Whether anything was kept. */
  get hasEntries(): boolean {
    return this.#count > 0;
  }

  /** Asks for the versions of records that are about to go. */
  noteGoing(group: string, read: Promise<ReadonlyMap<string, number>>): void {
    const noted = read.then((versions) => {
      for (const [id, version] of versions) this.#versions.set(nameInFull({ group, id }), version);
    });
    // Whoever keeps the entries learns of it.
    noted.catch(() => {});
    this.#asked.push(noted);
  }

  /** Takes in what an operation has changed. */
  add(changes: readonly Change[]): Soon<void> {
    const { registry } = this.#parts;
    const { toCause = causeOf } = this.#origin;
    return soon(entriesOf(changes, registry, toCause), (entries) => {
      for (const entry of entries) this.#placed.push({ entry, step: this.step });
    });
  }

  /** The operations so far, to come back to where the next one is taken back. */
  mark(): number {
    return this.#placed.length;
  }

  backTo(mark: number): void {
    this.#placed.length = mark;
  }

  /** Keeps what was taken in. To be called once all locks are taken and all is read that decides on the write. */
  async keep(session: Session): Promise<void> {
    if (this.#placed.length === 0) return;
    if (this.#asked.length > 0) await Promise.all(this.#asked.splice(0));
    const placed = this.#placed;
    this.#placed = [];
    const versions = this.#versionsOf(placed);
    const at = timeOfId(this.id) ?? '';
    const { by, request, trace, undoes = null } = this.#origin;
    const entries: NewEntry[] = [];
    for (const [index, { entry, step }] of placed.entries()) {
      if (index % entriesAtOnce === entriesAtOnce - 1) await yieldIfDue();
      const { group, id, operation, changes, cause, also, name } = entry;
      const extra = Object.keys(also).length === 0 ? {} : { also };
      const data: EntryData = { changes, cause, ...extra, name, by, request, trace };
      const json = JSON.stringify(data);
      const part = this.#count + index + 1;
      entries.push({
        ...{ write: this.id, part, step, group, record: id, operation, at, cause: cause.kind },
        version: versions[index] ?? null,
        undoes: part === 1 ? undoes : null,
        data: isTooLong(json) ? JSON.stringify({ ...data, changes: null }) : json,
      });
    }
    this.#count += entries.length;
    await appendEntries(session, this.#parts.dialect, entries);
  }

  /** Of each record behind each of its entries. */
  #versionsOf(placed: readonly Placed[]): readonly NewEntry['version'][] {
    /** How many versions a record has gained behind an entry: counted from the last one back. */
    const gained = new Map<string, number>();
    const made = new Map<string, number>();
    for (const { entry } of placed) if (entry.operation === 'create') made.set(nameInFull(entry), entry.version);
    const known = placed.map(({ entry }) => {
      const name = nameInFull(entry);
      const start = made.get(name);
      if (start === undefined) return undefined;
      const version = start + (entry.isNewVersion && entry.operation === 'update' ? 1 : 0);
      made.set(name, version);
      return version;
    });
    const versions: NewEntry['version'][] = [];
    for (let index = placed.length - 1; index >= 0; index -= 1) {
      const entry = placed[index]?.entry;
      if (entry === undefined) continue;
      versions[index] = known[index] ?? this.#versionBefore(entry, gained.get(nameInFull(entry)) ?? 0);
      if (entry.isNewVersion) gained.set(nameInFull(entry), (gained.get(nameInFull(entry)) ?? 0) + 1);
    }
    return versions;
  }

  #versionBefore(name: RecordName, less: number): NewEntry['version'] {
    const gone = this.#versions.get(nameInFull(name));
    return gone === undefined ? { table: tableName(name.group), less } : gone - less;
  }
}
