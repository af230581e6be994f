// Parses a batch request: takes the envelope apart and validates what it alone can tell.
import { problems } from '../problems.ts';
import { meantName } from '../text/nearest.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';
import { type BatchMethod, type BatchOperation, methods } from './batch-operation.ts';
import { mostFaults } from './faults.ts';
import { asObject, fromOf, longestFrom, placeholdersIn, readFrom } from './placeholders.ts';

export interface BatchRequest {
  /** All or none, or each for itself. */
  readonly isAtomic: boolean;
  readonly operations: readonly BatchOperation[];
}

const mostOperations = 1000;
/** As long as the target of a request. */
const longestPath = 8000;
const mostPlaceholders = 20;
/** Of a key; its beginning tells enough, and an answer says fifty of them. */
const longestSaid = 255;
const aName = /^[A-Za-z_][\w-]{0,63}$/;

/** @throws Problem 400 that says what is wrong with the envelope, and where */
export function parseBatch(json: JsonObject): BatchRequest {
  const reader = new EnvelopeReader();
  const batch = reader.read(json);
  if (batch === undefined) throw problems.bodyInvalid(reader.faults);
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
    if (this.faults.length < mostFaults) this.faults.push(`'${place}' ${text}`);
  }

  #refuseUnknown(json: JsonObject, known: readonly string[], place: string): void {
    for (const key of Object.keys(json))
      if (!known.includes(key) && this.faults.length < mostFaults)
        this.#refuse(`${place}${said(key)}`, `is not allowed${meantName(said(key), known)}`);
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
    else if (value.length > longestPath) this.#refuse(place, `must be at most ${longestPath} characters`);
    else this.#placeholders(placeholdersIn(value), place);
    return typeof value === 'string' ? value : '';
  }

  #placeholders(all: readonly string[], place: string): void {
    if (all.length > mostPlaceholders) this.#refuse(place, `must have at most ${mostPlaceholders} placeholders`);
    else for (const from of all) this.#from(from, place);
  }

  #body(value: JsonValue | undefined, method: BatchMethod, place: string): JsonObject | undefined {
    const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
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
    if (method !== 'PUT' && method !== 'PATCH' && method !== 'DELETE') this.#refuse(place, 'is not allowed');
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
    else for (const [key, each] of Object.entries(asObject(value) ?? {})) this.#findFrom(each, `${place}.${said(key)}`);
  }

  #from(text: string, place: string): void {
    if (text.length > longestFrom) {
      this.#refuse(place, `must name a part of an earlier answer in at most ${longestFrom} characters`);
      return;
    }
    const { name, steps } = readFrom(text);
    if (!this.#names.has(name)) this.#refuse(place, `must begin with the name of an earlier operation, not '${name}'`);
    else if (steps.length === 0) this.#refuse(place, `must say what of '${name}' is meant, as in '${name}.id'`);
  }
}

const said = (name: string): string => (name.length > longestSaid ? `${name.slice(0, longestSaid)}…` : name);
