// Compiles macros over collections. An index key finds few records: a field that equals something, bounds on a field, or several
// of these joined by `||`. Without one, only aggregates that a database computes may read the collection.
import { isOfRange, joinedBy, narrowingPart, narrowingsOf, rangeOf, type Seeking } from '../language/index-keys.ts';
import type { MacroName } from '../language/names.ts';
import type { Span } from '../language/syntax.ts';
import type { Extent, Narrowing, RangeBound, Tree, TreeOf, Type } from '../language/tree.ts';
import { bool, listOf, number } from '../language/types.ts';
import { unnarrowed, type WholeCollection } from './collections.ts';
import { deeper } from './deeper.ts';
import type { Any, Scope } from './scope.ts';
import { overSearches } from './unions.ts';

interface Asked {
  readonly name: MacroName;
  readonly receiver: WholeCollection;
  readonly slot: number;
  readonly variable: string;
  readonly body: Tree | undefined;
  readonly typed: { readonly type: Type; readonly nullable: boolean };
  readonly scope: Scope;
}

/** How the records of a collection are found. */
type Way =
  | { readonly by: 'keys'; readonly narrowing: readonly Narrowing[]; readonly part: Tree }
  | { readonly by: 'range'; readonly range: readonly RangeBound[]; readonly part: Tree }
  /** By one condition of several. */
  | { readonly by: 'options'; readonly options: readonly Tree[]; readonly part: Tree }
  /** By a field that equals one of a list. */
  | { readonly by: 'each'; readonly list: Tree; readonly part: TreeOf<'in'> };

/** Macros whose body may narrow a collection. */
const narrowing: ReadonlySet<MacroName> = new Set(['filter', 'exists', 'all', 'count']);

/** Macros that need all records themselves, not an aggregate of them. */
const reading: ReadonlySet<MacroName> = new Set(['map', 'sorted', 'distinct']);

/** A name that no formula can write. */
const unwritten = 'each of them';

/** Compiles a macro over a collection. A filter that no index serves gives a collection again, for an aggregate. */
export function gatherTree(asked: Asked, span: Span): Any {
  const { name, receiver, slot, body, scope } = asked;
  const gathering = new Gathering(asked, span);
  const where = body !== undefined && narrowing.has(name) ? gathering.withFilters(body) : undefined;
  const way = where && gathering.wayOf(where, slot);
  if (where === undefined || way === undefined || (name === 'all' && isWhole(way, where))) {
    if (name === 'exists' && where !== undefined && isTrue(where) && scope.hasWholeCollections !== true)
      return gathering.isAny(gathering.gather({ extent: 'any', narrowing: [], range: [], where: undefined }));
    if (scope.hasWholeCollections !== true || reading.has(name)) throw unnarrowed(receiver, scope);
    return gathering.whole(where);
  }
  if (name === 'filter') return gathering.found(way, where);
  // Asked of those that its narrowing part finds: of all others it would not hold.
  if (name === 'all') return gathering.macro(gathering.found(way, way.part));
  if (name === 'exists') return gathering.exists(way, where);
  return gathering.countOf(gathering.found(way, where));
}

/** Whether a condition does nothing but narrow: it holds for all records that it finds. */
const isWhole = ({ part }: Way, where: Tree): boolean => joinedBy('and', part).length === joinedBy('and', where).length;

const isTrue = (tree: Tree): boolean => tree.op === 'literal' && tree.literal.value === true;

class Gathering {
  readonly #asked: Asked;
  readonly #span: Span;

  constructor(asked: Asked, { start, end }: Span) {
    this.#asked = asked;
    this.#span = { start, end };
  }

  /** Joins the condition of the macro with those of the filters before it. */
  withFilters(body: Tree): Tree {
    const { filter } = this.#asked.receiver;
    if (filter === undefined) return body;
    return isTrue(body) ? filter : this.#and(filter, body);
  }

  /** The macro over all records for which the filters before it hold. @param where The condition of the macro, joined with those. */
  whole(where: Tree | undefined): Any {
    const { name, receiver } = this.#asked;
    const filter = where === undefined || isTrue(where) ? receiver.filter : where;
    if (name === 'filter') return { ...receiver, filter };
    const all = (condition: Tree | undefined): Tree =>
      this.gather({ extent: 'whole', narrowing: [], range: [], where: condition });
    if (name === 'exists') return this.isAny(all(filter));
    if (name === 'count') return this.countOf(all(filter));
    return this.macro(all(receiver.filter));
  }

  /** The macro over a list. */
  macro(of: Tree): Tree {
    const { name, slot, variable, body, typed } = this.#asked;
    const macro: TreeOf<'macro'> = { op: 'macro', name, of, slot, variable, body, ...typed, ...this.#span };
    return overSearches(macro) ?? macro;
  }

  /** How a condition finds records; undefined where no index could. */
  wayOf(body: Tree, slot: number): Way | undefined {
    return (
      this.#keys(body, slot, 'indexed') ??
      this.#options(body, slot, (part) => this.#keys(part, slot, 'indexed')) ??
      // An index is made for a formula that nothing else narrows.
      (this.#asked.receiver.collection.lists.length > 0 ? undefined : this.#made(body, slot))
    );
  }

  #made(body: Tree, slot: number): Way | undefined {
    const keysOf = (part: Tree): Way | undefined => this.#keys(part, slot, 'any');
    const found = keysOf(body) ?? this.#options(body, slot, keysOf);
    if (found !== undefined) return found;
    const range = rangeOf(body, slot);
    const bounds = joinedBy('and', body).filter((part) => isOfRange(part, range));
    if (range.length > 0) return { by: 'range', range, part: bounds.reduce((left, right) => this.#and(left, right)) };
    return this.#options(body, slot, (part) => this.wayOf(part, slot));
  }

  #keys(body: Tree, slot: number, by: Seeking): Way | undefined {
    const part = narrowingPart(body, slot, by);
    return part && { by: 'keys', narrowing: narrowingsOf(body, slot, by), part };
  }

  /** The first part of a condition that is one of several, each of which finds records: `a || b`, `x.kind in ['a', 'b']`. */
  #options(body: Tree, slot: number, wayOf: (part: Tree) => Way | undefined): Way | undefined {
    for (const part of joinedBy('and', body)) {
      if (part.op === 'or') {
        const options = joinedBy('or', part);
        if (options.every((option) => wayOf(option) !== undefined)) return { by: 'options', options, part };
      }
      if (part.op !== 'in') continue;
      const { left, right } = part;
      const equal = (to: Tree): Tree => ({ ...part, op: 'equal', isNot: false, left, right: to });
      if (right.op !== 'list') {
        const item: Tree = { ...variableTree(right, slot + 1), start: right.start, end: right.end };
        if (wayOf(equal(item)) !== undefined && wayOf(equal(right)) !== undefined)
          return { by: 'each', list: right, part };
      } else if (right.items.length > 0 && right.items.every((item) => wayOf(equal(item)) !== undefined))
        return { by: 'options', options: eachOnce(right.items).map(equal), part };
    }
    return undefined;
  }

  /** The list of those that are found, and of which the condition holds. */
  found(way: Way, where: Tree): Tree {
    const { slot } = this.#asked;
    switch (way.by) {
      case 'keys':
        return this.gather({ extent: 'found', narrowing: way.narrowing, range: [], where });
      case 'range':
        return this.gather({ extent: 'found', narrowing: [], range: way.range, where });
      case 'options': {
        const items = way.options.flatMap((option, place) => {
          const wayIn = this.wayOf(option, slot);
          if (wayIn === undefined) return [];
          const those = where === way.part ? option : this.#and(option, where);
          return [this.found(wayIn, this.#without(those, option, way.options.slice(0, place)))];
        });
        return this.#unite({
          op: 'list',
          items,
          type: listOf(this.#asked.receiver.type),
          nullable: false,
          ...this.#span,
        });
      }
      case 'each':
        return this.#ofEach(way, where);
    }
  }

  /** Those of which a condition holds and that equal one of a list, which is known when the formula is evaluated. */
  #ofEach({ list, part }: Way & { by: 'each' }, where: Tree): Tree {
    const { slot, receiver } = this.#asked;
    const equal: Tree = {
      ...part,
      op: 'equal',
      isNot: false,
      left: deeper(part.left, slot),
      right: variableTree(list, slot),
    };
    const way = this.wayOf(equal, slot + 1);
    if (way?.by !== 'keys') throw unnarrowed(receiver, this.#asked.scope);
    const body = this.gather({
      ...{ extent: 'found', narrowing: way.narrowing, range: [] },
      ...{ where: deeper(where, slot), slot: slot + 1 },
    });
    const type = listOf(receiver.type);
    return this.#unite({
      op: 'macro',
      name: 'map',
      of: onceEach(list),
      slot,
      variable: unwritten,
      body,
      type,
      nullable: false,
      ...this.#span,
    });
  }

  exists(way: Way, body: Tree): Tree {
    if (way.by !== 'options') {
      const found = this.found(way, body);
      const each = found.op === 'unite' && found.of.op === 'macro' ? found.of : undefined;
      if (each?.body === undefined) return this.isAny(found);
      return { ...each, name: 'exists', body: this.isAny(each.body), type: bool };
    }
    const { slot } = this.#asked;
    const options = way.options.flatMap((option) => {
      const wayIn = this.wayOf(option, slot);
      return wayIn === undefined ? [] : [this.exists(wayIn, this.#and(option, body))];
    });
    return options.reduce((left, right) => ({ op: 'or', left, right, type: bool, nullable: false, ...this.#span }));
  }

  gather(by: {
    readonly extent: Extent;
    readonly narrowing: readonly Narrowing[];
    readonly range: readonly RangeBound[];
    readonly where: Tree | undefined;
    readonly slot?: number;
  }): Tree {
    const { receiver, slot, variable } = this.#asked;
    const { collection, type } = receiver;
    return { op: 'gather', collection, slot, variable, ...by, type, nullable: false, ...this.#span };
  }

  isAny(of: Tree): Tree {
    const literal = { kind: 'number', value: '0' } as const;
    const right: Tree = { op: 'literal', literal, type: number, nullable: false, ...this.#span };
    return { op: 'compare', sign: '>', left: this.countOf(of), right, type: bool, nullable: false, ...this.#span };
  }

  countOf(of: Tree): Tree {
    const { slot, variable } = this.#asked;
    const count: TreeOf<'macro'> = {
      ...{ op: 'macro', name: 'count', of, slot, variable, body: undefined, type: number, nullable: false },
      ...this.#span,
    };
    return overSearches(count) ?? count;
  }

  /** Those that the options before have not found: each is found once. */
  #without(where: Tree, option: Tree, before: readonly Tree[]): Tree {
    return before
      .filter((other) => !areApart(other, option))
      .reduce((left, of) => this.#and(left, { op: 'not', of, type: bool, nullable: false, ...this.#span }), where);
  }

  #unite(of: Tree): Tree {
    return { op: 'unite', of, type: this.#asked.receiver.type, nullable: false, ...this.#span };
  }

  #and = (left: Tree, right: Tree): Tree => ({ op: 'and', left, right, type: bool, nullable: false, ...this.#span });
}

/** Two literals of one list are no two values of one field. */
const areApart = (one: Tree, other: Tree): boolean =>
  one.op === 'equal' &&
  other.op === 'equal' &&
  one.left === other.left &&
  isLiteral(one.right) &&
  isLiteral(other.right);

const isLiteral = ({ op }: Tree): boolean => op === 'literal';

/** A literal that is written twice finds the same. */
const eachOnce = (items: readonly Tree[]): readonly Tree[] => [
  ...new Map(
    items.map((item) => [item.op === 'literal' ? `${item.literal.kind} ${item.literal.value}` : item, item]),
  ).values(),
];

/** A value that stands in a list twice finds the same. */
const onceEach = (of: Tree): Tree => ({
  ...{ op: 'macro', name: 'distinct', of, slot: 0, variable: '', body: undefined },
  ...{ type: of.type, nullable: of.nullable, start: of.start, end: of.end },
});

/** What goes through a list. */
function variableTree(list: Tree, slot: number): Tree {
  const type = list.type.kind === 'list' ? list.type.item : list.type;
  return { op: 'variable', slot, name: unwritten, type, nullable: true, start: list.start, end: list.end };
}
