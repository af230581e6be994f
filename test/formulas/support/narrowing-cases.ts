// What finds records of a collection, by every kind of field and in every form: leaves in memory and in the tables of each engine,
// and what three boxes find among them, worked out by hand.
import type { Kind } from '../../../src/registry/model/kind-name.ts';
import type { RawField } from '../../../src/registry/model/vocabulary.ts';
import type { Json } from '../../support/service/client.ts';

const text: RawField = { type: ['string', 'null'], maxLength: 60 };
const day: RawField = { type: ['string', 'null'], format: 'date' };
/** Of leaves and of boxes. */
const common = {
  code: text,
  kind: { type: ['string', 'null'], enum: ['x', 'y', 'z'] },
  key: { type: ['string', 'null'], format: 'uuid' },
  day,
  at: { type: ['string', 'null'], format: 'date-time' },
  weight: { type: ['integer', 'null'], signed: true },
  fee: { type: ['number', 'null'], format: 'decimal', precision: 9, scale: 2, signed: true },
  isLost: { type: ['boolean', 'null'] },
  notes: { type: ['object', 'null'], format: 'json' },
  words: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 20 } },
  place: { type: ['object', 'null'], properties: { town: text } },
} as const satisfies Record<string, RawField>;

export const leafFields = {
  name: { type: 'string', maxLength: 20 },
  ...common,
  owner: { reference: 'box', nullable: true },
  boxes: { references: 'box' },
  parts: {
    type: 'array',
    maxItems: 5,
    items: {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 20 },
        what: { type: 'string', enum: ['box'] },
        whatId: { referenceBy: 'what', groups: { box: 'box' } },
      },
    },
  },
} as const satisfies Record<string, RawField>;

export const boxFields = { name: { type: 'string', maxLength: 20 }, ...common, end: day } satisfies Record<
  string,
  RawField
>;

const key = '018f0000-0000-7000-8000-00000000000a';
/** The second has nothing by which anything could be found but its id. */
export const boxes: readonly Json[] = [
  {
    ...{
      name: 'A',
      code: 'Élan',
      kind: 'x',
      key,
      day: '2026-03-01',
      end: '2026-03-02',
      at: '2026-03-01T10:00:00.000Z',
    },
    ...{ weight: 0, fee: 0, isLost: true },
  },
  { name: 'B' },
  {
    ...{ name: 'C', code: 'ÉLAN', kind: 'y', day: '2026-02-28', end: '9999-12-31', at: '2026-03-01T09:59:59.999Z' },
    ...{ weight: 10, fee: 9_999_999.99, isLost: false },
  },
];

/** References stand as the names of boxes. */
export const leaves: readonly (Json & { readonly name: string; readonly boxes: readonly string[] })[] = [
  {
    ...{ name: 'a', code: 'Élan', kind: 'x', key, day: '2026-03-01', at: '2026-03-01T10:00:00.000Z', weight: 10 },
    ...{ fee: 1.5, isLost: true, owner: 'A', boxes: ['A', 'B'], parts: ['A', 'C'] },
  },
  {
    ...{ name: 'b', code: 'ÉLAN', kind: 'y', day: '2026-03-02', at: '2026-03-01T10:00:00.001Z', weight: -1 },
    ...{ fee: -0.01, isLost: false, owner: 'A', boxes: [], parts: [] },
  },
  { name: 'c', code: 'Élan ', kind: 'x', isLost: false, boxes: ['B'], parts: ['B'] },
  {
    ...{ name: 'd', day: '2026-02-28', at: '2026-03-01T09:59:59.999Z', weight: 9_007_199_254_740_991 },
    ...{ fee: 9_999_999.99, isLost: true, owner: 'B', boxes: ['A'], parts: ['A'] },
  },
  {
    ...{ name: 'e', code: 'élan', kind: 'z', day: '9999-12-31', at: '2026-12-31T23:59:59.999Z', weight: 0 },
    ...{ fee: 0, owner: 'C', boxes: ['C'], parts: [] },
  },
];

/** A list of leaves, or of parts of these, and the names of those that each box finds. */
export interface Narrowed {
  readonly list: string;
  readonly finds: readonly [a: string, b: string, c: string];
}

const by = (that: string, a: string, b: string, c: string): Narrowed => ({
  list: `leafs.filter(l, ${that})`,
  finds: [a, b, c],
});

/** By a field of each kind that equals something; or that none is found by it, which is refused. */
export const byKind: Readonly<Record<Kind, Narrowed | { readonly refused: string }>> = {
  text: by('l.code == code', 'a', '', 'b'),
  enum: by('l.kind == kind', 'ac', '', 'b'),
  uuid: by('l.key == key', 'a', '', ''),
  date: by('l.day == day', 'a', '', 'd'),
  dateTime: by('l.at == at', 'a', '', 'd'),
  integer: by('l.weight == weight', 'e', '', 'a'),
  decimal: by('l.fee == fee', 'e', '', 'd'),
  boolean: by('l.isLost == isLost', 'ad', '', 'bc'),
  reference: by('l.ownerId == id', 'ab', 'd', 'e'),
  references: by('id in l.boxIds', 'ad', 'ac', 'e'),
  choice: { list: 'leafs.parts.filter(l, l.whatId == id)', finds: ['ad', 'c', 'a'] },
  json: { refused: 'l.notes == notes' },
  list: { refused: 'l.words == words' },
  object: { refused: 'l.place == place' },
  objects: { refused: 'l.parts.exists(p, p.whatId == id)' },
};

/** In all other forms. */
export const inForms: readonly Narrowed[] = [
  // Words and switches that stand in the formula.
  by("l.kind == 'x' && l.isLost", 'a', 'a', 'a'),
  by('l.isLost == true', 'ad', 'ad', 'ad'),
  by("l.code == 'Élan'", 'a', 'a', 'a'),
  by("l.day == '9999-12-31'", 'e', 'e', 'e'),
  // Ranges: both ends, one, neither of them, and from the end of the days.
  by('l.day >= day && l.day <= end', 'ab', '', 'abde'),
  by('day <= l.day && end > l.day', 'a', '', 'abd'),
  by('l.day > day', 'be', '', 'abe'),
  by('l.day <= end', 'abd', '', 'abde'),
  by("l.kind == 'x' && l.day <= end", 'a', '', 'a'),
  by("l.kind == 'x' && (l.day == null || l.day <= end)", 'ac', 'c', 'ac'),
  by('l.day > day && l.day < day', '', '', ''),
  by('l.day >= day + 1', 'be', '', 'abe'),
  by('l.at >= at && l.at < at + 1', 'ab', '', 'abd'),
  by('l.at > at', 'be', '', 'abe'),
  by('l.weight > weight && l.weight <= 10', 'a', '', ''),
  by('l.weight >= 9007199254740991', 'd', 'd', 'd'),
  by('l.weight < weight', 'b', '', 'be'),
  by('l.fee >= fee', 'ade', '', 'd'),
  by('l.fee < fee && l.fee > -0.02', 'b', '', 'abe'),
  by("l.day >= day && l.kind in ['x', 'y']", 'ab', '', 'ab'),
  // One of a list: of words, of the box's own values, and of a list that is known when the formula is evaluated.
  by("l.kind in ['x', 'y']", 'abc', 'abc', 'abc'),
  by("l.kind in ['x', 'x']", 'ac', 'ac', 'ac'),
  by('l.day in [day, end]', 'ab', '', 'de'),
  by('l.weight in range(-1, 0)', 'be', 'be', 'be'),
  by('l.day in days(day, end)', 'ab', '', ''),
  by("l.code in split(code + '|élan', '|')", 'ae', '', 'be'),
  by('l.ownerId in [id]', 'ab', 'd', 'e'),
  by('l.day in [day, end] && l.kind == null', '', '', 'd'),
  by('l.day in days(day - 1, end) && l.kind == null', 'd', '', ''),
  by('l.day in days(day - 1, end) && l.kind != null', 'ab', '', ''),
  // One of several, each once.
  by('l.kind == kind || l.weight > weight', 'acd', '', 'bd'),
  by('l.day == day || l.day == end', 'ab', '', 'de'),
  by('l.day == day || l.day == day', 'a', '', 'd'),
  by('(l.day == day || l.day == end) && l.isLost', 'a', '', 'd'),
  by('l.ownerId == id || id in l.boxIds', 'abd', 'acd', 'e'),
  by("l.day in days(day, end) || l.kind == 'z'", 'abe', 'e', 'e'),
];

/** What no index answers. */
export const refused: readonly string[] = [
  'l.kind == null',
  'l.day == null && l.weight == null',
  "l.kind in ['x', null]",
  'l.kind != kind',
  '!l.isLost || l.weight > 0',
  'l.isLost',
  'l.code > code',
  'l.code.startsWith(code)',
  'l.day + 1 == day',
  'l.fee * 2 == fee',
  'l.day == l.day',
  "l.kind == kind || l.code.contains('a')",
];
