// Several operations in one request: the envelope taken apart, and checked as far as it alone can tell. What an operation takes
// from the answers of those before it is put in when these are there.
import { problems } from '../problems.ts';
import { isUuid } from '../values/format.ts';
import { inOrderOf, isObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { mostFaults } from './faults.ts';

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
type BatchMethod = (typeof methods)[number];

/** A part of an earlier answer: `{"$from": "acme.id"}`, or `{acme.id}` in a path. */
interface FromResult {
  readonly name: string;
  /** Keys and indexes that lead from its body to the value; `etag` to its tag, where the body has no such field. */
  readonly steps: readonly string[];
}

export interface BatchOperation {
  readonly method: BatchMethod;
  readonly path: string;
  readonly body: JsonObject | undefined;
  /** What later operations call its answer. */
  readonly as: string | undefined;
  readonly ifMatch: JsonValue | undefined;
}

export interface BatchRequest {
  /** All or none, or each for itself. */
  readonly isAtomic: boolean;
  readonly operations: readonly BatchOperation[];
}

const mostOperations = 1000;
const aName = /^[A-Za-z_][\w-]{0,63}$/;
const inPath = /\{([^{}]*)\}/g;

/** @throws Problem 400 that says what is wrong with the envelope, and where */
export function parseBatch(json: JsonObject): BatchRequest {
  const reader = new EnvelopeReader();
  const batch = reader.read(json);
  if (batch === undefined) throw problems.bodyInvalid(reader.faults.slice(0, mostFaults));
  return batch;
}

class EnvelopeReader {
  readonly faults: string[] = [];
  readonly #names = new Set<string>();

  read(json: JsonObject): BatchRequest | undefined {
    const { operations, atomic } = json;
    if (operations === undefined) this.#refuse('operations', 'is required');
    else if (!Array.isArray(operations)) this.#refuse('operations', 'must be an array');
    else if (operations.length > mostOperations) this.#refuse('operations', `must be at most ${mostOperations} items`);
    const isTooLong = Array.isArray(operations) && operations.length > mostOperations;
    const read = Array.isArray(operations) && !isTooLong ? operations.map((each, n) => this.#operation(each, n)) : [];
    if (atomic !== undefined && typeof atomic !== 'boolean') this.#refuse('atomic', 'must be a boolean');
    this.#refuseUnknown(json, ['operations', 'atomic'], '');
    return this.faults.length > 0 ? undefined : { isAtomic: atomic !== false, operations: read };
  }

  #refuse(place: string, text: string): void {
    this.faults.push(`'${place}' ${text}`);
  }

  #refuseUnknown(json: JsonObject, known: readonly string[], place: string): void {
    for (const key of Object.keys(json)) if (!known.includes(key)) this.#refuse(`${place}${key}`, 'is not allowed');
  }

  #operation(json: JsonValue, index: number): BatchOperation {
    const here = `operations[${index}]`;
    const operation = asObject(json);
    if (operation === undefined) {
      this.#refuse(here, 'must be an object');
      return { method: 'GET', path: '', body: undefined, as: undefined, ifMatch: undefined };
    }
    const method = this.#method(operation['method'], `${here}.method`);
    const path = this.#path(operation['path'], `${here}.path`);
    const body = this.#body(operation['body'], method, `${here}.body`);
    const ifMatch = this.#ifMatch(operation['ifMatch'], method, `${here}.ifMatch`);
    // Its own name means nothing to itself.
    const as = this.#name(operation['as'], `${here}.as`);
    this.#refuseUnknown(operation, ['method', 'path', 'body', 'as', 'ifMatch'], `${here}.`);
    return { method, path, body, as, ifMatch };
  }

  #method(value: JsonValue | undefined, place: string): BatchMethod {
    const found = methods.find((method) => method === value);
    if (value === undefined) this.#refuse(place, 'is required');
    else if (found === undefined) this.#refuse(place, `must be one of ${methods.join(', ')}`);
    return found ?? 'GET';
  }

  #path(value: JsonValue | undefined, place: string): string {
    if (value === undefined) this.#refuse(place, 'is required');
    else if (typeof value !== 'string') this.#refuse(place, 'must be a string');
    else if (!value.startsWith('/')) this.#refuse(place, "must be a path that begins with '/'");
    else if (/^\/batch(?:[/?]|$)/.test(value)) this.#refuse(place, 'must be no batch');
    else for (const [, from = ''] of value.matchAll(inPath)) this.#from(from, place);
    return typeof value === 'string' ? value : '';
  }

  #body(value: JsonValue | undefined, method: BatchMethod, place: string): JsonObject | undefined {
    const hasBody = method === 'POST' || method === 'PATCH';
    if (value === undefined) {
      if (hasBody) this.#refuse(place, 'is required');
      return undefined;
    }
    const body = asObject(value);
    if (!hasBody) this.#refuse(place, 'is not allowed');
    else if (body === undefined) this.#refuse(place, 'must be an object');
    else this.#findFrom(body, place);
    return body;
  }

  #ifMatch(value: JsonValue | undefined, method: BatchMethod, place: string): JsonValue | undefined {
    if (value === undefined) return undefined;
    if (method !== 'PATCH' && method !== 'DELETE') this.#refuse(place, 'is not allowed');
    else if (typeof value !== 'string' && fromOf(value) === undefined) this.#refuse(place, 'must be a string');
    else this.#findFrom(value, place);
    return value;
  }

  #name(value: JsonValue | undefined, place: string): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== 'string') this.#refuse(place, 'must be a string');
    else if (!aName.test(value)) this.#refuse(place, 'must be a name of letters, digits, _ and -');
    else if (this.#names.has(value)) this.#refuse(place, `must be another name than that of an earlier operation`);
    else this.#names.add(value);
    return typeof value === 'string' ? value : undefined;
  }

  /** Looks through a body for what is taken from earlier answers. */
  #findFrom(value: JsonValue, place: string): void {
    const from = fromOf(value);
    if (typeof from === 'string') this.#from(from, place);
    else if (from !== undefined) this.#refuse(`${place}.$from`, 'must be a string');
    else if (Array.isArray(value))
      for (const [index, each] of value.entries()) this.#findFrom(each, `${place}[${index}]`);
    else for (const [key, each] of Object.entries(asObject(value) ?? {})) this.#findFrom(each, `${place}.${key}`);
  }

  #from(text: string, place: string): void {
    const { name, steps } = readFrom(text);
    if (!this.#names.has(name)) this.#refuse(place, `must begin with the name of an earlier operation, not '${name}'`);
    else if (steps.length === 0) this.#refuse(place, `must say what of '${name}' is meant, as in '${name}.id'`);
  }
}

/** What stands under `$from` where that is all of an object. */
function fromOf(value: JsonValue): JsonValue | undefined {
  const object = asObject(value);
  return object !== undefined && Object.keys(object).length === 1 ? object['$from'] : undefined;
}

const asObject = (value: JsonValue): JsonObject | undefined =>
  isObject(value) && Object.getPrototypeOf(value) === null ? (value as JsonObject) : undefined;

/** `acme.lines[0].id` */
function readFrom(text: string): FromResult {
  const [name = '', ...steps] = text.split(/\.|\[(\d+)\]/).filter((step) => step !== undefined && step !== '');
  return { name, steps };
}

/** The answer to an operation, as later ones may use it. */
export interface NamedResult {
  /** Undefined where there is none, or it was refused. */
  readonly body: JsonValue | undefined;
  readonly etag: string | undefined;
}

/** @throws Problem 400 where an earlier answer has not what is taken from it */
export function resolveOperation(
  operation: BatchOperation,
  resultOf: (name: string) => NamedResult | undefined,
): BatchOperation {
  const taken = (text: string, place: string): JsonValue => {
    const { name, steps } = readFrom(text);
    const value = valueIn(resultOf(name), steps);
    if (value === undefined)
      throw problems.bodyInvalid([`'${place}' must be something that the answer of '${name}' has, not '${text}'`]);
    return value;
  };
  const put = (value: JsonValue, place: string): JsonValue => {
    const from = fromOf(value);
    if (typeof from === 'string') return taken(from, place);
    if (Array.isArray(value)) return value.map((each, index) => put(each, `${place}[${index}]`));
    const object = asObject(value);
    if (object === undefined) return value;
    // Of our reader's kind: without a prototype.
    const copy: JsonObject = Object.create(null);
    for (const [key, each] of Object.entries(object)) copy[key] = put(each, place === '' ? key : `${place}.${key}`);
    return inOrderOf(object, copy);
  };
  const path = operation.path.replaceAll(inPath, (_all, from: string) => {
    const value = taken(from, 'path');
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw problems.bodyInvalid([`'path' must be filled with plain values, and '${from}' is none`]);
    return typeof value === 'string' && isUuid(value) ? value : encodeURIComponent(value);
  });
  const { body, ifMatch } = operation;
  return {
    ...operation,
    path,
    body: body && (put(body, '') as JsonObject),
    ifMatch: ifMatch === undefined ? undefined : put(ifMatch, 'ifMatch'),
  };
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
