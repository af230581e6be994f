// Every shape of a formula over the records that name one record: boxes with leaves in them, a pair of groups for each.
import type { Json } from '../support/client.ts';

/** One shape: a figure of the box, or a figure or a condition of its leaves. `{leaves}` stands for all leaves of the box. */
export interface Shape {
  readonly name: string;
  readonly on: 'box' | 'leaf' | 'condition';
  readonly formula: string;
  readonly taken?: 'always' | 'atWrite' | 'atRead' | 'onCreate';
  readonly type?: Json;
  /** A field of the leaves that has an index with their box. */
  readonly indexed?: string;
  /** That the number of leaves is felt. */
  readonly grows?: true;
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
const condition = (name: string, formula: string): Shape => ({ ...box(name, formula), on: 'condition' });

export const shapes: readonly Shape[] = [
  box('sum', '{leaves}.sum(l, l.n)'),
  box('count', '{leaves}.count()'),
  box('count-if', '{leaves}.count(l, l.n > 500)'),
  box('min', '{leaves}.min(l, l.n)'),
  box('max', '{leaves}.max(l, l.n)'),
  box('max-day', '{leaves}.max(l, l.day)', { type: day }),
  box('latest', '{leaves}.max(l, l.day)', { type: day, indexed: 'day' }),
  box('first', '{leaves}.first(l, l.day).n'),
  box('last', '{leaves}.last(l, l.day).n'),
  box('newest', '{leaves}.last().n'),
  box('exists', '{leaves}.exists(l, l.n > 500)', { type: truth }),
  box('all', '{leaves}.all(l, l.n >= 0)', { type: truth }),
  box('average', '{leaves}.sum(l, l.n) / {leaves}.count()'),
  box('quotient', '{leaves}.sum(l, l.n) / 60'),
  box('rounded', 'round({leaves}.sum(l, l.n * 1.19), 1)'),
  box('distinct', '{leaves}.map(l, l.kind).distinct().count()', { grows: true }),
  box('sum-at-write', '{leaves}.sum(l, l.n)', { taken: 'atWrite' }),
  box('sum-at-read', '{leaves}.sum(l, l.n)', { taken: 'atRead' }),
  box('last-at-read', '{leaves}.last(l, l.day).n', { taken: 'atRead' }),
  leaf('number', '{leaves}.count() + 1', { taken: 'onCreate' }),
  leaf('balance', '{leaves}.filter(l, l.day <= day).sum(l, l.n)', { taken: 'atWrite' }),
  leaf('window', '{leaves}.filter(l, l.day > day - 7 && l.day <= day).sum(l, l.n)', { taken: 'atWrite' }),
  leaf('place', '{leaves}.count(l, l.n > n) + 1', { taken: 'atWrite' }),
  leaf('rank', '{leaves}.count(l, l.n > n) + 1', { grows: true, most: 1000 }),
  condition('none-such', '{leaves}.filter(l, l.id != id && l.day == day && l.n == n).count() == 0'),
  condition('at-most', '{leaves}.filter(l, l.n >= 0).count() < 1000000'),
  condition('at-least', '{leaves}.count(l, l.n >= 0) >= 1'),
  condition('sum-at-most', '{leaves}.sum(l, l.n) <= 1000000000'),
  condition('no-overlap', '!{leaves}.exists(l, l.id != id && l.day >= day && l.day <= day && l.n == n)'),
  condition('all-alike', '{leaves}.all(l, l.n >= 0)'),
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
  const { on, taken, type = amount } = shape;
  const [boxName, leafName] = [boxOf(shape), leafOf(shape)];
  const isOfBox = on === 'box';
  const ofBox = `all.${camel(leafName)}s.filter(l, l.${camel(boxName)}Id == ${isOfBox ? 'id' : `${camel(boxName)}Id`})`;
  const words = shape.name.replaceAll('-', ' ');
  const formula = shape.formula.replaceAll('{leaves}', ofBox);
  const out: Json = { ...type, formula, description: 'What comes out', ...(taken && { taken }) };
  if (on === 'leaf' && taken === undefined) out['taken'] = 'always';
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
    [boxName]: described(`Box ${words}`, { name, ...(isOfBox && { out }) }, ['name'], { path: `/${boxName}s` }),
    [leafName]: described(`Leaf ${words}`, leafFields, ['name', camel(boxName), 'n', 'day'], {
      path: pathOf(leafName),
      ...(on === 'condition' && { rules }),
      ...(shape.indexed !== undefined && { indexes: [[camel(boxName), shape.indexed]] }),
    }),
  };
}

/** The key of a leaf's reference to its box. */
export const referenceOf = (shape: Shape): string => `${camel(boxOf(shape))}Id`;
