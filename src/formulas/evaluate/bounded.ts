// Limits of length for values while a formula is evaluated: a dozen products of products would fill the memory.

const mostLetters = 65_536;
const mostDigits = 60;
/** A product of quotients has all decimals of both; several of those are still exact. */
const mostDecimals = 240;

/** What a field must not come from, in words; undefined where the text is short enough. */
export const overlongText = (text: string): string | undefined =>
  text.length > mostLetters ? 'must not come from a text of more than 65,536 characters' : undefined;

/** The same of a number in plain notation, as those of formulas are. */
export function overlongNumber(n: string): string | undefined {
  if (n.length <= mostDigits) return undefined;
  const [whole = '', decimals = ''] = n.replace('-', '').split('.');
  if (whole.length > mostDigits) return 'must not come from a number of more than 60 digits';
  return decimals.length > mostDecimals ? 'must not come from a number of more than 240 decimals' : undefined;
}
