// What a value must be, in the words of the interface. Bodies and parameters say the same.
import type { Scalar, TextFormat } from '../registry/model.ts';

export const formatWords: Record<TextFormat, string> = {
  email: 'an e-mail address',
  url: 'an http or https URL',
  'time-zone': 'an IANA time zone',
  currency: 'an ISO 4217 currency code',
  time: 'a time (HH:mm)',
  slug: 'lower-case letters and digits joined by -',
};
export const uuidWords = 'a UUID';
export const dateWords = 'a date (YYYY-MM-DD)';
const timeWords = 'an ISO 8601 date-time';
export const enumWords = (values: readonly string[]): string => `one of ${values.join(', ')}`;
export const lengthWords = (characters: number): string => `at most ${characters} characters`;
export const distinctWords = 'without duplicates';
export const itemsWords = (minimum: number, maximum: number): string =>
  minimum === maximum ? `exactly ${maximum} items` : `at most ${maximum} items`;
export const fewItemsWords = (minimum: number, maximum: number): string =>
  minimum === maximum ? `exactly ${maximum} items` : `at least ${minimum} items`;

/** What the text of a query parameter must be. */
export function parameterWords(scalar: Scalar): string {
  if (scalar.kind === 'boolean') return 'true or false';
  return scalar.kind === 'integer' ? `an integer from ${scalar.minimum} to ${scalar.maximum}` : typeWords(scalar);
}

/** What a value of the wrong JSON type should have been. */
export function typeWords(scalar: Scalar): string {
  switch (scalar.kind) {
    case 'text':
      return scalar.format === undefined ? 'a string' : formatWords[scalar.format];
    case 'enum':
      return enumWords(scalar.values);
    case 'uuid':
      return uuidWords;
    case 'date':
      return dateWords;
    case 'dateTime':
      return timeWords;
    case 'integer':
      return 'an integer';
    case 'decimal':
      return 'a number';
    case 'boolean':
      return 'a boolean';
  }
}
