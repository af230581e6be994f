// Complete sources of computed fields and computed states, each as one text. When one changes, stored values are computed again.
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { Figure, Registry, State } from '../model/model.ts';

/** Returns the formula in one line, its condition, and the named formulas that both call, directly or not. */
export function figureSource({ source, tree, when }: Figure, registry: Registry): string {
  const condition = when === undefined ? '' : ` when ${inOneLine(when.source)}`;
  return `${inOneLine(source)}${condition}${namedFormulas(when === undefined ? [tree] : [tree, when.tree], registry)}`;
}

/** Returns the values of a computed state with their conditions, in order, and the named formulas that these call. */
export function statesSource(states: readonly State[], registry: Registry): string {
  const values = states.map(({ to, when }) => `${JSON.stringify(to)} when ${inOneLine(when.source)}`);
  const trees = states.map(({ when }) => when.tree);
  return `${values.join(', else ')}${namedFormulas(trees, registry)}`;
}

function namedFormulas(trees: readonly Tree[], { resources }: Registry): string {
  const named = new Map<string, string>();
  const visit = (part: Tree): void => {
    if (part.op === 'named' && part.of.type.kind === 'record') {
      const { group } = part.of.type.shape;
      const { name } = part.formula;
      const found = resources.get(group)?.formulas.find((each) => each.name === name);
      if (found !== undefined && !named.has(`${group}.${name}`)) {
        named.set(`${group}.${name}`, inOneLine(found.source));
        visit(part.formula.tree());
      }
    }
    for (const inner of partsOf(part)) visit(inner);
  };
  for (const tree of trees) visit(tree);
  const calls = [...named].map(([name, text]) => ` where ${name} = ${text}`);
  return calls.sort().join('');
}

const inOneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, ' ');
