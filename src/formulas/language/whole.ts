// Whether a part of a formula always gives a whole number.
import type { FunctionName } from './names.ts';
import type { Tree } from './tree.ts';

const wholeFunctions: ReadonlySet<FunctionName> = new Set([
  ...(['floor', 'ceil', 'weekday', 'size', 'year', 'month', 'day', 'quarter', 'isoWeek', 'isoYear'] as const),
]);
/** Of whole numbers they give whole ones. */
const keepingWhole: ReadonlySet<FunctionName> = new Set(['remainder', 'pow', 'abs']);

/** Whether a number is whole wherever it is not null. */
export function isWhole(tree: Tree): boolean {
  switch (tree.op) {
    case 'literal':
      return tree.literal.kind === 'number' && /^-?\d+$/.test(tree.literal.value);
    case 'field':
    case 'variable':
      return tree.type.kind === 'number' && tree.type.scale === 0;
    case 'place':
    case 'between':
      return true;
    case 'negate':
      return isWhole(tree.of);
    case 'arithmetic':
      return tree.sign !== '/' && isWhole(tree.left) && isWhole(tree.right);
    case 'if':
      return isWhole(tree.yes) && isWhole(tree.no);
    case 'macro':
      return tree.name === 'count';
    case 'call':
      return wholeFunctions.has(tree.name) || (keepingWhole.has(tree.name) && tree.args.every(isWhole));
    default:
      return false;
  }
}
