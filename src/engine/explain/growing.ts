// Cost notes of `praxis check`: formulas that load, scan or add up all records of a list, so that their cost grows with it.

import { lookupsOf } from '../../formulas/analyse/lookups.ts';
import { type TallyPlan, tallyOf } from '../../formulas/analyse/tally.ts';
import { type Look, lookOf, type Need } from '../../formulas/analyse/tally-needs.ts';
import { sumsIn } from '../../formulas/evaluate/deltas.ts';
import { isAtHand } from '../../formulas/evaluate/macro-runs.ts';
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree, TreeOf } from '../../formulas/language/tree.ts';
import { fieldNamed } from '../../registry/guide/explanation.ts';
import { graphOf, type Saying } from '../../registry/guide/graph.ts';
import type { Field, Registry, Resource } from '../../registry/model/model.ts';
import { tablesOf } from '../../storage/schema/tables.ts';
import type { Groups } from '../plan/groups.ts';

/** Kind of a cost; the guide "Performance" explains each. */
type CostCode = 'scan' | 'aggregate' | 'load' | 'siblings' | 'queue';

/** A reason why the cost of a formula grows. */
interface CostReason {
  readonly code: CostCode;
  /** Predicate after the name of the field or the group. */
  readonly text: string;
  /** Remedy, as an imperative; left out if there is no general one. */
  readonly way?: string;
}

/** A computed field or a condition whose cost grows, with the reasons. */
export interface Growing {
  /** Name of the field, such as `box.out`; the name of the group for a condition of its rules. */
  readonly place: string;
  readonly why: readonly CostReason[];
}

/** Returns the cost notes of all groups, each once. @param all The groups with the dialect of each database. */
export function growingIn(registry: Registry, all: readonly Groups[]): readonly Growing[] {
  const looking = new Looking(registry, all);
  const found = new Map<string, Map<string, CostReason>>();
  for (const saying of graphOf(registry).sayings) {
    const place = saying.name === undefined ? saying.group : `${saying.group}.${saying.name}`;
    const why = found.get(place) ?? new Map<string, CostReason>();
    for (const told of [...looking.told(saying), ...besideIn(saying), ...queueIn(saying)]) why.set(told.text, told);
    if (why.size > 0) found.set(place, why);
  }
  return [...found].map(([place, why]) => ({ place, why: [...why.values()] }));
}

/** A formula as it is looked at. */
interface Of {
  readonly saying: Saying;
  readonly source: string;
  /** Collections that are moved by the difference of what has changed. */
  readonly moving: ReadonlySet<Tree>;
}

/** So far is counted without a word. */
const fewEnough = 1000;

class Looking {
  readonly #registry: Registry;
  readonly #all: readonly Groups[];
  readonly #indexes: ReadonlyMap<string, readonly (readonly string[])[]>;

  constructor(registry: Registry, all: readonly Groups[]) {
    this.#registry = registry;
    this.#all = all;
    const tables = tablesOf(registry).filter(({ list }) => list === undefined);
    this.#indexes = new Map(
      tables.map(({ group, primaryKey, indexes }) => [group, [primaryKey, ...indexes.map(({ columns }) => columns)]]),
    );
  }

  /** Of what an effect changes all is read in any case. */
  told(saying: Saying): readonly CostReason[] {
    if (saying.effect !== undefined) return [];
    return saying.formulas.flatMap(({ source, tree }) => {
      // Of a list with a name, those who look at it tell. A text is only for a refusal.
      if (source === '' || (saying.role === 'formula' && isOfRecords(tree))) return [];
      const of = { saying, source, moving: this.#movingIn(saying, tree) };
      return this.#inside(tree, of, false);
    });
  }

  /** Sums and numbers that are exact in the field: what comes is added, and what goes taken off. */
  #movingIn({ group, name = '', figure }: Saying, tree: Tree): ReadonlySet<Tree> {
    const resource = this.#registry.resources.get(group);
    const field = resource && fieldNamed(resource, name);
    const sums = figure?.taken === 'always' && figure.tree === tree ? sumsIn(tree) : undefined;
    if (sums === undefined || field === undefined || sums.extreme !== undefined) return new Set();
    const digits = Math.min(sums.digits ?? Number.POSITIVE_INFINITY, digitsOf(field));
    return sums.scale !== undefined && sums.scale <= digits ? sums.places : new Set();
  }

  #inside(tree: Tree, of: Of, isBounded: boolean): readonly CostReason[] {
    if (of.moving.has(tree)) return [];
    const plan = tree.op === 'macro' ? tallyOf(tree) : undefined;
    if (tree.op === 'macro' && plan !== undefined && this.#all.every((groups) => canTell(plan, groups))) {
      if (isMoved(tree, of.moving)) return [];
      const look = lookOf(plan, isBounded);
      return [
        ...this.#lookedAt(tree, { plan, look }, of),
        ...plan.given.flatMap((part) => this.#inside(part, of, false)),
      ];
    }
    if (isReadWhole(tree)) return [{ code: 'load', text: `loads all records of ${wordsOf(tree, of)}` }];
    if (tree.op === 'gather') return [];
    if (tree.op === 'equal' || tree.op === 'compare') {
      const { left, right } = tree;
      return [...this.#inside(left, of, isFew(right)), ...this.#inside(right, of, isFew(left))];
    }
    return partsOf(tree).flatMap((part) => this.#inside(part, of, false));
  }

  #lookedAt(tree: TreeOf<'macro'>, { plan, look }: { plan: TallyPlan; look: Look }, of: Of): readonly CostReason[] {
    const { tally } = plan;
    const { group, lists } = tally.collection;
    const resource = this.#registry.resources.get(group);
    if (resource === undefined || this.#isOne(resource, look.need, lists)) return [];
    const words = wordsOf(tree, of);
    if (look.kind === 'all') {
      const verb = tally.take === 'sum' ? 'adds up' : 'counts';
      if (tally.step !== undefined)
        return [this.#ranked(resource, { need: look.need, lists, text: `${verb} all records` }, words)];
      const way = isInexact(tree, of) ? summedWay(plan) : keptWay(plan, of);
      return [{ code: 'aggregate', text: `${verb} all records for ${words}`, ...(way !== undefined && { way }) }];
    }
    const scan = { code: 'scan', text: `scans all records for ${words}` } as const;
    if (look.kind === 'judged') return [scan];
    if (this.#isServed(resource, look.need, lists)) return [];
    const index = lists.length > 0 ? undefined : indexFor(resource, look.need);
    return [index === undefined ? scan : { ...scan, way: `add "indexes": [${index}] to ${group}` }];
  }

  /** A rank: no group can store the number of records before a bound, but an index finds them. */
  #ranked(
    resource: Resource,
    { need, lists, text }: { readonly need: Need; readonly lists: readonly string[]; readonly text: string },
    words: string,
  ): CostReason {
    const index = lists.length > 0 || this.#isServed(resource, need, lists) ? undefined : indexFor(resource, need);
    if (index === undefined) return { code: 'aggregate', text: `${text} up to the bound for ${words}` };
    return { code: 'aggregate', text: `${text} for ${words}`, way: `add "indexes": [${index}] to ${resource.name}` };
  }

  /** Whether an index has the known values first, and then the order. */
  #isServed({ name, byKey, unique }: Resource, { equal, then, enough, sure }: Need, lists: readonly string[]): boolean {
    if (lists.length > 0) return equal.size === 1 && then.length === 0;
    const known = new Set([...equal].map((key) => byKey.get(key)?.column));
    const isSole =
      sure !== undefined && unique.some(({ fields }) => fields.every(({ key }) => key === sure || equal.has(key)));
    const order = (isSole ? [sure] : then).map((key) => byKey.get(key)?.column);
    const few = enough === undefined ? undefined : byKey.get(enough)?.column;
    return (this.#indexes.get(name) ?? []).some((columns) => {
      const leading = columns.findIndex((column) => !known.has(column));
      const reached = columns.slice(
        0,
        leading < 0 ? columns.length : leading + (columns[leading] === order[0] ? 1 : 0),
      );
      if (few !== undefined && reached.includes(few)) return true;
      return (
        known.isSubsetOf(new Set(columns.slice(0, known.size))) &&
        order.every((column, place) => columns[known.size + place] === column)
      );
    });
  }

  /** Whether there is one at most. */
  #isOne({ unique }: Resource, { equal }: Need, lists: readonly string[]): boolean {
    if (lists.length > 0) return false;
    return equal.has('id') || unique.some(({ fields }) => fields.every(({ key }) => equal.has(key)));
  }
}

const digitsOf = (field: Field): number => (field.kind === 'decimal' ? field.scale : 0);

const wordsOf = ({ start, end }: Tree, { source }: Of): string => source.slice(start, end).replaceAll(/\s+/g, ' ');

/** A number that is counted to no further than this. */
const isFew = (other: Tree): boolean =>
  isAtHand(other) && !(other.op === 'literal' && Number(other.literal.value) > fewEnough);

function isMoved({ of }: TreeOf<'macro'>, moving: ReadonlySet<Tree>): boolean {
  const list = of.op === 'named' && of.args.length === 0 ? of.formula.tree() : of;
  return moving.has(list) || (list.op === 'macro' && isMoved(list, moving));
}

/** Whether its records are read, all of them. Whether there is any at all in a group is one row. */
function isReadWhole(tree: Tree): boolean {
  if (tree.op === 'gather') return tree.extent !== 'any';
  if (tree.op === 'unite') return true;
  if (tree.op === 'field') return tree.member.kind === 'others';
  return tree.op === 'named' && tree.of.op === 'self' && tree.args.length === 0 && isGathered(tree.formula.tree());
}

const isGathered = (tree: Tree): boolean =>
  isReadWhole(tree) || (tree.op === 'macro' && isOfRecords(tree) && isGathered(tree.of));

const isOfRecords = ({ type }: Tree): boolean => type.kind === 'list' && type.item.kind === 'record';

/** The index as the descriptor would say it; undefined where a field can be in none. */
function indexFor({ byKey }: Resource, { equal, then }: Need): string | undefined {
  const names = [...equal, ...then].map((key) => byKey.get(key)?.name);
  return names.includes(undefined) ? undefined : JSON.stringify(names).replaceAll(',', ', ');
}

/** Whether a figure is this sum alone, which is always true and does not move, as nobody knows the digits of what it adds up. */
const isInexact = (tree: Tree, { saying: { figure } }: Of): boolean =>
  figure?.taken === 'always' && figure.tree === tree && sumsIn(tree)?.scale === undefined;

/** Remedy for a sum of values with an unknown number of digits: a computed field has as many digits as it declares. */
const summedWay = ({ tally: { collection } }: TallyPlan): string =>
  `store each summand in a computed field of ${[collection.group, ...collection.lists].join('.')} ("hidden" or not) and add up that field`;

/** Remedy for a sum or count: a stored one is updated by the difference. @returns undefined if no group can store it */
function keptWay({ tally, narrowing, others }: TallyPlan, { saying: { figure, group } }: Of): string | undefined {
  const [{ equals }] = narrowing.length > 0 ? narrowing : [{ equals: others?.of }];
  const type = equals?.type;
  const home = others !== undefined ? group : type?.kind === 'id' ? type.group : undefined;
  const what = tally.take === 'sum' ? 'sum' : 'number';
  if (home === undefined) return undefined;
  const field = home === group && figure?.taken === 'always' ? 'separate computed field' : 'maintained computed field';
  return `store the ${what} in a ${field} of ${home} ("hidden" or not) and read that field`;
}

function canTell({ tally }: TallyPlan, groups: Groups): boolean {
  const { group, lists } = tally.collection;
  const ask = { tally, wanted: [], given: tally.given.map(() => null), most: undefined };
  return groups.get(group).rows.tallier(lists).canTell(ask);
}

/** Conditions that find records only by a range. Two concurrent writes could each miss the other, so one waits for the other. */
const queueIn = ({ role, formulas }: Saying): readonly CostReason[] =>
  role !== 'condition'
    ? []
    : formulas
        .flatMap(({ tree }) => lookupsOf(tree))
        .filter(({ names, isWide }) => isWide && names.length === 0)
        .map(({ group }) => ({
          code: 'queue',
          text: `finds ${group} only by a range, so all writes that it checks or can make fail wait for each other`,
          way: 'narrow it by a reference too: then only writes that refer to the same record wait',
        }));

/** Computed fields that read the siblings of their record: a write to one sibling changes the field in all of them. */
function besideIn({ group, figure }: Saying): readonly CostReason[] {
  const isBeside = figure?.watches.some(
    ({ isFound, group: looked, ways }) =>
      isFound && looked === group && ways.some((way) => way.at(-1)?.pairs.every(({ to }) => to.key !== 'id')),
  );
  return figure?.taken === 'always' && isBeside === true
    ? [{ code: 'siblings', text: 'is recomputed in all siblings of a written record' }]
    : [];
}
