// Text of values of fields that hold free JSON, from the reader of a body to the writers of JSON.

/** Text of each value of a field that holds free JSON, by the value. */
const sources = new WeakMap<object, string>();

/** Returns the text of a value of free JSON as it was sent, without white space; undefined for all other values. */
export const findSource = (value: object): string | undefined => sources.get(value);

/** Stores the text of a value, without the white space outside of its strings. */
export const storeSource = (value: object, text: string): void =>
  void sources.set(value, text.replace(stringOrSpace, '$1'));

/** A string, or white space outside of strings. */
const stringOrSpace = /("(?:[^"\\]|\\.)*")|[ \t\n\r]+/g;
