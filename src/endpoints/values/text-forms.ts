// The external form of text formats: one row a format.
import type { TextFormat } from '../../registry/model/model.ts';
import { urlPattern } from '../../values/format.ts';
import type { Schema } from './schema.ts';

interface Form {
  /** Keywords for a text of the format. */
  readonly set: Schema;
  /** Its pattern where it may be unset too, which `format` cannot say. */
  readonly pattern: string | undefined;
  /** One of several examples, for a field of that name in words. */
  readonly example: (index: number, words: string) => string;
}

const patternForm = (pattern: string): Pick<Form, 'set' | 'pattern'> => ({ set: { pattern: `^${pattern}$` }, pattern });

/** Every format that a text may have. */
export const textForms: Readonly<Record<TextFormat, Form>> = {
  email: {
    set: { format: 'email' },
    pattern: '[^@\\s]+@[^@\\s]+',
    example: (index) => `office${index === 0 ? '' : index + 1}@example.com`,
  },
  url: {
    set: { format: 'uri', pattern: `^${urlPattern}$` },
    pattern: urlPattern,
    example: (index) => `https://www.example.com/${index === 0 ? '' : index + 1}`,
  },
  'time-zone': { set: { 'x-format': 'time-zone' }, pattern: undefined, example: () => 'Europe/Paris' },
  currency: { ...patternForm('[A-Z]{3}'), example: (index) => ['EUR', 'USD', 'GBP'][index] ?? 'JPY' },
  time: {
    ...patternForm('([01][0-9]|2[0-3]):[0-5][0-9]'),
    example: (index) => `${String(9 + (index % 12)).padStart(2, '0')}:00`,
  },
  slug: {
    ...patternForm('[a-z0-9]+(-[a-z0-9]+)*'),
    example: (_index, words) => words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
  },
};
