// Reads request bodies. JSON.parse would silently keep the last of two equal keys, round long numbers, take lone
// surrogates and nest without end; here each of these is an error, or a value that later stages can refuse by name.
import { isUtf8 } from 'node:buffer';

/** A JSON value; objects have no prototype, numbers are exact (see `WideNumber`). */
export type JsonValue = null | boolean | number | string | WideNumber | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** The bytes are not the JSON that we accept. The message is for logs, not for callers. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
}

/** A number that a JS number would change (9007199254740993, 1e999), as it stood in the source. */
export class WideNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** ±0.`digits` × 10^`point`; `digits` has no zero at either end and is empty for 0, which is never negative. */
export interface DecimalParts {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
}

/** Keys in the order of the source, of objects that have whole numbers among them: JavaScript puts these first. */
const orders = new WeakMap<JsonObject, readonly string[]>();

/** The keys of an object that was read, in the order of its source. */
export const keysOf = (object: JsonObject): readonly string[] => orders.get(object) ?? Object.keys(object);

/** Gives a copy of an object that was read the order of its keys. */
export function inOrderOf(object: JsonObject, copy: JsonObject): JsonObject {
  const order = orders.get(object);
  if (order !== undefined) orders.set(copy, order);
  return copy;
}

const maximumDepth = 32;
/** Beyond all that counts, yet small enough that sums with a text length stay exact. */
const maximumExponent = 1e15;
/** So many significant digits survive a JS number, whatever they are (IEEE 754 double). */
const safeDigits = 15;
/** No shortest text of a double has more. */
const longestDigits = 17;

/**
 * Reads one RFC 8259 text; `-0` becomes 0.
 * @throws JsonFault for invalid UTF-8, a BOM, a syntax error, a key given twice, the key `__proto__`, more than 32
 * levels, and U+0000 or a lone surrogate in a string.
 */
export function readJson(bytes: Uint8Array): JsonValue {
  // UTF-8 has no form for surrogates, so that lone ones can only come from \u escapes.
  if (!isUtf8(bytes)) throw new JsonFault('invalid UTF-8');
  return new Reader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')).read();
}

/** Splits a JSON number, or the text of a finite JS number, in linear time whatever its length and exponent. */
export function decimalParts(text: string): DecimalParts {
  const mantissaEnd = text.search(/[eE]/);
  const negative = text.startsWith('-');
  const mantissa = text.slice(negative ? 1 : 0, mantissaEnd < 0 ? undefined : mantissaEnd);
  const dot = mantissa.indexOf('.');
  const digits = dot < 0 ? mantissa : mantissa.slice(0, dot) + mantissa.slice(dot + 1);
  let first = 0;
  while (digits.charCodeAt(first) === ZERO) first++;
  if (first === digits.length) return { negative: false, digits: '', point: 0 };
  // A loop, since /0+$/ is quadratic for runs of zeros inside the number.
  let last = digits.length;
  while (digits.charCodeAt(last - 1) === ZERO) last--;
  const exponent = mantissaEnd < 0 ? 0 : Number(text.slice(mantissaEnd + 1));
  const whole = dot < 0 ? mantissa.length : dot;
  const point = whole - first + Math.max(-maximumExponent, Math.min(maximumExponent, exponent));
  return { negative, digits: digits.slice(first, last), point };
}

const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Recursive descent over UTF-16 units; past the end, charCodeAt gives NaN, which fits nowhere. */
class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  read(): JsonValue {
    const value = this.value(0);
    this.skipSpace();
    if (this.at < this.text.length) this.fail('expected the end');
    return value;
  }

  private value(depth: number): JsonValue {
    if (this.text.charCodeAt(this.at) <= SPACE) this.skipSpace();
    switch (this.text.charCodeAt(this.at)) {
      case OPEN_OBJECT:
        return this.object(depth + 1);
      case OPEN_ARRAY:
        return this.array(depth + 1);
      case QUOTE:
        this.at++;
        return this.string();
      case 0x74:
        return this.word('true', true);
      case 0x66:
        return this.word('false', false);
      case 0x6e:
        return this.word('null', null);
      default:
        return this.number();
    }
  }

  private object(depth: number): JsonObject {
    this.enter(depth);
    const object: JsonObject = Object.create(null);
    let order: string[] | undefined;
    if (this.takes(CLOSE_OBJECT)) return object;
    for (;;) {
      if (!this.takes(QUOTE)) this.fail('expected a key');
      const key = this.string();
      // Without a prototype it would be an ordinary key here, but not in the objects made from this one.
      if (key === '__proto__') this.fail('key __proto__');
      // No value is undefined, and looking for one costs half of asking with `in`.
      if (object[key] !== undefined) this.fail('key given twice');
      const first = key.charCodeAt(0);
      if (order === undefined && first >= ZERO && first <= NINE) {
        order = Object.keys(object);
        orders.set(object, order);
      }
      order?.push(key);
      if (!this.takes(COLON)) this.fail('expected a colon');
      object[key] = this.value(depth);
      if (this.takes(CLOSE_OBJECT)) return object;
      if (!this.takes(COMMA)) this.fail('expected a comma or the end of the object');
    }
  }

  private array(depth: number): JsonValue[] {
    this.enter(depth);
    const items: JsonValue[] = [];
    if (this.takes(CLOSE_ARRAY)) return items;
    for (;;) {
      items.push(this.value(depth));
      if (this.takes(CLOSE_ARRAY)) return items;
      if (!this.takes(COMMA)) this.fail('expected a comma or the end of the array');
    }
  }

  private enter(depth: number): void {
    if (depth > maximumDepth) this.fail(`deeper than ${maximumDepth} levels`);
    this.at++;
  }

  /** The string that begins here, behind its quote. */
  private string(): string {
    const { text } = this;
    const start = this.at;
    for (let at = start; ; at++) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) {
        this.at = at + 1;
        return text.slice(start, at);
      }
      if (unit === BACKSLASH) return this.escapedString(start, at);
      if (!(unit >= 0x20)) this.failAt(at, 'control character in a string, or a string without end');
    }
  }

  /** The string that began at `start` and whose first backslash is at `backslash`. */
  private escapedString(start: number, backslash: number): string {
    const { text } = this;
    let value = '';
    let plain = start;
    for (let at = backslash; ; ) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) {
        this.at = at + 1;
        value += text.slice(plain, at);
        if (!value.isWellFormed()) this.fail('lone surrogate');
        return value;
      }
      if (!(unit >= 0x20)) this.failAt(at, 'control character in a string, or a string without end');
      if (unit !== BACKSLASH) {
        at++;
        continue;
      }
      value += text.slice(plain, at);
      const letter = text.charAt(at + 1);
      if (letter === 'u') {
        value += this.unicodeEscape(at + 2);
        at += 6;
      } else {
        value += escapes[letter] ?? this.failAt(at, 'unknown escape');
        at += 2;
      }
      plain = at;
    }
  }

  private unicodeEscape(at: number): string {
    const digits = this.text.slice(at, at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.failAt(at, 'expected four hexadecimal digits');
    if (digits === '0000') this.failAt(at, 'U+0000 in a string');
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  private number(): number | WideNumber {
    const { text } = this;
    const start = this.at;
    const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
    let at = text.charCodeAt(first) === ZERO ? first + 1 : this.digitsEnd(first);
    let hasExponent = false;
    if (text.charCodeAt(at) === DOT) at = this.digitsEnd(at + 1);
    const letter = text.charCodeAt(at);
    if (letter === 0x65 || letter === 0x45) {
      hasExponent = true;
      const sign = text.charCodeAt(at + 1);
      at = this.digitsEnd(sign === PLUS || sign === MINUS ? at + 2 : at + 1);
    }
    this.at = at;
    const source = text.slice(start, at);
    if (hasExponent || at - first > safeDigits) return exactNumber(source);
    // Adding 0 turns -0 into 0.
    return Number(source) + 0;
  }

  /** Where the digits end that begin at `at`; there must be one at least. */
  private digitsEnd(at: number): number {
    let end = at;
    for (let unit = this.text.charCodeAt(end); unit >= ZERO && unit <= NINE; unit = this.text.charCodeAt(end)) end++;
    if (end === at) this.failAt(at, 'unexpected character or end');
    return end;
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail('unknown word');
    this.at += word.length;
    return value;
  }

  /** Whether it comes next, behind white space, and is taken. */
  private takes(unit: number): boolean {
    if (this.text.charCodeAt(this.at) <= SPACE) this.skipSpace();
    if (this.text.charCodeAt(this.at) !== unit) return false;
    this.at++;
    return true;
  }

  private skipSpace(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.at++;
    }
  }

  private fail(reason: string): never {
    return this.failAt(this.at, reason);
  }

  private failAt(at: number, reason: string): never {
    throw new JsonFault(`${reason} at character ${at}`);
  }
}

/** A JS number when its shortest text means exactly what `source` says. */
function exactNumber(source: string): number | WideNumber {
  const wanted = decimalParts(source);
  if (wanted.digits === '') return 0;
  if (wanted.digits.length > longestDigits) return new WideNumber(source);
  const value = Number(source);
  if (value === 0 || !Number.isFinite(value)) return new WideNumber(source);
  const found = decimalParts(String(value));
  return found.digits === wanted.digits && found.point === wanted.point ? value : new WideNumber(source);
}

/** Whether a value is an object with members: no list, and not null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
