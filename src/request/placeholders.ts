// References of a batch operation to earlier results, replaced when these are known. A short text can name a long value
// many times, so the replaced size is limited.
import { type FieldFault, pointerStep } from '../problems/field-fault.ts';
import { problems } from '../problems.ts';
import { isUuid } from '../values/format.ts';
import { inOrderOf, isObject, type JsonObject, type JsonValue, WideNumber } from '../values/json.ts';
import type { BatchOperation, CheckedOperation } from './batch-operation.ts';

/** A part of an earlier answer: `{"$from": "acme.id"}`, or `{acme.id}` in a path. */
interface FromResult {
  readonly name: string;
  /** Keys and indexes that lead from its body to the value; `etag` to its tag, where the body has no such field. */
  readonly steps: readonly string[];
}

/** The longest name of a part, in characters. */
export const longestFrom = 1000;
/** A path with all that was put into it, in characters. */
const longestFilledPath = 2000;
/** What is put into the bodies of a batch, in characters as JSON: as much as may be sent. */
const mostPutIn = 8 * 1024 * 1024;

const inPath = /\{([^{}]*)\}/;

/** What the placeholders of a path name. */
export const placeholdersIn = (path: string): readonly string[] => path.split(inPath).filter(isPlaceholder);
/** Of a path that is split there, the parts at odd places. */
const isPlaceholder = (_part: string, place: number): boolean => place % 2 === 1;

/** What stands under `$from` where that is all of an object. */
export function fromOf(value: JsonValue): JsonValue | undefined {
  const object = asObject(value);
  return object !== undefined && Object.keys(object).length === 1 ? object['$from'] : undefined;
}

export const asObject = (value: JsonValue): JsonObject | undefined =>
  isObject(value) && Object.getPrototypeOf(value) === null ? (value as JsonObject) : undefined;

/** `acme.lines[0].id` */
export function readFrom(text: string): FromResult {
  const [name = '', ...steps] = text.split(/\.|\[(\d+)\]/).filter((step) => step !== undefined && step !== '');
  return { name, steps };
}

/** The answer to an operation, as later ones may use it. */
export interface NamedResult {
  /** Undefined where there is none, or it was refused. */
  readonly body: JsonValue | undefined;
  readonly etag: string | undefined;
}

type ResultOf = (name: string) => NamedResult | undefined;

/** Fills the operations of one batch, in their order; again from any of them, where those from there on were taken back. */
export class Filling {
  /** What is left before each operation. */
  readonly #rooms = [mostPutIn];
  #room = mostPutIn;

  /** @throws Problem 400 where an earlier answer has not what is taken from it, or too much is taken */
  fill(index: number, operation: CheckedOperation, resultOf: ResultOf): BatchOperation {
    const { path, body, ifMatch } = operation;
    this.#room = this.#rooms[index] ?? 0;
    if (!operation.hasPlaceholders) {
      this.#rooms[index + 1] = this.#room;
      return operation;
    }
    try {
      return {
        ...operation,
        path: filledPath(path, resultOf),
        body: body && (this.#put(body, inBody, resultOf) as JsonObject),
        ifMatch: ifMatch === undefined ? undefined : this.#put(ifMatch, inOperation('ifMatch'), resultOf),
      };
    } finally {
      this.#rooms[index + 1] = this.#room;
    }
  }

  #put(value: JsonValue, place: Place, resultOf: ResultOf): JsonValue {
    const from = fromOf(value);
    if (typeof from === 'string') {
      const found = taken(from, place, resultOf);
      this.#room -= lengthOf(found, this.#room);
      if (this.#room < 0)
        throw problems.bodyInvalid([
          faultAt(place, `must be shorter: a batch may take at most ${mostPutIn} characters from earlier answers`),
        ]);
      return found;
    }
    if (Array.isArray(value)) {
      const items = value.map((each, index) => this.#put(each, stepInto(place, index), resultOf));
      return items.some((each, index) => each !== value[index]) ? items : value;
    }
    const object = asObject(value);
    if (object === undefined) return value;
    // Of our reader's kind: without a prototype.
    const copy: JsonObject = Object.create(null);
    let hasChanged = false;
    for (const [key, each] of Object.entries(object)) {
      const newValue = this.#put(each, stepInto(place, key), resultOf);
      hasChanged ||= newValue !== each;
      copy[key] = newValue;
    }
    // Return the object itself if nothing was filled in: free JSON keeps its text.
    return hasChanged ? inOrderOf(object, copy) : object;
  }
}

/** Position of a value in an operation. */
interface Place {
  /** In the caller's words: `lines[0].amount`. */
  readonly at: string;
  readonly pointer: string | undefined;
  readonly pointerInOperation?: string;
}

const inBody: Place = { at: '', pointer: '' };
const inOperation = (name: string): Place => ({ at: name, pointer: undefined, pointerInOperation: pointerStep(name) });
const pathPlace = inOperation('path');

function stepInto({ at, pointer = '' }: Place, step: string | number): Place {
  const name = at === '' ? String(step) : `${at}.${step}`;
  return { at: typeof step === 'number' ? `${at}[${step}]` : name, pointer: pointer + pointerStep(step) };
}

const faultAt = ({ at, ...pointers }: Place, words: string): FieldFault => ({
  text: `'${at}' ${words}`,
  code: 'invalid-value',
  ...pointers,
});

function filledPath(path: string, resultOf: ResultOf): string {
  if (!inPath.test(path)) return path;
  let filled = '';
  for (const [place, part] of path.split(inPath).entries()) {
    filled += isPlaceholder(part, place) ? plainText(part, resultOf) : part;
    if (filled.length > longestFilledPath) throw tooLong();
  }
  return filled;
}

function plainText(from: string, resultOf: ResultOf): string {
  const value = taken(from, pathPlace, resultOf);
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw problems.bodyInvalid([faultAt(pathPlace, `must be filled with plain values, and '${from}' is none`)]);
  if (typeof value === 'string' && value.length > longestFilledPath) throw tooLong();
  return typeof value === 'string' && isUuid(value) ? value : encodeURIComponent(value);
}

const tooLong = () =>
  problems.bodyInvalid([faultAt(pathPlace, `must be at most ${longestFilledPath} characters when it is filled`)]);

/** @throws Problem 400 where the answer has nothing there */
function taken(text: string, place: Place, resultOf: ResultOf): JsonValue {
  const { name, steps } = readFrom(text);
  const value = valueIn(resultOf(name), steps);
  if (value === undefined)
    throw problems.bodyInvalid([faultAt(place, `must be something that the answer of '${name}' has, not '${text}'`)]);
  return value;
}

function valueIn(result: NamedResult | undefined, steps: readonly string[]): JsonValue | undefined {
  let here = result?.body;
  const [first, ...others] = steps;
  if (first === 'etag' && others.length === 0 && !(isObject(here) && 'etag' in here)) return result?.etag;
  for (const step of steps) {
    if (Array.isArray(here)) here = here[Number(step)];
    else here = isObject(here) && Object.hasOwn(here, step) ? (here[step] as JsonValue) : undefined;
  }
  return here;
}

/** How long a value is as JSON, without escapes; looked at no further than `most`. */
function lengthOf(value: JsonValue, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (value instanceof WideNumber) return value.text.length;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let length = 2;
  for (const [key, each] of Object.entries(value)) {
    if (length > most) break;
    length += lengthOf(each, most - length) + 1 + (Array.isArray(value) ? 0 : key.length + 3);
  }
  return length;
}
