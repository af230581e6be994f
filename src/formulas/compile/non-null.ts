// Narrowing: fields that a condition has shown not to be null, though their type allows it.
import type { Tree } from '../language/tree.ts';

/** Members of what a formula stands on, and of what is around it, by the steps up to them and their name. */
export type NonNull = ReadonlySet<string>;

/** Those of which a condition says `!= null`, alone or joined by `&&` with whatever else. */
export const nonNullWhere = (condition: Tree): NonNull => new Set(namesIn(condition));

function namesIn(tree: Tree): readonly string[] {
  if (tree.op === 'and') return [...namesIn(tree.left), ...namesIn(tree.right)];
  if (tree.op !== 'equal' || !tree.isNot) return [];
  const sides = [tree.left, tree.right];
  return sides.some(({ type }) => type.kind === 'null') ? sides.flatMap((side) => nameOf(side) ?? []) : [];
}

/** Undefined for a path through a reference: what it leads to is not the record's own. */
const nameOf = (tree: Tree): string | undefined =>
  tree.op === 'field' && tree.of.op === 'self' ? `${tree.of.up} ${tree.member.name}` : undefined;

/** A part of a formula that is compiled where these are not null. */
export function narrowed<Part extends Tree>(part: Part, nonNull: NonNull | undefined): Part {
  const name = nonNull === undefined ? undefined : nameOf(part);
  return name !== undefined && nonNull?.has(name) ? { ...part, nullable: false } : part;
}
