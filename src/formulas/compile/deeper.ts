// A part of a formula that is put inside of one more loop.
import type { Narrowing, RangeBound, Tree } from '../language/tree.ts';

const parts: ReadonlySet<string> = new Set(['of', 'at', 'test', 'yes', 'no', 'left', 'right', 'body', 'where']);
const lists: ReadonlySet<string> = new Set(['items', 'args']);

/** The same part where a variable is added at a slot: those that have stood there and further in go one further. */
export function deeper(tree: Tree, slot: number): Tree {
  // What is one part of a tree in two places is one part afterwards, too.
  const done = new Map<Tree, Tree>();
  const moved = (part: Tree): Tree => {
    const before = done.get(part);
    if (before !== undefined) return before;
    const after = Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, movedIn(key, value)]),
    ) as unknown as Tree;
    done.set(part, after);
    return after;
  };
  const movedIn = (key: string, value: unknown): unknown => {
    if (value === undefined) return undefined;
    if (key === 'slot') return Number(value) + (Number(value) >= slot ? 1 : 0);
    if (parts.has(key)) return moved(value as Tree);
    if (lists.has(key)) return (value as readonly Tree[]).map(moved);
    if (key === 'entries')
      return (value as readonly (readonly [string, Tree])[]).map(([name, one]) => [name, moved(one)]);
    if (key === 'narrowing')
      return (value as readonly Narrowing[]).map((one) => ({ ...one, equals: moved(one.equals) }));
    if (key === 'range') return (value as readonly RangeBound[]).map((one) => ({ ...one, value: moved(one.value) }));
    return value;
  };
  return moved(tree);
}
