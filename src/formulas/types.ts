// What the parts of a formula are: types, and the shapes of the records that formulas look at.
import type { Tree } from './tree.ts';

/** Values that are compared, counted and put together. Numbers are exact decimals; an instant is a moment in UTC. */
type PlainKind = 'number' | 'text' | 'bool' | 'date' | 'instant' | 'time';

export type Type =
  | {
      readonly kind: PlainKind;
      /** Of a text: all that it can be. */
      readonly values?: readonly string[];
      /** Of a text: whether it is the code of a currency. */
      readonly isCurrency?: true;
      /** Of a number: the most digits behind its point, and the greatest it can be without its sign; unknown without. */
      readonly scale?: number;
      readonly most?: string;
    }
  /** The id of a record; without a group that of one of several, or of none (an item). */
  | { readonly kind: 'id'; readonly group: string | undefined }
  | { readonly kind: 'record'; readonly shape: Shape }
  | { readonly kind: 'list'; readonly item: Type }
  /** `{'id': i.id, 'amount': i.amount}` */
  | { readonly kind: 'map'; readonly entries: Readonly<Record<string, Type>> }
  /** Of the literal null alone. */
  | { readonly kind: 'null' };

/** The type of one plain value. */
export type PlainType = Extract<Type, { readonly kind: PlainKind | 'id' }>;

/** A thing with members: the record of a group, an object in it, an item of a list, `workspace`. */
export interface Shape {
  /** The group whose records these are; of an item or an object, that of the record around it. */
  readonly group: string;
  /** In faults: `timeEntry`, an item of `lines`. */
  readonly words: string;
  readonly kind: 'record' | 'object' | 'item';
  /** Keys of the lists that lead from the record to it, from outside inwards. */
  readonly lists: readonly string[];
  /** Of an object: its key in the record. */
  readonly objectKey?: string | undefined;
  member(name: string): Member | undefined;
  names(): readonly string[];
  /** What it stands in: the record of an item, the line of a source. */
  readonly owner: Shape | undefined;
}

/** What a name leads to, from a record, an object or an item. */
export type Member = {
  readonly name: string;
  readonly nullable: boolean;
  /** Whether only a write of the record itself has it. */
  readonly isTransient?: boolean;
  /** Whether it never changes once the record is made. */
  readonly isFixed?: boolean;
} & (
  | {
      /** A value that the record holds: a plain one, an id, a list of these. */
      readonly kind: 'value';
      readonly key: string;
      readonly type: Type;
      /** Whether records are found by it without looking through all: a reference, a key, an index. */
      readonly isSought: boolean;
      /** Whether it is a list of ids of its own table, in which records are sought. */
      readonly isAmong?: boolean;
      /** Of an id whose record has no name of its own: what `id.x` goes through. */
      readonly behind?: Member & { readonly kind: 'reference' };
      /** Of an id of one of several groups: the key of the enum that says which, and the group of each of its values. */
      readonly branches?: { readonly by: string; readonly groups: Readonly<Record<string, string>> };
    }
  /** The record that an id leads to, by `by` only while the enum beside it says so. */
  | {
      readonly kind: 'reference';
      readonly key: string;
      readonly shape: () => Shape;
      readonly by?: { readonly key: string; readonly value: string };
    }
  /** The records behind a list of ids. */
  | { readonly kind: 'references'; readonly key: string; readonly shape: () => Shape }
  /** Records of another group that name this one by `field`. */
  | { readonly kind: 'others'; readonly key: string; readonly shape: () => Shape; readonly field: string }
  | { readonly kind: 'items'; readonly key: string; readonly shape: () => Shape }
  | { readonly kind: 'object'; readonly key: string; readonly shape: () => Shape }
  | {
      readonly kind: 'formula';
      readonly formula: NamedFormula;
      /** What the record keeps where it shows another value: conditions on the record itself judge that. */
      readonly kept?: Member & { readonly kind: 'value' };
    }
);

/** A value that a record holds. */
export type ValueMember = Member & { readonly kind: 'value' };

/** A formula with a name of its own, for other formulas. */
export interface NamedFormula {
  readonly name: string;
  readonly given: readonly { readonly name: string; readonly type: Type }[];
  /** Compiled when it is first asked for. */
  readonly tree: () => Tree;
  /** Of a field that is taken when it is read: nobody tells when it changes. */
  readonly isAtRead?: true;
  /** Of an id whose record has no name of its own: what `id.x` goes through. */
  readonly behind?: NamedFormula;
}

/** Whether its values are of letters and signs of ASCII alone: ids, and texts that are told one by one. */
export const isCode = (type: Type): boolean =>
  type.kind === 'id' || (type.kind === 'text' && type.values !== undefined);

export const number: PlainType = { kind: 'number' };
export const text: PlainType = { kind: 'text' };
export const bool: PlainType = { kind: 'bool' };
export const date: PlainType = { kind: 'date' };
const nothing: Type = { kind: 'null' };
export const listOf = (item: Type): Type => ({ kind: 'list', item });
export const recordOf = (shape: Shape): Type => ({ kind: 'record', shape });

/** A type as people say it. */
export function typeWords(type: Type): string {
  switch (type.kind) {
    case 'number':
      return 'a number';
    case 'text':
      return 'a text';
    case 'bool':
      return 'true or false';
    case 'date':
      return 'a date';
    case 'instant':
      return 'an instant';
    case 'time':
      return 'a time of day';
    case 'id':
      return type.group === undefined ? 'an id' : `an id of "${type.group}"`;
    case 'record':
      return type.shape.kind === 'record' ? `a record of "${type.shape.group}"` : type.shape.words;
    case 'list':
      return 'a list';
    case 'map':
      return 'an object';
    default:
      return 'null';
  }
}

/** The type that two values have in common; undefined where they have none. Null goes with everything. */
export function common(a: Type, b: Type): Type | undefined {
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a.kind === 'id' && b.kind === 'id') return commonId(a, b);
  if (a.kind === 'list' && b.kind === 'list') {
    const item = common(a.item, b.item);
    return item && listOf(item);
  }
  if (a.kind === 'record' && b.kind === 'record') return recordOf(commonShape(a.shape, b.shape));
  if (a.kind === 'map' && b.kind === 'map') return commonMap(a.entries, b.entries);
  // Ids are texts wherever one of the two is said as a text.
  if ((a.kind === 'id' && b.kind === 'text') || (a.kind === 'text' && b.kind === 'id')) return text;
  if (a.kind !== b.kind) return undefined;
  return a.kind === 'number' ? number : commonText(a, b);
}

function commonId(a: Type & { kind: 'id' }, b: Type & { kind: 'id' }): Type | undefined {
  if (a.group === b.group || b.group === undefined) return a;
  return a.group === undefined ? b : undefined;
}

function commonText(a: Type, b: Type): Type {
  const values = [a, b].map((type) => ('values' in type ? type.values : undefined));
  const [first, second] = values;
  if (first === undefined || second === undefined) return { kind: a.kind as PlainKind };
  return { kind: 'text', values: [...new Set([...first, ...second])] };
}

function commonMap(a: Readonly<Record<string, Type>>, b: Readonly<Record<string, Type>>): Type | undefined {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return undefined;
  const entries: Record<string, Type> = {};
  for (const key of keys) {
    const type = common(a[key] ?? nothing, b[key] ?? nothing);
    if (type === undefined || !Object.hasOwn(b, key)) return undefined;
    entries[key] = type;
  }
  return { kind: 'map', entries };
}

/** A record of one of two groups: it has the members that both have, and in the same type. */
function commonShape(a: Shape, b: Shape): Shape {
  if (a === b) return a;
  const both = (name: string): Member | undefined => {
    const [left, right] = [a.member(name), b.member(name)];
    if (left?.kind !== 'value' || right?.kind !== 'value' || left.key !== right.key) return undefined;
    const type = common(left.type, right.type);
    return type && { ...left, type, nullable: left.nullable || right.nullable, isSought: false };
  };
  return {
    group: a.group === b.group ? a.group : '',
    words: `${a.words} or ${b.words}`,
    kind: a.kind === 'record' && b.kind === 'record' ? 'record' : 'object',
    lists: a.lists,
    member: both,
    names: () => a.names().filter((name) => both(name) !== undefined),
    owner: undefined,
  };
}
