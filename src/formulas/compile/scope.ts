// The scope in which a formula is compiled: the names that it may use, and what the parts of the compiler share.
import type { Node } from '../language/syntax.ts';
import type { Collection, Shape, Tree, Type } from '../language/tree.ts';
import { common } from '../language/types.ts';
import type { WholeCollection } from './collections.ts';
import type { NonNull } from './non-null.ts';

/** What a formula may name. */
export interface Scope {
  /** What it stands on. */
  readonly record: Shape;
  /** All records of a group, by its path in camel case. */
  collection(name: string): Collection | undefined;
  collectionNames(): readonly string[];
  readonly workspace: Shape | undefined;
  /** The name of the settings' field with the time zone of the workspace. */
  readonly timeZone?: string | undefined;
  readonly actors: string | undefined;
  /** What the record of the acting member is, where formulas may look at it: in the conditions of roles. */
  readonly me?: Shape | undefined;
  /** What a named formula is given. */
  readonly given?: readonly { readonly name: string; readonly type: Type }[];
  /** Whether there is a record before the write to look at. */
  readonly hasOld?: boolean;
  /** Whether there is a write, before which all records were otherwise. */
  readonly hasBefore?: boolean;
  /** Whether there is a body that names fields. */
  readonly hasSent?: boolean;
  /** Whether aggregates may read all records of a collection. */
  readonly hasWholeCollections?: boolean;
  /** What cannot be null where it is evaluated. */
  readonly nonNull?: NonNull;
}

export type Any = Tree | WholeCollection;

/** A name that a macro or a named formula has given to a value. */
export interface Variable {
  readonly name: string;
  readonly slot: number;
  readonly type: Type;
  readonly nullable: boolean;
}

/** A formula while it is compiled. */
export interface Compiling {
  readonly scope: Scope;
  /** Innermost last. */
  readonly variables: readonly Variable[];
  tree(node: Node): Any;
  /** A node that stands for a value: not for all of a collection. */
  value(node: Node): Tree;
  /** The same where there is one variable more. */
  inside(variable: Variable, node: Node): Tree;
}

/** Whether a value of one type may stand where another is asked for. */
export const fits = (given: Type, wanted: Type): boolean =>
  given.kind === 'null' || common(given, wanted) !== undefined;
