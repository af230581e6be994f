// A domain while it is made, as formulas see it.
import type { Random } from './random.ts';

export type Sort = 'number' | 'bool' | 'date' | 'enum' | 'text' | 'time';

/** A field as formulas may name it. */
export interface Attribute {
  readonly name: string;
  readonly sort: Sort;
  readonly isNullable: boolean;
  readonly level: number;
  readonly values?: readonly string[];
}

export interface Link {
  /** `area`, whose id is `areaId`. */
  readonly name: string;
  readonly target: string;
  readonly isNullable: boolean;
  /** Whether it is a figure itself. */
  readonly level: number;
}

/** A group, or the items of a list of one, as formulas see it. */
export interface Made {
  readonly group: string;
  readonly collection: string;
  readonly attributes: Attribute[];
  readonly links: Link[];
  /** Names of attributes by which it can be narrowed. */
  readonly indexed: Set<string>;
  readonly lists: Map<string, Made>;
  readonly marks: Map<string, string>;
  /** Formulas of the group that are given a number. */
  readonly calls: Call[];
}

/** A named formula, and the level of what it looks at. */
export interface Call {
  readonly name: string;
  readonly level: number;
}

/** Texts that callers send: some differ in what a database may take as alike. */
export const labels = ['T0', 'T1', 't1', 'T2', 'é', 'e', 'ß', 'T10', 'z'];

/** Shapes that a domain may do without. */
export const omittable = [
  'narrowed by no reference',
  'narrowed by null',
  'narrowed by numbers',
  'narrowed by bounds',
  'own group with itself',
  'conditions on delete',
  'conditions across groups',
  'states that are sent',
  'rounded to a field',
  'named formulas',
  'texts',
  'times',
  'decisions',
  'items that effects give',
  'before',
  'running values',
] as const;
export type Omitted = (typeof omittable)[number];

export interface Making {
  readonly random: Random;
  readonly groups: ReadonlyMap<string, Made>;
  readonly omitted: ReadonlySet<Omitted>;
}

/** What is read at a place: fields of `of`, written behind `prefix`. */
export interface Place {
  readonly of: Made;
  readonly prefix: string;
  readonly level: number;
  /** Whether records behind references may be read. */
  readonly goesThrough: boolean;
}
