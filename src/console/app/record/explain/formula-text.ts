// Formulas as sentences. A module of its own: the parser is large, and most panels need no sentence.
import { formulaForPeople } from '../../../../formulas/words/people.ts';

/** Returns a formula as a sentence, or its source if it cannot be parsed separately. */
export const formulaText = (source: string): string => formulaForPeople(source);
