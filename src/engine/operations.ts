// What each operation does within a session, and its result: alone in a transaction, or one of a batch.
import type { ReadCache } from '../facts/read-cache.ts';
import { isUnset } from '../facts/record-values.ts';
import { Problem, problems } from '../problems.ts';
import type { Field, Values } from '../registry/model/model.ts';
import type { BodyInput, Intent, Outcome } from '../request/intent.ts';
import type { Watching } from '../rules/support/watching.ts';
import type { Bound } from '../storage/schema/cells.ts';
import { type BoundStatement, oneByOne, type Session } from '../storage/schema/session.ts';
import { bindGrant, type RowGrant, referenceValue } from '../storage/sight/update-grant.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { unreachable } from '../unreachable.ts';
import type { Change, Creation } from './changes/change.ts';
import type { WriteLog } from './log/write-log.ts';
import { firstVersion, idAlone, minimalAnswer, NewAnswers } from './plain-writes.ts';
import type { Group, Groups } from './plan/groups.ts';
import { isSingleRow } from './plan/single-statement.ts';
import { recordReads } from './read/read.ts';
import type { Viewer } from './sight/caller-sight.ts';
import { deletePreview } from './sight/delete-preview.ts';
import { WriteJudge } from './sight/judge.ts';
import { listNamedRecords, type Opening, openWrite } from './sight/opening.ts';
import { answerOf, Reads, shownOf } from './sight/reads.ts';
import type { Attempt } from './transaction/constraints.ts';
import type { Precondition } from './transaction/precondition.ts';
import { Scope } from './transaction/scope.ts';
import { removeRecord } from './write/delete.ts';
import { putRecord } from './write/put.ts';
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
  /** The log of changes of the transaction, where there is one. */
  readonly log?: WriteLog | undefined;
  /** Who looks on, of a trial. */
  readonly watching?: Watching | undefined;
  /** Visibility of records to the caller, if it was read with the acting member. */
  readonly visible?: Opening['visible'] | undefined;
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
  readonly isMinimal?: boolean;
  readonly viewer?: Viewer | undefined;
}

/** A record that one statement writes. */
interface WrittenAlone {
  readonly group: Group;
  readonly id: string;
  readonly write: BoundStatement;
  /** The caller, if more is decided than whether the group may be written at all; undefined: everything is shown. */
  readonly viewer?: Viewer | undefined;
}

/** A record that is to be written. */
interface Named {
  readonly group: Group;
  /** '' of one that is made. */
  readonly idAsSent: string;
  /** Whether the answer is its id alone. */
  readonly isMinimal?: boolean;
  /** Whoever wants it; undefined: somebody who sees everything. */
  readonly viewer?: Viewer | undefined;
}

const nothing: BodyInput = { values: {} };

/** The id that a create says. @throws Problem where a record has it already */
async function idGiven(scope: Scope, { id, endpoint: { resource } }: Intent): Promise<string | undefined> {
  if (id === '') return undefined;
  if ((await scope.records.existing(resource.name, [id])).size > 0) throw problems.keyTaken(resource.title, 'id');
  return id;
}

export class Operations {
  readonly #groups: Groups;
  readonly #recordsPerWrite: number | undefined;
  readonly answers: NewAnswers;
  readonly reads: Reads;

  constructor({ groups, today, recordsPerWrite, unit }: OperationsOptions) {
    this.#groups = groups;
    this.answers = new NewAnswers(groups);
    this.#recordsPerWrite = recordsPerWrite;
    const scopeOf = (session: Session): Scope => this.scope({ session, actingMember: null });
    this.reads = new Reads({ groups, today, noteLongWay: unit.tally.noteLongWay, scopeOf });
  }

  scope({ session, actingMember, attempt, known, log, watching, visible }: Stage, viewer?: Viewer): Scope {
    const shared = {
      ...(attempt && { attempt }),
      ...(known && { known }),
      recordsPerWrite: this.#recordsPerWrite,
      log,
      judge: viewer && new WriteJudge(viewer, visible),
    };
    const scope = new Scope({ groups: this.#groups, session, actingMember, effectsOf, ...shared });
    scope.watching = watching;
    return scope;
  }

  /** Whether a write is judged, or its answer shows less than everything. */
  isJudged(intent: Intent): boolean {
    return intent.caller.rights !== undefined && this.writer(intent) !== undefined;
  }

  /** Whoever writes, where more is judged than whether they may write the group at all, or less is shown than everything. */
  writer({ caller, endpoint }: Pick<Intent, 'caller' | 'endpoint'>): Viewer | undefined {
    const { rights } = caller;
    if (rights === undefined) return undefined;
    const isPlain = this.reads.sights.of(rights).isPlainWrite(endpoint.resource.name, endpoint.operation);
    return isPlain ? undefined : this.reads.viewer(caller);
  }

  /** Returns the condition under which an update is granted; undefined if no condition on the stored row decides. */
  updateGrant(group: Group, { body }: Pick<Intent, 'body'>, { sight, values }: Viewer): RowGrant | undefined {
    const newValues = body?.values ?? {};
    const bound: Record<string, Bound> = { ...values };
    for (const [key, value] of Object.entries(newValues))
      if (typeof value === 'string') bound[referenceValue(key)] = value;
    return bindGrant(sight.updateGrant(group, newValues), bound);
  }

  /**
   * A statement, and the record read behind it, in one round trip where that may be.
   * @returns undefined if there is no such record; for a viewer, if the statement has changed nothing
   */
  writeAndRead(session: Session, { group, id, write, viewer }: WrittenAlone): Promise<Outcome | undefined> {
    const visibleGroup = viewer?.sight.group(group.resource.name, 'get') ?? group;
    const { reads, shownFrom } = recordReads(this.reads.reading(session, visibleGroup, viewer), id);
    const together = session.together?.({ write, reads }) ?? oneByOne(session, { write, reads });
    return together.then(({ rows, count }) => {
      if (viewer !== undefined && count === 0) return undefined;
      const found = shownFrom(rows);
      if (found === undefined && viewer !== undefined) return idAlone(id, undefined);
      if (!(found instanceof Promise)) return found && answerOf(found);
      return onceDone(() => found).then((later) => later && answerOf(later));
    });
  }

  /**
   * Does a write, and reads the answer behind its rows. A record that an effect of it has removed is answered as it was last.
   * @throws Problem, or what has stopped its rows
   */
  async #written(scope: Scope, named: Named, write: () => Promise<Values>): Promise<Written> {
    const { group, ...shown } = named;
    let last: Outcome | undefined;
    scope.parting = async ({ id }) => {
      last =
        named.isMinimal === true
          ? minimalAnswer(id, undefined)
          : ((await this.reads.found(scope.session, group, { id, ...named })) ?? idAlone(id, undefined));
    };
    const values = await perform(scope, write);
    return last === undefined ? this.#readWritten(scope, group, { values, ...shown }) : answeredAlready(scope, last);
  }

  /**
   * The answer to a write, read behind its rows.
   * @param values As the write has left them. @throws Problem, or what has stopped its rows
   */
  #readWritten(scope: Scope, group: Group, written: WrittenRecord): Promise<Written> {
    const { values, idAsSent = '', isMinimal, viewer } = written;
    const id = String(values['id']);
    if (isMinimal === true) return this.#namedWritten(scope, group, id);
    if (viewer !== undefined)
      return behindRows(
        scope,
        async () => (await this.reads.found(scope.session, group, { id, viewer })) ?? idAlone(id, undefined),
      );
    const empty = emptyListsOf(group, values, scope.changes);
    const reading = { ...this.reads.reading(scope.session, group, undefined), empty };
    return behindRows(scope, () => shownOf(reading, { id, idAsSent }));
  }

  /** The id of a record that was written, and its version, which rises with a write but once, and is read behind its rows. */
  #namedWritten(scope: Scope, { rows }: Group, id: string): Promise<Written> {
    return behindRows(scope, async () => minimalAnswer(id, await rows.version(scope.session, id)));
  }

  /** Makes or changes the record with a unique key. @throws Problem, or what has stopped its rows */
  async #put(scope: Scope, group: Group, intent: Intent): Promise<Written> {
    const { upsert, options } = intent;
    const viewer = this.writer(intent);
    if (upsert === undefined) unreachable('a write by a key without a body');
    const isMinimal = options?.isMinimal === true;
    const precondition = preconditionOf(intent);
    let isMade = false;
    const written = await this.#written(scope, { group, idAsSent: '', isMinimal, viewer }, async () => {
      const done = await putRecord(scope, { group, upsert, precondition });
      isMade = done.isMade;
      return done.values;
    });
    const isChanged = scope.changes.some((change) => change.group === group.resource.name && change.kind === 'update');
    const put = isMade ? 'created' : isChanged ? 'updated' : 'unchanged';
    return { ...written, outcome: { ...written.outcome, put } };
  }

  /**
   * Judges a create that is one row. Where its answer is known without reading it, the record is not made yet.
   * @returns undefined where the write is no such create. @throws Problem
   */
  async judge(stage: Stage, intent: Intent): Promise<Judged | Written | undefined> {
    const { endpoint, body: input = nothing } = intent;
    const group = this.#groups.get(endpoint.resource.name);
    if (endpoint.operation !== 'create' || !isSingleRow(group, input.values)) return undefined;
    if (this.writer(intent) !== undefined) return undefined;
    const scope = this.scope(stage);
    const id = await idGiven(scope, intent);
    const values = await createRecord(scope, { group, input, id });
    const outcome = this.answerOfNew(group, values, intent.options?.isMinimal);
    const [creation] = scope.changes;
    const keeping = scope.keepLog();
    if (keeping instanceof Promise) await keeping;
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
    const viewer = this.writer(intent);
    const visible = stage.visible ?? (viewer && (await this.#open(stage.session, intent, { viewer })).visible);
    const scope = this.scope({ ...stage, visible }, viewer);
    const group = this.#groups.get(endpoint.resource.name);
    const isMinimal = options?.isMinimal === true;
    switch (endpoint.operation) {
      case 'create': {
        const create = async () => createRecord(scope, { group, input, id: await idGiven(scope, intent) });
        if (viewer !== undefined || !isSingleRow(group, input.values))
          return this.#written(scope, { group, idAsSent, isMinimal, viewer }, create);
        const values = await perform(scope, create);
        const known = this.answerOfNew(group, values, isMinimal);
        if (known !== undefined) return answeredAlready(scope, known);
        return this.#readWritten(scope, group, { values });
      }
      case 'put':
        return this.#put(scope, group, intent);
      case 'update': {
        const precondition = preconditionOf(intent);
        const change = { group, id, idAsSent, input, precondition };
        return this.#written(scope, { group, idAsSent, isMinimal, viewer }, () => updateRecord(scope, change));
      }
      case 'delete': {
        const precondition = preconditionOf(intent);
        await perform(scope, () => removeRecord(scope, { group, id, idAsSent, precondition }));
        return answeredAlready(
          scope,
          options?.isTrial === true
            ? {
                status: 200,
                body: deletePreview(scope.changes, this.#groups.registry, {
                  of: { group: group.resource.name, id },
                  sight: this.reads.viewer(intent.caller)?.sight,
                }),
              }
            : { status: 204, body: undefined },
        );
      }
      default:
        unreachable(`${endpoint.operationId} writes nothing`);
    }
  }

  /** The answer to a create that is one row, without asking the database again: where it shows no other record's name. */
  answerOfNew(group: Group, values: Readonly<Values>, isMinimal?: boolean): Outcome | undefined {
    if (isMinimal === true) return minimalAnswer(String(values['id']), firstVersion);
    return this.answers.of(group, this.#groups.writer.rowOf(group.resource.name, values));
  }

  /** Reads who acts, and for callers under roles which of the records are visible that a write names. */
  open(session: Session, intent: Intent): Promise<Pick<Stage, 'actingMember' | 'visible'>> {
    const viewer = this.writer(intent);
    const { memberId } = intent.caller;
    if (viewer !== undefined) return this.#open(session, intent, { viewer, memberId });
    return this.actingMember(session, memberId).then((actingMember) => ({ actingMember }));
  }

  #open(
    session: Session,
    { endpoint: { resource, operation }, id, body = nothing }: Intent,
    { viewer, memberId }: { readonly viewer: Viewer; readonly memberId?: string | null },
  ): Promise<Opening> {
    const groups = this.#groups;
    const records = listNamedRecords({ groups, viewer }, groups.get(resource.name).resource, {
      id: operation === 'update' || operation === 'delete' ? id : undefined,
      values: body.values,
    });
    return openWrite(session, { groups, viewer, memberId, records });
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

function preconditionOf({ endpoint, options }: Intent): Precondition {
  const ifMatch = options?.ifMatch ?? (endpoint.resource.ifMatch ? 'missing' : undefined);
  const ifNoneMatch = options?.ifNoneMatch;
  return ifMatch === undefined && ifNoneMatch === undefined ? undefined : { ifMatch, ifNoneMatch };
}

/** Reads the answer to a write that is done already: a database that goes away now must not say that nothing was. */
export async function onceDone<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'database-away') throw error;
    throw Object.assign(problems.outcomeUnknown(), { cause: error });
  }
}
