// Tells whether a condition can never hold: because of what it asks of one field at once, in each of its branches.
import type { Tree } from '../../formulas/language/tree.ts';

/** What one comparison leaves of a field: these values alone, or those between two bounds. */
interface Left {
  readonly path: string;
  readonly values?: ReadonlySet<string>;
  readonly least?: { readonly value: string; readonly isOpen: boolean };
  readonly most?: { readonly value: string; readonly isOpen: boolean };
}

/** So many branches are looked at. */
const mostBranches = 64;

/** Whether each branch of a condition contradicts itself. What is too much to look at may hold. */
export function neverHolds(tree: Tree): boolean {
  const branches = branchesOf(tree);
  return branches?.every(contradicts) === true;
}

/** The condition as alternatives, each with its comparisons; undefined where there are too many. */
function branchesOf(tree: Tree): readonly (readonly Left[])[] | undefined {
  if (tree.op === 'or') {
    const [left, right] = [branchesOf(tree.left), branchesOf(tree.right)];
    return left === undefined || right === undefined ? undefined : within([...left, ...right]);
  }
  if (tree.op === 'and') {
    const [left, right] = [branchesOf(tree.left), branchesOf(tree.right)];
    if (left === undefined || right === undefined) return undefined;
    return within(left.flatMap((one) => right.map((other) => [...one, ...other])));
  }
  const left = leftBy(tree);
  return [left === undefined ? [] : [left]];
}

const within = <T>(branches: readonly T[]): readonly T[] | undefined =>
  branches.length > mostBranches ? undefined : branches;

function leftBy(tree: Tree): Left | undefined {
  if (tree.op !== 'equal' && tree.op !== 'compare' && tree.op !== 'in') return undefined;
  const path = pathOf(tree.left);
  if (path === undefined) return undefined;
  if (tree.op === 'in') {
    if (tree.right.op !== 'list') return undefined;
    const values = tree.right.items.map(literalOf);
    return values.includes(undefined) ? undefined : { path, values: new Set(values as string[]) };
  }
  const value = literalOf(tree.right);
  if (value === undefined || (tree.op === 'equal' && tree.isNot)) return undefined;
  if (tree.op === 'equal') return { path, values: new Set([value]) };
  const bound = { value, isOpen: tree.sign === '<' || tree.sign === '>' };
  return tree.sign === '<' || tree.sign === '<=' ? { path, most: bound } : { path, least: bound };
}

function pathOf(tree: Tree): string | undefined {
  if (tree.op === 'known') return tree.name;
  if (tree.op !== 'field') return undefined;
  if (tree.of.op === 'self' && tree.of.up === 0) return tree.member.name;
  const before = pathOf(tree.of);
  return before && `${before}.${tree.member.name}`;
}

const literalOf = (tree: Tree): string | undefined =>
  tree.op === 'literal' ? `${tree.literal.kind}:${tree.literal.value}` : undefined;

/** Whether comparisons of one field leave no value. */
function contradicts(all: readonly Left[]): boolean {
  return [...Map.groupBy(all, ({ path }) => path).values()].some((about) => {
    const sets = about.flatMap(({ values }) => values ?? []);
    const [first = new Set<string>(), ...others] = sets;
    const common = [...first].filter((value) => others.every((set) => set.has(value)));
    const isOut = (value: string): boolean =>
      about.some(({ least, most }) => (least && below(value, least)) === true || (most && above(value, most)) === true);
    if (sets.length > 0) return common.every(isOut);
    return about.some(({ least }) => about.some(({ most }) => least && most && isEmpty(least, most)));
  });
}

type Bound = NonNullable<Left['least']>;
const below = (value: string, { value: least, isOpen }: Bound): boolean => order(value, least) < (isOpen ? 1 : 0);
const above = (value: string, { value: most, isOpen }: Bound): boolean => order(value, most) > (isOpen ? -1 : 0);
const isEmpty = (least: Bound, most: Bound): boolean => {
  const found = order(least.value, most.value);
  return found > 0 || (found === 0 && (least.isOpen || most.isOpen));
};

/** Numbers as numbers; dates, moments and times are ordered as texts. */
function order(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => text.slice(text.indexOf(':') + 1));
  if (one.startsWith('number:') && other.startsWith('number:')) return Math.sign(Number(a) - Number(b));
  return (a ?? '') < (b ?? '') ? -1 : a === b ? 0 : 1;
}
