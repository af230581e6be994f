// Figures of a record (fields that equal a formula), those of its objects and items too, and which keys each depends on.
import { dependenciesOf, type Read } from '../../formulas/analyse/dependencies.ts';
import type { ReversePath } from '../../formulas/analyse/reverse-paths.ts';
import { type Sums, sumsIn } from '../../formulas/evaluate/deltas.ts';
import { ordersIn } from '../../formulas/language/index-keys.ts';
import type { Order, Tree } from '../../formulas/language/tree.ts';
import { readsBehind } from '../../registry/formulas/figures.ts';
import type { Field, Figure, Resource, Watched } from '../../registry/model/model.ts';
import { isList as isListField } from '../../storage/schema/tables.ts';

/** A field with a formula, and where it is: below which keys of objects and lists. */
export interface FigureField {
  /** What tells it from the others of its record: `budget.revenue`. */
  readonly path: string;
  readonly inside: readonly string[];
  readonly field: Field;
  readonly figure: Figure;
  /** Sums over other records that it is made of. */
  readonly sums: Sums | undefined;
  /** Whether the record itself may be among those. */
  readonly sumsItself: boolean;
  /** Keys of the lists of the record without which it cannot be taken. */
  readonly lists: readonly string[];
  /** Keys of the record whose change may move it where it is always true, that under which it stands among them. */
  readonly movedBy: readonly string[];
}

/** All figures of a record that are kept, those of its objects and items too. */
export const figuresIn = ({ name, fields }: Pick<Resource, 'name' | 'fields'>): readonly FigureField[] => {
  const lists = new Set(listKeys({ fields }));
  const kept = within(fields, []).filter(({ figure }) => figure.taken !== 'atRead');
  return kept.map(({ inside, field, figure }) => ({
    path: [...inside, field.key].join('.'),
    inside,
    field,
    figure,
    ...sumsOf(figure, name),
    movedBy: [...new Set([...keysMoving(name, figure), ...inside.slice(0, 1)])],
    lists: [...new Set([inside[0] ?? field.key, ...keysRead(name, readsBehind(figure))])].filter((key) =>
      lists.has(key),
    ),
  }));
};

function sumsOf({ taken, tree }: Figure, group: string): Pick<FigureField, 'sums' | 'sumsItself'> {
  const sums = taken === 'always' ? sumsIn(tree) : undefined;
  return { sums, sumsItself: sums?.groups.has(group) === true };
}

/** Keys of the lists that have rows of their own. */
export const listKeys = ({ fields }: Pick<Resource, 'fields'>): readonly string[] =>
  fields.filter(isListField).map(({ key }) => key);

/** Keys of the record under which something looks: at its own values, or among all records of the group, of which it is one. */
export const keysRead = (group: string, reads: readonly Read[]): readonly string[] =>
  reads.flatMap(({ shape, key }) => (shape.group === group ? [shape.lists[0] ?? key] : []));

/** The same of a formula of the group, looked up once. @returns without keys twice */
export function keysBehindIn(group: string): (tree: Tree) => readonly string[] {
  const known = new Map<Tree, readonly string[]>();
  return (tree) => {
    const before = known.get(tree);
    if (before !== undefined) return before;
    const { keys, reads } = dependenciesOf(tree);
    const own = reads.filter(({ shape, isOwn }) => isOwn || shape.group === group);
    const found = Object.freeze([...new Set([...keys, ...own.map(({ shape, key }) => shape.lists[0] ?? key)])]);
    known.set(tree, found);
    return found;
  };
}

function within(
  fields: readonly Field[],
  inside: readonly string[],
): readonly Pick<FigureField, 'inside' | 'field' | 'figure'>[] {
  return fields.flatMap((field) => {
    const deeper =
      field.kind === 'object' || field.kind === 'objects' ? within(field.fields, [...inside, field.key]) : [];
    return field.figure === undefined ? deeper : [...deeper, { inside, field, figure: field.figure }];
  });
}

/** Key of the record's field that a figure is, or is inside of. */
export const rootKey = ({ inside, field }: Pick<FigureField, 'inside' | 'field'>): string => inside[0] ?? field.key;

/** Keys of the record's fields on which a figure hangs, those of its condition too. */
export const keysBehind = ({ keys, whenKeys }: Figure): readonly string[] => [...keys, ...whenKeys];

/** The same, and those of which it looks at records of its own group: the record itself may be one of these. */
export const keysMoving = (group: string, figure: Figure): readonly string[] => [
  ...keysBehind(figure),
  ...figure.watches.flatMap((watch) => (watch.group === group ? [...watch.keys] : [])),
];

/** An order of the records of a group, along which what is kept of them looks at the one before. */
export interface Line {
  readonly order: Order;
  /** What may become another along it, in the order of what it looks at. */
  readonly figures: readonly FigureField[];
  /** Those of them that look at other groups, too. */
  readonly reading: readonly FigureField[];
  /** Keys of the lists at which they look. */
  readonly lists: readonly string[];
}

/** @param figures In the order of what they look at. */
export function linesIn(resource: Resource, figures: readonly FigureField[]): readonly Line[] {
  const states = resource.fields.flatMap(({ becomes }) => becomes.flatMap(({ watches }) => watches));
  const along = new Map(figures.map((each) => [each, ordersOf(each.figure.watches)]));
  return linesAlong(resource, along, ordersOf(states));
}

/** The same of figures that are filled, also of those that nobody keeps true, and where nobody can tell who stands behind. */
export const linesToFill = (resource: Resource, figures: readonly FigureField[]): readonly Line[] =>
  linesAlong(resource, new Map(figures.map((each) => [each, ordersIn(each.figure.tree)])), []);

/** @param along By figure, in the order of what they look at, the orders along which it looks. */
function linesAlong(
  { name }: Resource,
  along: ReadonlyMap<FigureField, readonly Order[]>,
  others: readonly Order[],
): readonly Line[] {
  const orders = new Map([...along.values(), others].flat().map((order) => [order.label, order]));
  return [...orders.values()].map((order) => {
    const moved = new Set<FigureField>();
    for (const [each, its] of along) {
      const isAlong = its.some(({ label }) => label === order.label);
      const keys = keysBehind(each.figure);
      if (isAlong || [...moved].some((other) => keys.includes(rootKey(other)))) moved.add(each);
    }
    return {
      order,
      figures: [...moved],
      reading: [...moved].filter(({ figure }) => readsBehind(figure).some(({ shape }) => shape.group !== name)),
      lists: [...new Set([...moved].flatMap(({ lists }) => lists))],
    };
  });
}

/** Orders in which it is told who stands behind whom. */
const ordersOf = (watches: readonly Watched[]): readonly Order[] =>
  watches.flatMap(({ ways }) => ways.flatMap((way) => orderOf(way) ?? []));

/** Whether a way leads to the record behind one in an order, and no further. */
export const isAlong = (way: ReversePath, { label }: Order): boolean => orderOf(way)?.label === label;

const orderOf = ([link, ...further]: ReversePath): Order | undefined =>
  further.length === 0 && link?.order?.isEven === true ? link.order : undefined;
