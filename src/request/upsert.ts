// Parses the body of a `PUT` by a unique key, once it is known whether there is such a record.

import { rowOf } from '../endpoints/values/kinds.ts';
import { type FieldFault, fieldFault } from '../problems/field-fault.ts';
import { problems } from '../problems.ts';
import { isScalar } from '../registry/model/kinds.ts';
import type { Field, Resource, Value, Values } from '../registry/model/model.ts';
import { keyText } from '../values/fold.ts';
import { parseBody } from './body.ts';
import type { BodyInput, Upsert } from './intent.ts';

type Json = Readonly<Record<string, unknown>>;

export class UpsertBody implements Upsert {
  readonly where: Readonly<Values>;
  readonly #resource: Resource;
  readonly #json: Json;

  /** @throws Problem 400 where the address leaves the key open, or the body says another one */
  constructor(resource: Resource, where: Readonly<Values>, json: Json) {
    this.#resource = resource;
    this.#json = json;
    this.where = where;
    const faults = this.#key.flatMap((field) => this.#faultOf(field) ?? []);
    if (faults.length > 0) throw problems.bodyInvalid(faults);
  }

  get #key(): readonly Field[] {
    return this.#resource.fields.filter(({ key }) => Object.hasOwn(this.where, key));
  }

  /** What is empty names no record: it is filled in, if at all, with another value each time. */
  #faultOf(field: Field): FieldFault | undefined {
    const { key } = field;
    if (asKey(this.where[key]) === '') return fieldFault(key, 'is required', 'required');
    if (!Object.hasOwn(this.#json, key) || this.#isEqual(field, this.#json[key])) return undefined;
    return fieldFault(key, `must be ${String(this.where[key])}`, 'invalid-value');
  }

  /** As keys are compared. What is no value of the field at all is left to the checks of the body. */
  #isEqual(field: Field, sent: unknown): boolean {
    const value = this.where[field.key];
    if (typeof value !== typeof asEngine(field, sent)) return sent !== null && sent !== '';
    return asKey(value) === asKey(asEngine(field, sent));
  }

  isOf(record: Readonly<Values>): boolean {
    return this.#key.every(({ key }) => asKey(this.where[key]) === asKey(record[key]));
  }

  forCreate(): BodyInput {
    const key = Object.fromEntries(this.#key.map((field) => [field.key, asJson(field, this.where[field.key] ?? null)]));
    return parseBody(this.#resource, 'create', { ...key, ...this.#json });
  }

  forUpdate(isKept: (field: Field, value: Value) => boolean): BodyInput {
    const fixed = this.#resource.fields.filter(
      ({ key, onCreate, onUpdate }) => onCreate && !onUpdate && Object.hasOwn(this.#json, key),
    );
    if (fixed.length === 0) return parseBody(this.#resource, 'update', this.#json);
    const { values, wrong } = parseBody(this.#resource, 'create', this.#json);
    const same = fixed.filter(({ key, unset }) => {
      const value = values[key] ?? (this.#json[key] === null && unset === 'null' ? null : undefined);
      const field = this.#resource.byKey.get(key);
      return field !== undefined && value !== undefined && wrong?.keys.has(key) !== true && isKept(field, value);
    });
    const passed = new Set(same.map(({ key }) => key));
    return parseBody(
      this.#resource,
      'update',
      Object.fromEntries(Object.entries(this.#json).filter(([key]) => !passed.has(key))),
    );
  }
}

const asEngine = (field: Field, sent: unknown): unknown =>
  isScalar(field) && sent !== null && typeof sent !== 'string' ? rowOf(field).toEngine(sent) : sent;

const asJson = (field: Field, value: Value): unknown => (isScalar(field) ? rowOf(field).toJson(value) : value);

const asKey = (value: unknown): string => keyText(String(value ?? ''));
