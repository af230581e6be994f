// What each operation does within a session, and its result: alone in a transaction, or one of a batch.
import type { ReadCache } from '../facts/read-cache.ts';
import { isUnset } from '../facts/record-values.ts';
import type { NoteLongWay } from '../metrics/units-of-work.ts';
import { problems } from '../problems.ts';
import type { Field, Values } from '../registry/model/model.ts';
import type { BodyInput, Intent, Outcome } from '../request/intent.ts';
import type { Cell } from '../storage/schema/cells.ts';
import type { Session } from '../storage/schema/session.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { unreachable } from '../unreachable.ts';
import { tagOf } from '../values/entity-tag.ts';
import type { Change, Creation } from './changes/change.ts';
import { deletePreview } from './delete-preview.ts';
import type { Group, Groups } from './plan/groups.ts';
import { isSingleRow } from './plan/single-statement.ts';
import { computeRecord } from './read/computed-record.ts';
import { readPage, readRecord, type ShownRecord } from './read/read.ts';
import type { Reading } from './read/read-lists.ts';
import type { Attempt } from './transaction/constraints.ts';
import type { Precondition } from './transaction/precondition.ts';
import { Scope } from './transaction/scope.ts';
import { removeRecord } from './write/delete.ts';
import { createRecord, effectsOf, perform, updateRecord } from './write/write.ts';

interface OperationsOptions {
  readonly groups: Groups;
  /** The date in the workspace's time zone, as far as this process knows it; for what is read, never for what is kept. */
  readonly today: () => string;
  /** How many other records a write may change. */
  readonly recordsPerWrite?: number | undefined;
  readonly unit: Pick<UnitOfWork, 'tally'>;
}

/** Where an operation is carried out. */
export interface Stage {
  readonly session: Session;
  readonly actingMember: string | null;
  readonly attempt?: Attempt;
  /** What the transaction has read already, where several operations share one. */
  readonly known?: ReadCache;
}

/** A write whose rows are asked for. */
export interface Written {
  readonly scope: Scope;
  readonly outcome: Outcome;
  /** Whether they are written. @throws what has stopped them */
  readonly done: Promise<void>;
}

/** A record that may be made, and is not yet. */
interface Judged {
  readonly creation: Creation;
  readonly outcome: Outcome;
}

/** A record that was written, and its id where a caller has named it. */
interface WrittenRecord {
  readonly values: Readonly<Values>;
  readonly idAsSent?: string;
}

/** A record that is to be written. */
interface Named {
  readonly group: Group;
  /** '' of one that is made. */
  readonly idAsSent: string;
}

const nothing: BodyInput = { values: {} };
/** A record that was just made. */
const firstVersion = '0';

export class Operations {
  readonly #groups: Groups;
  readonly #today: () => string;
  readonly #recordsPerWrite: number | undefined;
  readonly #noteLongWay: NoteLongWay;

  constructor({ groups, today, recordsPerWrite, unit }: OperationsOptions) {
    this.#groups = groups;
    this.#today = today;
    this.#recordsPerWrite = recordsPerWrite;
    this.#noteLongWay = unit.tally.noteLongWay;
  }

  scope({ session, actingMember, attempt, known }: Stage): Scope {
    const shared = { ...(attempt && { attempt }), ...(known && { known }), recordsPerWrite: this.#recordsPerWrite };
    return new Scope({ groups: this.#groups, session, actingMember, effectsOf, ...shared });
  }

  #reading(session: Session, group: Group): Reading {
    const records = () => this.scope({ session, actingMember: null }).records;
    const { dialect } = this.#groups;
    return { session, group, dialect, today: this.#today, records, noteLongWay: this.#noteLongWay };
  }

  /** What an operation reads. @throws Problem */
  read(session: Session, intent: Intent): Promise<Outcome> {
    const { endpoint, given } = intent;
    const { resource, operation } = endpoint;
    if (resource.computed !== undefined)
      return computeRecord(this.scope({ session, actingMember: null }), resource, given).then((body) => ({
        status: 200,
        body,
        etag: tagOf(undefined, body),
      }));
    const group = this.#groups.get(resource.name);
    if (operation === 'get') return this.get(session, group, intent);
    return readPage(this.#reading(session, group), intent).then((body) => ({ status: 200, body }));
  }

  /** @throws Problem where there is no such record */
  get(session: Session, group: Group, named: Pick<Intent, 'id' | 'idAsSent'>): Promise<Outcome> {
    return shownOf(this.#reading(session, group), named);
  }

  find(session: Session, group: Group, id: string): Promise<Outcome | undefined> {
    return readRecord(this.#reading(session, group), id).then((found) => found && answerOf(found));
  }

  /**
   * Does a write, and reads the answer behind its rows. A record that an effect of it has removed is answered as it was last.
   * @throws Problem, or what has stopped its rows
   */
  async #written(scope: Scope, { group, idAsSent }: Named, write: () => Promise<Values>): Promise<Written> {
    let last: Outcome | undefined;
    scope.parting = async ({ id }) => {
      last = await this.find(scope.session, group, id);
    };
    const values = await perform(scope, write);
    return last === undefined ? this.#readWritten(scope, group, { values, idAsSent }) : answeredAlready(scope, last);
  }

  /**
   * The answer to a write, read behind its rows.
   * @param values As the write has left them. @throws Problem, or what has stopped its rows
   */
  #readWritten(scope: Scope, group: Group, { values, idAsSent = '' }: WrittenRecord): Promise<Written> {
    const empty = emptyListsOf(group, values, scope.changes);
    const reading = { ...this.#reading(scope.session, group), empty };
    return behindRows(scope, () => shownOf(reading, { id: String(values['id']), idAsSent }));
  }

  /**
   * Judges a create that is one row. Where its answer is known without reading it, the record is not made yet.
   * @returns undefined where the write is no such create. @throws Problem
   */
  async judge(stage: Stage, intent: Intent): Promise<Judged | Written | undefined> {
    const { endpoint, body: input = nothing } = intent;
    const group = this.#groups.get(endpoint.resource.name);
    if (endpoint.operation !== 'create' || !isSingleRow(group, input.values)) return undefined;
    const scope = this.scope(stage);
    const values = await createRecord(scope, { group, input });
    const outcome = this.answerOfNew(group, values);
    const [creation] = scope.changes;
    if (outcome !== undefined && creation?.kind === 'create') return { creation, outcome };
    scope.launch();
    return this.#readWritten(scope, group, { values });
  }

  /** Makes records that were judged. */
  make(session: Session, creations: readonly Creation[]): Promise<void> {
    return this.#groups.writer.make(session, creations);
  }

  /** Does what a write wants; its rows are asked for then. @throws Problem, or what has stopped its rows */
  async write(stage: Stage, intent: Intent): Promise<Written> {
    const { endpoint, id, idAsSent, body: input = nothing, options } = intent;
    const scope = this.scope(stage);
    const group = this.#groups.get(endpoint.resource.name);
    switch (endpoint.operation) {
      case 'create': {
        const create = () => createRecord(scope, { group, input });
        if (!isSingleRow(group, input.values)) return this.#written(scope, { group, idAsSent }, create);
        const values = await perform(scope, create);
        const known = this.answerOfNew(group, values);
        if (known !== undefined) return answeredAlready(scope, known);
        return this.#readWritten(scope, group, { values });
      }
      case 'update': {
        const precondition = preconditionOf(intent);
        const change = { group, id, idAsSent, input, precondition };
        return this.#written(scope, { group, idAsSent }, () => updateRecord(scope, change));
      }
      case 'delete': {
        const precondition = preconditionOf(intent);
        await perform(scope, () => removeRecord(scope, { group, id, idAsSent, precondition }));
        return answeredAlready(
          scope,
          options?.isTrial === true
            ? { status: 200, body: deletePreview(scope.changes, this.#groups.registry) }
            : { status: 204, body: undefined },
        );
      }
      default:
        unreachable(`${endpoint.operationId} writes nothing`);
    }
  }

  /** The answer to a create that is one row, without asking the database again: where it shows no other record's name. */
  answerOfNew(group: Group, values: Readonly<Values>): Outcome | undefined {
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
    const body = group.write(
      row,
      group.lists.map(() => new Map()),
    );
    return { status: 200, body, etag: tagOf(firstVersion, body) };
  }

  /** The member of a token may have been deleted since; then nobody acts. */
  async actingMember(session: Session, memberId: string | null): Promise<string | null> {
    const { actors } = this.#groups.registry;
    if (memberId === null || actors === undefined) return null;
    const existing = await this.#groups.get(actors).rows.existing(session, [memberId]);
    return existing.has(memberId) ? memberId : null;
  }
}

/** A write whose answer hangs on nothing that is read. Whoever waits for its rows learns of what stops them. */
function answeredAlready(scope: Scope, outcome: Outcome): Written {
  const done = scope.done();
  done.catch(() => {});
  return { scope, outcome, done };
}

/** A write whose answer is read behind its rows, in one go with them. @throws what has stopped these */
async function behindRows(scope: Scope, read: () => Promise<Outcome>): Promise<Written> {
  const answer = read();
  answer.catch(() => {});
  const done = scope.done();
  done.catch(() => {});
  await done;
  return { scope, outcome: await answer, done };
}

/** @throws Problem where there is no such record */
const shownOf = (reading: Reading, { id, idAsSent }: Pick<Intent, 'id' | 'idAsSent'>): Promise<Outcome> =>
  readRecord(reading, id).then((found) => {
    if (found === undefined) throw problems.recordUnknown(idAsSent);
    return answerOf(found);
  });

const answerOf = ({ text, version }: ShownRecord): Outcome => ({ status: 200, body: text, etag: tagOf(version, text) });

/**
 * The lists of a record that is written which are empty behind the write. What stands in its own is known; other records may
 * name one that is not new.
 */
function emptyListsOf(
  { lists, resource }: Group,
  values: Readonly<Values>,
  changes: readonly Change[],
): ReadonlySet<Field> {
  const own = changes.filter(({ group, id }) => group === resource.name && id === values['id']);
  const isNew = own.some(({ kind }) => kind === 'create');
  const states = [values, ...own.flatMap((change) => (change.kind === 'delete' ? [] : [change.after]))];
  const isEmpty = (field: Field): boolean => {
    const others = groupBehind(field);
    if (others !== undefined) return isNew && changes.every(({ group }) => group !== others);
    return states.every((state) => isUnset(state[field.key]));
  };
  return new Set(lists.map(({ view }) => view.field).filter(isEmpty));
}

/** The group whose records a list is made of, where they name the record by themselves. */
function groupBehind(field: Field): string | undefined {
  if (field.kind === 'references') return field.via === undefined ? undefined : field.target;
  return field.kind === 'objects' ? field.via?.target : undefined;
}

const preconditionOf = ({ endpoint, options }: Intent): Precondition =>
  options?.ifMatch === undefined ? (endpoint.resource.ifMatch ? 'missing' : undefined) : { tags: options.ifMatch };
