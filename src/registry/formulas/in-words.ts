// Reports a formula's error where the formula stands in its descriptor.
import { FormulaFault, Unresolved } from '../../formulas/language/fault.ts';

/**
 * What is made of a formula.
 * @returns it, or the text of what is wrong with the formula; undefined where that cannot be told, because it leads to a
 * group whose descriptor has faults.
 */
export function orInWords<Made>(source: string, make: () => Made): Made | string | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Unresolved) return undefined;
    if (error instanceof FormulaFault) return error.in(source);
    throw error;
  }
}
