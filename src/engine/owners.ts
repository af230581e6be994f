// Whom a change concerns: from a record that figures look at, to those on which they stand.
import type { Link, Spot, Way } from '../formulas/backwards.ts';
import { type RecordValue, recordValue } from '../formulas/facts.ts';
import { itemsWithin } from '../formulas/record-items.ts';
import type { Field, Resource, Values } from '../registry/model.ts';
import type { Scope } from './scope.ts';

interface Walk {
  readonly scope: Scope;
  /** The group on whose records the figure stands. */
  readonly owner: Resource;
}

/** Ids of the records of the figure's group that a way leads to from a record. */
export async function ownersBy(walk: Walk, way: Way, record: Readonly<Values>): Promise<ReadonlySet<string>> {
  let here: readonly Readonly<Values>[] = [record];
  for (const [index, link] of way.entries()) {
    const ids = new Set((await Promise.all(here.map((each) => idsBy(walk, link, each)))).flat());
    if (index === way.length - 1) return ids;
    here = await recordsOf(walk, { group: link.group, ids: [...ids], next: way[index + 1] });
  }
  return new Set(here.map(({ id }) => String(id)));
}

interface Reached {
  readonly group: string;
  readonly ids: readonly string[];
  readonly next: Link | undefined;
}

/** Records on the way, with the lists of which the next link takes something. */
async function recordsOf({ scope }: Walk, { group, ids, next }: Reached): Promise<readonly Readonly<Values>[]> {
  const records = [...(await scope.records.many(group, ids)).values()];
  const lists = new Set(next?.pairs.flatMap(({ from }) => from.lists.slice(0, 1)) ?? []);
  if (lists.size === 0) return records;
  return Promise.all(
    records.map(async (each) => ({
      ...each,
      ...(await scope.records.listsUnder(group, String(each['id']), [...lists])),
    })),
  );
}

/** What one item says of those that are looked for. */
interface Said {
  readonly where: Values;
  readonly bounds: readonly { readonly key: string; readonly operator: '<=' | '>='; readonly value: string }[];
}

async function idsBy(walk: Walk, link: Link, record: Readonly<Values>): Promise<readonly string[]> {
  const { scope, owner } = walk;
  const group = link.group === '' ? owner.name : link.group;
  const [first] = link.pairs;
  if (first === undefined) return allOf(scope, group);
  const items = itemsWithin(recordValue(record), first.from.lists);
  const said = items.flatMap((item) => saidBy(link, item));
  const { to } = first;
  const values = [...new Set(said.map(({ where }) => String(where[to.key])))];
  if (to.key === 'id' && to.lists.length === 0) return values;
  const list = listAt(scope.records.resource(group), to);
  if (list !== undefined) {
    scope.settle(group);
    const key = to.lists.length === 0 ? 'target' : to.key;
    const held = await scope.groups.get(group).rows.listOf(list)?.holding(scope.session, key, values);
    return (held ?? []).map(({ holder }) => holder);
  }
  const questions = new Map(said.map((one) => [JSON.stringify(one), one]));
  const found = await Promise.all(
    [...questions.values()].map(({ where, bounds }) => scope.records.list(group, where, { bounds })),
  );
  return [...new Set(found.flat().map(({ id }) => String(id)))];
}

/** Nothing where one of the values is null: nothing equals it, and nothing lies within it. Of a list of ids each is one. */
function saidBy({ pairs, bounds }: Link, item: RecordValue): readonly Said[] {
  const within: Said['bounds'][number][] = [];
  for (const { from, to, operator } of bounds) {
    const [value] = valuesAt(item, from);
    if (value === undefined) return [];
    within.push({ key: to.key, operator, value });
  }
  let all: readonly Values[] = [{}];
  for (const { from, to } of pairs) {
    const values = valuesAt(item, from);
    all = all.flatMap((where) => values.map((value) => ({ ...where, [to.key]: value })));
  }
  return all.map((where) => ({ where, bounds: within }));
}

function valuesAt(item: RecordValue, { up, key, when }: Spot): readonly string[] {
  let here: RecordValue | undefined = item;
  for (let step = 0; step < up; step += 1) here = here?.owner;
  if (when !== undefined && here?.values[when.key] !== when.value) return [];
  return [here?.values[key]].flat().filter((value) => typeof value === 'string');
}

/** The list in whose rows ids stand; undefined for a field of the record itself. */
function listAt({ byKey }: Resource, { lists, key }: Spot): Field | undefined {
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
  for await (const page of scope.groups.get(group).rows.allIds(scope.session)) ids.push(...page);
  return ids;
}
