// The code of one generated function as it grows: its lines, its constants, and the variables of the loops around it.
import type { RunOf } from '../evaluate/frame.ts';
import type { Tree } from '../language/tree.ts';

/** Code that gives the value of a part: a name or a literal, so that it can stand in more than one place. */
export interface Part {
  readonly code: string;
  /** Whether it is known in any case. */
  readonly isSure: boolean;
}

export const sure = (code: string): Part => ({ code, isSure: true });
export const unsure = (code: string): Part => ({ code, isSure: false });

/** A part of a formula → its code, after the lines that compute it. */
export type Write = (tree: Tree) => Part;

/** What a part has met that is told beside its value: names of locals. */
interface NotedNames {
  readonly throughNull: string;
  readonly overlong: string;
}

export class Code {
  readonly lines: string[] = [];
  readonly constants: unknown[] = [];
  /** Whether what is written here may run more than once in one evaluation. */
  isRepeated: boolean;
  /** A part as a function of its own. */
  readonly runOf: RunOf;
  readonly #places = new Map<unknown, string>();
  readonly #variables = new Map<number, string>();
  readonly #slots = new Map<string, string>();
  #names = 0;

  constructor(isRepeated: boolean, runOf: RunOf) {
    this.isRepeated = isRepeated;
    this.runOf = runOf;
  }

  /** The name of a value that the function closes over. */
  constant(value: unknown): string {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    const name = `k${this.constants.push(value) - 1}`;
    this.#places.set(value, name);
    return name;
  }

  /** A name that nothing else has. */
  name(start: string): string {
    this.#names += 1;
    return `${start}${this.#names}`;
  }

  /** Declares a local with its first value. @returns its name */
  local(first: string): string {
    const name = this.name('v');
    this.line(`let ${name} = ${first};`);
    return name;
  }

  /**
   * A local of the whole function, for what is found once however many parts ask for it: undefined until then.
   * @param of The code of what it is read from. @returns its name; undefined where that changes as the function runs
   */
  slot(of: string, what: string): string | undefined {
    if (of !== 'self' && !this.slots.includes(of)) return undefined;
    const question = `${of} ${what}`;
    const known = this.#slots.get(question);
    if (known !== undefined) return known;
    const name = `s${this.#slots.size}`;
    this.#slots.set(question, name);
    return name;
  }

  /** Names of all slots. */
  get slots(): readonly string[] {
    return [...this.#slots.values()];
  }

  line(text: string): void {
    this.lines.push(text);
  }

  /** `head { … }` */
  block(head: string, inside: () => void): void {
    this.lines.push(`${head} {`);
    inside();
    this.lines.push('}');
  }

  /** Goes through a list; the item is the variable at `slot` for what is written inside, which is told its name. */
  loop(list: string, slot: number, inside: (item: string) => void): void {
    const item = this.name('x');
    const [outer, wasRepeated] = [this.#variables.get(slot), this.isRepeated];
    this.#variables.set(slot, item);
    this.isRepeated = true;
    this.block(`for (const ${item} of ${list})`, () => inside(item));
    this.isRepeated = wasRepeated;
    if (outer === undefined) this.#variables.delete(slot);
    else this.#variables.set(slot, outer);
  }

  /** The variable at a place: that of a loop, or what the function is given. */
  variable(slot: number): string {
    return this.#variables.get(slot) ?? `(given[${slot}] ?? null)`;
  }

  /** What other functions go on with from here. */
  frame(): string {
    const most = Math.max(-1, ...this.#variables.keys());
    const variables = Array.from({ length: most + 1 }, (_slot, slot) => this.variable(slot));
    const known = most < 0 ? 'given' : `[${variables.join(', ')}]`;
    return `{ self, facts: state.facts, variables: ${known}, notes: state, isOpen: state.isOpen }`;
  }

  /** Computes something whose nulls, and whose texts that are too long, are its own matter. */
  apart(inside: () => void): NotedNames {
    const before = { throughNull: this.local('state.throughNull'), overlong: this.local('state.overlong') };
    this.line('state.throughNull = false; state.overlong = undefined;');
    inside();
    const noted = { throughNull: this.local('state.throughNull'), overlong: this.local('state.overlong') };
    this.line(`state.throughNull = ${before.throughNull}; state.overlong ??= ${before.overlong};`);
    return noted;
  }
}

/** A condition: whether one of these parts is unknown. */
export const isUnknown = (...parts: readonly Part[]): string =>
  parts.flatMap(({ code, isSure }) => (isSure ? [] : [`${code} === notKnown`])).join(' || ') || 'false';

/** A value that is a list, empty for null. */
export const listOf = (code: string): string => `(Array.isArray(${code}) ? ${code} : none)`;

/** What writes parts, and where. */
export interface Writing {
  readonly code: Code;
  readonly write: Write;
}
