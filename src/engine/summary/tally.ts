// What groups of records come to, as data.
import type { Value } from '../../registry/model/model.ts';

/** What one group of records comes to. */
export interface Tally {
  /** What tells it from the others, one value a dimension: ids, words, days. */
  by: readonly Value[];
  count: number;
  readonly measures: MeasureTally[];
}

export interface MeasureTally {
  /** Values that there are: null is passed over. */
  count: number;
  /** Plain notation. */
  sum: string;
  least: Value;
  greatest: Value;
}
