// Writes that are one statement, or two with that of their entry in the log, without the stages of a write: what they come to is known
// from the body alone.
import { problems } from '../problems.ts';
import type { Values } from '../registry/model/model.ts';
import type { BodyInput, Intent, Outcome } from '../request/intent.ts';
import type { Bound, Cell } from '../storage/schema/cells.ts';
import type { BoundStatement, Session } from '../storage/schema/session.ts';
import type { RowGrant } from '../storage/sight/update-grant.ts';
import { ConstraintError } from '../storage/unit-of-work.ts';
import { tagOf } from '../values/entity-tag.ts';
import { newId, risingTime, timeOfId } from '../values/id.ts';
import { byCaller, type Change, type Creation, type Update } from './changes/change.ts';
import { sameValue } from './changes/same-value.ts';
import type { BlindUpdateOptions, Writer } from './changes/writer.ts';
import type { WriteLog } from './log/write-log.ts';
import type { Group, Groups } from './plan/groups.ts';
import { isBlindUpdate, plainRecord } from './plan/single-statement.ts';
import type { Viewer } from './sight/caller-sight.ts';
import type { Reads } from './sight/reads.ts';
import type { Attempt } from './transaction/constraints.ts';

/** A write, and the statement that carries it out. */
export interface PlainWrite<C extends Creation | Update> {
  readonly change: C;
  /** Undefined where it changes nothing of the row. */
  readonly statement: BoundStatement | undefined;
}

/** Changed fields of an update, and how it is carried out. */
interface PlainUpdateOptions extends BlindUpdateOptions {
  readonly keys: readonly string[];
}

/** A record that is one row, and its answer where nothing of it must be read. */
export interface PlainCreate extends PlainWrite<Creation> {
  readonly statement: BoundStatement;
  readonly outcome: Outcome | undefined;
}

/** A cell of the answer to a create: which value of its row, and whether it names another record. */
interface AnswerCell {
  readonly place: number;
  readonly isOfOther: boolean;
}

/** A record that was just made. */
export const firstVersion = '0';

/** The answer to a write whose record is shown no more of. @param version That of the record; undefined for one that is gone. */
export function idAlone(id: string, version: string | undefined): Outcome {
  const body = `{"id":"${id}"}`;
  return { status: 200, body, etag: tagOf(version, body) };
}

/** The same where the caller wants no more. */
export const minimalAnswer = (id: string, version: string | undefined): Outcome => ({
  ...idAlone(id, version),
  isMinimal: true,
});

export class PlainWrites {
  readonly #groups: Groups;
  readonly #answers: NewAnswers;

  constructor(groups: Groups, answers: NewAnswers) {
    this.#groups = groups;
    this.#answers = answers;
  }

  /**
   * Undefined where the stages have a say, or where something is wrong, which they tell.
   * @param revision See `Session.schemaRevision`; undefined within a transaction
   */
  create(
    group: Group,
    { body, options }: Pick<Intent, 'body' | 'options'>,
    revision?: number,
  ): PlainCreate | undefined {
    const { plainCreation, modified } = group;
    if (plainCreation === undefined || body === undefined || body.wrong !== undefined) return undefined;
    const record = plainRecord(plainCreation, body.values);
    if (record === undefined) return undefined;
    const id = newId();
    const createdAt = timeOfId(id) ?? '';
    const after: Values = { ...record, id, createdAt };
    if (modified !== undefined) after[modified] = createdAt;
    const change: Creation = { kind: 'create', group: group.resource.name, id, after, cause: byCaller };
    const statement = this.#groups.writer.insertion(change, revision);
    const isMinimal = options?.isMinimal === true;
    const outcome = isMinimal ? minimalAnswer(id, firstVersion) : this.#answers.of(group, statement.values);
    return { change, statement, outcome };
  }

  /** An update of fields that nothing depends on. @param options With the keys that the body sends */
  update(
    group: Group,
    { id, body }: Pick<Intent, 'id' | 'body'>,
    { keys, ...options }: PlainUpdateOptions,
  ): PlainWrite<Update> {
    const { modified, resource } = group;
    const time: Values = modified === undefined ? {} : { [modified]: risingTime() };
    const after = { ...body?.values, ...time };
    const named = { group: resource.name, id, before: undefined };
    const changed = { after, keys: modified === undefined ? keys : [...keys, modified], isNewVersion: true };
    const change: Update = { kind: 'update', ...named, ...changed, cause: byCaller };
    return { change, statement: this.#groups.writer.blindUpdate(change, options) };
  }
}

/** Answers to creates that are one row, without asking the database again. */
export class NewAnswers {
  readonly #groups: Groups;
  readonly #cells = new Map<Group, readonly AnswerCell[] | undefined>();

  constructor(groups: Groups) {
    this.#groups = groups;
  }

  /** Undefined where it shows other records. @param values Of its row, in the order of its columns. */
  of(group: Group, values: readonly Bound[]): Outcome | undefined {
    if (!this.#cells.has(group)) this.#cells.set(group, this.#answerCells(group));
    const cells = this.#cells.get(group);
    if (cells === undefined) return undefined;
    const row: Cell[] = [];
    for (const { place, isOfOther } of cells) {
      const bound = values[place] ?? null;
      // How another record is shown is for the database to tell.
      if (isOfOther && bound !== null) return undefined;
      row.push(typeof bound === 'bigint' ? String(bound) : bound);
    }
    const body = group.write(
      row,
      group.lists.map(() => none),
    );
    return { status: 200, body, etag: tagOf(firstVersion, body) };
  }

  /** Undefined where an answer has more than what its row holds, and other records. */
  #answerCells({ resource, queries: { view } }: Group): readonly AnswerCell[] | undefined {
    if (view.figures.length > 0) return undefined;
    const columns = this.#groups.writer.columnsOf(resource.name);
    const cells = view.cells.map(({ expr }): AnswerCell => {
      const join = expr.kind === 'column' ? view.joins.find(({ alias }) => alias === expr.alias) : undefined;
      const source = join === undefined ? expr : join.on;
      const isOwn = source?.kind === 'column' && source.alias === view.alias;
      return { place: isOwn ? columns.indexOf(source.column) : -1, isOfOther: join !== undefined };
    });
    return cells.every(({ place }) => place >= 0) ? cells : undefined;
  }
}

const none: ReadonlyMap<string, string> = new Map();

/** Whether an update is one statement: nobody looks at what it changes, nor asks which version it was. */
export const isPlainUpdate = ({ resource, keysWithDependents }: Group, { body, options }: Intent): boolean =>
  body?.wrong === undefined &&
  options?.ifMatch === undefined &&
  options?.ifNoneMatch === undefined &&
  options?.isMinimal !== true &&
  !resource.singleton &&
  !resource.ifMatch &&
  isBlindUpdate(keysWithDependents, body?.values ?? {});

interface PlainGround {
  readonly plain: PlainWrites;
  readonly operations: {
    readonly reads: Pick<Reads, 'get' | 'found'>;
    /** Returns the caller of a write, if more is decided than whether the group may be written at all. */
    writer(intent: Intent): Viewer | undefined;
    updateGrant(group: Group, intent: Intent, viewer: Viewer): RowGrant | undefined;
    writeAndRead(session: Session, write: GrantedWrite): Promise<Outcome | undefined>;
  };
  readonly writer: Pick<Writer, 'carryOut' | 'grantCheck'>;
}

/** An update of one record as a statement. */
interface GrantedWrite {
  readonly group: Group;
  readonly id: string;
  readonly write: BoundStatement;
  /** The caller, if under roles. */
  readonly viewer?: Viewer;
}

interface Done {
  readonly changes: readonly Change[];
  readonly outcome: Outcome;
}

/** Carries a write out within a transaction. @throws Problem, or what has stopped it */
type PlainRun = (attempt: Attempt) => (session: Session, log: WriteLog | undefined) => Promise<Done>;

const nothing: BodyInput = { values: {} };

/**
 * How a write of which the body alone decides is carried out where it leaves an entry in the log: a transaction of two statements, and
 * the reading of what an update finds, which its entry tells. Undefined where the stages have a say.
 */
export function plainWriteOf(ground: PlainGround, group: Group, intent: Intent): PlainRun | undefined {
  const { operation } = intent.endpoint;
  if (operation === 'create') return plainCreateOf(ground, group, intent);
  return operation === 'update' && isPlainUpdate(group, intent) ? plainUpdateOf(ground, group, { intent }) : undefined;
}

/** Undefined also where the answer shows other records. */
function plainCreateOf({ plain }: PlainGround, group: Group, intent: Intent): PlainRun | undefined {
  const made = plain.create(group, intent);
  const outcome = made?.outcome;
  if (made === undefined || outcome === undefined) return undefined;
  const { change, statement } = made;
  return (attempt) => async (session, log) => {
    const written = session.run(statement.sql, statement.values).catch((error: unknown) => {
      attempt.noteStopped(change);
      throw error;
    });
    log?.add([change]);
    await Promise.all([written, log?.keep(session)]);
    return { changes: [change], outcome };
  };
}

/** The caller of an update, and the condition under which it is granted. */
interface Granted {
  readonly viewer: Viewer;
  readonly grant: RowGrant;
}

/** Thrown if a condition on the stored row does not grant an update: the stages of a write find the reason. */
class NotGranted extends Error {}

/** @param granted Undefined: everything is granted, and shown. */
function plainUpdateOf(
  { writer, plain, operations: { reads } }: PlainGround,
  group: Group,
  { intent, granted }: { readonly intent: Intent; readonly granted?: Granted },
): PlainRun {
  const { id, idAsSent, body = nothing } = intent;
  const { grant, viewer } = granted ?? {};
  return (attempt) => async (session, log) => {
    const read = async (): Promise<Outcome> =>
      viewer === undefined
        ? reads.get(session, group, { id, idAsSent })
        : ((await reads.found(session, group, { id, viewer })) ?? idAlone(id, undefined));
    // A record that is not seen is not locked.
    const check = grant && writer.grantCheck(group.resource.name, { id, grant });
    if (check !== undefined && (await session.all(check.sql, check.values)).length === 0) throw new NotGranted();
    const before = await group.rows.find(session, id, { lock: 'own', lists: false });
    if (before === undefined) throw problems.recordUnknown(idAsSent);
    const keys = Object.keys(body.values).filter((key) => !sameValue(before[key], body.values[key]));
    if (keys.length === 0) return { changes: [], outcome: await read() };
    const { change: blind, statement } = plain.update(group, intent, { keys, grant });
    const change = { ...blind, before, after: { ...before, ...blind.after } };
    // All is asked for at once: what comes behind finds what was before it done.
    const written =
      grant === undefined || statement === undefined
        ? writer.carryOut(session, [change], attempt)
        : session.run(statement.sql, statement.values);
    log?.add([change]);
    const [count, , outcome] = await Promise.all([written, log?.keep(session), read()]);
    if (count === 0 && grant !== undefined) throw new NotGranted();
    return { changes: [change], outcome };
  };
}

/** An update, and the session for it. */
interface GrantedRun {
  readonly intent: Intent;
  readonly attempt: Attempt;
  readonly direct: Session;
  /** Runs it in a transaction, with its entry in the log of changes; undefined for a group without a log. */
  readonly transact: ((run: ReturnType<PlainRun>) => Promise<Outcome>) | undefined;
}

/** A create that only its body decides on. */
interface PlainCreateRun extends Omit<GrantedRun, 'intent' | 'transact'> {
  readonly plain: PlainCreate;
  readonly createAgain: () => Promise<Outcome>;
}

/** Carries out a create that is one statement, together with the read of the answer if that shows other records. */
export function createPlainly(
  { operations }: PlainGround,
  group: Group,
  { plain: { change, statement, outcome }, attempt, direct, createAgain }: PlainCreateRun,
): Promise<Outcome> {
  const stop = (error: unknown): never => {
    attempt.noteStopped(change);
    throw error;
  };
  if (outcome !== undefined) return direct.run(statement.sql, statement.values).then(() => outcome, stop);
  return operations.writeAndRead(direct, { group, id: change.id, write: statement }).then((shown) => {
    // The record may be deleted before it is read, by a cascade: then the create counts as later than that.
    return shown ?? createAgain();
  }, stop);
}

/** Carries out an update that is one statement, together with the read of the answer. An empty body only reads. */
export function updatePlainly(
  { operations, plain }: PlainGround,
  group: Group,
  { intent, attempt, direct }: Omit<GrantedRun, 'transact'>,
): Promise<Outcome> {
  const { id, idAsSent, body = nothing } = intent;
  const keys = Object.keys(body.values).sort();
  const read = () => operations.reads.get(direct, group, { id, idAsSent });
  if (keys.length === 0) return read();
  const { change, statement } = plain.update(group, intent, { keys, revision: direct.schemaRevision });
  if (statement === undefined) return read();
  return operations.writeAndRead(direct, { group, id, write: statement }).then(
    (shown) => {
      // Nothing is written if the record does not exist, or has these values already: the read distinguishes them.
      if (shown === undefined) throw problems.recordUnknown(idAsSent);
      return shown;
    },
    (error: unknown) => {
      attempt.noteStopped(change);
      throw error;
    },
  );
}

/**
 * Carries out an update that a condition on the stored row grants, and that nothing depends on.
 * @returns undefined, immediately or later, if the stages of a write must decide whether it is granted, and report why not
 */
export function updateGranted(
  ground: PlainGround,
  group: Group,
  { intent, attempt, direct, transact }: GrantedRun,
): Promise<Outcome | undefined> | undefined {
  const { operations, plain } = ground;
  const { id, body = nothing, endpoint } = intent;
  const keys = Object.keys(body.values).sort();
  if (endpoint.operation !== 'update' || keys.length === 0 || !isPlainUpdate(group, intent)) return undefined;
  const viewer = operations.writer(intent);
  if (viewer === undefined) return undefined;
  const grant = operations.updateGrant(group, intent, viewer);
  if (grant === undefined) return undefined;
  const leaveToStages = (error: unknown): undefined => {
    if (!(error instanceof ConstraintError) && !(error instanceof NotGranted)) throw error;
  };
  if (transact !== undefined)
    return transact(plainUpdateOf(ground, group, { intent, granted: { grant, viewer } })(attempt)).catch(leaveToStages);
  const { statement: write } = plain.update(group, intent, { keys, grant, revision: direct.schemaRevision });
  return write && operations.writeAndRead(direct, { group, id, write, viewer }).catch(leaveToStages);
}
