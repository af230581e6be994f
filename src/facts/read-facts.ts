// Reads what formulas ask of other records, as the write sees it, in rounds: all open questions of a round are read together.
import { evaluateBeginning } from '../formulas/evaluate/evaluate.ts';
import {
  type Facts,
  type Limit,
  limitsOfTally,
  limitsText,
  recordValue,
  stepText,
  type Tallied,
  type TallyAsk,
  tallyText,
  type Wanted,
  wantedText,
} from '../formulas/evaluate/facts.ts';
import type { Memo, Noted } from '../formulas/evaluate/memo.ts';
import { evaluateGenerated, type Together } from '../formulas/generate/generate.ts';
import type { Collection, Order, Tree, TreeOf } from '../formulas/language/tree.ts';
import { type Known, notKnown, type RecordValue, type Stored, type Unknown } from '../formulas/language/value.ts';
import { unreachable } from '../unreachable.ts';
import { type Soon, soon, soonAll } from '../values/soon.ts';
import { asBefore, isOfItself } from './befores.ts';
import type { Surroundings, WriteContext } from './context.ts';
import { foundValues, placedValues, sourceText, storedOrNull, storedRecord } from './found-values.ts';
import { OwnRecord } from './own-record.ts';
import { inCommon, type Reading, type StoredFacts, TalliesOfItems } from './pending-questions.ts';
import { Queries } from './queries.ts';
import { type Encounters, isJudged, type Judged, type Results } from './results.ts';
import type { PlacedLists, RecordSource, Whole } from './sources.ts';

/** So often the database tells of the same items as a whole, whoever they are, and where they are many. */
const [mostTallies, mostTalliesOfMany] = [2, 50];

export class ReadFacts implements Facts {
  readonly #records: WriteContext['records'];
  readonly #write: Surroundings['write'];
  readonly #day: Surroundings['today'];
  readonly #actor: string | null;
  /** The record that is written, which counts as it will be. */
  readonly #own: OwnRecord | undefined;
  readonly #isNew: boolean;
  readonly #memo: Memo | undefined;
  readonly #stored: StoredFacts;
  readonly #evaluate: typeof evaluateGenerated;
  /** What has been asked about the same items as a whole. */
  readonly #tallied = new TalliesOfItems();
  readonly encounters: Encounters;
  readonly #results: Results | undefined;
  readonly #queries: Queries;
  /** What there was before the write. */
  #past: ReadFacts | undefined;
  #today: string | undefined;
  #wantsToday = false;

  constructor(surroundings: Surroundings) {
    const { records, write, today = write?.today, isNew = false, memo, mostRead } = surroundings;
    this.#evaluate = surroundings.evaluator ?? evaluateGenerated;
    this.#stored = records.facts;
    this.encounters = records.facts.encounters;
    // Whoever looks on sees each evaluation.
    this.#results = surroundings.evaluator === undefined ? write?.results : undefined;
    this.#records = records;
    this.#write = write;
    this.#day = today;
    this.#actor = write?.actingMember ?? surroundings.actor ?? null;
    this.#own = write && new OwnRecord(write);
    this.#queries = new Queries({ records, own: this.#own, mostRead });
    this.#isNew = isNew;
    this.#memo = memo;
  }

  /** What the formulas are there for. */
  protected readonly way: 'judging' | 'computing' = 'computing';

  /** @param self What the formula stands on. @param given What it is given besides, in the order of its names. */
  evaluate(tree: Tree, self: RecordValue, given: readonly Known[] = []): Soon<Judged> {
    const known = this.#results?.of(tree, self, this.way);
    if (known !== undefined) return known;
    this.noteChanged();
    const found = this.#evaluate(tree, self, { facts: this, given, memo: this.#memo });
    if (found.value !== notKnown) return found as Judged;
    return soon(this.#readNext(), () => this.evaluate(tree, self, given));
  }

  /** The same formula on several records or items, in as many rounds as on one. */
  evaluateAll(tree: Tree, selves: readonly RecordValue[], given: readonly Known[] = []): Soon<readonly Judged[]> {
    const [first] = selves;
    if (first !== undefined && selves.length === 1)
      return soon(this.evaluate(tree, first, given), (judged) => [judged]);
    this.noteChanged();
    const found = selves.map((self) => this.#evaluate(tree, self, { facts: this, given, memo: this.#memo }));
    if (found.every(isJudged)) return found;
    return soon(this.#readNext(), () => this.evaluateAll(tree, selves, given));
  }

  /**
   * Whether conditions hold of the record that is written; what is read through a null reference does.
   * @param wanted Which of them, by their places: those that are known to hold are wanted no longer.
   */
  holdAll(conditions: Together, wanted: boolean[], self: RecordValue): Soon<boolean> {
    this.noteChanged();
    for (const [place, tree] of this.#results?.isEmpty === false ? conditions.trees.entries() : []) {
      const known = wanted[place] === true ? this.#results?.of(tree, self, this.way) : undefined;
      if (known === undefined) continue;
      if (known.value !== true && !known.throughNull) return false;
      wanted[place] = false;
    }
    const found = conditions.evaluate(self, { facts: this, memo: this.#memo }, wanted);
    let areKnown = true;
    for (const place of found.keys()) {
      const noted = found[place];
      if (noted === undefined) continue;
      if (noted.value === notKnown) areKnown = false;
      else if (noted.value !== true && !noted.throughNull) return false;
      else wanted[place] = false;
    }
    return areKnown || soon(this.#readNext(), () => this.holdAll(conditions, wanted, self));
  }

  /** The first records of a list, and how many there are; undefined for a list that must be read whole. */
  beginningOf(
    list: Tree,
    self: RecordValue,
    most: number,
  ): Promise<{ readonly items: readonly Known[]; readonly count: number } | undefined> {
    return this.known(() => evaluateBeginning(list, self, { facts: this, most }));
  }

  /** What a part of a formula gives, when all that it looks at is read. */
  async known<T>(give: () => T | Unknown): Promise<T> {
    this.noteChanged();
    for (;;) {
      const value = give();
      if (value !== notKnown) return value;
      await this.#readNext();
    }
  }

  /** To be called when the record that is written has another value; without a key, when any may be another. */
  noteChanged(key?: string): void {
    if (this.#own?.isIndexed === true) this.#own.forget(key);
  }

  #readNext(): Soon<void> {
    return soon(this.readAsked(), (hasRead) => {
      if (!hasRead) unreachable('a formula is not known, and asks for nothing');
      this.#memo?.forgetUnknown();
    });
  }

  record(group: string, id: string): RecordValue | null | Unknown {
    if (this.#own?.id === id && this.#own.group === group) return this.#own.value;
    const asked = this.#stored.records.places.get(group) ?? this.#stored.records.at(group, group);
    const known = asked.answers.get(id);
    if (known !== undefined) return known;
    return asked.ask(id, id, () => {
      const values = this.#records.recordAtHand(group, id);
      return values && storedRecord(group, values);
    });
  }

  collection(
    { group, lists }: Collection,
    wanted: readonly Wanted[],
    limits: readonly Limit[],
  ): readonly RecordValue[] | Unknown {
    const source = { group, lists };
    const place = sourceText(source);
    const [asked, few] = this.#stored.sources.get(place) ?? this.#stored.of(place, source);
    const own = this.#own?.itemsIn(source, wanted) ?? [];
    if (this.#isUnnamed(wanted)) return own;
    const items = wantedText(wanted);
    // If all of them are read whatever the limits, or all within some of these, they are not asked for again.
    const isWhole =
      limits.length === 0 || asked.answers.has(items) || asked.open.has(items) || few.answers.get(items) === true;
    const fewer = isWhole ? noLimits : this.#limitsOfFew(`${place} ${items}`, () => limits);
    const areFew = isWhole || few.answers.get(items + limitsText(fewer)) === true;
    const ask = { wanted, limits: areFew ? fewer : limits };
    const question = items + limitsText(ask.limits);
    const found = asked.ask(question, ask, () => this.#foundAtHand(source, question));
    return found === notKnown ? found : (this.#own?.among(found, source, own) ?? found);
  }

  anyOf({ group, lists }: Collection): readonly RecordValue[] | Unknown {
    const source = { group, lists };
    const place = sourceText(source);
    const own = this.#own?.itemsIn(source, []) ?? [];
    if (own.length > 0) return own;
    const [asked] = this.#stored.sources.get(place) ?? this.#stored.of(place, source);
    return asked.ask(`any but ${this.#own?.group === group ? this.#own.id : ''}`, undefined);
  }

  previous(order: Order, self: RecordValue): RecordValue | null | Unknown | undefined {
    const before = this.#stored.lines.before(order, self);
    return typeof before === 'string' ? this.record(order.group, before) : before;
  }

  #foundAtHand(source: RecordSource, question: string): readonly RecordValue[] | undefined {
    const rows = this.#records.foundAtHand(source, question);
    return rows && foundValues(this.#stored, source, rows);
  }

  tally(ask: TallyAsk): Tallied | Unknown | undefined {
    const { group, lists } = ask.tally.collection;
    const source = { group, lists };
    const except = this.absentIn(group);
    if (except === undefined) return undefined;
    // Nobody names a record that is being made.
    const whole = this.#isUnnamed(ask.wanted) ? nothingFound : this.#wholeOf(source, ask, except);
    if (whole === undefined || whole === notKnown) return whole;
    const own = this.#own?.itemsIn(source, ask.wanted) ?? [];
    const { records } = whole;
    const others =
      records.length === 0
        ? own
        : foundValues(
            this.#stored,
            source,
            records.map((record) => ({ record, items: [] })),
          );
    if (others === own) return { value: whole.value, items: own };
    return { value: whole.value, items: this.#own?.among(others, source, own) ?? others };
  }

  /** Whether what is wanted names a record that is being made: no stored one does. */
  #isUnnamed(wanted: readonly Wanted[]): boolean {
    if (!this.#isNew) return false;
    for (const { value } of wanted) if (value === this.#own?.id) return true;
    return false;
  }

  /**
   * What the database tells of stored items as a whole; undefined where it cannot, or where they are better read: somebody has asked
   * for them as they are, they are few, or they are asked about again and again with other values.
   */
  #wholeOf(source: RecordSource, ask: TallyAsk, except: readonly string[]): Whole | Unknown | undefined {
    const { tally, wanted, most } = ask;
    const items = wantedText(wanted);
    const place = source.lists.length === 0 ? source.group : sourceText(source);
    const [found, few, wholes] = this.#stored.sources.get(place) ?? this.#stored.of(place, source);
    if (found.answers.has(items) || few.answers.get(items) === true) return undefined;
    const text = `${except.join()} ${tallyText(ask, items)}`;
    const told = wholes.answers.get(text);
    if (told !== undefined) return told;
    if (wholes.open.has(text)) return this.#unknown();
    const about = `${place} ${items}`;
    const within = items + limitsText(this.#limitsOfFew(about, () => limitsOfTally(ask)));
    const areFew = few.answers.get(within);
    if (areFew === true || found.open.has(items)) return undefined;
    if (areFew === undefined && few.open.has(within)) return this.#unknown();
    if (!this.#records.canTally(source, ask)) return undefined;
    const asked = this.#tallied.of(about, ask);
    // The first few of them, for those who explain a formula, are read whatever else is asked.
    const isBeginning = tally.take === 'first' && most !== undefined;
    if (!isBeginning && !asked.texts.has(text)) {
      asked.limits = inCommon(asked.limits, limitsOfTally(ask));
      const kind = stepText(ask);
      const isStep = kind !== undefined && wholes.open.has(asked.steps.get(kind) ?? '');
      if (!isStep && asked.count >= mostTallies && areFew === undefined) {
        if (!this.#stored.limitsOfFew.has(about)) this.#stored.limitsOfFew.set(about, asked.limits);
        const limits = this.#limitsOfFew(about, () => asked.limits);
        // It may be known of all of them, though not of those within its own limits.
        if (few.ask(items + limitsText(limits), { wanted, limits }) === notKnown) {
          // Of a few, which are read then, nothing is told.
          for (const other of asked.texts) wholes.open.delete(other);
          return notKnown;
        }
      }
      if (!isStep && asked.count >= mostTalliesOfMany) return undefined;
      if (!isStep) asked.count += 1;
      if (kind !== undefined) asked.steps.set(kind, text);
      asked.texts.add(text);
    }
    return wholes.ask(text, { ...ask, except });
  }

  #unknown(): Unknown {
    this.encounters.unknown += 1;
    return notKnown;
  }

  /** Within which limits few may have been read, of those who want no others than are within these. */
  #limitsOfFew(about: string, limits: () => readonly Limit[]): readonly Limit[] {
    const asked = this.#stored.limitsOfFew.get(about) ?? noLimits;
    return asked.length > 0 && inCommon(asked, limits()).length === asked.length ? asked : noLimits;
  }

  /** Ids of stored records of a group that do not count as they are stored; undefined where these are too many. */
  protected absentIn(group: string): readonly string[] | undefined {
    return this.#own?.group === group ? [this.#own.id] : noIds;
  }

  list({ group, id, lists, places }: Stored, key: string): readonly unknown[] | Unknown {
    const found = this.#insideOf({ group, lists: [...lists, key] }, id);
    return found === notKnown ? found : placedValues(found, places.join());
  }

  place({ group, id, lists, places }: Stored): number | Unknown {
    const found = this.#insideOf({ group, lists }, id);
    if (found === notKnown) return found;
    const around = found.get(places.slice(0, -1).join()) ?? [];
    return around.findIndex(({ place }) => place === places.at(-1));
  }

  #insideOf(source: RecordSource, id: string): PlacedLists | Unknown {
    const asked = this.#stored.lists.at(sourceText(source), source);
    return asked.ask(id, id, () => this.#records.listsAtHand(source, id));
  }

  workspace(): RecordValue | Unknown {
    const group = this.#records.workspaceGroup() ?? '';
    if (this.#write !== undefined && this.#write.resource.name === group) return recordValue(this.#write.values);
    return this.#stored.workspace.at(group, group).ask('', undefined, () => {
      const values = group === '' ? undefined : this.#records.recordAtHand(group, '');
      return values ? storedRecord(group, values) : undefined;
    });
  }

  old(): RecordValue | null {
    return this.#write?.before === undefined ? null : recordValue(this.#write.before);
  }

  before(tree: TreeOf<'before'>, self: RecordValue): Noted {
    const known = this.#write?.befores?.of(tree, self);
    if (known !== undefined) return known;
    const old = this.old();
    if (old === null && isOfItself(tree)) return nothingBefore;
    this.#past ??= this.pastFacts();
    const noted = this.#evaluate(tree.of, asBefore(self, old), { facts: this.#past, given: [] });
    this.#write?.befores?.put(tree, self, noted);
    return noted;
  }

  /** Facts to which the write has not come yet. */
  protected pastFacts(): ReadFacts {
    return new ReadFacts({ records: this.#records, today: this.#day, actor: this.#actor });
  }

  today(): string | Unknown {
    if (this.#today !== undefined) return this.#today;
    this.#wantsToday = true;
    this.encounters.unknown += 1;
    return notKnown;
  }

  actor(): string | null {
    return this.#actor;
  }

  sent(key: string): boolean {
    return this.#write?.sent?.has(key) === true;
  }

  /** Reads what has been asked for. @returns whether anything has been */
  readAsked(): Soon<boolean> {
    const stored = this.#stored;
    this.#records.takeLocks();
    const hasRead = stored.read(() => this.#beginReading(stored));
    const all: readonly ReadFacts[] = this.#past === undefined ? [this] : [this, this.#past];
    const days = all.filter((facts) => facts.#wantsToday).map((facts) => facts.#readToday());
    if (days.length === 0) return hasRead;
    return soon(soonAll([hasRead, ...days]), () => true);
  }

  async #readToday(): Promise<true> {
    this.#wantsToday = false;
    this.#today = (await this.#day?.()) ?? '';
    return true;
  }

  #beginReading({ found, few, records, lists, wholes, workspace }: StoredFacts): readonly Reading[] {
    const readings: Reading[] = [];
    // First, for they may be read under locks behind which others are looked for.
    records.read(readings, {
      read: (group, ids) => this.#records.many(group, ids),
      answerOf: (read, { place, question }) => storedOrNull(place, read.get(question)),
    });
    const atPlace = <A>(read: readonly A[], { index }: { readonly index: number }): A => read[index] as A; // one for each
    wholes.read(readings, { read: (source, asks) => this.#records.tally(source, asks), answerOf: atPlace });
    found.read(readings, { read: (source, asks) => this.#queries.read(source, asks), answerOf: atPlace });
    few.read(readings, { read: (source, asks) => this.#records.few(source, asks), answerOf: atPlace });
    lists.read(readings, {
      read: (source, ids) => this.#records.listsOf(source, ids),
      answerOf: (read, { question }) => read.get(question) ?? new Map(),
    });
    workspace.read(readings, {
      read: () => this.#records.workspace(),
      answerOf: (settings, { place }) => storedRecord(place, settings),
    });
    return readings;
  }
}

const noLimits: readonly Limit[] = [];
const noIds: readonly string[] = [];
const nothingBefore: Noted = Object.freeze({ value: null, throughNull: false, overlong: undefined });
const nothingFound: Whole = { value: null, records: [] };
