// Facts over rows in memory, which are known one round after they have been asked for.
import { expect } from 'vitest';
import { evaluate } from '../../../src/formulas/evaluate/evaluate.ts';
import type { Facts, Wanted } from '../../../src/formulas/evaluate/facts.ts';
import { evaluateGenerated, Together } from '../../../src/formulas/generate/generate.ts';
import type { Collection, Tree } from '../../../src/formulas/language/tree.ts';
import { type Known, notKnown, type RecordValue, type Unknown } from '../../../src/formulas/language/value.ts';
import { unreachable } from '../../../src/unreachable.ts';

type Values = Readonly<Record<string, unknown>>;

/** Rows by group, in the order of their making. */
export type Rows = Readonly<Record<string, readonly Values[]>>;

export interface World {
  readonly rows?: Rows;
  readonly workspace?: Values;
  readonly old?: Values;
  readonly today?: string;
  readonly actor?: string;
}

export const recordOf = (values: Values): RecordValue => ({
  values,
  id: typeof values['id'] === 'string' ? values['id'] : undefined,
  owner: undefined,
  place: 0,
});

/** The items of a list that an owner holds. */
export const itemsOf = (owner: RecordValue, key: string): readonly RecordValue[] => {
  const list = owner.values[key];
  return (Array.isArray(list) ? list : []).map((values: Values, place) => ({ ...recordOf(values), owner, place }));
};

class Memory implements Facts {
  readonly #world: World;
  readonly #known = new Set<string>();
  /** What has been asked for in this round. */
  readonly #asked = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Ends a round: what was asked for in it is known from now on. */
  round(): readonly string[] {
    const asked = [...this.#asked].toSorted();
    for (const one of asked) this.#known.add(one);
    this.#asked.clear();
    return asked;
  }

  #ask<T>(words: string, answer: () => T): T | Unknown {
    if (this.#known.has(words)) return answer();
    this.#asked.add(words);
    return notKnown;
  }

  #rows(group: string): readonly RecordValue[] {
    return (this.#world.rows?.[group] ?? []).map(recordOf);
  }

  record(group: string, id: string): RecordValue | null | Unknown {
    return this.#ask(`${group} ${id}`, () => this.#rows(group).find((row) => row.id === id) ?? null);
  }

  collection({ group, lists }: Collection, wanted: readonly Wanted[]): readonly RecordValue[] | Unknown {
    const by = wanted.map(({ key, up, isAmong, value }) => {
      const path = `${'record.'.repeat(up)}${key}`;
      return isAmong ? `${value} in ${path}` : `${path} = ${value}`;
    });
    const words = `${[group, ...lists].join('.')} of ${by.length === 0 ? 'all' : by.join(', ')}`;
    return this.#ask(words, () => {
      const all = lists.reduce((owners, list) => owners.flatMap((owner) => itemsOf(owner, list)), this.#rows(group));
      return all.filter((row) => wanted.every((one) => hasValue(row, one)));
    });
  }

  anyOf({ group }: Collection): readonly RecordValue[] | Unknown {
    return this.#ask(`${group} of any`, () => this.#rows(group).slice(0, 1));
  }

  // Its rows are whole.
  list = (): readonly unknown[] => [];
  place = (): number => 0;

  #only(name: 'workspace' | 'old'): RecordValue | null | Unknown {
    const values = this.#world[name];
    return this.#ask(name, () => (values === undefined ? null : recordOf(values)));
  }

  workspace = (): RecordValue | null | Unknown => this.#only('workspace');
  old = (): RecordValue | null | Unknown => this.#only('old');
  before = () => ({ value: null, throughNull: false, overlong: undefined });
  today = (): string | Unknown => this.#ask('today', () => this.#world.today ?? '2026-02-28');
  actor = (): string | null | Unknown => this.#ask('actor', () => this.#world.actor ?? null);
  sent = (): boolean => false;
}

function hasValue(row: RecordValue, { key, up, isAmong, value }: Wanted): boolean {
  let holder: RecordValue | undefined = row;
  for (let step = 0; step < up; step += 1) holder = holder?.owner;
  const found = holder?.values[key];
  return isAmong
    ? Array.isArray(found) && found.includes(value)
    : found !== undefined && String(found) === String(value);
}

/** A value without what is not of its own: a record is its id, or its values where it has none. */
function plain(value: Known): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const one = value as Exclude<typeof value, readonly Known[]>;
  if ('values' in one) return one.id ?? one.values;
  return Object.fromEntries(Object.entries(one.entries).map(([key, each]) => [key, plain(each)]));
}

export interface Answer {
  readonly value: unknown;
  readonly throughNull: boolean;
  /** What was asked for, a list a round. */
  readonly rounds: readonly (readonly string[])[];
}

type Evaluate = (tree: Tree, self: RecordValue, facts: Facts) => ReturnType<typeof evaluate>;

/**
 * Evaluates a formula in rounds, until it is known: by walking its tree, by generated code, and by code that is generated for several.
 * @throws where these differ
 */
export function answer(tree: Tree, self: RecordValue, world: World = {}): Answer {
  const walked = answerBy(evaluate, { tree, self, world });
  const generated = answerBy((...[of, on, facts]) => evaluateGenerated(of, on, { facts, given: [] }), {
    tree,
    self,
    world,
  });
  expect(generated).toEqual(walked);
  const twice = new Together([tree, tree, tree]);
  const together = answerBy(
    (_tree, on, facts) => {
      const [first, left, last] = twice.evaluate(on, { facts }, [true, false, true]);
      expect({ left, ...last }).toEqual({ left: undefined, ...first });
      return last ?? unreachable('what is wanted is evaluated');
    },
    { tree, self, world },
  );
  expect(together).toEqual(walked);
  return walked;
}

interface Asked {
  readonly tree: Tree;
  readonly self: RecordValue;
  readonly world: World;
}

function answerBy(by: Evaluate, { tree, self, world }: Asked): Answer {
  const facts = new Memory(world);
  const rounds: (readonly string[])[] = [];
  for (let count = 0; count < 10; count += 1) {
    const { value, throughNull } = by(tree, self, facts);
    if (value !== notKnown) return { value: plain(value), throughNull, rounds };
    const asked = facts.round();
    if (asked.length === 0) return { value: 'unknown', throughNull, rounds };
    rounds.push(asked);
  }
  throw new Error('it is never known');
}
