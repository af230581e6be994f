// What conditions may say that lists are narrowed by: what a database can judge row by row without a function of ours.
import { partsOf } from '../formulas/language/index-keys.ts';
import type { Tree, TreeOf } from '../formulas/language/tree.ts';

/** A part of a condition that SQL cannot say. */
export interface Unsayable {
  readonly words: string;
  readonly offset: number;
}

/** A path leads through so many references. */
const mostReferences = 3;
/** So many `exists` stand in each other. */
const mostExists = 2;

/** The first part that a list cannot be narrowed by; undefined where the database can say all of it. */
export const unsayableIn = (tree: Tree): Unsayable | undefined => look(tree, 0);

function look(tree: Tree, depth: number): Unsayable | undefined {
  const { start: offset } = tree;
  switch (tree.op) {
    case 'literal':
    case 'variable':
    case 'self':
    case 'owner':
      return inside(tree, depth);
    case 'known':
      return tree.name === 'old' ? { words: 'old', offset } : undefined;
    case 'list':
    case 'equal':
    case 'in':
    case 'arithmetic':
    case 'negate':
    case 'not':
    case 'and':
    case 'or':
      return inside(tree, depth);
    case 'compare': {
      // `group.exists(x, …)` counts those that it finds.
      const found = anyOf(tree);
      return found === undefined ? inside(tree, depth) : lookAtExists(found, tree, depth);
    }
    case 'field':
      return lookAtField(tree, depth);
    case 'named': {
      const { formula, args } = tree;
      if (args.length > 0 || formula.isAtRead === true) return { words: formula.name, offset };
      const within = look(tree.of, depth) ?? lookAtNamed(formula.tree(), depth);
      return within && { words: within.words, offset };
    }
    case 'macro':
      return tree.name === 'exists' ? lookAtExists(tree, tree, depth) : { words: tree.name, offset: nameOf(tree) };
    case 'call':
      return { words: tree.name, offset };
    default:
      return { words: wordsOf[tree.op], offset };
  }
}

/** A formula that others name: what it reads through is a path of its own. A value that is inherited is one of two. */
const lookAtNamed = (tree: Tree, depth: number): Unsayable | undefined =>
  tree.op === 'if'
    ? (look(tree.test, depth) ?? lookAtNamed(tree.yes, depth) ?? lookAtNamed(tree.no, depth))
    : look(tree, depth);

function lookAtField(tree: TreeOf<'field'> & Tree, depth: number): Unsayable | undefined {
  const { of, member, start: offset } = tree;
  if (member.kind === 'items' || member.kind === 'others' || member.kind === 'references')
    return { words: member.name, offset };
  if (member.isTransient === true) return { words: member.name, offset };
  if (referencesOf(tree) > mostReferences) return { words: `a path through ${referencesOf(tree)} references`, offset };
  return look(of, depth);
}

const referencesOf = (tree: Tree): number =>
  tree.op === 'field' ? referencesOf(tree.of) + (tree.member.kind === 'reference' ? 1 : 0) : 0;

/** Where a macro stands behind what it goes through. */
const nameOf = ({ of, start }: TreeOf<'macro'> & Tree): number => (of.start === start ? of.end + 1 : start);

/** What is asked for any of it: `group.exists(x, …)` is compiled to a count that is more than none. */
function anyOf({ sign, left, right }: TreeOf<'compare'>): TreeOf<'macro'> | undefined {
  const isNone = right.op === 'literal' && right.literal.value === '0';
  return sign === '>' && isNone && left.op === 'macro' && left.name === 'count' && left.of.op === 'gather'
    ? left
    : undefined;
}

/** `group.exists(x, …)`, `lines.exists(l, …)`, and lists of other records that name this one. */
function lookAtExists({ of, body }: TreeOf<'macro'>, { start: offset }: Tree, depth: number): Unsayable | undefined {
  if (depth === mostExists) return { words: 'exists in exists in exists', offset };
  if (of.op === 'gather') {
    if (of.collection.lists.length > 0) return { words: 'items of the lists of other records', offset };
    const parts = [...of.narrowing.map(({ equals }) => equals), ...(of.where === undefined ? [] : [of.where])];
    return parts.map((part) => look(part, depth + 1)).find((found) => found !== undefined);
  }
  if (of.op !== 'field' || !['items', 'others', 'references'].includes(of.member.kind))
    return { words: 'exists over a value that is neither a list of the record nor a group', offset };
  return (body && look(body, depth + 1)) ?? look(of.of, depth);
}

const inside = (tree: Tree, depth: number): Unsayable | undefined =>
  partsOf(tree)
    .map((part) => look(part, depth))
    .find((found) => found !== undefined);

/** What a part is called where people read of it. */
const wordsOf = {
  sent: 'sent',
  before: 'before',
  map: '{…}',
  place: 'index',
  gather: 'filter',
  unite: 'filter',
  index: '[…]',
  join: '+ of texts',
  shift: '+ of days',
  between: '- of dates',
  if: '?',
} as const;
