// The records of the workspace as one write sees them: a read cache over the database that includes the write's own changes.
import type { StoredFacts } from '../../facts/pending-questions.ts';
import type { ReadCache } from '../../facts/read-cache.ts';
import type { Bounds, Candidates, Narrowing, Records } from '../../facts/records.ts';
import type { Found, PlacedLists, RecordSource, Whole } from '../../facts/sources.ts';
import { type Ask, recordValue, type TallyAsk, type TallyQuestion } from '../../formulas/evaluate/facts.ts';
import { notKnown, type RecordValue, type Unknown } from '../../formulas/language/value.ts';
import type { PathStart, Resource, Value, Values } from '../../registry/model/model.ts';
import type { ListReader } from '../../storage/rows/list-reader.ts';
import type { Session } from '../../storage/schema/session.ts';
import { nextNumber } from '../../storage/sequence.ts';
import { unreachable } from '../../unreachable.ts';
import { type Soon, soon, soonAll } from '../../values/soon.ts';
import type { Creation, Update } from '../changes/change.ts';
import type { PendingChanges } from '../changes/pending.ts';
import type { Groups } from '../plan/groups.ts';
import type { Locks } from './locks.ts';
import { RecordQueries } from './record-queries.ts';
import { valueAlong } from './shown-from.ts';
import type { TriedLocks } from './tried-locks.ts';

interface TransactionRecordsOptions {
  readonly groups: Groups;
  readonly session: Session;
  readonly known: ReadCache;
  readonly pending: PendingChanges;
  readonly holdings: Locks;
  readonly tried: TriedLocks;
}

interface IdsWanted {
  readonly bounds: readonly Bounds[];
  readonly limit: number;
}

export class TransactionRecords implements Records {
  readonly #groups: Groups;
  readonly #session: Session;
  readonly #known: ReadCache;
  readonly #pending: PendingChanges;
  readonly #holdings: Locks;
  readonly #tried: TriedLocks;
  /** Records that are locked and read with their lists, before anybody asks. */
  readonly #ahead = new Map<string, Values>();
  readonly #queries: RecordQueries;

  constructor({ groups, session, known, pending, holdings, tried }: TransactionRecordsOptions) {
    this.#holdings = holdings;
    this.#tried = tried;
    this.#queries = new RecordQueries({ groups, session, known, many: (group, ids) => this.many(group, ids) });
    this.#groups = groups;
    this.#session = session;
    this.#known = known;
    this.#pending = pending;
  }

  get facts(): StoredFacts {
    return this.#known.facts;
  }

  async find(group: string, id: string): Promise<Values | undefined> {
    const found = await this.#remembered(group, id);
    // The rules may change what they are handed.
    return found && { ...found };
  }

  async whole(group: string, id: string): Promise<Values | undefined> {
    this.#pending.settle(group, [id]);
    return this.#groups.get(group).rows.find(this.#session, id);
  }

  /** Whether any of these records could be changed by others, in a way that has not been looked at yet. */
  areOpen(group: string, ids: readonly string[]): boolean {
    return ids.some((id) => !this.#isLocked(`${group}/${id}`) && this.#wanted(group, id) === undefined);
  }

  /** Locks records and reads them for `locked`: many in as many statements as one. */
  async lockAhead(group: string, ids: readonly string[]): Promise<void> {
    const open = ids.filter((id) => !this.#ahead.has(`${group}/${id}`) && this.#wanted(group, id) === undefined);
    if (open.length === 0) return;
    for (const record of await this.wholeMany(group, open, { lock: 'own' }))
      this.#ahead.set(`${group}/${String(record['id'])}`, record);
  }

  /** Records with their lists; few statements for any number. */
  async wholeMany(group: string, ids: readonly string[], options: { lock?: 'own' } = {}): Promise<readonly Values[]> {
    this.#pending.settle(group, ids);
    if (options.lock !== undefined) this.#hold(group, ids);
    const { rows, resource } = this.#groups.get(group);
    const fields = resource.fields.filter((field) => rows.listOf(field) !== undefined);
    const [found, ...lists] = await Promise.all([
      rows.records(this.#session, ids, options),
      ...fields.map((field) => rows.listOf(field)?.readMany(this.#session, ids)),
    ]);
    for (const [index, { key }] of fields.entries())
      for (const [id, record] of found) record[key] = [...(lists[index]?.get(id) ?? [])];
    return [...found.values()];
  }

  /** Those of these records that there are, in this order, with their lists: nobody else changes them until the transaction ends. */
  async lockedMany(group: string, ids: readonly string[]): Promise<readonly Values[]> {
    const found = new Map((await this.wholeMany(group, ids, { lock: 'own' })).map((one) => [String(one['id']), one]));
    return ids.map((id) => found.get(id)).filter((record) => record !== undefined);
  }

  /** A record with its lists, which nobody else changes until the transaction ends. */
  async locked(group: string, id: string): Promise<Values | undefined> {
    const ahead = this.#ahead.get(`${group}/${id}`);
    this.#ahead.delete(`${group}/${id}`);
    if (ahead !== undefined && this.#pending.lastOf(group, id) === undefined) return ahead;
    this.#pending.settle(group, [id]);
    this.#hold(group, [id]);
    return this.#groups.get(group).rows.find(this.#session, id, { lock: 'own' });
  }

  /** The version of a record that is locked, or is being locked. */
  version(group: string, id: string): Promise<string | undefined> {
    return this.#groups.get(group).rows.version(this.#session, id);
  }

  /**
   * Records that this write changes, without their lists: those of others so that nobody else changes them until the
   * transaction ends; those that it has changed already as it wants them, with the lists it knows.
   */
  async toChange(group: string, ids: readonly string[]): Promise<ReadonlyMap<string, Values>> {
    const found = new Map<string, Values>();
    for (const id of ids) {
      const wanted = this.#wanted(group, id);
      if (wanted !== undefined) found.set(id, { ...wanted.after });
    }
    for (const id of ids) {
      const read = this.#known.records.atHand(group, id)?.value;
      if (!found.has(id) && read !== undefined && this.#isLocked(`${group}/${id}`)) found.set(id, { ...read });
    }
    const others = ids.filter((id) => !found.has(id));
    if (others.length === 0) return found;
    this.#pending.settle(group, others);
    const { rows } = this.#groups.get(group);
    this.#hold(group, others);
    for (const [id, record] of await rows.records(this.#session, others, { lock: 'own' })) {
      this.#known.records.put(group, id, record);
      found.set(id, { ...record });
    }
    return found;
  }

  /** Whether nobody else has changed a record since it was read: what was read before its lock is forgotten with that. */
  #isLocked(name: string): boolean {
    const { guarded, locked } = this.#known;
    return this.#groups.dialect.hasOneWriter || guarded.has(name) || locked.has(name);
  }

  /**
   * Notes rows that are locked next. Where others may have written until then, what was read before counts no more: it is read
   * again when it is asked for, behind the lock.
   */
  #hold(group: string, ids: readonly string[]): void {
    this.#tried.note(group, ids);
    const { locked } = this.#known;
    const names = ids.map((id) => `${group}/${id}`);
    if (names.some((name) => !this.#isLocked(name))) this.#known.forget();
    for (const name of names) locked.add(name);
  }

  /** Which of these records there are. */
  async existing(group: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    this.#pending.settle(group);
    return this.#groups.get(group).rows.existing(this.#session, ids);
  }

  async list(group: string, where: Readonly<Values>, narrowing: Narrowing = {}): Promise<Values[]> {
    this.#pending.settle(group);
    const read = () => this.#groups.get(group).rows.list(this.#session, where, narrowing);
    const question = JSON.stringify([narrowing, where]);
    const found = await this.#known.lists.recall(group, question, read);
    for (const record of found) this.#known.records.put(group, String(record['id']), record);
    // The rules may change what they are handed.
    return found.map((values) => ({ ...values }));
  }

  /** Ids of such records: no more of them than `limit`. */
  ids(group: string, where: Readonly<Values>, { bounds, limit }: IdsWanted): Soon<readonly string[]> {
    this.#pending.settle(group);
    const read = () => this.#groups.get(group).rows.ids(this.#session, where, { bounds, limit });
    return this.#known.ids.recall(group, JSON.stringify([bounds, where]), read);
  }

  many(group: string, ids: readonly string[]): Soon<ReadonlyMap<string, Values>> {
    const { records } = this.#known;
    const unknown = ids.filter((id) => !records.has(group, id) && this.#wanted(group, id) === undefined);
    this.#pending.settle(group, unknown);
    if (unknown.length === 0) return this.#manyKnown(group, ids);
    const asked = { questions: unknown, next: () => this.#manyKnown(group, ids) };
    return records.awaitAll(group, asked, this.#read(group, unknown));
  }

  #manyKnown(group: string, ids: readonly string[]): Soon<ReadonlyMap<string, Values>> {
    return soon(soonAll(ids.map((id) => this.#remembered(group, id))), (read) => {
      const found = new Map<string, Values>();
      for (const [index, record] of read.entries())
        if (record !== undefined) found.set(ids[index] ?? '', { ...record });
      return found;
    });
  }

  takeLocks(): void {
    this.#holdings.take();
  }

  /** Reads records, those that are to be kept as they are under lock. */
  #read(group: string, ids: readonly string[]): Promise<ReadonlyMap<string, Values>> {
    const { rows } = this.#groups.get(group);
    const parts = Map.groupBy(ids, (id) => this.#holdings.lockToRead(group, id));
    const read = [...parts].map(([lock, part]) => rows.records(this.#session, part.toSorted(), { lock }));
    const [only] = read;
    if (only !== undefined && read.length === 1) return only;
    return Promise.all(read).then((all) => new Map(all.flatMap((stored) => [...stored])));
  }

  recordAtHand(group: string, id: string): Values | null | undefined {
    const known = this.#known.records.atHand(group, id);
    if (known !== undefined) return known.value ?? null;
    const wanted = this.#wanted(group, id);
    return wanted && this.#groups.get(group).rows.ownOf(wanted.after);
  }

  foundAtHand(source: RecordSource, ask: string): readonly Found[] | undefined {
    return this.#queries.foundAtHand(source, ask);
  }

  listsAtHand(source: RecordSource, id: string): PlacedLists | undefined {
    return this.#queries.listsAtHand(source, id);
  }

  query(source: RecordSource, asks: readonly Ask[]): Soon<readonly (readonly Found[])[]> {
    this.#pending.settle(source.group);
    return this.#queries.query(source, asks);
  }

  few(source: RecordSource, asks: readonly Ask[], most?: number): Promise<readonly boolean[]> {
    this.#pending.settle(source.group);
    return this.#queries.few(source, asks, most);
  }

  canTally({ group, lists }: RecordSource, ask: TallyAsk): boolean {
    return this.#groups.get(group).rows.tallier(lists).canTell(ask);
  }

  tally({ group, lists }: RecordSource, questions: readonly TallyQuestion[]): Soon<readonly Whole[]> {
    this.#pending.settle(group);
    return this.#groups.get(group).rows.tallier(lists).tell(this.#session, questions);
  }

  hasAny(source: RecordSource, except: string): Soon<boolean> {
    this.#pending.settle(source.group);
    return this.#queries.hasAny(source, except);
  }

  listsOf(source: RecordSource, ids: readonly string[]): Soon<ReadonlyMap<string, PlacedLists>> {
    this.#pending.settle(source.group, ids);
    return this.#queries.listsOf(source, ids);
  }

  resource(group: string): Resource {
    return this.#groups.get(group).resource;
  }

  exists(group: string, where: Readonly<Values>): Soon<boolean> {
    this.#pending.settle(group);
    const read = () => this.#groups.get(group).rows.exists(this.#session, where);
    return this.#known.existences.recall(group, JSON.stringify(where), read);
  }

  async among(group: string, where: Readonly<Values>, candidates: Candidates): Promise<ReadonlySet<string>> {
    this.#pending.settle(group);
    const { rows, resource } = this.#groups.get(group);
    if (candidates.key !== 'id' || !Object.keys(where).every((each) => isPlain(resource, each)))
      return rows.among(this.#session, where, candidates);
    // The records are looked at as well, before or after.
    const found = [...(await this.many(group, candidates.values)).entries()];
    return new Set(found.flatMap(([id, record]) => (isEqualIn(record, where) ? [id] : [])));
  }

  async greatest(group: string, where: Readonly<Values>, key: string): Promise<number | null> {
    this.#pending.settle(group);
    return this.#groups.get(group).rows.greatest(this.#session, where, key);
  }

  #listOf(group: string, name: string): ListReader {
    const { rows, resource } = this.#groups.get(group);
    const list = resource.byName.get(name) ?? resource.byKey.get(name);
    const store = list && rows.listOf(list);
    if (store === undefined) unreachable(`${group} has no list ${name}`);
    return store;
  }

  workspace(): Soon<Values> {
    const { workspace } = this.#groups.registry;
    if (workspace === undefined) return {};
    return soon(this.#remembered(workspace.name, ''), (settings) => settings ?? {});
  }

  workspaceGroup(): string | undefined {
    return this.#groups.registry.workspace?.name;
  }

  follow(resource: PathStart, values: Readonly<Values>, path: string): Soon<Value | undefined> {
    let next: readonly [group: string, id: string] | undefined;
    const record = (group: string, id: string): RecordValue | null | Unknown => {
      const known = this.recordAtHand(group, id);
      if (known === undefined) next = [group, id];
      return known === undefined ? notKnown : known && recordValue(known);
    };
    const workspace = () => record(this.workspaceGroup() ?? '', '');
    const value = valueAlong(
      { records: this, facts: { record, workspace } },
      { resource, self: recordValue(values) },
      path,
    );
    if (value !== notKnown) return value;
    return next && soon(this.#remembered(...next), () => this.follow(resource, values, path));
  }

  #remembered(group: string, id: string): Soon<Values | undefined> {
    return this.#known.records.recall(group, id, () => {
      const wanted = this.#wanted(group, id);
      if (wanted !== undefined) return this.#groups.get(group).rows.ownOf(wanted.after);
      this.#pending.settle(group, [id]);
      const lock = this.#holdings.lockToRead(group, id);
      return this.#groups.get(group).rows.find(this.#session, id, { lock, lists: false });
    });
  }

  /** The change that tells how this write wants a record; undefined where none does, or it tells a part alone. */
  #wanted(group: string, id: string): Creation | Update | undefined {
    const change = this.#pending.lastOf(group, id);
    return change === undefined || change.kind === 'delete' || change.cause.kind === 'clear' ? undefined : change;
  }

  /** The lists of a record under these keys, by key; keys of other fields are passed over. */
  async listsUnder(group: string, id: string, keys: readonly string[]): Promise<Values> {
    this.#pending.settle(group, [id]);
    const { rows, resource } = this.#groups.get(group);
    const read = keys.flatMap((key) => {
      const field = resource.byKey.get(key);
      const store = field && rows.listOf(field);
      return store === undefined ? [] : [store.read(this.#session, id).then((list) => [key, list] as const)];
    });
    return Object.fromEntries(await Promise.all(read));
  }

  /** A list of each of these records, by their ids; a statement for a thousand. Records without items are left out. */
  async listUnder(group: string, ids: readonly string[], key: string): Promise<ReadonlyMap<string, Value[]>> {
    this.#pending.settle(group, ids);
    return this.#listOf(group, key).readMany(this.#session, ids);
  }

  next(sequence: string): Promise<number> {
    return nextNumber(this.#session, this.#groups.dialect, sequence);
  }
}

/** Whether two values of a field are the same when they are equal: texts of unique keys are the same in any case of letters. */
function isPlain({ byKey, unique }: Resource, key: string): boolean {
  const field = byKey.get(key);
  if (field?.kind === 'text') return !unique.some(({ fields }) => fields.includes(field));
  return field?.kind === 'boolean' || field?.kind === 'enum' || field?.kind === 'reference';
}

const isEqualIn = (record: Readonly<Values>, where: Readonly<Values>): boolean =>
  Object.entries(where).every(([key, value]) => (record[key] ?? null) === (value ?? null));
