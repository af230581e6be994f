// JSON as text: fields of any form, stored as they were sent without white space; and JSON that is read to be written again.
import { findSource } from './json/sources.ts';
import { isObject, type JsonObject, keysOf, WideNumber } from './json.ts';

/** Code points of the text, and levels of lists and objects, the outer one included. */
export const jsonLimits = { characters: 16_384, levels: 10 } as const;

/**
 * Returns the text of a value. Free JSON has the text that was sent. Otherwise strings are written as JavaScript does, and
 * numbers that it would change as they were sent. Members that are undefined are left out.
 */
export function jsonText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (value instanceof WideNumber) return value.text;
  const source = findSource(value);
  if (source !== undefined) return source;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  const object = value as JsonObject;
  const keys = keysOf(object).filter((key) => object[key] !== undefined);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${jsonText(object[key])}`).join(',')}}`;
}

/** What a value must be and is not, in the words of the interface, or undefined. */
export function jsonFault(value: unknown): string | undefined {
  if (!isObject(value) || value instanceof WideNumber) return 'an object';
  // The reader has seen that nothing nests without end.
  if (levelsOf(value) > jsonLimits.levels) return `an object with at most ${jsonLimits.levels} levels`;
  const text = jsonText(value);
  return text.length > jsonLimits.characters && [...text].length > jsonLimits.characters
    ? `an object with at most ${jsonLimits.characters} characters as JSON`
    : undefined;
}

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof WideNumber) return 0;
  return 1 + Object.values(value).reduce((most: number, inside) => Math.max(most, levelsOf(inside)), 0);
}

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
