// Words of formulas, with all that reads them.
import { formulaWords } from '../../../../formulas/words/words.ts';

/** In words; as it is written where it is none by itself. */
export function formulaText(source: string): string {
  try {
    return formulaWords(source)
      .map(({ text }) => text)
      .join('');
  } catch {
    return source;
  }
}
