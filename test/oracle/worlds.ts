// Domains by hand that say what the language learnt last, for single cases and for histories by chance.
import type { Domain, RawField } from './shape.ts';

export const whole = (more: Partial<RawField> = {}): RawField => ({
  type: 'integer',
  signed: true,
  default: 0,
  description: 'A number',
  ...more,
});
export const money = (more: Partial<RawField> = {}): RawField => ({
  type: 'number',
  format: 'money',
  signed: true,
  default: 0,
  description: 'An amount',
  ...more,
});
/** A figure has no default. */
export const figure = (formula: string, { default: _none, ...rest }: RawField): RawField => ({ ...rest, formula });
export const word = (...values: string[]): RawField => ({
  type: 'string',
  enum: values,
  default: values[0],
  description: 'A word',
});
export const to = (reference: string, more: Partial<RawField> = {}): RawField => ({
  reference,
  onDelete: 'cascade',
  filter: 'exact',
  description: 'A link',
  ...more,
});

type Descriptor = Domain[string];
export const group = (
  path: string,
  properties: Descriptor['properties'],
  more: Partial<Descriptor['resource']> = {},
): Descriptor => ({
  title: path.slice(1, 2).toUpperCase() + path.slice(2, -1),
  description: 'A group',
  type: 'object',
  properties: { label: { type: 'string', maxLength: 20, default: '', description: 'Label' }, ...properties },
  required: [],
  resource: { path, shownAs: '{label}', operations: ['list', 'get', 'create', 'update', 'delete'], ...more },
});

/** What each record must have. */
const needs = (required: readonly string[], descriptor: Descriptor): Descriptor => ({ ...descriptor, required });

/** A library: holds are met by loans, which ask what was held before. */
export const lending: Domain = {
  book: group('/books', {
    copies: whole(),
    held: figure('holds.filter(h, h.bookId == id && !h.isMet).count()', whole()),
  }),
  copy: needs(['book'], group('/copies', { book: to('book') })),
  hold: needs(
    ['book'],
    group('/holds', {
      book: to('book'),
      reader: whole(),
      isMet: { type: 'boolean', default: false, description: 'Met' },
    }),
  ),
  loan: needs(
    ['copy'],
    group(
      '/loans',
      {
        copy: to('copy'),
        reader: whole(),
        copiesIn: { ...figure('copy.book.copies', whole()), taken: 'onCreate' },
        was: whole(),
      },
      {
        rules: [
          {
            use: 'require',
            that: 'before(copy.book.held) < copiesIn',
            field: 'reader',
            must: 'one of few, not of {before(copy.book.held)}',
          },
          { use: 'require', that: 'coalesce(before(reader), reader) == reader', field: 'reader', must: 'as it was' },
        ],
        effects: [
          {
            on: ['create'],
            change: '[holds.filter(h, h.bookId == copy.bookId && h.reader == reader && !h.isMet).first(h, h.label)]',
            set: { isMet: 'true', label: "text(before(copy.book.held)) + '/' + text(copy.book.held)" },
          },
        ],
      },
    ),
  ),
};

/** All of them. */
export const worlds: readonly { readonly name: string; readonly domain: Domain }[] = [
  { name: 'a library that asks what was held before', domain: lending },
];
