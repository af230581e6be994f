// Formulas that cost nothing: to compute them again is cheaper than to remember what they gave.
import { partsOf } from '../language/index-keys.ts';
import type { Tree } from '../language/tree.ts';

/** Whether a formula looks at nothing but values of its record and of those that it names. */
export const isLight = (tree: Tree): boolean => isLightItself(tree) && partsOf(tree).every(isLight);

function isLightItself(tree: Tree): boolean {
  if (tree.op === 'field') return tree.member.kind === 'value' || tree.member.kind === 'reference';
  // Formulas that call others twice, which call others twice, would never end.
  return tree.op !== 'named' && tree.op !== 'gather' && tree.op !== 'macro' && tree.op !== 'call';
}
