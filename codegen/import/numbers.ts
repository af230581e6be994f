// Numbers with all their digits.
import { findSource } from '../../src/values/json/sources.ts';
import { type JsonValue, readJsonText, WideNumber } from '../../src/values/json.ts';
import { type JsonLimits, unlimited } from '../../src/values/json-limits.ts';

export type FreeNames = JsonLimits['freeNames'];
const noNames: FreeNames = new Set();

/**
 * Reads JSON as the service reads a body.
 * @param freeNames Names of fields with free JSON, which keep their text.
 * @throws RangeError if a number would lose digits; RefusedJson; JsonFault
 */
export function readJsonExactly(text: string, freeNames: FreeNames = noNames): JsonValue {
  const value = readJsonText(text, { ...unlimited, freeNames });
  checkDigits('', value);
  return value;
}

function checkDigits(key: string, value: JsonValue): void {
  if (value instanceof WideNumber) throw new RangeError(`'${key}' has more digits than a number keeps`);
  if (typeof value !== 'object' || value === null || findSource(value) !== undefined) return;
  for (const [name, inside] of Object.entries(value)) checkDigits(name, inside);
}

/** Significant digits that survive as a number, whatever they are. */
export const safeDigits = 15;
export const digitsIn = (text: string): number =>
  text
    .replace(/[eE].*$/, '')
    .replace(/[^\d]/g, '')
    .replace(/^0+|0+$/g, '').length;

/** Reports whether a number keeps all digits of a text, and is neither infinite nor 0 instead. */
export const isExact = (text: string): boolean => {
  const digits = digitsIn(text);
  return digits <= safeDigits && Number.isFinite(Number(text)) && (digits === 0) === (Number(text) === 0);
};

/** The product of two decimals, with all its digits. */
export function multiplied(one: string, other: string): string {
  const parts = [one, other].map((text) => /^([+-]?\d+)(?:\.(\d+))?$/.exec(text));
  if (parts.includes(null)) throw new RangeError('a number without an exponent');
  const [a, b] = parts.map((part) => ({
    digits: BigInt(`${part?.[1]}${part?.[2] ?? ''}`),
    scale: part?.[2]?.length ?? 0,
  }));
  const scale = (a?.scale ?? 0) + (b?.scale ?? 0);
  const product = (a?.digits ?? 0n) * (b?.digits ?? 0n);
  const text = String(product < 0n ? -product : product).padStart(scale + 1, '0');
  return `${product < 0n ? '-' : ''}${text.slice(0, text.length - scale)}${scale === 0 ? '' : `.${text.slice(-scale)}`}`;
}
