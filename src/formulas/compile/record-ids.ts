// Record ids in conditions of roles. A comparison of records reads the columns that store their ids, so that all its spellings are one
// tree. An index serves that tree, and no other record must be read.
import { keptId } from '../language/index-keys.ts';
import type { Tree, TreeOf } from '../language/tree.ts';
import { common } from '../language/types.ts';
import { memberTree } from './parts.ts';
import type { Compiling, Scope } from './scope.ts';

type Pair = Pick<TreeOf<'equal'>, 'left' | 'right'>;

/** Returns `me.id` as `actor`, and `owner.id` as `ownerId`; any other tree unchanged. */
export function storedId(tree: Tree, scope: Scope): Tree {
  if (tree.op !== 'field' || tree.member.kind !== 'value' || tree.member.key !== 'id') return tree;
  return tree.of.op === 'known' && tree.of.name === 'me' ? actorIn(tree.of, scope) : keptId(tree);
}

/** Compares the ids of two records; any other pair unchanged. */
export function idsOfRecords(pair: Pair, { scope }: Compiling): Pair {
  const { left, right } = pair;
  if (scope.me === undefined || common(left.type, right.type) === undefined) return pair;
  const [one, other] = [idOfRecord(left, scope), idOfRecord(right, scope)];
  return one === undefined || other === undefined ? pair : { left: one, right: other };
}

/** Searches the id of a record among ids, instead of the record among records; any other pair unchanged. */
export function idsAmongRecords(pair: Pair, { scope }: Compiling): Pair {
  const { left, right } = pair;
  if (scope.me === undefined || right.type.kind !== 'list' || common(left.type, right.type.item) === undefined)
    return pair;
  const [one, others] = [idOfRecord(left, scope), idsIn(right, scope)];
  return one === undefined || others === undefined ? pair : { left: one, right: others };
}

function idsIn(list: Tree, scope: Scope): Tree | undefined {
  if (list.op === 'field' && list.member.kind === 'references')
    return memberTree(list.of, list.member.key, { start: list.start, end: list.end });
  if (list.op !== 'list') return undefined;
  const ids = list.items.map((item) => idOfRecord(item, scope));
  const items = ids.flatMap((id) => id ?? []);
  const [first] = items;
  if (first === undefined || items.length < ids.length) return undefined;
  return { ...list, items, type: { kind: 'list', item: first.type } };
}

/** Returns the id of a record that its path stores, or null; undefined if another record must be read. */
function idOfRecord(tree: Tree, scope: Scope): Tree | undefined {
  if (tree.type.kind === 'null') return tree;
  if (tree.type.kind !== 'record' || tree.type.shape.kind !== 'record') return undefined;
  if (tree.op === 'known' && tree.name === 'me') return actorIn(tree, scope);
  const isAtHand =
    tree.op === 'self' ||
    tree.op === 'variable' ||
    (tree.op === 'field' && tree.member.kind === 'reference' && tree.member.by === undefined);
  const id = isAtHand ? memberTree(tree, 'id', { start: tree.start, end: tree.end }) : undefined;
  return id && keptId(id);
}

const actorIn = ({ start, end }: Tree, { actors }: Scope): Tree => ({
  op: 'known',
  name: 'actor',
  type: { kind: 'id', group: actors },
  nullable: true,
  start,
  end,
});
