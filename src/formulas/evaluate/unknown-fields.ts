// Partial records: a field that nothing has filled in yet is unknown, and so is what depends on it.
import type { RecordValue } from '../language/value.ts';
import type { Facts } from './facts.ts';

type Encounters = NonNullable<Facts['encounters']>;

/** A record, or an item of one, of which only what it holds is known; now, and when it holds more. */
export const withUnknownFields = (value: RecordValue, encounters: Encounters): RecordValue => ({
  ...value,
  owner: value.owner && withUnknownFields(value.owner, encounters),
  unsound: new Gaps(value.values, encounters),
});

/** Keys of what a record does not hold. */
class Gaps {
  readonly #values: RecordValue['values'];
  readonly #encounters: Encounters;

  constructor(values: RecordValue['values'], encounters: Encounters) {
    this.#values = values;
    this.#encounters = encounters;
  }

  has(key: string): boolean {
    if (this.#values[key] !== undefined) return false;
    this.#encounters.unknown += 1;
    return true;
  }
}
