// Partial records: a field that nothing has filled in yet is unknown, and so is what depends on it.
import type { RecordValue } from '../language/value.ts';

/** A record, or an item of one, of which only what it holds is known; now, and when it holds more. */
export const withUnknownFields = (value: RecordValue): RecordValue => ({
  ...value,
  owner: value.owner && withUnknownFields(value.owner),
  unsound: new Gaps(value.values),
});

/** Keys of what a record does not hold. */
class Gaps {
  readonly #values: RecordValue['values'];

  constructor(values: RecordValue['values']) {
    this.#values = values;
  }

  has(key: string): boolean {
    return this.#values[key] === undefined;
  }
}
