// What the cost of a write or a read grows with: collections that a formula reads, counts or looks through in full.

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

/** What grows, and what would mend it; no way where nothing of its own would. */
interface Told {
  readonly text: string;
  readonly way?: string;
}

/** A figure or a condition, and why it grows. */
export interface Growing {
  /** `box.out`; the group alone for a condition of its rules. */
  readonly place: string;
  readonly why: readonly Told[];
}

/** Those of all groups, each once. @param all The groups as they are on each engine. */
export function growingIn(registry: Registry, all: readonly Groups[]): readonly Growing[] {
  const looking = new Looking(registry, all);
  const found = new Map<string, Map<string, Told>>();
  for (const saying of graphOf(registry).sayings) {
    const place = saying.name === undefined ? saying.group : `${saying.group}.${saying.name}`;
    const why = found.get(place) ?? new Map<string, Told>();
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
  told(saying: Saying): readonly Told[] {
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

  #inside(tree: Tree, of: Of, isBounded: boolean): readonly Told[] {
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
    if (isReadWhole(tree)) return [{ text: `reads all of ${wordsOf(tree, of)}` }];
    if (tree.op === 'gather') return [];
    if (tree.op === 'equal' || tree.op === 'compare') {
      const { left, right } = tree;
      return [...this.#inside(left, of, isFew(right)), ...this.#inside(right, of, isFew(left))];
    }
    return partsOf(tree).flatMap((part) => this.#inside(part, of, false));
  }

  #lookedAt(tree: TreeOf<'macro'>, { plan, look }: { plan: TallyPlan; look: Look }, of: Of): readonly Told[] {
    const { tally } = plan;
    const { group, lists } = tally.collection;
    const resource = this.#registry.resources.get(group);
    if (resource === undefined || this.#isOne(resource, look.need, lists)) return [];
    const words = wordsOf(tree, of);
    if (look.kind === 'all') {
      const verb = tally.take === 'sum' ? 'adds up' : 'counts';
      const way = isInexact(tree, of) ? summedWay(plan) : keptWay(plan, of);
      return [{ text: `${verb} all behind ${words}`, ...(way !== undefined && { way }) }];
    }
    const text = `looks through all behind ${words}`;
    if (look.kind === 'judged') return [{ text }];
    if (this.#isServed(resource, look.need, lists)) return [];
    const index = lists.length > 0 ? undefined : indexFor(resource, look.need);
    return [index === undefined ? { text } : { text, way: `"indexes": [${index}] of ${group} would find it` }];
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
  if (tree.op === 'gather') return tree.narrowing.length > 0 || tree.range.length > 0;
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

/** What is added up has as many digits as its own figure. */
const summedWay = ({ tally: { collection } }: TallyPlan): string =>
  `a figure of ${[collection.group, ...collection.lists].join('.')} for what is added up ("hidden" or not), whose sum this one is, would let it move by the difference`;

/** A sum that is kept moves by the difference: where it stands, and what looks at it instead. */
function keptWay({ tally, narrowing, others }: TallyPlan, { saying: { figure, group } }: Of): string | undefined {
  const [{ equals }] = narrowing.length > 0 ? narrowing : [{ equals: others?.of }];
  const type = equals?.type;
  const home = others !== undefined ? group : type?.kind === 'id' ? type.group : undefined;
  const what = tally.take === 'sum' ? 'sum' : 'number';
  if (home === undefined) return undefined;
  return home === group && figure?.taken === 'always'
    ? `a figure of ${home} for the ${what} alone ("hidden" or not), which this one looks at, would move by the difference`
    : `a figure of ${home} that is always true ("hidden" or not) would keep the ${what}`;
}

function canTell({ tally }: TallyPlan, groups: Groups): boolean {
  const { group, lists } = tally.collection;
  const ask = { tally, wanted: [], given: tally.given.map(() => null), most: undefined };
  return groups.get(group).rows.tallier(lists).canTell(ask);
}

/** Conditions that find others by bounds alone: two writes at once could each miss the other, so that one waits for the other. */
const queueIn = ({ role, formulas }: Saying): readonly Told[] =>
  role !== 'condition'
    ? []
    : formulas
        .flatMap(({ tree }) => lookupsOf(tree))
        .filter(({ names, isRanged }) => isRanged && names.length === 0)
        .map(({ group }) => ({
          text: `finds ${group} by bounds alone, so that all writes that it judges, or could make fail, wait for each other`,
          way: 'narrowed by a reference as well, those alone wait that name the same record',
        }));

/** Figures that look at the records beside their own: each of these changes what all of them look at. */
function besideIn({ group, figure }: Saying): readonly Told[] {
  const isBeside = figure?.watches.some(
    ({ isFound, group: looked, ways }) =>
      isFound && looked === group && ways.some((way) => way.at(-1)?.pairs.every(({ to }) => to.key !== 'id')),
  );
  return figure?.taken === 'always' && isBeside === true
    ? [{ text: 'is brought up to date in all records beside one that is written' }]
    : [];
}
