// Sums over records that come and go: by how much one of them makes a sum another.
import { evaluateInside } from './evaluate.ts';
import { atHand, type RecordValue } from './facts.ts';
import type { Tree, TreeOf } from './tree.ts';
import { type Known, notKnown } from './value.ts';

/** A formula that is a sum, or a number, of records or items of others, and nothing besides. */
export interface Sum {
  readonly over: TreeOf<'gather'> | TreeOf<'field'>;
  readonly slot: number;
  /** What each adds; 1 without it. */
  readonly body: Tree | undefined;
  /** Keys of the lists in whose items they are; none for records. */
  readonly lists: readonly string[];
}

/** @returns undefined for a formula that is no such sum. */
export function sumOf(tree: Tree): Sum | undefined {
  if (tree.op !== 'macro' || !(tree.name === 'sum' || tree.name === 'count')) return undefined;
  const { of, slot, body, name } = tree;
  const isOver = of.op === 'gather' || (of.op === 'field' && of.member.kind === 'others' && of.of.op === 'self');
  // A number of those for which something holds is written as a filter.
  if (!isOver || (name === 'count') !== (body === undefined)) return undefined;
  return { over: of, slot, body, lists: of.op === 'gather' ? of.collection.lists : [] };
}

/**
 * What an item adds to the sum of a record.
 * @returns undefined where that hangs on other records.
 */
export function shareOf({ over, slot, body }: Sum, self: RecordValue, item: RecordValue): string | undefined {
  const isIn = over.op === 'gather' ? isGathered(over, self, item) : isNaming(over, self, item);
  if (isIn === notKnown) return undefined;
  if (isIn !== true) return '0';
  if (body === undefined) return '1';
  const value = evaluateInside(body, self, { slot, item, facts: atHand });
  if (value === notKnown) return undefined;
  return typeof value === 'string' ? value : '0';
}

const isGathered = (
  { where, slot }: TreeOf<'gather'>,
  self: RecordValue,
  item: RecordValue,
): Known | typeof notKnown => (where === undefined ? true : evaluateInside(where, self, { slot, item, facts: atHand }));

const isNaming = ({ member }: TreeOf<'field'>, self: RecordValue, item: RecordValue): boolean =>
  member.kind === 'others' && item.values[member.field] === self.id;
