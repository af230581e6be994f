// Reverse lookup: which records have computed fields that depend on a changed record.

import { yieldIfDue } from '../../admission/event-loop.ts';
import { ReadFacts } from '../../facts/read-facts.ts';
import type { ColumnPath, JoinEdge, ReversePath } from '../../formulas/analyse/reverse-paths.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { itemsWithin } from '../../formulas/evaluate/record-items.ts';
import type { Order } from '../../formulas/language/tree.ts';
import { isRecord, type RecordValue } from '../../formulas/language/value.ts';
import type { Field, Resource, Values } from '../../registry/model/model.ts';
import { numberToText } from '../../values/decimal.ts';
import { type Soon, soon, soonAll } from '../../values/soon.ts';
import type { Change } from '../changes/change.ts';
import type { Dependent } from '../plan/watchers.ts';
import type { Scope } from '../transaction/scope.ts';
import { placed } from './lines.ts';

/** Who looks at what a change changes. */
export const watchersOf = (scope: Scope, change: Change): readonly Dependent[] =>
  scope.groups
    .dependentsOf(change.group)
    .filter(({ watch }) => (change.kind === 'update' ? change.keys.some((key) => watch.keys.has(key)) : watch.isFound));

interface Walk {
  readonly scope: Scope;
  /** The group on whose records the figure stands. */
  readonly owner: Resource;
}

/** Ids of the records of the figure's group that a way leads to from a record. */
export function dependentsBy(walk: Walk, way: ReversePath, record: Readonly<Values>): Soon<ReadonlySet<string>> {
  try {
    return idsAlong(walk, way, [record]);
  } catch (error) {
    // Others may be under way, whom somebody waits for.
    return Promise.reject(error);
  }
}

function idsAlong(
  walk: Walk,
  [link, ...further]: ReversePath,
  here: readonly Readonly<Values>[],
): Soon<ReadonlySet<string>> {
  if (link === undefined) return new Set(here.map(({ id }) => String(id)));
  const found = soonAll(here.map((each) => idsBy(walk, link, each)));
  return soon(found, (each) => {
    const ids = new Set(each.flat());
    return soon(yieldIfDue(), () => {
      walk.scope.bound.check(walk.owner, ids.size);
      const [next] = further;
      if (next === undefined) return ids;
      const reached = recordsOf(walk, { group: link.group, ids: [...ids], next });
      return reached.then((records) => idsAlong(walk, further, records));
    });
  });
}

interface Reached {
  readonly group: string;
  readonly ids: readonly string[];
  readonly next: JoinEdge;
}

/** Records on the way, with the lists of which the next link takes something. */
async function recordsOf({ scope }: Walk, { group, ids, next }: Reached): Promise<readonly Readonly<Values>[]> {
  const records = [...(await scope.records.many(group, ids)).values()];
  // Ids in a list of references are found under its own key.
  const lists = new Set(next.pairs.flatMap(({ from }) => from.lists[0] ?? from.key));
  if (lists.size === 0) return records;
  return Promise.all(
    records.map(async (each) => ({
      ...each,
      ...(await scope.records.listsUnder(group, String(each['id']), [...lists])),
    })),
  );
}

/** A value as formulas have it: numbers as text, without zeros at the end. */
type Told = string | boolean;

/** What one item says of those that are looked for. */
interface Said {
  readonly where: Readonly<Record<string, Told | null>>;
  readonly bounds: readonly { readonly key: string; readonly operator: '<=' | '>='; readonly value: string }[];
}

function idsBy(walk: Walk, link: JoinEdge, record: Readonly<Values>): Soon<readonly string[]> {
  const { scope, owner } = walk;
  const group = link.group === '' ? owner.name : link.group;
  if (link.order !== undefined) return behind(scope, link.order, record);
  const [first] = link.pairs;
  const [spot] = [...link.pairs, ...link.bounds];
  if (spot === undefined) return allOf(scope, group);
  const items = itemsWithin(recordValue(record), spot.from.lists);
  const said = items.flatMap((item) => saidBy(link, item));
  const { rows } = scope.groups.get(group);
  if (first !== undefined) {
    const { to } = first;
    const values = [...new Set(said.map(({ where }) => where[to.key] ?? null))];
    if (to.key === 'id' && to.lists.length === 0) return values.filter((value) => value !== null).map(String);
    const list = listAt(scope.records.resource(group), to);
    if (list !== undefined) {
      scope.settle(group);
      const key = to.lists.length === 0 ? 'target' : to.key;
      return rows.listOf(list)?.holdersOf(scope.session, key, values) ?? [];
    }
  }
  const isHeld = ({ where }: Said): boolean =>
    Object.entries(where).every(([key, value]) => value === null || rows.canHold(key, value));
  const questions = new Map(said.filter(isHeld).map((one) => [JSON.stringify(one), one]));
  const limit = scope.bound.limit;
  const found = [...questions.values()].map(({ where, bounds }) => scope.records.ids(group, where, { bounds, limit }));
  return soon(soonAll(found), (ids) => [...new Set(ids.flat())]);
}

/** The id of the record behind one, as it was or as it will be: from there it goes on. */
function behind(scope: Scope, { next }: Order, record: Readonly<Values>): Soon<readonly string[]> {
  const facts = new ReadFacts({ records: scope.records });
  return soon(facts.evaluate(next, placed(record)), ({ value }) =>
    isRecord(value) && value.id !== undefined ? [value.id] : [],
  );
}

/** Nothing where all of the values are null: nothing is found by it, and nothing lies within it. Of a list of ids each is one. */
function saidBy({ pairs, bounds, narrowings }: JoinEdge, item: RecordValue): readonly Said[] {
  const within: Said['bounds'][number][] = [];
  for (const { from, to, operator } of bounds) {
    const [value] = valuesAt(item, from);
    if (typeof value !== 'string') return [];
    within.push({ key: to.key, operator, value });
  }
  let all: readonly Said['where'][] = [{}];
  for (const { from, to } of pairs) {
    const found = valuesAt(item, from);
    const values = found.length === 0 && narrowings > 1 && isNullAt(item, from) ? [null] : found;
    all = all.flatMap((where) => values.map((value) => ({ ...where, [to.key]: value })));
  }
  const isFound = (where: Said['where']): boolean =>
    narrowings > pairs.length || Object.values(where).some((value) => value !== null);
  return all.filter(isFound).map((where) => ({ where, bounds: within }));
}

function valuesAt(item: RecordValue, spot: ColumnPath): readonly Told[] {
  const { key, when } = spot;
  const values = holderOf(item, spot)?.values;
  if (when !== undefined && values?.[when.key] !== when.value) return [];
  return [values?.[key]].flat().flatMap(toldBy);
}

const isNullAt = (item: RecordValue, spot: ColumnPath): boolean => holderOf(item, spot)?.values[spot.key] === null;

function holderOf(item: RecordValue, { up }: ColumnPath): RecordValue | undefined {
  let here: RecordValue | undefined = item;
  for (let step = 0; step < up; step += 1) here = here?.owner;
  return here;
}

function toldBy(value: unknown): readonly Told[] {
  if (typeof value === 'number') return [numberToText(value)];
  return typeof value === 'string' || typeof value === 'boolean' ? [value] : [];
}

/** The list in whose rows ids stand; undefined for a field of the record itself. */
function listAt({ byKey }: Resource, { lists, key }: ColumnPath): Field | undefined {
  const [root, ...inside] = lists;
  if (root === undefined) {
    const field = byKey.get(key);
    return field?.kind === 'references' ? field : undefined;
  }
  let list: Field | undefined = byKey.get(root);
  for (const next of inside)
    list = list?.kind === 'objects' ? list.fields.find((each) => each.key === next) : undefined;
  return list;
}

async function allOf(scope: Scope, group: string): Promise<readonly string[]> {
  scope.settle(group);
  const ids: string[] = [];
  for await (const page of scope.groups.get(group).rows.allIds(scope.session)) {
    ids.push(...page);
    scope.bound.check(scope.records.resource(group), ids.length);
  }
  return ids;
}
