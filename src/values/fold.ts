// Case folding for unique keys and text filters, done here and not by collations, which differ between databases.
import { hash } from 'node:crypto';

const longestSlug = 255;

/**
 * Text without case, in composed form; accents stay. Folding twice changes nothing. The steps: lower case alone would
 * tell ß from SS; sigma has a form of its own at the end of words; İ leaves a dot behind. One character may become three.
 */
export function fold(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .normalize('NFC');
}

/** What texts of unique keys are compared by: those of one key are the same when they are trimmed and folded. */
export const keyText = (text: string): string => fold(text.trim());

/** SHA-256 (32 bytes) of it: a unique key of fixed size, however long the text. */
export function keyHash(text: string): Uint8Array {
  return hash('sha256', keyText(text), 'buffer');
}

/**
 * The text without diacritics in lower case, every run of other characters than a-z and 0-9 as one hyphen, at most 255
 * characters, no hyphen at the ends; '' when nothing is left.
 */
export function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug)
    .replaceAll(/^-|-$/g, '');
}
