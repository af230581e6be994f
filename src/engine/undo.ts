// Undo: a write that takes back what the caller of another one changed. Its entries of the log become operations of the engine,
// which pass the stages of any write.
import { shouldYield, yieldIfDue, yieldToLoop } from '../admission/event-loop.ts';
import { type Problem, problems } from '../problems.ts';
import type { Field, Value, Values } from '../registry/model/model.ts';
import type { Caller, Outcome, RequestOptions } from '../request/intent.ts';
import type { CauseKind, FieldChange, KeptEntry } from '../storage/log/entry.ts';
import type { ConstraintFault } from '../storage/schema/error-kinds.ts';
import type { Session } from '../storage/schema/session.ts';
import { ConstraintError } from '../storage/unit-of-work.ts';
import { keyText } from '../values/fold.ts';
import { nameInFull } from './changes/change.ts';
import { sameValue } from './changes/same-value.ts';
import type { Done } from './in-portions.ts';
import { causeOf } from './log/entries.ts';
import type { Origin, WriteLog } from './log/write-log.ts';
import type { Operations } from './operations.ts';
import { inOrder } from './restore/part.ts';
import { bringBackRecords, type KeptRecord, missingOf } from './restore/recreate.ts';
import type { Attempt } from './transaction/constraints.ts';
import type { Scope } from './transaction/scope.ts';
import { removeRecord } from './write/delete.ts';
import { perform, updateRecord } from './write/write.ts';

/** Entries of a write by the names of today, in their order. */
interface UndoneWrite {
  readonly entries: readonly KeptEntry[];
  /** Whether all its entries are kept. */
  readonly isWhole: boolean;
}

/** Who wants which write to be undone. */
export interface Undoing {
  readonly caller: Caller;
  readonly write: string;
  readonly options: RequestOptions;
}

/** Reads that write within the transaction. @throws Problem */
export type ReadUndone = (session: Session) => Promise<UndoneWrite>;

/** Where an undo is carried out. */
interface UndoGround {
  readonly operations: Operations;
  readonly attempt: Attempt;
  readonly transact: (write: (session: Session, log?: WriteLog) => Promise<Done<Outcome>>) => Promise<Outcome>;
  /** @throws Problem where somebody else has taken a key */
  readonly tellTaken: (fault: ConstraintFault) => Promise<void>;
}

/** Takes back a write as a transaction. @throws Problem */
export async function carryOutUndo(
  { caller, write }: Undoing,
  read: ReadUndone,
  { operations, attempt, transact, tellTaken }: UndoGround,
): Promise<Outcome> {
  try {
    return await transact(async (session, log) => {
      const actingMember = await operations.actingMember(session, caller.memberId);
      const scope = operations.scope({ session, actingMember, attempt, log });
      const undone = await read(session);
      await perform(scope, () => undoWrite(scope, undone));
      await scope.done();
      const body = JSON.stringify({ write: log?.id, undoes: write });
      return { changes: scope.changes, outcome: { status: 200, body } };
    });
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    await tellTaken(error.fault);
    throw error.fault.kind === 'unique' ? problems.writeUndone() : problems.hasChangedSince('record');
  }
}

/** What the causes of an undo become. */
export const undoOrigin = (origin: Origin, write: string): Origin => ({
  ...origin,
  undoes: write,
  toCause: (cause, name) => (cause.kind === 'caller' ? { kind: 'undo', write } : causeOf(cause, name)),
});

/** What brought about what is taken back; the rest follows by itself. */
const taken: ReadonlySet<CauseKind> = new Set(['caller', 'undo', 'cascade', 'clear']);

/**
 * Takes back a write.
 * @throws Problem 409 where it had effects, where it is only partly in the log, or where its records have changed since; of any
 *   stage
 */
async function undoWrite(scope: Scope, { entries, isWhole }: UndoneWrite): Promise<void> {
  if (entries.some(({ data }) => data.cause.kind === 'effect')) throw problems.writeHadEffects();
  const { resources } = scope.groups.registry;
  const isPartly = ({ data, group }: KeptEntry): boolean =>
    data.changes === null || !resources.has(group) || Object.values(data.changes).some(isUntold);
  if (!isWhole || entries.some(isPartly)) throw problems.writeIsPartlyKept();
  refuseUnlogged(scope, entries);
  // Each pass over all entries of a long write takes some ms.
  await yieldIfDue();
  const made = namesOf(entries.filter(({ operation }) => operation === 'create'));
  const gone = namesOf(entries.filter(({ operation }) => operation === 'delete'));
  const isLeft = (entry: KeptEntry): boolean =>
    taken.has(entry.data.cause.kind) && !(made.has(nameOf(entry)) && gone.has(nameOf(entry)));
  const steps = entries.filter(isLeft);
  await refuseOtherVersions(
    scope,
    steps.filter(({ operation }) => operation === 'create'),
    entries,
  );
  const known = namesOf(entries);
  const parts = await partsOf(scope, steps);
  for (const part of parts.toReversed()) {
    await yieldIfDue();
    const back = part.toReversed();
    // What has gone comes back first: others refer to it.
    await bringBack(
      scope,
      back.filter(({ operation }) => operation === 'delete'),
    );
    for (const entry of back)
      if (entry.operation === 'update' && !made.has(nameOf(entry))) await changeBack(scope, entry);
    await removeMade(
      scope,
      back.filter(({ operation }) => operation === 'create'),
      known,
    );
  }
  if (scope.changes.length === 0) throw problems.writeHadEffects();
}

/**
 * Parts of a write in their order, to be taken back one by one: what takes a key begins a new one where the last one has let it go.
 */
async function partsOf(
  { groups: { registry } }: Scope,
  entries: readonly KeptEntry[],
): Promise<readonly (readonly KeptEntry[])[]> {
  const keysOf = ({ group, data }: KeptEntry, side: 'from' | 'to'): readonly string[] =>
    Object.entries(data.changes ?? {}).flatMap(([key, { [side]: value = null }]) =>
      registry.resources.get(group)?.byKey.get(key)?.isOfKey !== true || value === null
        ? []
        : [nameInFull({ group, id: `${key} ${keyText(String(value))}` })],
    );
  let part: KeptEntry[] = [];
  const parts = [part];
  const free = new Set<string>();
  for (const entry of entries) {
    if (shouldYield()) await yieldToLoop();
    if (keysOf(entry, 'to').some((key) => free.has(key))) {
      part = [];
      parts.push(part);
      free.clear();
    }
    part.push(entry);
    for (const key of keysOf(entry, 'from')) free.add(key);
  }
  return parts;
}

const nameOf = ({ group, record }: KeptEntry): string => nameInFull({ group, id: record });
const namesOf = (entries: readonly KeptEntry[]): ReadonlySet<string> => new Set(entries.map(nameOf));

const isUntold = (change: FieldChange): boolean => Object.keys(change).length === 0;

/** A cascade may have taken along records that no log keeps. @throws Problem 409 */
function refuseUnlogged({ groups: { registry } }: Scope, entries: readonly KeptEntry[]): void {
  const isCut = ({ operation, group }: KeptEntry): boolean =>
    operation === 'delete' &&
    (registry.referrers.get(group) ?? []).some(
      ({ resource, field }) => !resource.isLogged && field.onDelete === 'cascade',
    );
  if (entries.some(isCut)) throw problems.writeIsPartlyKept();
}

/** Makes records again, each behind those that it names. */
async function bringBack(scope: Scope, entries: readonly KeptEntry[]): Promise<void> {
  const records = entries.map(({ group, record: id, version, data }): KeptRecord => {
    const values: Values = {};
    for (const [key, { from }] of Object.entries(data.changes ?? {})) if (from !== undefined) values[key] = from;
    return { group, id, values, version: version ?? 0 };
  });
  await yieldIfDue();
  const missing = await missingOf(scope, records);
  const there = records.length === missing.length ? undefined : records.find((record) => !missing.includes(record));
  if (there !== undefined) throw hasChanged(scope, there.group);
  await yieldIfDue();
  const ordered = await inOrder(scope, records);
  await bringBackRecords(scope, ordered, (_record, [gone]) => {
    if (gone !== undefined) throw problems.hasChangedSince(gone.title);
  });
}

const hasChanged = (scope: Scope, group: string): Problem =>
  problems.hasChangedSince(scope.groups.get(group).resource.title);

/** Gives fields their values before, where they still are what the write has made of them. */
async function changeBack(scope: Scope, { group: name, record: id, data }: KeptEntry): Promise<void> {
  const group = scope.groups.get(name);
  const { resource } = group;
  const before = await scope.records.locked(name, id);
  const isOfOthers = data.cause.kind === 'clear' || data.cause.kind === 'cascade';
  if (before === undefined) {
    if (isOfOthers) return;
    throw problems.hasChangedSince(resource.title);
  }
  const values: Values = {};
  for (const [key, change] of Object.entries(data.changes ?? {})) {
    const field = resource.byKey.get(key);
    const also = data.also?.[key];
    if (field === undefined || followsByItself(field)) continue;
    const value = valueBefore(change, before[key] ?? null);
    if (value === 'changed') {
      // States that only follow may have gone on.
      if (isOfOthers || also === 'clear' || (also !== undefined && !field.onUpdate)) continue;
      throw problems.hasChangedSince(resource.title);
    }
    values[key] = value;
  }
  if (Object.keys(values).length === 0) return;
  // Others have cleared it: then it had no effects, and has none now.
  await updateRecord(scope, { group, id, input: { values }, restores: isOfOthers ? 'silently' : 'openly' });
}

/** Whether a field is what it was as soon as the others are: not one that a formula with a condition leaves to callers at times. */
const followsByItself = ({ stored, figure, derived }: Field): boolean =>
  !stored ||
  derived?.use === 'modified' ||
  (figure !== undefined && figure.when === undefined && figure.taken === 'always');

/** What a field is to be again; `changed` where it is no longer what the write has made of it. */
function valueBefore({ from, to, removed, items = [] }: FieldChange, now: Value): Value {
  if (removed === undefined) return sameValue(now, to) ? (from ?? null) : 'changed';
  if (!Array.isArray(now)) return 'changed';
  const list = now as Value[];
  // At the end: where they stood among others nobody knows.
  return [...list, ...('field' in removed ? items : removed.filter((id) => !list.includes(id)))];
}

/**
 * Puts records that the write has made under lock.
 * @param all Of the write. @throws Problem 409 where one has changed since
 */
async function refuseOtherVersions(scope: Scope, made: readonly KeptEntry[], all: readonly KeptEntry[]): Promise<void> {
  const versions = new Map(all.map((entry) => [nameOf(entry), entry.version]));
  for (const [group, own] of Map.groupBy(made, (entry) => entry.group)) {
    const ids = own.map(({ record }) => record);
    await scope.records.lockAhead(group, ids);
    const now = await scope.groups.get(group).rows.versions(scope.session, ids);
    if (own.some((entry) => now.get(entry.record) !== versions.get(nameOf(entry)))) throw hasChanged(scope, group);
  }
}

/**
 * Removes records that the write has made, those last that others go along with.
 * @param known What the write has changed. @throws Problem 409 where others have come to hang on one
 */
async function removeMade(scope: Scope, made: readonly KeptEntry[], known: ReadonlySet<string>): Promise<void> {
  const names = namesOf(made);
  for (const { group: name, record: id, data } of made) {
    const group = scope.groups.get(name);
    const isAlong = group.resource.fields.some(
      (field) =>
        field.kind === 'reference' &&
        field.onDelete === 'cascade' &&
        names.has(nameInFull({ group: field.target, id: String(data.changes?.[field.key]?.to) })),
    );
    if (isAlong) continue;
    const place = scope.changes.length;
    await removeRecord(scope, { group, id });
    const isOther = scope.changes
      .slice(place)
      .some(
        ({ cause, ...change }) =>
          (cause.kind === 'cascade' || cause.kind === 'clear') && !known.has(nameInFull(change)),
      );
    if (isOther) throw hasChanged(scope, name);
  }
}
