// Aggregates that a database computes: sum, count, minimum, maximum, first or last of a collection, without reading its
// records.

import { keptId, namesSlot, narrowingsOf, partsOf } from '../language/index-keys.ts';
import type { MacroName } from '../language/names.ts';
import type { Collection, Narrowing, Tree, TreeOf, Type } from '../language/tree.ts';
import { number } from '../language/types.ts';
import { type Limiting, type LimitSign, limitsOf } from './limits.ts';

/** What is taken of a collection. */
type Take = 'sum' | 'count' | 'min' | 'max' | 'first' | 'last';

/** A part of a formula that is asked of one item, and the place of the variable that stands for it. */
export interface ItemPart {
  readonly tree: Tree;
  readonly slot: number;
}

/** What is asked of a collection, with the item as `self` (its owners `up`); `?0` is the first of what it is given. */
export interface Tally {
  readonly id: number;
  readonly collection: Collection;
  readonly take: Take;
  readonly conditions: readonly Tree[];
  /** What is added up or compared; without it the items are counted, or come in the order of their making. */
  readonly body: Tree | undefined;
  /** Types of what it is given besides. */
  readonly given: readonly Type[];
  /** Steps up to the owners that it looks at. */
  readonly ups: ReadonlySet<number>;
  /** What of this limits the records, for those who read them instead. */
  readonly limits: readonly TallyLimit[];
  /** The bound of a count or a sum, if it has only one. */
  readonly step: TallyStep | undefined;
}

/** A condition that compares a field with a given value, which nothing else of the tally reads. */
export interface TallyStep {
  /** Index of the condition. */
  readonly condition: number;
  /** Index of the given value. */
  readonly bound: number;
  /** Whether a greater value finds more records. */
  readonly grows: boolean;
}

/** A field that is compared with one of the values that a tally is given, or with one that stands in its formula. */
interface TallyLimit {
  readonly key: string;
  readonly sign: LimitSign;
  readonly orNull: boolean;
  readonly value: { readonly given: number } | { readonly is: string | boolean | null };
}

/** A macro as a question to the database, and the same asked of one item here. */
export interface TallyPlan {
  readonly tally: Tally;
  readonly narrowing: readonly Narrowing[];
  /** Of a list of records that name another one: that, and the key under which they do. */
  readonly others: { readonly of: Tree; readonly key: string } | undefined;
  readonly given: readonly Tree[];
  readonly conditions: readonly ItemPart[];
  /** That it holds of none, where it is asked whether all satisfy it. */
  readonly but: ItemPart | undefined;
  readonly body: ItemPart | undefined;
  /** What the number says: all of it, whether there is any, or whether there is none. */
  readonly says: 'value' | 'any' | 'none';
}

const takes: Readonly<Partial<Record<MacroName, { readonly take: Take; readonly says: TallyPlan['says'] }>>> = {
  sum: { take: 'sum', says: 'value' },
  count: { take: 'count', says: 'value' },
  min: { take: 'min', says: 'value' },
  max: { take: 'max', says: 'value' },
  first: { take: 'first', says: 'value' },
  last: { take: 'last', says: 'value' },
  exists: { take: 'count', says: 'any' },
  all: { take: 'count', says: 'none' },
};

let made = 0;

/** @returns undefined for what only those who read the records can tell */
export function tallyOf(tree: TreeOf<'macro'>): TallyPlan | undefined {
  const row = takes[tree.name];
  const base = row && baseOf(tree.of);
  if (row === undefined || base === undefined) return undefined;
  const { take, says } = row;
  const own: ItemPart | undefined = tree.body && { tree: tree.body, slot: tree.slot };
  const isAsked = take === 'count' && own !== undefined;
  const but = says === 'none' ? own : undefined;
  const conditions = isAsked && says !== 'none' ? [...base.conditions, own] : base.conditions;
  const body = isAsked ? undefined : own;
  if (body === undefined ? take === 'sum' || take === 'min' || take === 'max' : !isTaken(take, body.tree.type))
    return undefined;
  // Items come in the order of their making only with the records that hold them.
  if ((take === 'first' || take === 'last') && base.collection.lists.length > 0) return undefined;
  try {
    const row = new RowTrees();
    const judged = conditions.flatMap((part) => row.conditions(part));
    const none = but === undefined ? [] : [negated(row.part(but))];
    const taken = body && row.part(body);
    made += 1;
    const { collection, narrowing, others } = base;
    const { given, ups } = row;
    const types = given.map(({ type }) => type);
    const limits = base.limits.flatMap((limit) => tallyLimit(limit, given) ?? []);
    const all = [...judged, ...none];
    const step = take === 'count' || take === 'sum' ? findStep(all, taken, types) : undefined;
    const tally = { id: made, collection, take, conditions: all, body: taken, given: types, ups, limits, step };
    return { tally, narrowing, others, given, conditions, but, body, says };
  } catch (error) {
    if (error instanceof Untold) return undefined;
    throw error;
  }
}

/** Finds an aggregate over a whole collection that no database computes, so that all its records would be read. */
export function findReadWhole(tree: Tree): Tree | undefined {
  if (tree.op === 'macro' && tree.of.op === 'gather' && tree.of.extent === 'whole' && tallyOf(tree) === undefined)
    return tree;
  return partsOf(tree)
    .map(findReadWhole)
    .find((found) => found !== undefined);
}

/** Whether every engine puts such values in the order that we do. */
function isTaken(take: Take, type: Type): boolean {
  if (take === 'sum' || type.kind === 'number') return type.kind === 'number';
  if (type.kind === 'text') return type.values?.every((value) => /^[ -~]*$/.test(value)) === true;
  return type.kind === 'date' || type.kind === 'instant' || type.kind === 'time';
}

const stepTypes: ReadonlySet<Type['kind']> = new Set(['number', 'date', 'instant', 'time']);

function findStep(conditions: readonly Tree[], body: Tree | undefined, types: readonly Type[]): TallyStep | undefined {
  const steps = conditions.flatMap((tree, condition) => {
    if (tree.op !== 'compare') return [];
    const [left, right] = [givenIndex(tree.left), givenIndex(tree.right)];
    const [bound, field] = left === undefined ? [right, tree.left] : [left, tree.right];
    if (bound === undefined || (left !== undefined && right !== undefined) || !isItemField(field)) return [];
    return [{ condition, bound, grows: tree.sign.startsWith('<') === (left === undefined) }];
  });
  const [step, ...others] = steps;
  if (step === undefined || others.length > 0 || !stepTypes.has(types[step.bound]?.kind ?? 'null')) return undefined;
  const parts = [
    ...conditions.filter((_tree, index) => index !== step.condition),
    ...(body === undefined ? [] : [body]),
  ];
  return parts.some((part) => readsGiven(part, step.bound)) ? undefined : step;
}

const givenIndex = (tree: Tree): number | undefined =>
  tree.op === 'field' && tree.member.kind === 'value' && tree.member.key.startsWith('?')
    ? Number(tree.member.key.slice(1))
    : undefined;

const isItemField = (tree: Tree): boolean =>
  tree.op === 'field' && tree.member.kind === 'value' && tree.of.op === 'self';

const readsGiven = (tree: Tree, index: number): boolean =>
  givenIndex(tree) === index || partsOf(tree).some((part) => readsGiven(part, index));

function tallyLimit(
  { member: { key }, sign, orNull, value }: Limiting,
  given: readonly Tree[],
): TallyLimit | undefined {
  if (value.op === 'literal') return { key, sign, orNull, value: { is: value.literal.value } };
  const place = given.indexOf(value);
  return place < 0 ? undefined : { key, sign, orNull, value: { given: place } };
}

interface Base extends Pick<TallyPlan, 'narrowing' | 'others' | 'conditions'>, Pick<Tally, 'collection'> {
  readonly limits: readonly Limiting[];
}

/** What a macro goes through: records or items that are read by what narrows them. */
function baseOf(tree: Tree): Base | undefined {
  if (tree.op === 'gather') {
    const { collection, narrowing, extent, where, slot } = tree;
    if (extent === 'any' || narrowing.some(({ member }) => member.isAmong === true)) return undefined;
    if (where === undefined) return { collection, narrowing, others: undefined, conditions: [], limits: [] };
    const limits = collection.lists.length > 0 ? [] : limitsOf(where, slot);
    return { collection, narrowing, others: undefined, conditions: [{ tree: where, slot }], limits };
  }
  if (tree.op === 'field' && tree.member.kind === 'others') {
    const { of, member } = tree;
    const shape = member.shape();
    const collection = { group: shape.group, lists: [], shape };
    return { collection, narrowing: [], others: { of, key: member.field }, conditions: [], limits: [] };
  }
  if (tree.op === 'named' && tree.of.op === 'self' && tree.of.up === 0 && tree.args.length === 0)
    return baseOf(tree.formula.tree());
  if (tree.op !== 'macro' || tree.name !== 'filter' || tree.body === undefined) return undefined;
  const among = baseOf(tree.of);
  return among && { ...among, conditions: [...among.conditions, { tree: tree.body, slot: tree.slot }] };
}

class Untold extends Error {}

const opposites = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

/** Null counts as false. What cannot be null is turned round, so that an index serves it. */
function negated(of: Tree): Tree {
  if (of.op === 'compare' && !of.left.nullable && !of.right.nullable) return { ...of, sign: opposites[of.sign] };
  return { ...of, op: 'not', of, nullable: false };
}

/** Parts that are asked of an item as trees on it, with all else as what these are given. */
class RowTrees {
  readonly given: Tree[] = [];
  readonly ups = new Set<number>();

  part({ tree, slot }: ItemPart): Tree {
    return this.#row(tree, slot);
  }

  /** The same of a condition, without what the narrowing says already. */
  conditions({ tree, slot }: ItemPart): readonly Tree[] {
    if (tree.op === 'and')
      return [...this.conditions({ tree: tree.left, slot }), ...this.conditions({ tree: tree.right, slot })];
    const narrowings = narrowingsOf(tree, slot);
    if (narrowings.length > 0 && narrowings.every(isExact)) return [];
    return [this.#row(tree, slot)];
  }

  #row(tree: Tree, slot: number): Tree {
    if (tree.op === 'literal') return tree;
    if (tree.op === 'list') return { ...tree, items: tree.items.map((item) => this.#row(item, slot)) };
    if (!namesSlot(tree, slot)) return this.#asGiven(tree);
    const row = (part: Tree): Tree => this.#row(part, slot);
    switch (tree.op) {
      case 'variable':
      case 'owner':
        return this.#item(tree, slot);
      case 'field': {
        const kept = keptId(tree);
        return kept.op === 'field' ? { ...kept, of: this.#item(kept.of, slot) } : kept;
      }
      case 'named':
        if (tree.args.length > 0) throw new Untold();
        return { ...tree, of: this.#item(tree.of, slot) };
      case 'not':
      case 'negate':
        return { ...tree, of: row(tree.of) };
      case 'and':
      case 'or':
      case 'equal':
      case 'compare':
      case 'in':
      case 'arithmetic':
      case 'join':
      case 'shift':
      case 'between':
        return { ...tree, left: row(tree.left), right: row(tree.right) };
      case 'if':
        return { ...tree, test: row(tree.test), yes: row(tree.yes), no: row(tree.no) };
      case 'call':
        return { ...tree, args: tree.args.map(row) };
      default:
        throw new Untold();
    }
  }

  /** The item, or what it stands in. */
  #item(tree: Tree, slot: number): Tree {
    let up = 0;
    let here = tree;
    for (; here.op === 'owner'; here = here.of) up += 1;
    if (here.op !== 'variable' || here.slot !== slot) throw new Untold();
    this.ups.add(up);
    const { type, nullable, start, end } = tree;
    return { op: 'self', up, type, nullable, start, end };
  }

  #asGiven(tree: Tree): Tree {
    const { nullable, start, end } = tree;
    // How great it is and how many digits it has, its value tells.
    const type = tree.type.kind === 'number' ? number : tree.type;
    if (type.kind === 'record' || type.kind === 'list' || type.kind === 'map' || type.kind === 'null')
      throw new Untold();
    const name = `?${this.given.length}`;
    this.given.push(tree);
    const of: Tree = { op: 'self', up: 0, type, nullable: false, start, end };
    const member = { kind: 'value', name, key: name, nullable, type, isSought: false } as const;
    return { op: 'field', of, member, type, nullable, start, end };
  }
}

/** Whether what is found by it has just that value: an id, of one of several groups by the column of its own. */
const isExact = ({ member: { type, branches }, equals }: Narrowing): boolean =>
  type.kind === 'id' && (branches === undefined || (equals.type.kind === 'id' && equals.type.group !== undefined));
