// Evaluates macros over lists, and calls of functions.
import { comparing } from '../language/function-row.ts';
import { functionRow } from '../language/functions.ts';
import { macroRow } from '../language/macros.ts';
import type { Tree, TreeOf } from '../language/tree.ts';
import { asList, type Known, notKnown } from '../language/value.ts';
import { all, isTooLong, ofEach, type Run, type RunOf } from './frame.ts';
import { tallyingRun } from './tally-run.ts';

/** A macro over the items of a list. */
export function macroRun(tree: TreeOf<'macro'>, runOf: RunOf): Run {
  const { name, of, slot, body, type } = tree;
  const tallied = tallyingRun(tree, runOf);
  const list = runOf(of);
  const { gather } = macroRow(name);
  const found = body && runOf(body);
  const compare = comparing(body?.type ?? (type.kind === 'list' ? type.item : type));
  const order = of.op === 'gather' ? of.order : undefined;
  return (frame) => {
    const before = order && frame.facts.previous?.(order, frame.self);
    if (before !== undefined) return before;
    // All that it adds up would be read and computed, however much that is.
    if (name === 'sum' && frame.isOpen) return notKnown;
    const told = tallied?.(frame);
    if (told !== undefined) return told;
    const items = list(frame);
    if (items === notKnown) return notKnown;
    if (found === undefined) return gather(asList(items), undefined, compare);
    const parts: Known[] = [];
    let isKnown = true;
    const runs = ofEach(found, slot, frame);
    for (const item of asList(items)) {
      const part = runs(item);
      if (part === notKnown) isKnown = false;
      else parts.push(part);
    }
    return isKnown ? gather(asList(items), parts, compare) : notKnown;
  };
}

/** A number that is compared: it need not be counted further than what it is compared with. */
export function runUpTo(tree: Tree, other: Tree, runOf: RunOf): Run {
  const run = runOf(tree);
  const tallied =
    tree.op === 'macro' && tree.name === 'count' && isAtHand(other) ? tallyingRun(tree, runOf) : undefined;
  if (tallied === undefined) return run;
  const bound = runOf(other);
  return (frame) => {
    const most = bound(frame);
    const isNumber = typeof most === 'string' && Number(most) <= Number.MAX_SAFE_INTEGER;
    const told = isNumber ? tallied(frame, Math.max(0, Math.floor(Number(most))) + 1) : undefined;
    return told ?? run(frame);
  };
}

/** A number that is known without asking. */
export const isAtHand = (tree: Tree): boolean =>
  tree.op === 'literal' || (tree.op === 'field' && tree.of.op === 'self' && tree.member.kind === 'value');

/** A call of a function. */
export function callRun({ name, args, type }: TreeOf<'call'>, runOf: RunOf): Run {
  const parts = args.map(runOf);
  const { call, takesNull, tooLong } = functionRow(name);
  const compare = comparing(type);
  return (frame) => {
    const values = all(parts, frame);
    if (values === notKnown) return notKnown;
    if (!takesNull && values.includes(null)) return null;
    const value = call(values, compare);
    return tooLong !== undefined && isTooLong(tooLong(value), frame.notes) ? null : value;
  };
}
