// Parses a batch request: takes the envelope apart, decides rights, then walks the bodies for placeholders, which takes long.

import type { FieldCode } from '../problems/codes.ts';
import { type FieldFault, fieldFault, pointerStep, pointerTo } from '../problems/field-fault.ts';
import { type Problem, problems } from '../problems.ts';
import { meantName } from '../text/nearest.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';
import { type BatchMethod, type BatchOperation, type CheckedOperation, methods } from './batch-operation.ts';
import { mostFaults } from './faults.ts';
import { asObject, fromOf, longestFrom, placeholdersIn, readFrom } from './placeholders.ts';

export interface BatchRequest {
  /** All or none, or each for itself. */
  readonly isAtomic: boolean;
  readonly operations: readonly CheckedOperation[];
}

interface BatchContext {
  /** Returns why the caller may not do an operation, by its method and path; undefined if that depends on more. */
  readonly findRefusal: (operation: BatchOperation) => Problem | undefined;
  /** Lets other requests run; called between operations. */
  readonly pause: () => Promise<void> | undefined;
}

const mostOperations = 1000;
/** As long as the target of a request. */
const longestPath = 8000;
const mostPlaceholders = 20;
/** Of a key; its beginning tells enough, and an answer says fifty of them. */
const longestSaid = 255;
const aName = /^[A-Za-z_][\w-]{0,63}$/;

/** @throws Problem 400 that says what is wrong with the envelope, and where; 403 for an atomic batch with an operation that is not granted */
export async function parseBatch(json: JsonObject, { findRefusal, pause }: BatchContext): Promise<BatchRequest> {
  const reader = new EnvelopeReader();
  const { isAtomic, operations } = reader.read(json);
  const checked: CheckedOperation[] = [];
  const refusals = operations.map(findRefusal);
  for (const [index, refusal] of refusals.entries())
    if (isAtomic && refusal !== undefined) throw problems.operationRefused(index + 1, refusal);
  for (const [index, operation] of operations.entries()) {
    const refusal = refusals[index];
    const hasPlaceholders = refusal === undefined && reader.checkPlaceholders(operation, index);
    checked.push({ ...operation, hasPlaceholders, refusal });
    await pause();
  }
  if (reader.faults.length > 0) throw problems.bodyInvalid(reader.faults);
  return { isAtomic, operations: checked };
}

class EnvelopeReader {
  readonly faults: FieldFault[] = [];
  /** Positions of the operations that have a name. */
  readonly #positionByName = new Map<string, number>();
  /** The operation whose placeholders are checked, and how many it has so far. */
  #position = 0;
  #placeholderCount = 0;

  read(json: JsonObject): { readonly isAtomic: boolean; readonly operations: readonly BatchOperation[] } {
    const { operations, atomic } = json;
    if (operations === undefined) this.#refuse('operations', 'is required', 'required');
    else if (!Array.isArray(operations)) this.#refuse('operations', 'must be an array');
    else if (operations.length > mostOperations)
      this.#refuse('operations', `must be at most ${mostOperations} items`, 'invalid-items');
    const isTooLong = Array.isArray(operations) && operations.length > mostOperations;
    const read = Array.isArray(operations) && !isTooLong ? operations.map((each, n) => this.#operation(each, n)) : [];
    if (atomic !== undefined && typeof atomic !== 'boolean') this.#refuse('atomic', 'must be a boolean');
    this.#refuseUnknown(json, ['operations', 'atomic'], '');
    return { isAtomic: atomic !== false, operations: read };
  }

  /** Adds a fault for each placeholder that names no earlier answer. @returns whether the operation has placeholders */
  checkPlaceholders({ path, body, ifMatch }: BatchOperation, position: number): boolean {
    this.#position = position;
    this.#placeholderCount = 0;
    const here = `operations[${position}]`;
    this.#checkPath(placeholdersIn(path), `${here}.path`);
    if (body !== undefined) this.#findFrom(body, `${here}.body`);
    if (ifMatch !== undefined) this.#findFrom(ifMatch, `${here}.ifMatch`);
    return this.#placeholderCount > 0;
  }

  #refuse(place: string, text: string, code: FieldCode = 'invalid-value'): void {
    if (this.faults.length < mostFaults) this.faults.push(fieldFault(place, text, code));
  }

  #refuseUnknown(json: JsonObject, known: readonly string[], place: string): void {
    for (const key of Object.keys(json))
      if (!known.includes(key) && this.faults.length < mostFaults)
        this.faults.push({
          text: `'${place}${said(key)}' is not allowed${meantName(said(key), known)}`,
          code: 'unknown-field',
          pointer: pointerTo(place) + pointerStep(key),
        });
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
    const as = this.#name(operation['as'], index);
    this.#refuseUnknown(operation, ['method', 'path', 'body', 'as', 'ifMatch'], `${here}.`);
    return { method, path, body, as, ifMatch };
  }

  #method(value: JsonValue | undefined, place: string): BatchMethod {
    const found = methods.find((method) => method === value);
    if (value === undefined) this.#refuse(place, 'is required', 'required');
    else if (found === undefined) this.#refuse(place, `must be one of ${methods.join(', ')}`);
    return found ?? 'GET';
  }

  #path(value: JsonValue | undefined, place: string): string {
    if (value === undefined) this.#refuse(place, 'is required', 'required');
    else if (typeof value !== 'string') this.#refuse(place, 'must be a string');
    else if (!value.startsWith('/')) this.#refuse(place, "must be a path that begins with '/'");
    else if (/^\/batch(?:[/?]|$)/.test(value)) this.#refuse(place, 'must be no batch');
    else if (value.length > longestPath) this.#refuse(place, `must be at most ${longestPath} characters`);
    else return value;
    return '';
  }

  #checkPath(all: readonly string[], place: string): void {
    if (all.length > mostPlaceholders) this.#refuse(place, `must have at most ${mostPlaceholders} placeholders`);
    else for (const from of all) this.#from(from, place);
  }

  #body(value: JsonValue | undefined, method: BatchMethod, place: string): JsonObject | undefined {
    const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
    if (value === undefined) {
      if (hasBody) this.#refuse(place, 'is required', 'required');
      return undefined;
    }
    const body = asObject(value);
    if (!hasBody) this.#refuse(place, 'is not allowed', 'not-allowed');
    else if (body === undefined) this.#refuse(place, 'must be an object');
    else return body;
    return undefined;
  }

  #ifMatch(value: JsonValue | undefined, method: BatchMethod, place: string): JsonValue | undefined {
    if (value === undefined) return undefined;
    if (method !== 'PUT' && method !== 'PATCH' && method !== 'DELETE')
      this.#refuse(place, 'is not allowed', 'not-allowed');
    else if (typeof value !== 'string' && fromOf(value) === undefined) this.#refuse(place, 'must be a string');
    else return value;
    return undefined;
  }

  #name(value: JsonValue | undefined, index: number): string | undefined {
    if (value === undefined) return undefined;
    const place = `operations[${index}].as`;
    if (typeof value !== 'string') this.#refuse(place, 'must be a string');
    else if (!aName.test(value)) this.#refuse(place, 'must be a name of letters, digits, _ and -');
    else if (this.#positionByName.has(value))
      this.#refuse(place, `must be another name than that of an earlier operation`);
    else this.#positionByName.set(value, index);
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
    this.#placeholderCount += 1;
    if (text.length > longestFrom) {
      this.#refuse(place, `must name a part of an earlier answer in at most ${longestFrom} characters`);
      return;
    }
    const { name, steps } = readFrom(text);
    const position = this.#positionByName.get(name) ?? this.#position;
    if (position >= this.#position)
      this.#refuse(place, `must begin with the name of an earlier operation, not '${name}'`);
    else if (steps.length === 0) this.#refuse(place, `must say what of '${name}' is meant, as in '${name}.id'`);
  }
}

const said = (name: string): string => (name.length > longestSaid ? `${name.slice(0, longestSaid)}…` : name);
