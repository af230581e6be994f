// Intent → Outcome. Chooses the shortest way that keeps every promise: one statement where one does, else a transaction.
import { textsOf } from '../behaviours/record-values.ts';
import { Problem, problems } from '../problems.ts';
import type { Values } from '../registry/model.ts';
import type { BodyInput, Intent, Outcome } from '../request/intent.ts';
import { ConstraintError, type UnitOfWork } from '../storage/run.ts';
import type { Cell, Session } from '../storage/session.ts';
import { risingTime } from '../values/id.ts';
import { Batch } from './batch.ts';
import { byCaller, type Change } from './change.ts';
import { computeRecord } from './compute.ts';
import { Attempt, KeyBook } from './constraints.ts';
import type { Group, Groups } from './groups.ts';
import { readPage, readRecord } from './read.ts';
import type { Reading } from './read-lists.ts';
import { referenceFaults } from './references.ts';
import { removeRecord } from './remove.ts';
import { Scope } from './scope.ts';
import { isPlainUpdate, isSingleRow } from './shortcuts.ts';
import { putRight } from './upkeep.ts';
import { type Difference, differencesIn, isVerifiable, verifiedAtOnce } from './verify.ts';
import { createRecord, effectsOf, perform, updateRecord } from './write.ts';

interface EngineOptions {
  readonly groups: Groups;
  readonly unit: UnitOfWork;
  /** The date in the workspace's time zone, as far as this process knows it; for what is read, never for what is kept. */
  readonly today: () => string;
  /** Called after the workspace's settings have changed, before the answer. */
  readonly workspaceChanged: () => Promise<void>;
}

/** How often a write is tried again when a record that it refers to comes or goes meanwhile. */
const lookAgain = 3;
const nothing: BodyInput = { values: {} };

export class Engine {
  readonly #options: EngineOptions;
  readonly #groups: Groups;
  readonly #keys: KeyBook;
  /** The database as a session outside of any transaction: every statement stands for itself. */
  readonly #direct: Session;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#groups = options.groups;
    this.#keys = new KeyBook(options.groups.registry);
    this.#direct = {
      all: (sql, values) => options.unit.read(sql, values),
      run: (sql, values) => options.unit.write(sql, values),
    };
  }

  /** Does what a caller wants. @throws Problem */
  async execute(intent: Intent): Promise<Outcome> {
    const { resource } = intent.endpoint;
    if (resource.computed !== undefined) {
      const scope = this.#scope(this.#direct, null);
      return { status: 200, body: await computeRecord(scope, resource, intent.given) };
    }
    const group = this.#groups.get(resource.name);
    switch (intent.endpoint.operation) {
      case 'list':
        return { status: 200, body: await readPage(this.#reading(this.#direct, group), intent) };
      case 'get':
        return this.#get(this.#direct, group, intent);
      case 'create':
        return this.#create(group, intent);
      case 'update':
        return this.#update(group, intent);
      case 'delete':
        return this.#delete(group, intent);
    }
  }

  /**
   * Several writes as one transaction: all of them or none. `work` may run several times.
   * @throws Problem of the first write that is refused; ConstraintError where a key refers to nothing.
   */
  async together<T>(work: (batch: Batch) => Promise<T>): Promise<T> {
    const attempt = new Attempt();
    const shared = { groups: this.#groups, today: this.#options.today, attempt };
    try {
      return await this.#options.unit.transact(async (session) => {
        await this.#takeAgain(session, attempt);
        return work(new Batch({ ...shared, session }));
      });
    } catch (error) {
      if (error instanceof ConstraintError) await this.#tellTaken(error, attempt);
      throw error;
    }
  }

  #reading(session: Session, group: Group): Reading {
    const records = () => this.#scope(session, null).records;
    return { session, group, dialect: this.#groups.dialect, today: this.#options.today, records };
  }

  #scope(session: Session, actingMember: string | null, attempt?: Attempt): Scope {
    return new Scope({ groups: this.#groups, session, actingMember, effectsOf, ...(attempt && { attempt }) });
  }

  async #get(session: Session, group: Group, { id, idAsSent }: Pick<Intent, 'id' | 'idAsSent'>): Promise<Outcome> {
    const outcome = await this.#find(session, group, id);
    if (outcome === undefined) throw problems.recordUnknown(idAsSent);
    return outcome;
  }

  async #find(session: Session, group: Group, id: string): Promise<Outcome | undefined> {
    const body = await readRecord(this.#reading(session, group), id);
    return body === undefined ? undefined : { status: 200, body };
  }

  async #create(group: Group, { body = nothing, caller }: Intent): Promise<Outcome> {
    const isSingle = isSingleRow(group, body.values);
    const write = async (session: Session, attempt: Attempt): Promise<{ scope: Scope; outcome: Outcome }> => {
      for (let look = 1; look <= lookAgain; look++) {
        const scope = this.#scope(session, await this.#actingMember(session, caller.memberId), attempt);
        const values = await perform(scope, () => createRecord(scope, { group, input: body }));
        const read = () => this.#find(session, group, String(values['id']));
        const outcome = isSingle
          ? await this.#answerSingle({ group, scope }, values, read)
          : await onceWritten(scope, read);
        if (outcome !== undefined) return { scope, outcome };
        // Made by a single statement, and deleted before it was read, with what it belongs to: as if it had come after.
      }
      throw problems.overloaded();
    };
    return this.#translate(group, body.values, async (attempt) =>
      isSingle
        ? (await write(this.#direct, attempt)).outcome
        : this.#transact(attempt, (session) => write(session, attempt)),
    );
  }

  /** The answer to a create that is one statement by itself. */
  async #answerSingle(
    { group, scope }: { readonly group: Group; readonly scope: Scope },
    values: Readonly<Values>,
    read: () => Promise<Outcome | undefined>,
  ): Promise<Outcome | undefined> {
    await scope.done();
    return this.#fromMemory(group, values) ?? onceDone(read);
  }

  /** The same without asking the database again: where it shows no other record's name. */
  #fromMemory(group: Group, values: Readonly<Values>): Outcome | undefined {
    const { view } = group.queries;
    if (view.figures.length > 0) return undefined;
    const row: Cell[] = [];
    for (const { expr } of view.cells) {
      if (expr.kind !== 'column') return undefined;
      const join = view.joins.find(({ alias }) => alias === expr.alias);
      const source = join === undefined ? expr : join.on;
      if (source?.kind !== 'column' || source.alias !== view.alias) return undefined;
      const bound = group.rows.cellOf(source.column, values);
      if (bound === undefined || (join !== undefined && bound !== null)) return undefined;
      row.push(typeof bound === 'bigint' ? String(bound) : bound);
    }
    return {
      status: 200,
      body: group.write(
        row,
        group.lists.map(() => new Map()),
      ),
    };
  }

  async #update(group: Group, intent: Intent): Promise<Outcome> {
    const { body = nothing, id, idAsSent, caller } = intent;
    const isPlain =
      body.wrong === undefined && !group.resource.singleton && isPlainUpdate(group.entangled, body.values);
    if (isPlain) return this.#translate(group, body.values, (attempt) => this.#updatePlainly(group, intent, attempt));
    return this.#translate(group, body.values, (attempt) =>
      this.#transact(attempt, async (session) => {
        const scope = this.#scope(session, await this.#actingMember(session, caller.memberId), attempt);
        await perform(scope, () => updateRecord(scope, { group, id, idAsSent, input: body }));
        return { scope, outcome: await onceWritten(scope, () => this.#get(session, group, { id, idAsSent })) };
      }),
    );
  }

  /** A write that is a transaction. What it has changed in the workspace's settings holds before it is answered. */
  async #transact<T>(
    attempt: Attempt,
    write: (session: Session) => Promise<{ readonly scope: Scope; readonly outcome: T }>,
  ): Promise<T> {
    const { scope, outcome } = await this.#options.unit.transact(async (session) => {
      await this.#takeAgain(session, attempt);
      return write(session);
    });
    const { workspace } = this.#groups.registry;
    if (scope.changes.some(({ group }) => group === workspace?.name)) await this.#options.workspaceChanged();
    return outcome;
  }

  #takeAgain(session: Session, { locks }: Attempt): Promise<void> {
    const { registry } = this.#groups;
    return locks.takeAgain(session, { registry, groupOf: (name) => this.#groups.get(name) });
  }

  /** One statement and the reading of the answer; of an empty body, the reading alone. */
  async #updatePlainly(group: Group, intent: Intent, attempt: Attempt): Promise<Outcome> {
    const { id, idAsSent, body = nothing } = intent;
    const keys = Object.keys(body.values).sort();
    const read = () => this.#get(this.#direct, group, { id, idAsSent });
    if (keys.length === 0) return read();
    const { modified, resource } = group;
    const time: Values = modified === undefined ? {} : { [modified]: risingTime() };
    const after = { ...body.values, ...time };
    const named = { group: resource.name, id, before: undefined };
    const change: Change = { kind: 'update', ...named, after, keys: [...keys, ...Object.keys(time)], cause: byCaller };
    const updated = await this.#groups.writer.carryOut(this.#direct, [change], attempt);
    if (updated === 0) throw problems.recordUnknown(idAsSent);
    return onceDone(read);
  }

  async #delete(group: Group, { id, idAsSent, caller }: Intent): Promise<Outcome> {
    return this.#translate(group, {}, (attempt) =>
      this.#transact(attempt, async (session) => {
        const scope = this.#scope(session, caller.memberId, attempt);
        await perform(scope, () => removeRecord(scope, { group, id, idAsSent }));
        await scope.done();
        return { scope, outcome: { status: 204, body: undefined } };
      }),
    );
  }

  /**
   * Computes from scratch what is always true of a group's records, in bounded memory.
   * @param repair Whether to put right what is not.
   * @param onRecords Told after each page how many records it had.
   */
  async *verify(name: string, repair: boolean, onRecords?: (count: number) => void): AsyncGenerator<Difference> {
    const group = this.#groups.get(name);
    if (group.resource.computed !== undefined || !isVerifiable(group)) return;
    for (let after: Readonly<Values> | undefined; ; ) {
      const page = await group.rows.page(this.#direct, {}, { after, limit: verifiedAtOnce });
      after = page.at(-1);
      if (after === undefined) return;
      const ids = page.map(({ id }) => String(id));
      const suspects = await this.#differing(group, ids);
      // What others change meanwhile may look wrong: each is looked at again, and nobody changes it then.
      for (const id of suspects) yield* await this.#verifyOne(group, id, repair);
      onRecords?.(page.length);
      if (page.length < verifiedAtOnce) return;
    }
  }

  async #differing(group: Group, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const scope = this.#scope(this.#direct, null);
    const records = await scope.records.wholeMany(group.resource.name, ids);
    return new Set((await differencesIn(scope, group, records)).map(({ id }) => id));
  }

  /** What cannot be put right is told with the reason, and stays. */
  async #verifyOne(group: Group, id: string, repair: boolean): Promise<readonly Difference[]> {
    try {
      return await this.#lookAt(group, id, repair);
    } catch (error) {
      if (!repair || !(error instanceof Problem) || error.status >= 500) throw error;
      const { message, errors = [message] } = error;
      return (await this.#lookAt(group, id, false)).map((each) => ({ ...each, stays: errors.join('; ') }));
    }
  }

  #lookAt(group: Group, id: string, repair: boolean): Promise<readonly Difference[]> {
    return this.#options.unit.transact(async (session) => {
      const scope = this.#scope(session, null);
      const record = await scope.records.locked(group.resource.name, id);
      if (record === undefined) return [];
      const found = await differencesIn(scope, group, [record]);
      if (repair && found.length > 0) {
        await perform(scope, () => putRight(scope, { group: group.resource.name, id }));
        await scope.done();
      }
      return found;
    });
  }

  /** Lets somebody look at the records as they are kept. */
  inspect<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    return work(this.#scope(this.#direct, null));
  }

  /** The member of a token may have been deleted since; then nobody acts. */
  async #actingMember(session: Session, memberId: string | null): Promise<string | null> {
    const { actors } = this.#groups.registry;
    if (memberId === null || actors === undefined) return null;
    const existing = await this.#groups.get(actors).rows.existing(session, [memberId]);
    return existing.has(memberId) ? memberId : null;
  }

  /**
   * Turns a feature of the workspace on or off, as the service itself: read and written in one transaction, so that no
   * other change of the features is lost. @returns false where no record holds the workspace's settings.
   */
  async switchFeature(name: string, isOn: boolean): Promise<boolean> {
    const { workspace } = this.#groups.registry;
    const { features } = workspace ?? {};
    if (workspace === undefined || features === undefined) return false;
    const group = this.#groups.get(workspace.name);
    return this.#transact(new Attempt(), async (session) => {
      const settings = await group.rows.find(session, '', { lock: true });
      const others = textsOf(settings ?? {}, features).filter((feature) => feature !== name);
      const scope = this.#scope(session, null);
      const body: BodyInput = { values: { [features]: isOn ? [...others, name] : others } };
      await perform(scope, () => updateRecord(scope, { group, id: '', input: body }));
      await scope.done();
      return { scope, outcome: true };
    });
  }

  /** @throws Problem 409 where a unique key has stopped a write. */
  async #tellTaken({ fault }: ConstraintError, attempt: Attempt): Promise<void> {
    const named = this.#keys.find(fault);
    if (named === undefined) return;
    const { resource, word } = await attempt.firstTaken(this.#direct, named, this.#groups);
    throw problems.keyTaken(resource.title, word);
  }

  /** Says in the caller's words what a key of the database has stopped. */
  async #translate<T>(group: Group, sent: Readonly<Values>, work: (attempt: Attempt) => Promise<T>): Promise<T> {
    const attempt = new Attempt();
    for (let look = 1; ; look++) {
      try {
        return await work(attempt);
      } catch (error) {
        if (!(error instanceof ConstraintError)) throw error;
        // 400 before 409: a key may be taken while a reference leads nowhere.
        const faults = await referenceFaults({
          existing: (name, ids) => this.#groups.get(name).rows.existing(this.#direct, ids),
          titleOf: (name) => this.#groups.get(name).resource.title,
          resource: group.resource,
          values: sent,
          isChosen: (key) => Object.hasOwn(sent, key),
        });
        if (faults.length > 0)
          throw problems.bodyInvalid(
            faults.map(({ place, title }) => `'${place}' does not refer to an existing ${title}`),
          );
        await this.#tellTaken(error, attempt);
        // A record that was there when it was looked at and is gone now, or came while another was deleted: look again.
        if (error.fault.kind === 'unique') throw error;
        if (look === lookAgain) throw problems.overloaded();
      }
    }
  }
}

/** Reads the answer to a write behind its rows, in one go with them. @throws what has stopped these */
async function onceWritten<T>(scope: Scope, read: () => Promise<T>): Promise<T> {
  const answer = read();
  answer.catch(() => {});
  await scope.done();
  return answer;
}

/** Reads the answer to a write that is done already: a database that goes away now must not say that nothing was. */
async function onceDone<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'database-away') throw error;
    throw Object.assign(problems.outcomeUnknown(), { cause: error });
  }
}
