// Open and answered questions of formulas; one round answers all open ones.

import { type Ask, type Limit, limitsOfTally, type TallyAsk, type TallyQuestion } from '../formulas/evaluate/facts.ts';
import { notKnown, type RecordValue, type Unknown } from '../formulas/language/value.ts';
import { type Soon, soon, soonAll } from '../values/soon.ts';
import { Lines } from './lines.ts';
import type { Encounters } from './results.ts';
import type { PlacedLists, RecordSource, Whole } from './sources.ts';

/** What is being read, and what takes answers from it when it is there. */
export interface Reading {
  readonly found: Soon<unknown>;
  readonly take: (found: unknown) => void;
}

/** How questions of one kind are answered: from what is read for all of a place, the answer to each. */
interface Answering<P, Q, A, R> {
  readonly read: (place: P, questions: readonly Q[]) => Soon<R>;
  readonly answerOf: (found: R, asked: { readonly place: P; readonly question: Q; readonly index: number }) => A;
}

/** Questions of one kind to one place: what one round has asked for is read together. */
class Asked<Q, A> {
  /** By the question as a text. Whoever only looks takes them from here. */
  readonly answers = new Map<string, A>();
  /** Those that wait for their answers. Whoever asks no longer takes them away. */
  readonly open = new Map<string, Q>();
  readonly #encounters: Encounters;
  readonly #onOpen: () => void;

  /** @param onOpen Told when the first question waits for its answer. */
  constructor(encounters: Encounters, onOpen: () => void) {
    this.#encounters = encounters;
    this.#onOpen = onOpen;
  }

  /** @param key The question as a text. @param atHand The answer where it can be had without reading. */
  ask(key: string, question: Q, atHand?: () => A | undefined): A | Unknown {
    const known = this.answers.get(key);
    if (known !== undefined || this.answers.has(key)) return known as A;
    const isOpen = this.open.has(key);
    const answer = isOpen ? undefined : atHand?.();
    if (answer === undefined) {
      this.#encounters.unknown += 1;
      if (isOpen) return notKnown;
      if (this.open.size === 0) this.#onOpen();
      this.open.set(key, question);
      return notKnown;
    }
    this.answers.set(key, answer);
    return answer;
  }

  /** Known without having been asked for. */
  put(key: string, answer: A): void {
    this.answers.set(key, answer);
  }

  /** Forgets the answers, or one of them; what waits for one still does. */
  forget(key?: string): void {
    if (this.answers.size === 0) return;
    if (key === undefined) this.answers.clear();
    else if (!this.answers.delete(key)) return;
    this.#encounters.forgotten += 1;
  }

  /** Begins to read in a place. */
  read<P, R>(place: P, { read, answerOf }: Answering<P, Q, A, R>): Reading {
    const [keys, questions] = [[...this.open.keys()], [...this.open.values()]];
    this.open.clear();
    const take = (found: unknown): void => {
      for (const [index, question] of questions.entries())
        this.answers.set(keys[index] ?? '', answerOf(found as R, { place, question, index })); // what `read` gives
    };
    return { found: read(place, questions), take };
  }
}

/** Those of many places. */
class AskedOf<P, Q, A> {
  /** By the name of the place. */
  readonly places = new Map<string, Asked<Q, A>>();
  /** Where questions may wait for their answers. */
  readonly #open = new Map<Asked<Q, A>, P>();
  readonly #encounters: Encounters;

  constructor(encounters: Encounters) {
    this.#encounters = encounters;
  }

  /** @param name The place as a text. */
  at(name: string, place: P): Asked<Q, A> {
    const known = this.places.get(name);
    if (known !== undefined) return known;
    const asked: Asked<Q, A> = new Asked(this.#encounters, () => this.#open.set(asked, place));
    this.places.set(name, asked);
    return asked;
  }

  /** Forgets the answers of the places whose names begin with this word; without one, all. */
  forget(word?: string): void {
    for (const [name, asked] of this.places)
      if (word === undefined || name === word || name.startsWith(`${word}.`)) asked.forget();
  }

  /** Begins to read of all places together. @param readings Gets what is under way: nothing where nothing was asked for */
  read<R>(readings: Reading[], answering: Answering<P, Q, A, R>): void {
    for (const [asked, place] of this.#open) if (asked.open.size > 0) readings.push(asked.read(place, answering));
    this.#open.clear();
  }
}

/** What is found in one place, whether that is few, and what it comes to. */
type OfSource = readonly [
  Asked<Ask | undefined, readonly RecordValue[]>,
  Asked<Ask, boolean>,
  Asked<TallyQuestion, Whole>,
];

/** Takes all answers in their order, when all of them are there. */
const taken = (readings: readonly Reading[]): Soon<true> =>
  soon(soonAll(readings.map(({ found }) => found)), (all) => {
    for (const [index, { take }] of readings.entries()) take(all[index]);
    return true;
  });

/** What formulas have asked of stored records, and what they have found: shared by all formulas of a transaction. */
export class StoredFacts {
  readonly encounters: Encounters = { unknown: 0, forgotten: 0 };
  /** Records without their lists, by group. */
  readonly records = new AskedOf<string, string, RecordValue | null>(this.encounters);
  /** By where is looked for them; without an ask: whether there is any. */
  readonly found = new AskedOf<RecordSource, Ask | undefined, readonly RecordValue[]>(this.encounters);
  /** Whether few are found where is looked for them. */
  readonly few = new AskedOf<RecordSource, Ask, boolean>(this.encounters);
  /** Within which limits that is asked, by the place and what is wanted as a text: what those have in common who ask first. */
  readonly limitsOfFew = new Map<string, readonly Limit[]>();
  readonly wholes = new AskedOf<RecordSource, TallyQuestion, Whole>(this.encounters);
  readonly lists = new AskedOf<RecordSource, string, PlacedLists>(this.encounters);
  readonly workspace = new AskedOf<string, undefined, RecordValue>(this.encounters);
  readonly lines = new Lines();
  /** What is asked of each place, by its name. Whoever only looks takes it from here. */
  readonly sources = new Map<string, OfSource>();
  #underWay: Promise<boolean> | undefined;

  /** Of a place of which nothing has been asked yet. @param name The place as a text. */
  of(name: string, place: RecordSource): OfSource {
    const made = [this.found.at(name, place), this.few.at(name, place), this.wholes.at(name, place)] as const;
    this.sources.set(name, made);
    return made;
  }

  /** Forgets a record; '' is the workspace's settings. */
  forgetRecord(group: string, id: string): void {
    this.records.at(group, group).forget(id);
    if (id === '') this.workspace.forget(group);
  }

  /** Forgets what hangs on records of a group; without one, all. */
  forget(group?: string): void {
    for (const asked of [this.records, this.found, this.few, this.wholes, this.lists, this.workspace])
      asked.forget(group);
  }

  /**
   * Reads what is open. Who comes while others read what it has asked for waits for them.
   * @param begin Gives what is under way. @returns whether anything was open
   */
  read(begin: () => readonly Reading[]): Soon<boolean> {
    const before = this.#underWay;
    if (before !== undefined) return this.#follow(before.then(() => taken(begin())));
    const begun = begin();
    if (begun.length === 0) return false;
    const reading = taken(begun);
    return reading instanceof Promise ? this.#follow(reading) : true;
  }

  #follow(reading: Promise<boolean>): Promise<boolean> {
    const end = (): void => {
      if (this.#underWay === reading) this.#underWay = undefined;
    };
    this.#underWay = reading;
    reading.then(end, end);
    return reading;
  }
}

/** Questions about the same items. */
interface Tallies {
  readonly texts: Set<string>;
  /** Number of questions to the database. Those of one round that differ only in a bound count once: they are one statement. */
  count: number;
  /** Last question by its text without the bound. */
  readonly steps: Map<string, string>;
  /** What limits the records of all of them. */
  limits: readonly Limit[];
}

/** Questions by the items that they are about. */
export class TalliesOfItems {
  readonly #known = new Map<string, Tallies>();

  /** @param items The items as a text. @param first What is asked about them where nothing has been yet. */
  of(items: string, first: TallyAsk): Tallies {
    const known = this.#known.get(items);
    if (known !== undefined) return known;
    const made = { texts: new Set<string>(), count: 0, steps: new Map<string, string>(), limits: limitsOfTally(first) };
    this.#known.set(items, made);
    return made;
  }
}

/** Those limits that the others have too. */
export const inCommon = (some: readonly Limit[], others: readonly Limit[]): readonly Limit[] =>
  some.filter(({ key, sign, value, orNull }) =>
    others.some((one) => one.key === key && one.sign === sign && one.value === value && one.orNull === orNull),
  );
