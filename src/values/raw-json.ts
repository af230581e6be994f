// JSON that is read to be written again: numbers keep all their digits, more than a number of JavaScript has.

/** A number as it stood in the text that was read. */
interface RawNumber {
  readonly rawJSON: string;
}

declare global {
  // Of ECMAScript, "JSON.parse source text access"; the compiler does not know it yet.
  interface JSON {
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

type Reviver = (key: string, value: unknown, context: { readonly source: string }) => unknown;
const withDigits: Reviver = (_key, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value);

/** Reads JSON of our own; `JSON.stringify` writes its numbers as they were. */
export const parseWithDigits = (text: string): unknown =>
  JSON.parse(text, withDigits as Parameters<typeof JSON.parse>[1]) as unknown;
