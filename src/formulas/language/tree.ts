// The tree of a compiled formula: its nodes, their types, and the shapes of the records that it reads. All names are resolved.
import type { FunctionName, MacroName } from './names.ts';
import type { Literal } from './syntax.ts';

/** Values that are compared, counted and put together. Numbers are exact decimals; an instant is a moment in UTC. */
export type PlainKind = 'number' | 'text' | 'bool' | 'date' | 'instant' | 'time';

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
      /** Whether an index can be made to find them by it. */
      readonly isIndexable?: boolean;
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

interface TreeBase {
  readonly type: Type;
  /** Whether it can be null. */
  readonly nullable: boolean;
  /** Where it stands in the formula. */
  readonly start: number;
  readonly end: number;
}

/**
 * Which records of a collection a search reads: those that its narrowing or its range finds, or all of them, in an aggregate.
 * With `any` it reads one record, to know whether the collection is empty.
 */
export type Extent = 'found' | 'whole' | 'any';

/** A record of a collection is wanted by the value of a member, or by an id among the ids of a list of references. */
export interface Narrowing {
  readonly member: ValueMember;
  /** Steps from the item of the collection to what has the member: owners of it. */
  readonly up: number;
  readonly equals: Tree;
}

/** A bound on a date or a whole number of the records that are wanted, which an index answers. */
export interface RangeBound {
  readonly member: ValueMember;
  readonly sign: Comparison;
  readonly value: Tree;
}

/** All records of a group, or all items of a list of them (of lists inside these). */
export interface Collection {
  readonly group: string;
  /** Keys of the lists that lead to the items; none for the records themselves. */
  readonly lists: readonly string[];
  readonly shape: Shape;
}

/** An order of records, in which one looks at that before it. */
export interface Order {
  /** What tells it from others. */
  readonly label: string;
  readonly group: string;
  /** Keys of what a record has in common with the others. */
  readonly common: readonly string[];
  /** What gives a record its place: these keys, and that of what they go by. */
  readonly keys: readonly string[];
  /** Whether who stands before this one has this one behind it: they are found by nothing but what both have in common. */
  readonly isEven: boolean;
  /** The record behind this one. */
  readonly next: Tree;
  /** The first of those behind it: of those that it shares its key with, then of all others. */
  readonly behind: readonly TreeOf<'macro'>[];
  toJSON(): string;
}

export type Comparison = '<' | '<=' | '>' | '>=';

export type Tree = TreeBase &
  (
    | { readonly op: 'literal'; readonly literal: Literal }
    | { readonly op: 'list'; readonly items: readonly Tree[] }
    | { readonly op: 'map'; readonly entries: readonly (readonly [string, Tree])[] }
    /** What a macro goes through, or what a named formula is given, by its place among all that is known there. */
    | { readonly op: 'variable'; readonly slot: number; readonly name: string }
    /** What the formula stands on; `up` steps from an item to the record that owns it. */
    | { readonly op: 'self'; readonly up: number }
    | { readonly op: 'owner'; readonly of: Tree }
    /** The place of an item in its list, from 0. */
    | { readonly op: 'place'; readonly of: Tree }
    | { readonly op: 'known'; readonly name: 'today' | 'actor' | 'me' | 'old' | 'workspace' }
    /** What a part was before the write. */
    | { readonly op: 'before'; readonly of: Tree }
    /** Whether the body names a field. */
    | { readonly op: 'sent'; readonly name: string; readonly key: string }
    | { readonly op: 'field'; readonly of: Tree; readonly member: Member }
    | { readonly op: 'named'; readonly of: Tree; readonly formula: NamedFormula; readonly args: readonly Tree[] }
    /** Records of a collection, or items of its lists, for which `where` holds. */
    | {
        readonly op: 'gather';
        readonly collection: Collection;
        readonly extent: Extent;
        readonly slot: number;
        readonly variable: string;
        readonly narrowing: readonly Narrowing[];
        /** Bounds on one field, if nothing else narrows it. */
        readonly range: readonly RangeBound[];
        readonly where: Tree | undefined;
        /** Where it looks for the record before the one on which the formula stands. */
        readonly order?: Order;
      }
    /** All that one of several searches finds, each once and in the order of their making: `of` is a list of lists. */
    | { readonly op: 'unite'; readonly of: Tree }
    | { readonly op: 'index'; readonly of: Tree; readonly at: Tree }
    | { readonly op: 'not' | 'negate'; readonly of: Tree }
    | { readonly op: 'and' | 'or'; readonly left: Tree; readonly right: Tree }
    | { readonly op: 'equal'; readonly isNot: boolean; readonly left: Tree; readonly right: Tree }
    | { readonly op: 'compare'; readonly sign: Comparison; readonly left: Tree; readonly right: Tree }
    | { readonly op: 'in'; readonly left: Tree; readonly right: Tree }
    | { readonly op: 'arithmetic'; readonly sign: '+' | '-' | '*' | '/'; readonly left: Tree; readonly right: Tree }
    /** Texts put together. */
    | { readonly op: 'join'; readonly left: Tree; readonly right: Tree }
    /** A date some days later, or earlier. */
    | { readonly op: 'shift'; readonly sign: '+' | '-'; readonly left: Tree; readonly right: Tree }
    /** From the right one to the left one: days between dates, minutes between times. */
    | { readonly op: 'between'; readonly unit: 'days' | 'minutes'; readonly left: Tree; readonly right: Tree }
    | { readonly op: 'if'; readonly test: Tree; readonly yes: Tree; readonly no: Tree }
    | {
        readonly op: 'macro';
        readonly name: MacroName;
        readonly of: Tree;
        readonly slot: number;
        readonly variable: string;
        /** What is asked of each; of those without one, of the item itself. */
        readonly body: Tree | undefined;
      }
    | { readonly op: 'call'; readonly name: FunctionName; readonly args: readonly Tree[] }
  );

export type TreeOf<Op extends Tree['op']> = Extract<Tree, { readonly op: Op }>;
