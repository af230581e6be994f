// What an evaluation may ask for: values of records that are known, and an interface to request those of others.
import { unreachable } from '../../unreachable.ts';
import type { LimitSign } from '../analyse/limits.ts';
import type { Tally } from '../analyse/tally.ts';
import type { Collection, Order, TreeOf } from '../language/tree.ts';
import { notKnown, type RecordValue, type Stored, type Unknown } from '../language/value.ts';
import type { Noted } from './memo.ts';

/** Records wanted of a collection: `value` is one id or key, for each narrowing of the formula. */
export interface Wanted {
  readonly key: string;
  readonly up: number;
  /** Whether it is sought among the ids of a list. */
  readonly isAmong: boolean;
  /** Of an id where it is known: an id of one of several groups is kept by its group. */
  readonly group?: string | undefined;
  readonly value: string | boolean;
}

/** What else all of those have that count: whoever reads may leave the others out, or not. */
export interface Limit {
  readonly key: string;
  readonly sign: LimitSign;
  /** Null only for `==` and `!=`. */
  readonly value: string | boolean | null;
  /** Whether null passes as well; it always passes `!=` of a value. */
  readonly orNull: boolean;
}

/** What is looked for in a collection. */
export interface Ask {
  readonly wanted: readonly Wanted[];
  readonly limits: readonly Limit[];
}

/** What a collection is asked for as a whole. */
export interface TallyAsk {
  readonly tally: Tally;
  readonly wanted: readonly Wanted[];
  /** What the tally is given: plain values. */
  readonly given: readonly (string | boolean | null)[];
  /** Of a number: more than so many need not be counted. Of the first and the last: so many of them; one without it. */
  readonly most: number | undefined;
}

/** The same of all but some records. */
export interface TallyQuestion extends TallyAsk {
  /** Ids of records that do not count. */
  readonly except: readonly string[];
}

/** What it has come to. */
export interface Tallied {
  /** A sum, a number or an extreme of all but those that follow. */
  readonly value: string | null;
  /**
   * Those that are known here and not yet judged: the record that is written, or its items; with them the first or the last
   * of all others, in the order of making.
   */
  readonly items: readonly RecordValue[];
}

/** An ask as a text: those that are equal have the same. */
export const askText = ({ wanted, limits }: Ask): string => wantedText(wanted) + limitsText(limits);

/** An ask without limits as a text. Whatever stands in a value, it ends where its length says. */
export function wantedText(wanted: readonly Wanted[]): string {
  let text = '';
  for (const { key, up, isAmong, group = '', value } of wanted) {
    text += `${isAmong ? '@' : '.'}${key}^${up} ${group} `;
    text += typeof value === 'string' ? `${value.length}=${value}` : `:${value};`;
  }
  return text;
}

/** What limits add to the text of an ask. */
export function limitsText(limits: readonly Limit[]): string {
  let text = '';
  for (const { key, sign, value, orNull } of limits) {
    text += `${orNull ? '?' : '&'}${key}${sign}`;
    text += typeof value === 'string' ? `${value.length}=${value}` : `:${value};`;
  }
  return text;
}

/** The same of an ask for a whole. @param items What is wanted as a text. */
export function tallyText({ tally, given, most }: TallyAsk, items: string): string {
  let text = `${tally.id} ${most ?? ''} `;
  for (const value of given) text += typeof value === 'string' ? `${value.length}=${value}` : `:${value};`;
  return `${text} ${items}`;
}

/** Returns a question without the bound of its step, as a text; undefined if it has no step. */
export function stepText({ tally: { id, step }, given, most }: TallyAsk): string | undefined {
  if (step === undefined || most !== undefined) return undefined;
  return `${id} ${JSON.stringify(given.toSpliced(step.bound, 1))}`;
}

/** What limits the records of a tally, as far as it is the same for whoever reads them. */
export function limitsOfTally({ tally, given }: TallyAsk): Limit[] {
  return tally.limits.flatMap(({ key, sign, orNull, value }) => {
    const limit = 'is' in value ? value.is : (given[value.given] ?? null);
    return limit === null && sign !== '==' && sign !== '!=' ? [] : [{ key, sign, value: limit, orNull }];
  });
}

/**
 * What is known besides the record itself. Whatever is not known yet is `unknown`, is noted as asked for, and known when
 * the formula is evaluated again: so all that one round can know is read together.
 */
export interface Facts {
  /** How often something was not known so far. */
  readonly encounters?: { unknown: number };
  /** A record by its id; null where there is none, or where it goes with this write. */
  record(group: string, id: string): RecordValue | null | Unknown;
  /** Records of a collection that have all these values, in the order of their making; all records without any value. */
  collection(
    collection: Collection,
    wanted: readonly Wanted[],
    limits: readonly Limit[],
  ): readonly RecordValue[] | Unknown;
  /** One record of a collection, without its values; empty if the collection is. */
  anyOf(collection: Collection): readonly RecordValue[] | Unknown;
  /** The same as a whole, without reading them; undefined where those who read them alone can tell. */
  tally?(ask: TallyAsk): Tallied | Unknown | undefined;
  /** The record before one in an order, null for the first; undefined where it is to be looked for. */
  previous?(order: Order, self: RecordValue): RecordValue | null | Unknown | undefined;
  /** A list of a record, or of an item, that was read without it: ids, or the values of items with their own lists. */
  list(of: Stored, key: string): readonly unknown[] | Unknown;
  /** The place of an item among the others of its list, from 0. */
  place(of: Stored): number | Unknown;
  workspace(): RecordValue | null | Unknown;
  /** The record before the write; null on create. */
  old(): RecordValue | null | Unknown;
  /** What a part was before the write. @param self What the formula stands on. */
  before(tree: TreeOf<'before'>, self: RecordValue): Noted;
  today(): string | Unknown;
  actor(): string | null | Unknown;
  /** Whether the body of the write names a field, with whatever value. */
  sent(key: string): boolean | Unknown;
}

/** A record by itself, as a formula stands on it. */
export const recordValue = (values: Readonly<Record<string, unknown>>): RecordValue => ({
  values,
  id: typeof values['id'] === 'string' ? values['id'] : undefined,
  owner: undefined,
  place: 0,
});

/** Nothing but the record itself, and that the keys of the database see to it that a record is there for each id. */
const unasked = (): Unknown => notKnown;

/** Nothing but the record at hand: what lies beyond it is not known. */
export const atHand: Facts = Object.freeze({
  record: unasked,
  collection: unasked,
  anyOf: unasked,
  list: unasked,
  place: unasked,
  workspace: unasked,
  old: unasked,
  before: (): Noted => ({ value: notKnown, throughNull: false, overlong: undefined }),
  today: unasked,
  actor: unasked,
  sent: unasked,
});

export const noFacts: Facts = Object.freeze({
  record: (_group: string, id: string) => recordValue({ id }),
  collection: () => [],
  anyOf: () => [],
  list: () => [],
  place: () => 0,
  workspace: () => null,
  old: () => null,
  before: () => ({ value: null, throughNull: false, overlong: undefined }),
  today: () => {
    unreachable('there is no day without a workspace');
  },
  actor: () => null,
  sent: () => false,
});
