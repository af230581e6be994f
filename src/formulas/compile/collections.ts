// Compiles collections: all records of a group, or all items of its lists. Every use must have an index key, so that only few
// are read.
import { didYouMean } from '../../text/nearest.ts';
import { FormulaFault } from '../language/fault.ts';
import { narrowingPart, narrowingsOf } from '../language/index-keys.ts';
import type { MacroName } from '../language/names.ts';
import type { Span } from '../language/syntax.ts';
import type { Collection, Tree, Type } from '../language/tree.ts';
import { bool, listOf, number, recordOf } from '../language/types.ts';

/** All of a collection, which only a macro that narrows it may be asked of. */
export interface WholeCollection {
  readonly op: 'collection';
  readonly collection: Collection;
  readonly type: Type;
  readonly nullable: false;
  readonly start: number;
  readonly end: number;
}

export const unnarrowed = ({ start }: { readonly start: number }): FormulaFault =>
  new FormulaFault(
    'looks through all records; narrow them by a field that equals something: .filter(x, x.projectId == id)',
    start,
  );

/** All of a collection, at a place of a formula. */
export const collectionTree = (collection: Collection, { start, end }: Span): WholeCollection => ({
  op: 'collection',
  collection,
  type: listOf(recordOf(collection.shape)),
  nullable: false,
  start,
  end,
});

/** The items of a list of all records of a collection. */
export function itemsTree({ collection }: WholeCollection, name: string, { start, end }: Span): WholeCollection {
  const { shape, group, lists } = collection;
  const member = shape.member(name);
  if (member?.kind === 'items')
    return collectionTree({ group, lists: [...lists, member.key], shape: member.shape() }, { start, end });
  const hints = didYouMean(
    name,
    shape.names().filter((one) => shape.member(one)?.kind === 'items'),
  );
  throw new FormulaFault(
    `names "${name}", which is no list of items that ${shape.words} owns${hints}`,
    end - name.length,
  );
}

interface Asked {
  readonly name: MacroName;
  readonly receiver: WholeCollection;
  readonly slot: number;
  readonly variable: string;
  readonly body: Tree | undefined;
  readonly typed: { readonly type: Type; readonly nullable: boolean };
}

/** These look at no more of a collection than their body lets them. */
const narrowing: ReadonlySet<MacroName> = new Set(['filter', 'exists', 'all', 'count']);

/** A macro that is asked of all of a collection: what it is narrowed by goes into the reading of it. */
export function gatherTree({ name, receiver, slot, variable, body, typed }: Asked, { start, end }: Span): Tree {
  const { collection } = receiver;
  if (!narrowing.has(name) || body === undefined) throw unnarrowed(receiver);
  const gather = (narrowings: ReturnType<typeof narrowingsOf>, where: Tree | undefined): Tree => ({
    op: 'gather',
    collection,
    slot,
    variable,
    narrowing: narrowings,
    where,
    type: receiver.type,
    nullable: false,
    start,
    end,
  });
  const isAny = name === 'exists' && body.op === 'literal' && body.literal.value === true;
  // An index is made for a formula that nothing else narrows.
  const indexed = isAny ? [] : narrowingsOf(body, slot);
  const by = indexed.length === 0 && collection.lists.length === 0 ? 'any' : 'indexed';
  const narrowings = isAny || indexed.length > 0 ? indexed : narrowingsOf(body, slot, by);
  if (narrowings.length === 0 && !isAny) throw unnarrowed(receiver);
  if (name === 'filter') return gather(narrowings, body);
  // Asked of those that its narrowing part finds: of all others it would not hold.
  if (name === 'all') {
    const of = gather(narrowings, narrowingPart(body, slot, by));
    return { op: 'macro', name, of, slot, variable, body, ...typed, start, end };
  }
  const found = gather(narrowings, isAny ? undefined : body);
  const counted: Tree = {
    op: 'macro',
    name: 'count',
    of: found,
    slot,
    variable,
    body: undefined,
    type: number,
    nullable: false,
    start,
    end,
  };
  if (name === 'count') return { ...counted, ...typed };
  const none: Tree = {
    op: 'literal',
    literal: { kind: 'number', value: '0' },
    type: number,
    nullable: false,
    start,
    end,
  };
  return { op: 'compare', sign: '>', left: counted, right: none, type: bool, nullable: false, start, end };
}
