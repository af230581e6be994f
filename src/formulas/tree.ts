// A formula that means something: every name is resolved, every part has its type.
import type { FunctionName, MacroName } from './functions.ts';
import type { Literal } from './syntax.ts';
import type { Member, NamedFormula, Shape, Type, ValueMember } from './types.ts';

interface Part {
  readonly type: Type;
  /** Whether it can be null. */
  readonly nullable: boolean;
  /** Where it stands in the formula. */
  readonly start: number;
  readonly end: number;
}

/** A record of a collection is wanted by the value of a member, or by an id among the ids of a list of references. */
export interface Narrowing {
  readonly member: ValueMember;
  /** Steps from the item of the collection to what has the member: owners of it. */
  readonly up: number;
  readonly equals: Tree;
}

/** All records of a group, or all items of a list of them (of lists inside these). */
export interface Collection {
  readonly group: string;
  /** Keys of the lists that lead to the items; none for the records themselves. */
  readonly lists: readonly string[];
  readonly shape: Shape;
}

export type Comparison = '<' | '<=' | '>' | '>=';

export type Tree = Part &
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
    | { readonly op: 'known'; readonly name: 'today' | 'actor' | 'old' | 'workspace' }
    /** Whether the body names a field. */
    | { readonly op: 'sent'; readonly name: string; readonly key: string }
    | { readonly op: 'field'; readonly of: Tree; readonly member: Member }
    | { readonly op: 'named'; readonly of: Tree; readonly formula: NamedFormula; readonly args: readonly Tree[] }
    /** All of a collection that `where` holds of; narrowed, but where it is only asked whether there is any. */
    | {
        readonly op: 'gather';
        readonly collection: Collection;
        readonly slot: number;
        readonly variable: string;
        readonly narrowing: readonly Narrowing[];
        readonly where: Tree | undefined;
      }
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
