// Changes → entries of the log: what one operation did to each record, from what it was before to what it is after.
import { inTurns } from '../../admission/event-loop.ts';
import { isRecord } from '../../facts/record-values.ts';
import type { Field, Registry, Resource, Value, Values } from '../../registry/model/model.ts';
import type { CauseKind, EntryCause, EntryOperation, FieldChange } from '../../storage/log/entry.ts';
import { type Soon, soon } from '../../values/soon.ts';
import { type Cause, type Change, type Lost, nameInFull, type RecordName } from '../changes/change.ts';
import { sameValue } from '../changes/same-value.ts';

/** What one operation did to one record. */
export interface Entry extends RecordName {
  readonly operation: Exclude<EntryOperation, 'reset'>;
  /** By the keys of fields that are kept. */
  readonly changes: Readonly<Record<string, FieldChange>>;
  readonly cause: EntryCause;
  readonly also: Readonly<Record<string, CauseKind>>;
  /** What references show of it, as far as its own fields tell. */
  readonly name: string | null;
  readonly isNewVersion: boolean;
  /** Of a record that comes. */
  readonly version: number;
}

/** What the causes of a write become: a caller's is an undo, or a set-up. */
export type CauseOf = (cause: Cause, name: RecordName) => EntryCause;

/** States that follow are figures of their record, although nobody may overwrite them unseen. */
export const causeOf: CauseOf = (cause) => {
  if (cause.kind === 'day') return { kind: 'day', day: cause.day };
  return cause.kind === 'effect' && cause.rule === 'formula' ? { ...cause, kind: 'figure' } : cause;
};

/** The strongest first. */
const ranks: readonly CauseKind[] = [
  'caller',
  'setup',
  'undo',
  'repair',
  'effect',
  'cascade',
  'clear',
  'day',
  'figure',
];
const isStronger = (one: EntryCause, other: EntryCause): boolean => ranks.indexOf(one.kind) < ranks.indexOf(other.kind);

/** A record with all that an operation has done to it so far. */
interface Gathered extends RecordName {
  readonly resource: Resource;
  isMade: boolean;
  isGone: boolean;
  isNewVersion: boolean;
  readonly version: number;
  cause: EntryCause;
  readonly before: Values;
  readonly after: Values;
  /** The last cause of each field that has changed. */
  readonly causes: Map<string, EntryCause>;
  /** What lists have lost, where that is all that has become of them. */
  readonly lost: Map<string, Lost[]>;
}

/**
 * The entries of one operation, in the order in which its records were changed first. A record that it both makes and removes is
 * in none, nor is one that stays as it was.
 */
export function entriesOf(
  changes: readonly Change[],
  { resources }: Registry,
  toCause: CauseOf = causeOf,
): Soon<readonly Entry[]> {
  const gathered = new Map<string, Gathered>();
  const gathering = inTurns(changes, (change) => {
    const resource = resources.get(change.group);
    if (resource?.isLogged === true) gather(gathered, { change, resource, cause: toCause(change.cause, change) });
  });
  const entries: Entry[] = [];
  const add = (one: Gathered): void => void entries.push(...entryOf(one));
  return soon(gathering, () => soon(inTurns([...gathered.values()], add), () => entries));
}

interface Gathering {
  readonly change: Change;
  readonly resource: Resource;
  readonly cause: EntryCause;
}

function gather(gathered: Map<string, Gathered>, { change, resource, cause }: Gathering): void {
  const name = nameInFull(change);
  const { group, id } = change;
  const known = gathered.get(name);
  const one: Gathered = known ?? {
    ...{ group, id, resource, cause, isMade: change.kind === 'create', isGone: false, isNewVersion: false },
    ...{ version: change.kind === 'create' ? (change.version ?? 0) : 0 },
    ...{ before: {}, after: {}, causes: new Map(), lost: new Map() },
  };
  gathered.set(name, one);
  if (isStronger(cause, one.cause)) one.cause = cause;
  if (change.kind === 'create') Object.assign(one.after, change.after);
  else if (change.kind === 'delete') {
    one.isGone = true;
    Object.assign(one.before, { ...change.before, ...one.before });
  } else {
    one.isNewVersion ||= change.isNewVersion === true;
    const { before = {}, after, keys, lost } = change;
    for (const [key, value] of Object.entries(before)) if (!Object.hasOwn(one.before, key)) one.before[key] = value;
    Object.assign(one.after, lost === undefined ? after : pick(after, keys));
    for (const key of keys) {
      if (lost === undefined) one.lost.delete(key);
      else if (!one.causes.has(key)) one.lost.set(key, [lost]);
      else one.lost.get(key)?.push(lost);
      one.causes.set(key, cause);
    }
  }
}

const pick = (values: Readonly<Values>, keys: readonly string[]): Values =>
  Object.fromEntries(keys.map((key) => [key, values[key] ?? null]));

function entryOf(one: Gathered): Entry[] {
  if (one.isMade && one.isGone) return [];
  const { group, id, resource, cause, before, after, isNewVersion, version } = one;
  const operation = one.isGone ? 'delete' : one.isMade ? 'create' : 'update';
  const also: Record<string, CauseKind> = {};
  const changes: Record<string, FieldChange> = {};
  for (const field of resource.fields) {
    const { key } = field;
    if (!field.stored || key === 'id') continue;
    const by = one.causes.get(key);
    const change = changeOf(one, field);
    if (change === undefined) continue;
    changes[key] = field.isLogged ? change : {};
    if (operation === 'update' && by !== undefined && by.kind !== cause.kind) also[key] = by.kind;
  }
  if (operation === 'update' && Object.keys(changes).length === 0) return [];
  const name = ownName(resource, one.isGone ? before : { ...before, ...after });
  return [{ group, id, operation, changes, cause, also, name, isNewVersion, version }];
}

/** What has become of a field; undefined where nothing has. */
function changeOf(one: Gathered, field: Field): FieldChange | undefined {
  const { before, after } = one;
  const { key } = field;
  if (one.isGone) return { from: kept(field, before[key]) };
  if (one.isMade) return { to: kept(field, after[key]) };
  if (!one.causes.has(key)) return undefined;
  const lost = one.lost.get(key);
  if (lost !== undefined) {
    const change = lostChange(field, lost, before[key] ?? null);
    if (change !== undefined) return change;
  }
  const [from, to] = [kept(field, before[key]), kept(field, after[key])];
  return sameValue(from, to) ? undefined : { from, to };
}

/** What a list has lost, in short; undefined where it has lost several kinds of items, or items of items. */
function lostChange(field: Field, lost: readonly Lost[], before: Value): FieldChange | undefined {
  if (field.kind === 'references') return { removed: lost.map(({ target }) => target) };
  const [one, ...others] = lost;
  if (one === undefined || others.length > 0 || one.list.length > 1 || !Array.isArray(before)) return undefined;
  const { key, target } = one;
  const items = (before as Value[]).filter((item) => isRecord(item) && item[key] === target);
  return { removed: { field: key, id: target }, items: kept(field, items) as readonly Value[] };
}

/** A value without what is not kept of it: fields of items that are read from elsewhere. */
function kept(field: Field, value: Value | undefined): Value {
  if (value === undefined || value === null) return null;
  if (field.kind === 'object') return isRecord(value) ? partsOf(field.fields, value) : null;
  if (field.kind !== 'objects' || !Array.isArray(value)) return value;
  return (value as Value[]).map((item) => (isRecord(item) ? partsOf(field.fields, item) : item));
}

const partsOf = (fields: readonly Field[], holder: Readonly<Values>): Values =>
  Object.fromEntries(
    fields
      .filter(({ stored, key }) => stored && holder[key] !== undefined)
      .map((each) => [each.key, kept(each, holder[each.key])]),
  );

/** The name of a record, as references show it; null where another record has a part of it, or where it is not known. */
function ownName({ shownAs, byName, byKey }: Resource, values: Readonly<Values>): string | null {
  let name = '';
  for (const part of shownAs) {
    if (part.kind === 'literal') {
      name += part.text;
      continue;
    }
    let found: Value | undefined;
    for (const path of part.paths) {
      const [first = '', ...rest] = path.split('.');
      const field = byName.get(first) ?? byKey.get(first);
      if (field === undefined || rest.length > 0 || !Object.hasOwn(values, field.key)) return null;
      found ??= values[field.key];
    }
    name += found === undefined || found === null || found === '' ? part.otherwise : String(found);
  }
  return name === '' ? null : name;
}
