// What one write works with: its transaction, who asks, and the records as rules reach them.
import type { Bounds, Guarded, Held, HeldAny, Holding, HoldingItem, Narrowing, Records } from '../behaviours/rule.ts';
import type { Field, Resource, Value, Values } from '../registry/model.ts';
import type { ListStore } from '../storage/lists.ts';
import { nextNumber } from '../storage/sequence.ts';
import type { Session } from '../storage/session.ts';
import { stepField } from '../storage/view.ts';
import { today } from '../values/date.ts';
import { now } from '../values/id.ts';
import { Attempt } from './constraints.ts';
import type { Groups } from './groups.ts';
import { Recollection, type WholeList } from './recollection.ts';

/** Creates and changes records for rules; the write stages hand themselves in, so that no import goes round. */
export interface Writers {
  readonly create: (scope: Scope, group: string, values: Readonly<Values>) => Promise<Values>;
  readonly change: (scope: Scope, group: string, id: string, values: Readonly<Values>) => Promise<void>;
}

interface ScopeOptions {
  readonly groups: Groups;
  readonly session: Session;
  readonly actingMember: string | null;
  readonly writers: Writers;
  /** What the transaction has read already, where several writes share one. */
  readonly known?: Recollection;
  /** Where to note what is stored, for when a key stops it. */
  readonly attempt?: Attempt;
}

export class Scope implements Records {
  readonly groups: Groups;
  readonly session: Session;
  readonly actingMember: string | null;
  readonly attempt: Attempt;
  readonly #writers: Writers;
  readonly #known: Recollection;
  #today: string | undefined;

  constructor({ groups, session, actingMember, writers, known, attempt }: ScopeOptions) {
    this.groups = groups;
    this.session = session;
    this.actingMember = actingMember;
    this.attempt = attempt ?? new Attempt();
    this.#writers = writers;
    this.#known = known ?? new Recollection();
  }

  async find(group: string, id: string): Promise<Values | undefined> {
    const found = await this.#remembered(group, id);
    // The rules may change what they are handed.
    return found && { ...found };
  }

  whole(group: string, id: string): Promise<Values | undefined> {
    return this.groups.get(group).rows.find(this.session, id);
  }

  async list(group: string, where: Readonly<Values>, narrowing: Narrowing = {}): Promise<Values[]> {
    const read = () => this.groups.get(group).rows.list(this.session, where, narrowing);
    const question = JSON.stringify([narrowing, where]);
    const found = await this.#known.lists.recall(group, question, read);
    for (const record of found) this.#known.records.put(group, String(record['id']), Promise.resolve(record));
    if (narrowing.limit === undefined && narrowing.bounds === undefined)
      this.#known.wholeLists.put(group, question, Promise.resolve({ where, records: found }));
    // The rules may change what they are handed.
    return found.map((values) => ({ ...values }));
  }

  async many(group: string, ids: readonly string[]): Promise<ReadonlyMap<string, Values>> {
    const { records } = this.#known;
    const unknown = ids.filter((id) => !records.of(group).has(id));
    const read = new Map(
      (await this.groups.get(group).rows.records(this.session, unknown)).map((record) => [
        String(record['id']),
        record,
      ]),
    );
    for (const id of unknown) records.put(group, id, Promise.resolve(read.get(id)));
    const found = new Map<string, Values>();
    for (const id of ids) {
      const record = await records.of(group).get(id);
      if (record !== undefined) found.set(id, { ...record });
    }
    return found;
  }

  async holding(group: string, path: string, target: string, ids: readonly string[]): Promise<readonly Holding[]> {
    const { rows, resource } = this.groups.get(group);
    const found: Holding[] = [];
    for (const { resource: holder, field, list, outer } of this.groups.registry.referrers.get(target) ?? []) {
      const place = [outer, list].flatMap((each) => each?.name ?? []).join('.');
      const store = list && rows.listOf(list);
      if (holder === resource && place === path && store !== undefined)
        found.push(...(await store.holding(this.session, field.key, ids)));
    }
    return found;
  }

  resource(group: string): Resource {
    return this.groups.get(group).resource;
  }

  async exists(group: string, where: Readonly<Values>, bounds: readonly Bounds[] = []): Promise<boolean> {
    for (const known of bounds.length > 0 ? [] : this.#known.wholeLists.of(group).values()) {
      const isThere = this.#isIn(group, where, await known);
      if (isThere !== undefined) return isThere;
    }
    const read = () => this.groups.get(group).rows.exists(this.session, where, bounds);
    return this.#known.existences.recall(group, JSON.stringify([where, bounds]), read);
  }

  /** Whether a list that is known holds such a record; undefined where it cannot tell. */
  #isIn(group: string, where: Readonly<Values>, list: WholeList): boolean | undefined {
    const { resource } = this.groups.get(group);
    const isPart = Object.entries(list.where).every(
      ([key, value]) => Object.hasOwn(where, key) && where[key] === value,
    );
    const others = Object.entries(where).filter(([key]) => !Object.hasOwn(list.where, key));
    if (!isPart || !others.every(([key]) => isPlain(resource, key))) return undefined;
    return list.records.some((record) => isEqualIn(record, Object.fromEntries(others)));
  }

  async among(
    group: string,
    where: Readonly<Values>,
    key: string,
    values: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const { rows, resource } = this.groups.get(group);
    if (key !== 'id' || !Object.keys(where).every((each) => isPlain(resource, each)))
      return rows.among(this.session, where, key, values);
    // The records are looked at as well, before or after.
    const found = [...(await this.many(group, values)).entries()];
    return new Set(found.flatMap(([id, record]) => (isEqualIn(record, where) ? [id] : [])));
  }

  greatest(group: string, where: Readonly<Values>, key: string): Promise<number | null> {
    return this.groups.get(group).rows.greatest(this.session, where, key);
  }

  holders(group: string, field: string, key: string, id: string): Promise<string[]> {
    return this.#listOf(group, field).holders(this.session, key, id);
  }

  isHeld(group: string, { list, key, id }: Held, by?: string): Promise<boolean> {
    return this.#listOf(group, list).isHeld(this.session, key, id, by);
  }

  async itemsWith(group: string, { list, key, ids }: HeldAny): Promise<readonly HoldingItem[]> {
    const items = await this.#listOf(group, list).itemsWith(this.session, key, ids);
    const owners = [...new Set(items.map(({ owner }) => owner))];
    const records = await this.many(group, owners);
    // Ids of records rise with the time of their making, and the items come in the order of these.
    return items.flatMap(({ owner, item }) => {
      const record = records.get(owner);
      return record === undefined ? [] : [{ record, item }];
    });
  }

  #listOf(group: string, name: string): ListStore {
    const { rows, resource } = this.groups.get(group);
    const list = resource.byName.get(name) ?? resource.byKey.get(name);
    const store = list && rows.listOf(list);
    if (store === undefined) throw new Error(`${group} has no list ${name}`);
    return store;
  }

  async workspace(): Promise<Values> {
    const { workspace } = this.groups.registry;
    if (workspace === undefined) return {};
    return (await this.#remembered(workspace.name, '')) ?? {};
  }

  /** The date in the workspace's time zone. */
  async today(): Promise<string> {
    this.#today ??= today(String((await this.workspace())['timeZoneId'] ?? 'UTC'), now());
    return this.#today;
  }

  async follow(resource: Resource, values: Readonly<Values>, path: string): Promise<Value | undefined> {
    const steps = this.groups.stepsOf(path);
    const { workspace } = this.groups.registry;
    let here = resource;
    let at: Readonly<Values> | undefined = values;
    const isOfWorkspace = steps[0] === 'workspace' && workspace !== undefined;
    if (isOfWorkspace) [here, at] = [workspace, await this.workspace()];
    for (let place = isOfWorkspace ? 1 : 0; place < steps.length - 1; place += 1) {
      const step = steps[place] ?? '';
      const field = stepField(here, step);
      if (field.kind !== 'reference') throw new Error(`${path}: ${step} is no reference`);
      const id: Value | undefined = at[field.key];
      if (typeof id !== 'string') return undefined;
      at = await this.#remembered(field.target, id);
      if (at === undefined) return undefined;
      here = this.groups.get(field.target).resource;
    }
    return this.#shown(here, at, stepField(here, steps.at(-1) ?? ''));
  }

  /** A field's value as the record shows it: its own, or that of the record it is inherited from or read through. */
  async #shown(resource: Resource, values: Readonly<Values>, field: Field): Promise<Value | undefined> {
    if (field.from !== undefined) return this.follow(resource, values, field.from);
    const inherited = field.inherits.find(
      ({ when }) => ((values[when.key] ?? null) === when.literal) === (when.operator === '=='),
    );
    return inherited === undefined ? values[field.key] : this.follow(resource, values, inherited.from);
  }

  #remembered(group: string, id: string): Promise<Values | undefined> {
    return this.#known.records.recall(group, id, () =>
      this.groups.get(group).rows.find(this.session, id, { lists: false }),
    );
  }

  /** Called after each write to a record, to any of a group, or to any at all: what was read before may have changed. */
  forget(group?: string, id?: string): void {
    this.#known.forget(group, id);
  }

  create(group: string, values: Readonly<Values>): Promise<Values> {
    return this.#writers.create(this, group, values);
  }

  change(group: string, id: string, values: Readonly<Values>): Promise<void> {
    return this.#writers.change(this, group, id, values);
  }

  async keep(group: string, id: string, values: Readonly<Values>): Promise<void> {
    await this.groups.get(group).rows.update(this.session, { ...values, id }, Object.keys(values));
    this.forget(group, id);
  }

  async keepMany(group: string, ids: readonly string[], values: Readonly<Values>): Promise<void> {
    await this.groups.get(group).rows.updateMany(this.session, ids, values);
    this.forget(group);
  }

  async guard(...guarded: readonly Guarded[]): Promise<void> {
    const open = this.#openGuards(guarded);
    if (open.size === 0) return;
    // In one order, of groups and of ids, so that two writes never wait for each other.
    for (const name of [...open.keys()].sort()) {
      const ids = [...(open.get(name) ?? [])].sort();
      await this.groups.get(name).rows.guard(this.session, ids);
      for (const id of ids) this.#known.guarded.add(`${name}/${id}`);
    }
    // Others who held them have ended, and what they wrote counts; from here on nobody else writes what they guard. On
    // SQLite nobody else has written since the transaction began.
    if (this.groups.dialect !== 'sqlite') this.forget();
  }

  /** Ids by group that are not guarded yet; the empty one for the single record of the workspace's settings. */
  #openGuards(guarded: readonly Guarded[]): ReadonlyMap<string, ReadonlySet<string>> {
    const { workspace } = this.groups.registry;
    const open = new Map<string, Set<string>>();
    for (const { group, ids } of guarded) {
      const name = group ?? workspace?.name;
      if (name === undefined) continue;
      for (const id of group === undefined ? [''] : ids)
        if (!this.#known.guarded.has(`${name}/${id}`)) open.set(name, (open.get(name) ?? new Set()).add(id));
    }
    return open;
  }

  next(sequence: string): Promise<number> {
    return nextNumber(this.session, this.groups.dialect, sequence);
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
