// What has been asked about the same items as a whole, and within which limits: few of these are better read.
import { type Limit, limitsOfTally, type TallyAsk } from '../formulas/evaluate/facts.ts';

/** Questions about the same items. */
interface Tallies {
  readonly texts: Set<string>;
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
    const made = { texts: new Set<string>(), limits: limitsOfTally(first) };
    this.#known.set(items, made);
    return made;
  }
}

/** Those limits that the others have too. */
export const inCommon = (some: readonly Limit[], others: readonly Limit[]): readonly Limit[] =>
  some.filter(({ key, sign, value, orNull }) =>
    others.some((one) => one.key === key && one.sign === sign && one.value === value && one.orNull === orNull),
  );
