// What formulas of a write have given while it found out what to read: the stages that follow do not evaluate them again.

import type { Noted } from '../formulas/evaluate/memo.ts';
import type { Tree } from '../formulas/language/tree.ts';
import { type Known, notKnown, type RecordValue } from '../formulas/language/value.ts';
import type { Values } from '../registry/model/model.ts';
import { isChanged } from './record-values.ts';

/** What one formula has come to. */
export interface Judged extends Noted {
  readonly value: Known;
}

export const isJudged = (noted: Noted): noted is Judged => noted.value !== notKnown;

/** How often what was asked for was not known, and how often something was forgotten. */
export interface Encounters {
  unknown: number;
  forgotten: number;
}

interface Given {
  readonly judged: Judged;
  /** Keys of the record at which the formula looks. */
  readonly keys: readonly string[];
  /** How often something had been forgotten by then. */
  readonly forgotten: number;
}

export class Results {
  readonly #values: Readonly<Values>;
  readonly #keysOf: (tree: Tree) => readonly string[];
  readonly #encounters: Encounters;
  /** The record as it was known by then. */
  #sketch: Readonly<Values> = {};
  /** By whether the formula judges: then what it looks at is kept as it is. */
  readonly #given = { judging: new Map<Tree, Given>(), computing: new Map<Tree, Given>() };

  /**
   * @param values The record of the write, as its stages change it.
   * @param keysOf Keys of the record at which a formula looks: there, or among all records of the group.
   */
  constructor(values: Readonly<Values>, keysOf: (tree: Tree) => readonly string[], encounters: Encounters) {
    this.#values = values;
    this.#keysOf = keysOf;
    this.#encounters = encounters;
  }

  /** Begins anew. @param sketch The record, which holds more and more of what it will be. */
  begin(sketch: Readonly<Values>): void {
    this.#sketch = sketch;
    this.clear();
  }

  /** To be called when the sketch has another value where it had one. */
  clear(): void {
    for (const given of Object.values(this.#given)) given.clear();
  }

  get isEmpty(): boolean {
    return this.#given.judging.size === 0 && this.#given.computing.size === 0;
  }

  /** Keeps what a formula has given on the sketch, where all was known that it looked at. */
  put(tree: Tree, noted: Noted, way: 'judging' | 'computing'): void {
    if (noted.value === notKnown || noted.isPartial === true) return;
    const keys = this.#keysOf(tree);
    // Among all records of the group it may have stood for null.
    for (const key of keys) if (this.#sketch[key] === undefined) return;
    const { forgotten } = this.#encounters;
    this.#given[way].set(tree, { judged: noted as Judged, keys, forgotten });
  }

  /** What a formula gives on the record of the write, where it would be the same again. */
  of(tree: Tree, self: RecordValue, way: 'judging' | 'computing'): Judged | undefined {
    const given = this.#given[way].get(tree);
    if (given === undefined || self.values !== this.#values || self.owner !== undefined) return undefined;
    if (given.forgotten !== this.#encounters.forgotten) return undefined;
    for (const key of given.keys) {
      const [known, now] = [this.#sketch[key], this.#values[key]];
      if (known !== now && isChanged(this.#sketch, this.#values, key)) return undefined;
    }
    return given.judged;
  }
}
