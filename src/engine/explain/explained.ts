// What an explanation says: parts of a formula with their values, and the records that these come from.
import type { Value } from '../../registry/model/model.ts';

/** A record, or an item of one, that a value comes from. */
export interface ValueSource {
  readonly group: string;
  readonly id: string;
  /** As references show it. */
  readonly name: string;
  /** `lines[0]`; '' for the record itself. */
  readonly place: string;
  /** What the formula takes of it, where it takes something of each. */
  readonly value?: Value;
  /** Figures among what it takes, taken apart themselves. */
  readonly parts: readonly ExplainedPart[];
}

/** All sources that a caller does not see, with what they come to where that can be told. */
interface HiddenSources {
  readonly hidden: true;
  readonly value?: Value;
}

/** What something gives; null where it looks at more records than are read for an explanation. */
export interface Told {
  readonly value: Value;
  readonly unread?: true;
}

/** A part of a formula. */
export interface ExplainedPart extends Told {
  /** As the descriptor has it. */
  readonly words: string;
  readonly parts: readonly ExplainedPart[];
  readonly sources: readonly (ValueSource | HiddenSources)[];
  /** How many there are besides, where not all are told. */
  readonly more?: number;
  /** Of a write that is tried: whether it is a figure of another record, which the write may move. */
  readonly isAfter?: true;
  /** Whether its value is none that the caller sees. */
  readonly hidden?: true;
}
