// Reads request bodies. JSON.parse would silently keep the last of two equal keys, round long numbers, take lone
// surrogates and nest without end; here each of these is an error, or a value that later stages can refuse by name.
import { escapes } from './json/escapes.ts';
import { findPath, JsonFault, RefusedJson } from './json/refused-json.ts';
import { storeSource } from './json/sources.ts';
import { charactersOfMember, type JsonLimits, JsonTooLarge, unlimited } from './json-limits.ts';
import { decimalParts } from './scaled.ts';

/** A JSON value; objects have no prototype, numbers are exact (see `WideNumber`). */
export type JsonValue = null | boolean | number | string | WideNumber | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** A number that a JS number would change (9007199254740993, 1e999), as it stood in the source. */
export class WideNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
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
/** So many significant digits survive a JS number, whatever they are (IEEE 754 double). */
const safeDigits = 15;
/** No shortest text of a double has more. */
const longestDigits = 17;

/**
 * Reads one RFC 8259 text; `-0` becomes 0.
 * @throws JsonFault for invalid UTF-8, a BOM and a syntax error.
 * @throws RefusedJson for a key given twice, the key `__proto__`, more than 32 levels, and U+0000 or a lone surrogate in a string.
 * @throws JsonTooLarge for a text beyond the limits.
 */
export const readJson = (bytes: Uint8Array, limits?: JsonLimits): JsonValue => readJsonText(decodeText(bytes), limits);

/** Reads a text as `readJson` reads bytes. */
export const readJsonText = (text: string, limits?: JsonLimits): JsonValue => new Reader(text, limits).read();

/** Reads a text that is the value of a field with free JSON. @throws JsonFault, RefusedJson */
export const readFreeJson = (text: string): JsonValue => new Reader(text).readFree();

/**
 * Reads as `readJson` does, and pauses after each part of the outermost object, so that a long text does not hold the event loop.
 * @throws JsonFault, JsonTooLarge
 */
export const readJsonInSteps = (bytes: Uint8Array, limits: JsonLimits): Generator<undefined, JsonValue, undefined> =>
  new Reader(decodeText(bytes), limits).inSteps();

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeText(bytes: Uint8Array): string {
  try {
    // UTF-8 has no form for surrogates, so that lone ones can only come from \u escapes.
    return decoder.decode(bytes);
  } catch {
    throw new JsonFault('invalid UTF-8');
  }
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

/** Recursive descent over UTF-16 units; past the end, charCodeAt gives NaN, which fits nowhere. */
class Reader {
  private readonly text: string;
  private readonly limits: JsonLimits;
  /** Names that were met; undefined if the text is too short to hold more than the limit. */
  private readonly names: Set<string> | undefined;
  private at = 0;
  private values = 0;
  /** Where the part that is being read must end. */
  private partEnd: number;
  /** How many of the objects that are being read may have any number of members. */
  private free = 0;

  constructor(text: string, limits = unlimited) {
    this.text = text;
    this.limits = limits;
    this.names = text.length > limits.names * charactersOfMember ? new Set() : undefined;
    this.partEnd = limits.part;
  }

  read(): JsonValue {
    const value = this.value(0);
    this.end();
    return value;
  }

  readFree(): JsonValue {
    const value = this.freeValue(0);
    this.end();
    return value;
  }

  /** Pauses after each member of the outermost object, and after each item of a list that is one. */
  *inSteps(): Generator<undefined, JsonValue, undefined> {
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== OPEN_OBJECT) return this.read();
    this.at++;
    const object: JsonObject = Object.create(null);
    let isOver = this.takes(CLOSE_OBJECT);
    for (let count = 1; !isOver; count++) {
      this.partEnd = this.at + this.limits.part;
      const key = this.key(object, count);
      if (this.limits.freeNames.has(key)) object[key] = this.freeValue(1);
      else object[key] = this.isNext(OPEN_ARRAY) ? yield* this.itemsInSteps() : this.value(1);
      yield;
      isOver = this.takes(CLOSE_OBJECT);
      if (!isOver && !this.takes(COMMA)) this.fail('expected a comma or the end of the object');
    }
    this.end();
    return object;
  }

  private *itemsInSteps(): Generator<undefined, JsonValue[], undefined> {
    this.count();
    this.at++;
    const items: JsonValue[] = [];
    let isOver = this.takes(CLOSE_ARRAY);
    while (!isOver) {
      this.partEnd = this.at + this.limits.part;
      items.push(this.value(2));
      yield;
      isOver = this.takes(CLOSE_ARRAY);
      if (!isOver && !this.takes(COMMA)) this.fail('expected a comma or the end of the array');
    }
    return items;
  }

  private end(): void {
    this.skipSpace();
    if (this.at < this.text.length) this.fail('expected the end');
  }

  private count(): void {
    this.values++;
    if (this.values > this.limits.values) throw new JsonTooLarge(`it holds more than ${this.limits.values} values`);
    if (this.at > this.partEnd) this.failPart();
  }

  private value(depth: number): JsonValue {
    this.count();
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
    for (let count = 1; ; count++) {
      const key = this.key(object, count);
      const first = key.charCodeAt(0);
      if (order === undefined && first >= ZERO && first <= NINE) {
        order = Object.keys(object);
        orders.set(object, order);
      }
      order?.push(key);
      object[key] = this.limits.freeNames.has(key) ? this.freeValue(depth) : this.value(depth);
      if (this.takes(CLOSE_OBJECT)) return object;
      if (!this.takes(COMMA)) this.fail('expected a comma or the end of the object');
    }
  }

  /** The name of the next member, and the colon. @param count How many members the object has with this one. */
  private key(object: JsonObject, count: number): string {
    if (!this.takes(QUOTE)) this.fail('expected a key');
    const key = this.string();
    // Without a prototype it would be an ordinary key here, but not in the objects made from this one.
    if (key === '__proto__') this.refuse('is not allowed');
    // No value is undefined, and looking for one costs half of asking with `in`.
    if (object[key] !== undefined) this.refuse('is given twice');
    const { names, members } = this.limits;
    if (count > members && this.free === 0) throw new JsonTooLarge(`an object in it has more than ${members} members`);
    if (this.names !== undefined && this.names.add(key).size > names)
      throw new JsonTooLarge(`its members have more than ${names} different names`);
    if (!this.takes(COLON)) this.fail('expected a colon');
    return key;
  }

  private freeValue(depth: number): JsonValue {
    this.skipSpace();
    const start = this.at;
    this.free++;
    const value = this.value(depth);
    this.free--;
    if (this.free === 0 && typeof value === 'object' && value !== null)
      storeSource(value, this.text.slice(start, this.at));
    return value;
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
    if (depth > maximumDepth) this.refuseDepth();
    this.at++;
  }

  /** The string that begins here, behind its quote. */
  private string(): string {
    const { text, partEnd } = this;
    const start = this.at;
    for (let at = start; at <= partEnd; at++) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) {
        this.at = at + 1;
        return text.slice(start, at);
      }
      if (unit === BACKSLASH) return this.escapedString(start, at);
      if (!(unit >= 0x20)) this.failAt(at, 'control character in a string, or a string without end');
    }
    return this.failPart();
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
        if (!value.isWellFormed()) this.refuse('must be without lone surrogates');
        return value;
      }
      if (!(unit >= 0x20)) this.failAt(at, 'control character in a string, or a string without end');
      if (unit !== BACKSLASH) {
        at++;
        continue;
      }
      if (at > this.partEnd) this.failPart();
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
    if (digits === '0000') this.refuse('must be without U+0000', at);
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
    for (let unit = this.text.charCodeAt(end); unit >= ZERO && unit <= NINE; unit = this.text.charCodeAt(end)) {
      end++;
      if (end > this.partEnd) this.failPart();
    }
    if (end === at) this.failAt(at, 'unexpected character or end');
    return end;
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail('unknown word');
    this.at += word.length;
    return value;
  }

  /** Whether it comes next, after white space, and is taken. */
  private takes(unit: number): boolean {
    if (!this.isNext(unit)) return false;
    this.at++;
    return true;
  }

  private isNext(unit: number): boolean {
    if (this.text.charCodeAt(this.at) <= SPACE) this.skipSpace();
    return this.text.charCodeAt(this.at) === unit;
  }

  private skipSpace(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.at++;
    }
  }

  /** @throws RefusedJson with the path of the value or the name that ends here */
  private refuse(reason: string, at = this.at): never {
    throw new RefusedJson(findPath(this.text, at), reason);
  }

  /** @throws RefusedJson with the outermost member, because the whole path is long */
  private refuseDepth(): never {
    throw new RefusedJson(findPath(this.text, this.at).slice(0, 1), `must have at most ${maximumDepth - 1} levels`);
  }

  private fail(reason: string): never {
    return this.failAt(this.at, reason);
  }

  private failPart(): never {
    throw new JsonTooLarge(`a part of it is longer than ${this.limits.part} characters`);
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
