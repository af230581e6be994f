// The complete source of a computed field, as one text. When it changes, stored values are computed again.
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { Figure, Registry } from '../model/model.ts';

/** The formula in one line, its condition, and the named formulas that it calls, also through each other. */
export function figureSource({ source, tree, when }: Figure, { resources }: Registry): string {
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
  visit(tree);
  if (when !== undefined) visit(when.tree);
  const condition = when === undefined ? '' : ` when ${inOneLine(when.source)}`;
  const calls = [...named].map(([name, text]) => ` where ${name} = ${text}`);
  return `${inOneLine(source)}${condition}${calls.sort().join('')}`;
}

const inOneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, ' ');
