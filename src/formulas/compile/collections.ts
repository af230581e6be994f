// Compiles collections: all records of a group, or all items of its lists, which only `gather.ts` lets formulas use.
import { didYouMean } from '../../text/nearest.ts';
import { FormulaFault } from '../language/fault.ts';
import type { Span } from '../language/syntax.ts';
import type { Collection, Tree, Type } from '../language/tree.ts';
import { listOf, recordOf } from '../language/types.ts';

/** A collection with the condition of its filters. It is not a value: only macros that narrow or aggregate it take it. */
export interface WholeCollection {
  readonly op: 'collection';
  readonly collection: Collection;
  /** Conditions of filters that no index serves. The item is the variable at the slot of the macro that reads it. */
  readonly filter: Tree | undefined;
  readonly type: Type;
  readonly nullable: false;
  readonly start: number;
  readonly end: number;
}

/** The fault of a formula that would read all records of a collection. */
export const unnarrowed = (
  { start }: { readonly start: number },
  { hasWholeCollections }: { readonly hasWholeCollections?: boolean },
): FormulaFault =>
  new FormulaFault(
    `searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); ${
      hasWholeCollections === true
        ? 'only aggregates take all of them: .count(), .sum(x, x.amount), .exists(x, x.isOpen)'
        : 'only a computed field with "compute": "onRead" or "always" aggregates all of them'
    }`,
    start,
  );

/** All of a collection, at a place of a formula. */
export const collectionTree = (collection: Collection, { start, end }: Span): WholeCollection => ({
  op: 'collection',
  collection,
  filter: undefined,
  type: listOf(recordOf(collection.shape)),
  nullable: false,
  start,
  end,
});

/** The items of a list of all records of a collection. */
export function itemsTree(
  { collection, filter }: WholeCollection,
  name: string,
  { start, end }: Span,
): WholeCollection {
  const { shape, group, lists } = collection;
  if (filter !== undefined)
    throw new FormulaFault(
      `takes "${name}" of records that are filtered; filter the items instead: .${name}.filter(i, i.record.isOpen)`,
      end - name.length,
    );
  const member = shape.member(name);
  if (member?.kind === 'items')
    return collectionTree({ group, lists: [...lists, member.key], shape: member.shape() }, { start, end });
  const hints = didYouMean(
    name,
    shape.names().filter((one) => shape.member(one)?.kind === 'items'),
  );
  throw new FormulaFault(`names "${name}", which is not an owned list of ${shape.words}${hints}`, end - name.length);
}
