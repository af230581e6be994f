// Every shape of a formula over the records that name one record: boxes with leaves in them, a pair of groups for each.
import type { Json } from '../../support/service/client.ts';

/** One shape: a figure of the box, or a figure or a condition of its leaves. `{leaves}` stands for all leaves of the box. */
export interface Shape {
  readonly name: string;
  readonly on: 'box' | 'leaf' | 'condition';
  readonly formula: string;
  readonly compute?: 'always' | 'onWrite' | 'onRead' | 'onCreate';
  readonly type?: Json;
  /** Fields of the leaves that have an index with their box. */
  readonly index?: readonly string[];
  /** The same of a key. */
  readonly unique?: readonly string[];
  /** More figures of the box, which the formula looks at. */
  readonly kept?: Readonly<Record<string, string>>;
  /** That the number of leaves is felt: in the rows that come to us, or inside of the database, there perhaps only where one leaves that counted. `check` tells all. */
  readonly grows?: 'here' | 'inside' | 'at worst';
  /** With more leaves it is not measured. */
  readonly most?: number;
}

export const amount: Json = { type: ['number', 'null'], format: 'decimal', precision: 15, scale: 2, signed: true };
const day: Json = { type: ['string', 'null'], format: 'date' };
const truth: Json = { type: 'boolean' };
const box = (name: string, formula: string, rest: Partial<Shape> = {}): Shape => ({
  name,
  on: 'box',
  formula,
  ...rest,
});
const leaf = (name: string, formula: string, rest: Partial<Shape> = {}): Shape => ({
  ...box(name, formula, rest),
  on: 'leaf',
});
const condition = (name: string, formula: string, rest: Partial<Shape> = {}): Shape => ({
  ...box(name, formula, rest),
  on: 'condition',
});

const windowFormula = '{leaves}.filter(l, l.day > day - 7 && l.day <= day).sum(l, l.n)';
const noneSuch = '{leaves}.filter(l, l.id != id && l.day == day && l.n == n).count() == 0';
const noOverlap = '!{leaves}.exists(l, l.id != id && l.day >= day && l.day <= day && l.n == n)';

const inside = { grows: 'inside' } as const;
const atWorst = { grows: 'at worst' } as const;
const here = { grows: 'here' } as const;

export const shapes: readonly Shape[] = [
  box('sum', '{leaves}.sum(l, l.n)'),
  box('count', '{leaves}.count()'),
  box('count-if', '{leaves}.count(l, l.n > 500)'),
  box('min', '{leaves}.min(l, l.n)', atWorst),
  box('max', '{leaves}.max(l, l.n)', atWorst),
  box('max-day', '{leaves}.max(l, l.day)', { type: day, ...atWorst }),
  box('least', '{leaves}.min(l, l.n)', { index: ['n'] }),
  box('latest', '{leaves}.max(l, l.day)', { type: day, index: ['day'] }),
  box('first', '{leaves}.first(l, l.day).n', inside),
  box('last', '{leaves}.last(l, l.day).n', inside),
  box('newest', '{leaves}.last().n', atWorst),
  box('first-in-order', '{leaves}.first(l, l.day).n', { index: ['day', 'createdAt'] }),
  box('last-in-order', '{leaves}.last(l, l.n).n', { index: ['n', 'createdAt'] }),
  box('last-plain', "{leaves}.filter(l, l.kind == 'plain').last(l, l.day).n", { index: ['kind', 'day', 'createdAt'] }),
  box('last-of-key', '{leaves}.last(l, l.day).n', { unique: ['day'], most: 1000 }),
  box('newest-in-order', '{leaves}.last().n', { index: ['createdAt'] }),
  box('exists', '{leaves}.exists(l, l.n > 500)', { type: truth, ...atWorst }),
  box('exists-indexed', '{leaves}.exists(l, l.n < 0.01)', { type: truth, index: ['n'] }),
  box('all', '{leaves}.all(l, l.n >= 0)', { type: truth, ...atWorst }),
  box('all-indexed', '{leaves}.all(l, l.n >= 0)', { type: truth, index: ['n'] }),
  box('sum-or-null', '{leaves}.exists(l, l.n >= 0) ? {leaves}.sum(l, l.n) : null', { index: ['n'] }),
  box('average', '{leaves}.sum(l, l.n) / {leaves}.count()', inside),
  box('average-of-kept', 'total / number', { kept: { total: '{leaves}.sum(l, l.n)', number: '{leaves}.count()' } }),
  box('quotient', '{leaves}.sum(l, l.n) / 60', inside),
  box('quotient-of-kept', 'total / 60', { kept: { total: '{leaves}.sum(l, l.n)' } }),
  box('rounded', 'round({leaves}.sum(l, l.n * 1.19), 1)', inside),
  box('distinct', '{leaves}.map(l, l.kind).distinct().count()', here),
  box('sum-at-write', '{leaves}.sum(l, l.n)', { compute: 'onWrite', ...inside }),
  box('sum-at-read', '{leaves}.sum(l, l.n)', { compute: 'onRead', ...inside }),
  box('last-at-read', '{leaves}.last(l, l.day).n', { compute: 'onRead', ...inside }),
  leaf('number', '{leaves}.count() + 1', { compute: 'onCreate', ...inside }),
  leaf('number-of-kept', '{box}.number + 1', { compute: 'onCreate', kept: { number: '{leaves}.count()' } }),
  leaf('balance', '{leaves}.filter(l, l.day <= day).sum(l, l.n)', { compute: 'onWrite', ...inside }),
  leaf('window', windowFormula, { compute: 'onWrite', ...inside }),
  leaf('window-indexed', windowFormula, { compute: 'onWrite', index: ['day'] }),
  leaf('place', '{leaves}.count(l, l.n > n) + 1', { compute: 'onWrite', ...inside }),
  leaf('rank', '{leaves}.count(l, l.n > n) + 1', { most: 1000, ...here }),
  condition('none-such', noneSuch, inside),
  condition('none-such-indexed', noneSuch, { index: ['day', 'n'] }),
  condition('at-most', '{leaves}.filter(l, l.n >= 0).count() < 1000000', inside),
  condition('at-least', '{leaves}.count(l, l.n >= 0) >= 1', atWorst),
  condition('at-least-indexed', '{leaves}.count(l, l.n >= 0) >= 1', { index: ['n'] }),
  condition('few-rare', "{leaves}.count(l, l.kind == 'rare') < 3", { index: ['kind'] }),
  condition('named-kind', '{leaves}.count(l, l.kind == name) < 3', { index: ['kind'], ...atWorst }),
  condition('some', '{leaves}.count() >= 1'),
  condition('sum-at-most', '{leaves}.sum(l, l.n) <= 1000000000', inside),
  condition('kept-at-most', '{box}.total <= 1000000000', { kept: { total: '{leaves}.sum(l, l.n)' } }),
  condition('no-overlap', noOverlap, inside),
  condition('no-overlap-indexed', noOverlap, { index: ['n', 'day'] }),
  condition('all-alike', '{leaves}.all(l, l.n >= 0)', inside),
  condition('all-alike-indexed', '{leaves}.all(l, l.n >= 0)', { index: ['n'] }),
];

/** The names of a shape's groups. */
export const boxOf = ({ name }: Shape): string => `box-${name}`;
export const leafOf = ({ name }: Shape): string => `leaf-${name}`;

const pathOf = (group: string): string => `/${group}s`;
const camel = (group: string): string => group.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());

export const described = (title: string, properties: Json, required: readonly string[], resource: Json): Json => ({
  title,
  description: `${title}.`,
  type: 'object',
  properties,
  required,
  resource: { shownAs: '{name}', operations: ['list', 'get', 'create', 'update', 'delete'], ...resource },
});
export const name: Json = { type: 'string', maxLength: 40, description: 'Name' };

/** The descriptors of a shape, by group. */
export function descriptorsOf(shape: Shape): Readonly<Record<string, Json>> {
  const { on, compute, type = amount } = shape;
  const [boxName, leafName] = [boxOf(shape), leafOf(shape)];
  const isOfBox = on === 'box';
  const ofBox = `all.${camel(leafName)}s.filter(l, l.${camel(boxName)}Id == ${isOfBox ? 'id' : `${camel(boxName)}Id`})`;
  const words = shape.name.replaceAll('-', ' ');
  const spelt = (text: string): string => text.replaceAll('{leaves}', ofBox).replaceAll('{box}', camel(boxName));
  const formula = spelt(shape.formula);
  const ofLeaves = `all.${camel(leafName)}s.filter(l, l.${camel(boxName)}Id == id)`;
  const kept = Object.entries(shape.kept ?? {}).map(([key, text]): [string, Json] => {
    return [
      key,
      { ...amount, formula: text.replaceAll('{leaves}', ofLeaves), hidden: true, description: 'What is kept' },
    ];
  });
  const out: Json = { ...type, formula, description: 'What comes out', ...(compute && { compute }) };
  if (on === 'leaf' && compute === undefined) out['compute'] = 'always';
  const leafFields: Json = {
    name,
    [camel(boxName)]: { reference: boxName, onDelete: 'restrict', description: 'Box' },
    n: { type: 'number', format: 'decimal', precision: 9, scale: 2, signed: true, description: 'Number' },
    day: { type: 'string', format: 'date', description: 'Day' },
    kind: { type: 'string', enum: ['plain', 'rare'], default: 'plain', description: 'Kind' },
    ...(on === 'leaf' && { out }),
  };
  const rules = [{ use: 'require', that: formula, field: 'n', must: 'fit in' }];
  return {
    [boxName]: described(`Box ${words}`, { name, ...Object.fromEntries(kept), ...(isOfBox && { out }) }, ['name'], {
      path: `/${boxName}s`,
    }),
    [leafName]: described(`Leaf ${words}`, leafFields, ['name', camel(boxName), 'n', 'day'], {
      path: pathOf(leafName),
      ...(on === 'condition' && { rules }),
      ...(shape.unique !== undefined && { unique: [[camel(boxName), ...shape.unique]] }),
      ...(shape.index !== undefined && { indexes: [[camel(boxName), ...shape.index]] }),
    }),
  };
}

/** The key of a leaf's reference to its box. */
export const referenceOf = (shape: Shape): string => `${camel(boxOf(shape))}Id`;
