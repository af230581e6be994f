// What hangs on nothing but what the formula stands on is found once in an evaluation, however many loops ask for it.
import type { Tree } from '../language/tree.ts';
import { type Code, type Part, unsure } from './code.ts';

/** @param find Writes the code that finds it. */
export function foundOnce(tree: Tree, code: Code, find: () => Part): Part {
  if (!code.isRepeated) return find();
  const memo = code.local(`state.memo.found(${code.constant(tree)})`);
  const found = code.local(`${memo}.get(self)`);
  const encounters = 'state.facts.encounters';
  // Whoever asks again meets what was met then.
  code.line(
    `if (${found} !== undefined && ${found}.isPartial && ${encounters} !== undefined) ${encounters}.unknown += 1;`,
  );
  code.block(`if (${found} === undefined)`, () => {
    const unknown = code.local(`${encounters}?.unknown`);
    const value = code.local('null');
    const { throughNull, overlong } = code.apart(() => code.line(`${value} = ${find().code};`));
    const isPartial = `${encounters}?.unknown !== ${unknown}`;
    code.line(
      `${found} = { value: ${value}, throughNull: ${throughNull}, overlong: ${overlong}, isPartial: ${isPartial} };`,
    );
    // What is not asked for on the off chance may be asked for by others.
    code.line(`if (${value} !== notKnown || !state.isOpen) state.memo.keep(${memo}, self, ${found});`);
  });
  code.line(`if (${found}.throughNull) state.throughNull = true; state.overlong ??= ${found}.overlong;`);
  return unsure(code.local(`${found}.value`));
}
