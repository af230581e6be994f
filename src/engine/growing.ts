// Which formulas read every record that they look at, and which figures each write brings up to date in all records beside it:
// they grow with the number of records, where all else does not.
import { sumsIn } from '../formulas/difference.ts';
import { partsOf } from '../formulas/narrow.ts';
import { type TallyPlan, tallyOf } from '../formulas/tally.ts';
import type { Tree } from '../formulas/tree.ts';
import type { Type } from '../formulas/types.ts';
import { graphOf, type Saying } from '../registry/graph.ts';
import type { Registry } from '../registry/model.ts';
import type { Groups } from './groups.ts';

/** A figure or a condition, and why it grows. */
export interface Growing {
  /** `box.out`; the group alone for a condition of its rules. */
  readonly place: string;
  readonly text: string;
}

/** Those of all groups, each once. @param all The groups as they are on each engine. */
export function growingIn(registry: Registry, all: readonly Groups[]): readonly Growing[] {
  const found = new Map<string, Growing>();
  for (const saying of graphOf(registry).sayings) {
    const place = saying.name === undefined ? saying.group : `${saying.group}.${saying.name}`;
    for (const text of [...readingIn(saying, all), ...besideIn(saying)]) found.set(`${place} ${text}`, { place, text });
  }
  return [...found.values()];
}

/** Collections whose records no engine tells of as a whole. What an effect changes it reads in any case. */
function readingIn({ formulas, figure, effect }: Saying, all: readonly Groups[]): readonly string[] {
  if (effect !== undefined) return [];
  return formulas.flatMap(({ source, tree }) => {
    const moving = figure?.taken === 'always' && figure.tree === tree ? sumsIn(tree)?.places : undefined;
    const read = readWhole(tree, all).filter((part) => moving?.has(part) !== true);
    return read.map(({ start, end }) => `reads all of ${source.slice(start, end).replaceAll(/\s+/g, ' ')}`);
  });
}

function readWhole(tree: Tree, all: readonly Groups[]): readonly Tree[] {
  const plan = tree.op === 'macro' ? tallyOf(tree) : undefined;
  if (plan !== undefined && all.every((groups) => canTell(plan, groups))) return [];
  // Whether there is any at all is one row.
  if (tree.op === 'gather') return tree.narrowing.length === 0 ? [] : [tree];
  if (tree.op === 'field' && tree.member.kind === 'others') return [tree];
  return partsOf(tree).flatMap((part) => readWhole(part, all));
}

function canTell({ tally }: TallyPlan, groups: Groups): boolean {
  const { group, lists } = tally.collection;
  const ask = { tally, wanted: [], given: tally.given.map(sampleOf), most: undefined };
  return groups.get(group).rows.tallier(lists).canTell(ask);
}

/** Any value of a type. */
const sampleOf = ({ kind }: Type): string | boolean => (kind === 'bool' ? true : kind === 'number' ? '1' : '');

/** Figures that look at the records beside their own: each of these changes what all of them look at. */
function besideIn({ group, figure }: Saying): readonly string[] {
  const isBeside = figure?.watches.some(
    ({ isFound, group: looked, ways }) =>
      isFound && looked === group && ways.some((way) => way.at(-1)?.pairs.every(({ to }) => to.key !== 'id')),
  );
  return figure?.taken === 'always' && isBeside === true
    ? ['is brought up to date in all records beside one that is written']
    : [];
}
