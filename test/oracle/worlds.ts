// Domains by hand that say what the language learnt last, for single cases and for histories by chance.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
        copiesIn: { ...figure('copy.book.copies', whole()), compute: 'onCreate' },
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

/** Shelves over boxes that satisfy one of several conditions, some of which satisfy more than one. */
const sorting: Domain = {
  shelf: group('/shelves', {
    kind: word('small', 'wide', 'deep'),
    floor: whole(),
    least: whole(),
    number: {
      ...figure("boxes.filter(b, b.kind == kind || b.shelfId == id || b.kind in ['deep', 'small']).count()", whole()),
      compute: 'always',
    },
    weight: figure('boxes.filter(b, b.shelfId == id || b.kind == kind).sum(b, b.weight)', money()),
    twice: figure(
      'boxes.filter(b, (b.kind == kind || b.shelfId == id) && b.isFull).sum(b, b.weight) * 2 - boxes.filter(b, b.kind == kind || b.floor == floor).count()',
      money(),
    ),
    heaviest: {
      ...figure('coalesce(boxes.filter(b, b.kind == kind || b.weight > least).max(b, b.weight), 0)', money()),
      compute: 'always',
    },
    first: {
      ...figure(
        'coalesce(boxes.filter(b, b.floor in [floor, floor + 1]).filter(b, !b.isFull).first(b, b.weight).floor, 0)',
        whole(),
      ),
      compute: 'always',
    },
    hasFull: {
      ...figure('boxes.filter(b, b.kind == kind || b.shelfId == id).exists(b, b.isFull)', {
        type: 'boolean',
        description: 'Whether one is full',
      }),
    },
  }),
  box: group('/boxes', {
    shelf: to('shelf', { nullable: true, onDelete: 'clear' }),
    kind: word('small', 'wide', 'deep'),
    floor: whole(),
    weight: money(),
    isFull: { type: 'boolean', default: false, description: 'Full' },
  }),
};

const many = (properties: Descriptor['properties'], required: readonly string[]): RawField => ({
  type: 'array',
  items: { type: 'object', properties, required },
  maxItems: 20,
  description: 'Several',
});
const always = { compute: 'always' } as const;

/** Parts of parts by the lines of a list: what one costs, with all that it is made of, and how deep that is. */
const made: Domain = {
  part: group(
    '/parts',
    {
      own: money(),
      uses: many(
        {
          part: to('part', { onDelete: 'restrict' }),
          n: whole(),
          cost: { ...figure('n * part.cost', money()), ...always },
        },
        ['part'],
      ),
      cost: { ...figure('own + uses.sum(u, u.cost)', money()), ...always },
      levels: { ...figure('coalesce(uses.max(u, u.part.levels), 0) + 1', whole()), ...always },
      isDear: {
        type: 'boolean',
        default: false,
        becomes: [
          { to: true, when: 'cost > 40' },
          { to: false, when: 'cost <= 40' },
        ],
        readOnly: true,
        description: 'Dear',
      },
      within: { ...figure('all.parts.uses.filter(u, u.partId == id).count()', whole()) },
    },
    { rules: [{ use: 'noCircle', field: 'uses.part' }] },
  ),
};

/** The same by a group of links: roll-ups downwards by one figure, upwards by another. */
const joined: Domain = {
  item: group('/items', {
    own: money(),
    cost: { ...figure('own + joints.filter(j, j.wholeId == id).sum(j, j.n * j.part.cost)', money()), ...always },
    depth: { ...figure('coalesce(joints.filter(j, j.partId == id).max(j, j.whole.depth), 0) + 1', whole()), ...always },
    share: { ...figure('joints.filter(j, j.wholeId == id && j.isOn).sum(j, j.share) + own', money()), ...always },
  }),
  joint: needs(
    ['whole', 'part'],
    group(
      '/joints',
      {
        whole: to('item'),
        part: to('item'),
        n: whole(),
        isOn: { type: 'boolean', default: true, description: 'Counts' },
        share: { ...figure('n * part.share', money()), ...always },
      },
      { rules: [{ use: 'noCircle', from: 'whole', to: 'part' }] },
    ),
  ),
};

/** What stands on an account after each move on it, and what a part costs in the mean after each delivery. */
const running: Domain = {
  account: group('/accounts', { moved: figure('moves.filter(m, m.accountId == id).sum(m, m.amount)', money()) }),
  move: needs(
    ['account', 'day'],
    group('/moves', {
      account: to('account'),
      day: { type: 'string', format: 'date', description: 'Day' },
      amount: money(),
      n: whole(),
      balance: figure(
        'coalesce(moves.filter(m, m.accountId == accountId).previous(m, [m.day, m.id]).balance, 0) + amount',
        money(),
      ),
      place: figure('coalesce(moves.filter(m, m.accountId == accountId).previous(m, m.day).place, 0) + 1', whole()),
      // What is left of what was before, and a part of this: no sum.
      mean: figure(
        'coalesce(round((coalesce(moves.filter(m, m.accountId == accountId).previous(m, m.day).mean, 0) * 3 + amount) / 4, 2), 0)',
        money(),
      ),
      gap: figure(
        'coalesce(day - moves.filter(m, m.accountId == accountId).previous(m, [m.day, m.id]).day, 0)',
        whole(),
      ),
      later: figure(
        'coalesce(moves.filter(m, m.accountId == accountId && m.n == n).previous(m, m.id).later, 0) + n',
        whole(),
      ),
    }),
  ),
};

/** Groups of a domain as its folder has them. */
function inFolder(folder: string, ...groups: readonly string[]): Domain {
  const read = (name: string): Descriptor =>
    JSON.parse(readFileSync(join(import.meta.dirname, '../domains', folder, `${name}.json`), 'utf8'));
  const withoutTimes = ({ $schema: _form, ...raw }: Descriptor): Descriptor => ({
    ...raw,
    required: raw.required ?? [],
    properties: Object.fromEntries(Object.entries(raw.properties).filter(([key]) => key !== 'createdAt')),
  });
  return Object.fromEntries(groups.map((name) => [name, withoutTimes(read(name))]));
}

/** All of them. */
export const worlds: readonly { readonly name: string; readonly domain: Domain }[] = [
  { name: 'shelves over boxes that satisfy one of several conditions', domain: sorting },
  { name: 'a bill of materials', domain: inFolder('materials', 'part', 'move') },
  { name: 'a reading room', domain: inFolder('reading-room', 'title', 'lending', 'hold') },
  { name: 'wards with a waiting list', domain: inFolder('hospital', 'ward', 'stay') },
  { name: 'kits that are joined', domain: inFolder('materials', 'kit', 'joint') },
  { name: 'a ledger', domain: inFolder('ledger', 'book', 'account', 'posting') },
  { name: 'what stands on accounts after each move', domain: running },
  { name: 'parts of parts by the lines of a list', domain: made },
  { name: 'parts of parts by a group of links', domain: joined },
  { name: 'a library that asks what was held before', domain: lending },
];
