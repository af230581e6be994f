// Explains a computed value: the parts of its formula, with values and source records.

import { yieldIfDue } from '../../admission/event-loop.ts';
import type { Befores } from '../../facts/befores.ts';
import { TooManyToRead } from '../../facts/queries.ts';
import { ReadFacts } from '../../facts/read-facts.ts';
import { evaluateGiven, evaluateInside } from '../../formulas/evaluate/evaluate.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { itemsWithin } from '../../formulas/evaluate/record-items.ts';
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Shape, Tree, TreeOf } from '../../formulas/language/tree.ts';
import { isList, isRecord, type Known, type RecordValue } from '../../formulas/language/value.ts';
import { fieldAt } from '../../registry/guide/graph.ts';
import type { Field, Resource, Value, Values } from '../../registry/model/model.ts';
import { fieldValue } from '../draft/field-value.ts';
import type { Scope } from '../transaction/scope.ts';
import { shownName } from '../transaction/shown-name.ts';
import type { ExplainedPart, Told, ValueSource } from './explained.ts';
import { type Eyes, keysOf } from './eyes.ts';

/** A formula as it is written, and on what it stands. */
export interface PlacedFormula {
  readonly source: string;
  readonly tree: Tree;
  readonly self: RecordValue;
}

/** On which record all of it stands, and how much of it is wanted. */
interface Stood {
  readonly resource: Resource;
  readonly record: Readonly<Values>;
  readonly mostSources: number;
  /** What of it the caller sees; undefined: everything. */
  readonly eyes?: Eyes | undefined;
  /** The write that leaves the record so, where one is under way. */
  readonly write?: {
    readonly operation: 'create' | 'update' | 'delete';
    readonly before: Readonly<Values> | undefined;
    readonly sent: ReadonlySet<string>;
    readonly actingMember: string | null;
    readonly befores?: Befores | undefined;
  };
}

interface Level extends PlacedFormula {
  /** How many levels of figures are taken apart besides the formula itself. */
  readonly depth: number;
}

/** Records that are read of collections of which the database does not tell as a whole. */
const mostRead = 1000;

export class Behind {
  readonly #scope: Scope;
  readonly #facts: ReadFacts;
  readonly #mostSources: number;
  readonly #eyes: Eyes | undefined;
  readonly #isTried: boolean;
  /** The formula that is explained. */
  #formula: Tree | undefined;
  /** How many named formulas are still looked into: each may name others, more than once. */
  #mostNamed = 500;

  /** @param mostSources Records that are told behind each part; with no end to them all are read that it takes. */
  constructor(scope: Scope, { resource, record, mostSources, eyes, write: under }: Stood) {
    this.#eyes = eyes;
    this.#isTried = under !== undefined;
    this.#scope = scope;
    this.#mostSources = mostSources;
    const asItIs = { operation: 'update' as const, before: record, actingMember: null };
    const write = { resource, values: record, ...(under ?? asItIs) };
    this.#facts = new ReadFacts({
      evaluator: evaluateGiven,
      records: scope.records,
      write: { ...write, today: () => (scope.groups.hasDays ? scope.reached() : scope.today()) },
      mostRead: Number.isFinite(mostSources) ? mostRead : undefined,
    });
  }

  /** What a formula gives now. @param field Rounded as this field keeps it. */
  async valueOf({ tree, self }: PlacedFormula, field?: Field): Promise<Told> {
    return orUnread(async () => {
      const { value } = await this.#facts.evaluate(tree, self);
      return { value: field === undefined ? this.#shown(value) : fieldValue(field, value) };
    }, unread);
  }

  /** The parts of a formula that are values of records. @param depth How many levels of figures to take apart; at least 1. */
  parts(standing: PlacedFormula, depth: number): Promise<readonly ExplainedPart[]> {
    this.#formula = standing.tree;
    return this.#partsOf({ ...standing, depth: depth - 1 });
  }

  #partsOf(level: Level): Promise<readonly ExplainedPart[]> {
    const beyond = { words: wordsOf(level), ...unread, parts: [], sources: [] };
    return orUnread(() => this.#partsIn(level), [beyond]);
  }

  async #partsIn(level: Level): Promise<readonly ExplainedPart[]> {
    const { tree } = level;
    switch (tree.op) {
      case 'literal':
      case 'variable':
      case 'self':
        return [];
      case 'before':
        return [await this.#leaf(level)];
      case 'known':
        return tree.type.kind === 'record' ? [] : [await this.#leaf(level)];
      case 'field':
        return [await this.#field(level, tree)];
      case 'gather':
        return [await this.#gathered(level, tree)];
      case 'macro':
        return [await this.#macro(level, tree)];
      case 'named':
        return [await this.#named(level, tree)];
      case 'if': {
        const { value } = await this.#facts.evaluate(tree.test, level.self);
        return this.#all(level, [tree.test, value === true ? tree.yes : tree.no]);
      }
      default:
        return this.#all(level, partsOf(tree));
    }
  }

  /** What is said twice is told once. */
  async #all(level: Level, trees: readonly Tree[]): Promise<readonly ExplainedPart[]> {
    const found = new Map<string, ExplainedPart>();
    for (const tree of trees) {
      if (tree.op === 'named' && found.has(wordsOf({ ...level, tree }))) continue;
      for (const part of await this.#partsOf({ ...level, tree })) found.set(part.words, found.get(part.words) ?? part);
    }
    return [...found.values()];
  }

  async #leaf(level: Level): Promise<ExplainedPart> {
    const eyes = this.#eyes;
    if (eyes !== undefined && !eyes.isOwn(level.tree, level.self))
      return { words: wordsOf(level), value: null, hidden: true, parts: [], sources: [] };
    return { words: wordsOf(level), ...(await this.valueOf(level)), parts: [], sources: [] };
  }

  async #field(level: Level, tree: TreeOf<'field'>): Promise<ExplainedPart> {
    const { of } = tree;
    if (tree.type.kind === 'list' && tree.type.item.kind === 'record') return this.#gathered(level, tree);
    const leaf = await this.#leaf(level);
    const base = baseOf(of);
    const isPath = base.op === 'self' || base.op === 'known';
    const before = isPath ? [] : await this.#partsOf({ ...level, tree: base });
    const { value: holder } = level.depth === 0 ? { value: null } : await this.#facts.evaluate(of, level.self);
    const own =
      isRecord(holder) && of.type.kind === 'record'
        ? await this.#figure(level, holder, {
            shape: of.type.shape,
            key: tree.member.kind === 'formula' ? '' : tree.member.key,
          })
        : [];
    return { ...leaf, ...(this.#isAfter(tree) && { isAfter: true }), parts: [...before, ...own] };
  }

  #isAfter({ of, member }: TreeOf<'field'>): boolean {
    if (!this.#isTried || of.op === 'self' || of.type.kind !== 'record' || member.kind === 'formula') return false;
    return fieldAt(this.#scope.groups.registry, of.type.shape, member.key)?.figure !== undefined;
  }

  /** The parts of a figure that a record keeps; none for a field without formula. */
  async #figure(
    { depth }: Level,
    self: RecordValue,
    { shape, key }: { shape: Shape; key: string },
  ): Promise<readonly ExplainedPart[]> {
    const figure = depth === 0 ? undefined : fieldAt(this.#scope.groups.registry, shape, key)?.figure;
    return figure === undefined
      ? []
      : this.#partsOf({ source: figure.source, tree: figure.tree, self, depth: depth - 1 });
  }

  async #gathered(level: Level, list: Tree): Promise<ExplainedPart> {
    const { items, count } = await this.#listed(level, list);
    const sources = await this.#sources(level, list, { items });
    const words = wordsOf(level);
    if (this.#eyes !== undefined) return { words, parts: [], ...(await this.#eyes.list(list, { sources, count })) };
    return { words, value: count, parts: [], sources, ...this.#moreThan(count) };
  }

  async #macro(level: Level, tree: TreeOf<'macro'>): Promise<ExplainedPart> {
    const words = wordsOf(level);
    const { of, body } = tree;
    const isOfRecords = (one: Tree): boolean => one.type.kind === 'list' && one.type.item.kind === 'record';
    // What a list is narrowed to, or put in order, are records themselves.
    if (isOfRecords(tree)) return this.#gathered(level, tree);
    const told = await this.valueOf(level);
    if (!isOfRecords(of)) return { words, ...told, parts: await this.#partsOf({ ...level, tree: of }), sources: [] };
    const { items, count } = await this.#listed(level, of);
    const taken = body === undefined ? undefined : await this.#taken(level, { ...tree, body }, items);
    const sources = await this.#sources(level, of, { items, taken, macro: tree });
    if (this.#eyes !== undefined)
      return {
        words,
        parts: [],
        ...(await this.#eyes.macro(tree, { told, sources, count, isAll: this.#isAll(tree) })),
      };
    return { words, ...told, parts: [], sources, ...this.#moreThan(count) };
  }

  /** Whether the formula is nothing but a macro, rounded perhaps: what it gives is the value that is explained. */
  #isAll(tree: Tree): boolean {
    let whole = this.#formula;
    while (whole?.op === 'call' && whole.name === 'round') [whole] = whole.args;
    return whole === tree;
  }

  #moreThan(count: number): { readonly more?: number } {
    return count > this.#mostSources ? { more: count - this.#mostSources } : {};
  }

  /** Those of a list that are told, and how many it has. Of very many, only these are read. */
  async #listed({ self }: Level, list: Tree): Promise<{ readonly items: readonly Known[]; readonly count: number }> {
    const most = this.#mostSources;
    const beginning = Number.isFinite(most) ? await this.#facts.beginningOf(list, self, most) : undefined;
    if (beginning !== undefined) return beginning;
    const { value } = await this.#facts.evaluate(list, self);
    const items = isList(value) ? value : [];
    return { items: items.slice(0, most), count: items.length };
  }

  /** What a macro takes of each. */
  async #taken(
    { self }: Level,
    { body, slot }: TreeOf<'macro'> & { readonly body: Tree },
    items: readonly Known[],
  ): Promise<readonly Known[]> {
    const facts = this.#facts;
    const taken: Known[] = [];
    for (const item of items) {
      taken.push(await facts.known(() => evaluateInside(body, self, { slot, item, facts })));
      await yieldIfDue();
    }
    return taken;
  }

  async #named(level: Level, tree: TreeOf<'named'>): Promise<ExplainedPart> {
    const leaf = await this.#leaf(level);
    this.#mostNamed -= 1;
    if (this.#mostNamed < 0) return leaf;
    const { value: self } = await this.#facts.evaluate(tree.of, level.self);
    const args = await this.#all(level, tree.args);
    if (!isRecord(self)) return { ...leaf, parts: args };
    const given = new Map<number, Tree>();
    for (const [slot, arg] of tree.args.entries()) given.set(slot, await this.#settled(level, arg));
    const { name } = tree.formula;
    const group = tree.of.type.kind === 'record' ? tree.of.type.shape.group : '';
    const { formulas, byName } = this.#scope.records.resource(group);
    const source = formulas.find((one) => one.name === name)?.source ?? byName.get(name)?.figure?.source ?? '';
    const inside = await this.#partsOf({ ...level, source, self, tree: filledIn(tree.formula.tree(), given) });
    return { ...leaf, parts: [...args, ...inside] };
  }

  /** What is given to a named formula is a plain value. */
  async #settled({ self }: Level, arg: Tree): Promise<Tree> {
    const { value } = await this.#facts.evaluate(arg, self);
    const { type, nullable, start, end } = arg;
    const literal =
      typeof value === 'boolean'
        ? ({ kind: 'bool', value } as const)
        : typeof value !== 'string'
          ? ({ kind: 'null', value: null } as const)
          : ({ kind: type.kind === 'number' ? 'number' : 'text', value } as const);
    return { op: 'literal', literal, type, nullable, start, end };
  }

  async #sources(
    level: Level,
    list: Tree,
    { items, taken, macro }: { items: readonly Known[]; taken?: readonly Known[] | undefined; macro?: TreeOf<'macro'> },
  ): Promise<readonly ValueSource[]> {
    const shape = list.type.kind === 'list' && list.type.item.kind === 'record' ? list.type.item.shape : undefined;
    if (shape === undefined) return [];
    const keys = macro?.body === undefined ? [] : keysOf(macro.body, macro.slot);
    const sources: ValueSource[] = [];
    for (const [index, item] of items.entries()) {
      if (!isRecord(item)) continue;
      await yieldIfDue();
      const parts: ExplainedPart[] = [];
      for (const { key, words } of keys) {
        const inside = await this.#figure(level, item, { shape, key });
        if (inside.length > 0)
          parts.push({ words, value: (item.values[key] as Value | undefined) ?? null, parts: inside, sources: [] });
      }
      const named = await this.#nameOf(shape, item);
      sources.push({ ...named, ...(taken && { value: this.#shown(taken[index] ?? null) }), parts });
    }
    return sources;
  }

  async #nameOf(
    { group, lists }: Shape,
    item: RecordValue,
  ): Promise<Pick<ValueSource, 'group' | 'id' | 'name' | 'place'>> {
    const places: number[] = [];
    let root = item;
    for (; root.owner !== undefined; root = root.owner) places.unshift(root.stored?.places.at(-1) ?? root.place);
    const { byKey } = this.#scope.records.resource(group);
    // An object between has no place of its own; its owner is the record or the item.
    const place = lists.map((key, index) => `${byKey.get(key)?.name ?? key}[${places[index] ?? 0}]`).join('.');
    return { group, id: root.id ?? '', name: await shownName(this.#scope, group, root.values as Values), place };
  }

  #shown(value: Known): Value {
    if (isRecord(value)) return value.id ?? null;
    if (isList(value)) return value.map((one) => this.#shown(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value.entries).map(([key, inside]) => [key, this.#shown(inside)]));
  }
}

const unread: Told = { value: null, unread: true };

/** What is told in place of what too many would have to be read for. */
async function orUnread<T>(tell: () => Promise<T>, instead: T): Promise<T> {
  try {
    return await tell();
  } catch (error) {
    if (error instanceof TooManyToRead) return instead;
    throw error;
  }
}

/** Whether a formula means nothing by itself: it names what it is given, a variable that nothing in it goes through. */
export function namesGiven(tree: Tree, bound: ReadonlySet<number> = new Set()): boolean {
  if (tree.op === 'variable') return !bound.has(tree.slot);
  const inside = tree.op === 'macro' || tree.op === 'gather' ? new Set([...bound, tree.slot]) : bound;
  return partsOf(tree).some((part) => namesGiven(part, inside));
}

/** Formulas over several lines are told on one. */
const wordsOf = ({ source, tree }: Level): string => source.slice(tree.start, tree.end).replaceAll(/\s+/g, ' ');

/** Where a path begins. */
const baseOf = (tree: Tree): Tree => (tree.op === 'field' || tree.op === 'owner' ? baseOf(tree.of) : tree);

/** A tree with values instead of what it is given. */
function filledIn<T>(part: T, given: ReadonlyMap<number, Tree>): T {
  if (given.size === 0 || typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((one: unknown) => filledIn(one, given)) as T;
  if ('op' in part && (part as unknown as Tree).op === 'variable')
    return (given.get((part as unknown as TreeOf<'variable'>).slot) ?? part) as T;
  const inside = Object.entries(part).map(([name, value]) => [
    name,
    treeProperties.has(name) ? filledIn(value, given) : value,
  ]);
  return Object.fromEntries(inside) as T;
}

/** Properties that hold trees: of trees, of what narrows a collection, and of the bounds of it. */
const treeProperties: ReadonlySet<string> = new Set([
  'of',
  'left',
  'right',
  'test',
  'yes',
  'no',
  'body',
  'at',
  'where',
  'items',
  'args',
  'entries',
  'narrowing',
  'equals',
  'range',
  'value',
]);

/** Where something stands in a record: the record itself, or the items and objects that these keys lead to. */
export function placesUnder(
  record: Readonly<Values>,
  keys: readonly string[],
): readonly { readonly self: RecordValue; readonly path: string }[] {
  let places = [{ self: recordValue(record), path: '' }];
  for (const key of keys)
    places = places.flatMap(({ self, path }) => {
      const inside = self.values[key];
      if (Array.isArray(inside))
        return itemsWithin(self, [key]).map((item) => ({ self: item, path: `${path}${key}[${item.place}].` }));
      if (typeof inside !== 'object' || inside === null) return [];
      return [{ self: { ...recordValue(inside as Values), owner: self }, path: `${path}${key}.` }];
    });
  return places;
}
