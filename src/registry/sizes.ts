// How big the values of a field may be, where its descriptor does not say.
import type { RawField } from './vocabulary.ts';

/** Longest text of each format, in characters. */
const formatLengths: Readonly<Record<string, number>> = {
  email: 255,
  url: 2048,
  currency: 3,
  'time-zone': 64,
  time: 5,
  slug: 255,
  uuid: 36,
  date: 10,
  'date-time': 24,
};

/** Characters that a text may have at most. */
export const textLength = ({ maxLength, format }: RawField): number => maxLength ?? formatLengths[format ?? ''] ?? 255;

/** Digits of a decimal: money has 18, 4 of them after the point. */
export const digitsOf = ({ format, precision = 18, scale = 4 }: RawField): { precision: number; scale: number } =>
  format === 'money' ? { precision: 18, scale: 4 } : { precision, scale };

/** The least value of a number that names none. */
export const leastOf = ({ signed, exclusiveMinimum }: RawField): number | undefined =>
  signed === true || exclusiveMinimum !== undefined ? undefined : 0;
