// What one write works with: its transaction, who asks, and the records as rules reach them.
import type { Holding, Records } from '../behaviours/rule.ts';
import type { Field, Resource, Value, Values } from '../registry/model.ts';
import { nextNumber } from '../storage/sequence.ts';
import type { Session } from '../storage/session.ts';
import { stepField } from '../storage/view.ts';
import { today } from '../values/date.ts';
import { now } from '../values/id.ts';
import type { Groups } from './groups.ts';
import { Recollection } from './recollection.ts';

/** Creates and changes records for rules; the write stages hand themselves in, so that no import goes round. */
export interface Writers {
  readonly create: (scope: Scope, group: string, values: Readonly<Values>) => Promise<Values>;
  readonly change: (scope: Scope, group: string, id: string, values: Readonly<Values>) => Promise<void>;
}

export class Scope implements Records {
  readonly groups: Groups;
  readonly session: Session;
  readonly actingMember: string | null;
  readonly #writers: Writers;
  readonly #known: Recollection;
  #today: string | undefined;
  /** After a guard what is compared is read anew: others who held it have ended, and what they wrote counts. */
  #isGuarding = false;

  /** @param known What the transaction has read already, where several writes share one. */
  constructor(
    groups: Groups,
    session: Session,
    actingMember: string | null,
    writers: Writers,
    known = new Recollection(),
  ) {
    this.groups = groups;
    this.session = session;
    this.actingMember = actingMember;
    this.#writers = writers;
    this.#known = known;
  }

  find(group: string, id: string): Promise<Values | undefined> {
    return this.groups.get(group).rows.find(this.session, id);
  }

  async list(group: string, where: Readonly<Values>, limit?: number): Promise<Values[]> {
    const read = () => this.groups.get(group).rows.list(this.session, where, limit);
    if (this.#isGuarding) return read();
    const found = await this.#known.lists.recall(group, `${limit} ${JSON.stringify(where)}`, read);
    // The rules may change what they are handed.
    return found.map((values) => ({ ...values }));
  }

  many(group: string, ids: readonly string[]): Promise<ReadonlyMap<string, Values>> {
    return this.groups.get(group).rows.many(this.session, ids);
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

  exists(group: string, where: Readonly<Values>): Promise<boolean> {
    const read = () => this.groups.get(group).rows.exists(this.session, where);
    return this.#isGuarding ? read() : this.#known.existences.recall(group, JSON.stringify(where), read);
  }

  holders(group: string, field: string, key: string, id: string): Promise<string[]> {
    const { rows, resource } = this.groups.get(group);
    const list = resource.byName.get(field) ?? resource.byKey.get(field);
    const store = list && rows.listOf(list);
    if (store === undefined) throw new Error(`${group} has no list ${field}`);
    return store.holders(this.session, key, id);
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
    const steps = path.split('.');
    const { workspace } = this.groups.registry;
    let here = resource;
    let at: Readonly<Values> | undefined = values;
    if (steps[0] === 'workspace' && workspace !== undefined) {
      steps.shift();
      [here, at] = [workspace, await this.workspace()];
    }
    for (const step of steps.slice(0, -1)) {
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

  /** Called by the stages after each write to a group, or to any: what was read of it before may have changed. */
  forget(group?: string): void {
    this.#known.forget(group);
  }

  create(group: string, values: Readonly<Values>): Promise<Values> {
    return this.#writers.create(this, group, values);
  }

  change(group: string, id: string, values: Readonly<Values>): Promise<void> {
    return this.#writers.change(this, group, id, values);
  }

  async keep(group: string, id: string, values: Readonly<Values>): Promise<void> {
    await this.groups.get(group).rows.update(this.session, { ...values, id }, Object.keys(values));
    this.forget(group);
  }

  async keepMany(group: string, ids: readonly string[], values: Readonly<Values>): Promise<void> {
    await this.groups.get(group).rows.updateMany(this.session, ids, values);
    this.forget(group);
  }

  async guard(group: string | undefined, id?: string | readonly string[]): Promise<void> {
    const name = group ?? this.groups.registry.workspace?.name;
    if (name === undefined) return;
    const owners = id ?? String((await this.workspace())['id'] ?? '');
    await this.groups.get(name).rows.guard(this.session, [owners].flat());
    this.#isGuarding = true;
  }

  next(sequence: string): Promise<number> {
    return nextNumber(this.session, this.groups.dialect, sequence);
  }
}
