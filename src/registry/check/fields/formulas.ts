// Checks named formulas.
import { functionNames, isYielding, macroNames } from '../../../formulas/language/names.ts';
import type { Shapes } from '../../formulas/shapes.ts';
import type { Report } from '../../model/faults.ts';
import { type RawDescriptor, reservedFault } from '../../model/vocabulary.ts';

interface CheckContext {
  readonly report: Report;
  readonly shapes: Shapes;
}

/** Checks the named formulas of a group. */
export function checkFormulas(group: string, { resource }: RawDescriptor, { report, shapes }: CheckContext): void {
  for (const [name, { given = {} }] of Object.entries(resource.formulas ?? {})) {
    const path = ['resource', 'formulas', name];
    const wrong = nameFault(name);
    if (wrong !== undefined) report(path, wrong, 'key');
    else if (shapes.isField(group, name)) report(path, `"${name}" is a field already; choose another name`, 'key');
    for (const word of Object.keys(given)) {
      const reserved = reservedFault(word);
      if (reserved !== undefined) report([...path, 'given', word], reserved, 'key');
    }
    const fault = shapes.formulas.faultOf(group, name);
    if (fault !== undefined) report([...path, 'is'], fault);
  }
}

function nameFault(name: string): string | undefined {
  const known: readonly string[] = [...functionNames, ...macroNames];
  const reserved = reservedFault(name);
  if (reserved !== undefined) return reserved;
  return known.includes(name) && !isYielding(name)
    ? `"${name}" is a function of all formulas; choose another name`
    : undefined;
}
