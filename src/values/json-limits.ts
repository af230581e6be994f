// Limits of a JSON text that a caller sends.

/** Limits of a JSON text of a caller; each bounds the memory and the time that reading it takes. */
export interface JsonLimits {
  /** Maximum number of distinct names of members in the whole text. */
  readonly names: number;
  /** Maximum number of members of one object. */
  readonly members: number;
  /** Maximum number of values: objects, lists and plain values, whatever they are part of. */
  readonly values: number;
  /** Maximum length of each part of the outermost object, in UTF-16 units: a member, or an item of a list that is a member. */
  readonly part: number;
  /** Names of fields that hold free JSON: their objects may have more members, and keep their text. */
  readonly freeNames: Pick<ReadonlySet<string>, 'has'>;
}

/** The text is beyond a limit. The message is for callers. */
export class JsonTooLarge extends Error {
  override readonly name = 'JsonTooLarge';
}

/** Limits of JSON that the service itself has written: none. */
export const unlimited: JsonLimits = {
  names: Number.POSITIVE_INFINITY,
  members: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
  part: Number.POSITIVE_INFINITY,
  freeNames: new Set(),
};

/** Minimum length of a member with its comma: `"":0,`. */
export const charactersOfMember = 5;
