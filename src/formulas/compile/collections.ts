// Compiles collections: all records of a group, or all items of its lists, which only `gather.ts` lets formulas use.
import { didYouMean } from '../../text/nearest.ts';
import { FormulaFault } from '../language/fault.ts';
import type { Span } from '../language/syntax.ts';
import type { Collection, Type } from '../language/tree.ts';
import { listOf, recordOf } from '../language/types.ts';

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
    'looks through all records; narrow them by a field that equals something or lies between bounds: .filter(x, x.projectId == id)',
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
