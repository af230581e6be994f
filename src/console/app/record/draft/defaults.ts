// What a new record would hold of which nothing is said, as far as the browser can tell.
import { evaluate } from '../../../../formulas/evaluate/evaluate.ts';
import type { Facts } from '../../../../formulas/evaluate/facts.ts';
import { notKnown, type RecordValue, type Unknown } from '../../../../formulas/language/value.ts';
import type { DefaultModel, DefaultSourceModel, GroupConditions } from '../../../conditions.ts';
import type { Draft } from '../../controls/draft.ts';
import { type GroupModel, groups } from '../../service/model.ts';
import { isUnset } from '../../values/format.ts';
import { treeOf } from './standing.ts';

export interface Filled {
  /** With its defaults; what hangs on those that nobody knows yet cannot be told. */
  readonly record: RecordValue;
  /** Defaults that are known, by the keys of their fields. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Keys of fields that every record has, and that nothing gives as it is. */
  readonly missing: ReadonlySet<string>;
}

interface ToFill {
  readonly group: GroupModel;
  readonly conditions: GroupConditions;
  readonly draft: Draft;
}

/** @param record As it is written. */
export function filledIn({ group, conditions, draft }: ToFill, record: RecordValue, facts: Facts): Filled {
  const values = new Map<string, unknown>();
  const missing = new Set<string>();
  const open = new Set<string>();
  // What must still be said may give a default that is another then.
  const unsaid = group.fields.filter(({ required, key }) => required && isUnset(draft[key])).map(({ key }) => key);
  const filled = (unsound: readonly string[]): RecordValue => ({
    ...record,
    values: { ...record.values, ...Object.fromEntries(values) },
    unsound: new Set([...(record.unsound ?? []), ...open, ...unsound]),
  });
  for (const { key, sources } of inOrder(group, conditions)) {
    if (!isUnset(draft[key])) continue;
    const value = defaultOf(sources, { group, record: filled(unsaid), facts });
    if (value !== notKnown && value !== null) values.set(key, value);
    else if (value === notKnown) open.add(key);
    else if (isNeeded(group, key)) {
      open.add(key);
      missing.add(key);
    }
  }
  return { record: filled([]), values, missing };
}

/** Reports whether every record has a value of the field, and callers can send it. */
const isNeeded = ({ fields }: GroupModel, key: string): boolean =>
  fields.some((field) => field.key === key && field.unset === 'never' && field.onCreate);

const orders = new WeakMap<GroupConditions, readonly DefaultModel[]>();

/** Defaults behind those at which they look. */
function inOrder(group: GroupModel, conditions: GroupConditions): readonly DefaultModel[] {
  const known = orders.get(conditions);
  if (known !== undefined) return known;
  const byKey = new Map(conditions.defaults.map((one) => [one.key, one]));
  const order = new Set<DefaultModel>();
  const begun = new Set<DefaultModel>();
  const put = (one: DefaultModel): void => {
    if (begun.has(one)) return;
    begun.add(one);
    for (const key of lookedAt(group, one)) {
      const other = byKey.get(key);
      if (other !== undefined) put(other);
    }
    order.add(one);
  };
  for (const one of conditions.defaults) put(one);
  orders.set(conditions, [...order]);
  return [...order];
}

const lookedAt = ({ fields }: GroupModel, { sources }: DefaultModel): readonly string[] =>
  sources.flatMap((source) => {
    if (source.kind === 'formula') return [...keysIn(source.tree)];
    if (source.kind === 'value') return [...keysIn(source.when)];
    const first = source.kind === 'path' ? source.path.split('.')[0] : undefined;
    return fields.flatMap(({ key, name }) => (first !== undefined && (name === first || key === first) ? [key] : []));
  });

interface At {
  readonly group: GroupModel;
  readonly record: RecordValue;
  readonly facts: Facts;
}

/** That of the first source that has one; null where none has. */
function defaultOf([source, ...others]: readonly DefaultSourceModel[], at: At): unknown | Unknown {
  if (source === undefined) return null;
  const value = valueFrom(source, at);
  return value === null || value === undefined ? defaultOf(others, at) : value;
}

function valueFrom(source: DefaultSourceModel, { group, record, facts }: At): unknown | Unknown {
  switch (source.kind) {
    case 'value': {
      if (source.when === undefined) return source.value;
      const { value } = evaluate(treeOf(source.when), record, facts);
      return value === notKnown ? notKnown : value === true ? source.value : null;
    }
    case 'formula':
      return evaluate(treeOf(source.tree), record, facts).value;
    case 'path':
      return source.path.startsWith(settings)
        ? readSetting(source.path.slice(settings.length), facts)
        : follow(source.path.split('.'), group, { record, facts });
    case 'today':
      return new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
    case 'unknown':
      return notKnown;
  }
}

/** The beginning of a path to the settings of the workspace. */
const settings = 'workspace.';

/** Reads a setting of the workspace; not known if the caller may not read it. */
function readSetting(name: string, facts: Facts): unknown {
  const group = groups().all.find(({ isWorkspace }) => isWorkspace);
  const record = group && facts.record(group.name, '');
  if (group === undefined || record === undefined || record === notKnown || record === null) return notKnown;
  return follow([name], group, { record, facts });
}

/** What a path of names leads to, from reference to reference. */
function follow([name, ...rest]: readonly string[], group: GroupModel, { record, facts }: Omit<At, 'group'>): unknown {
  const field = group.fields.find((one) => one.name === name || one.key === name);
  if (field === undefined || record.unsound?.has(field.key) === true) return notKnown;
  const value = record.values[field.key];
  if (rest.length === 0 || value === null || value === undefined) return value ?? null;
  const target = groups().named(field.target ?? '');
  if (target === undefined) return notKnown;
  const next = facts.record(target.name, String(value));
  if (next === notKnown) return notKnown;
  return next === null ? null : follow(rest, target, { record: next, facts });
}

const known = new WeakMap<object, ReadonlySet<string>>();

/** Keys of the record's own fields that a tree looks at. */
export function keysIn(tree: unknown): ReadonlySet<string> {
  if (typeof tree !== 'object' || tree === null) return new Set();
  const found = known.get(tree) ?? new Set<string>();
  if (known.has(tree)) return found;
  const note = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { op, of, member } = value as { op?: string; of?: { op?: string }; member?: { key?: string } };
    if (op === 'field' && of?.op === 'self' && member?.key !== undefined) (found as Set<string>).add(member.key);
    for (const part of Object.values(value)) note(part);
  };
  note(tree);
  known.set(tree, found);
  return found;
}
