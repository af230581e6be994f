// What a service offers, as far as an import must know it: read out of its OpenAPI document.
import { type Json, objectOf } from './model.ts';
import { suggestName } from './names.ts';

export interface FieldShape {
  readonly type: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'object';
  readonly format: string | undefined;
  readonly isNullable: boolean;
  /** The group that an id is of. */
  readonly reference: string | undefined;
  readonly items: FieldShape | undefined;
  /** Fields of an object; empty for an object of any form. */
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** Values of an enum; undefined for other fields. */
  readonly values?: readonly string[] | undefined;
  /** Conditions under which bodies do not take the field. */
  readonly notSentWhen?: AnyOf | undefined;
  /** Conditions under which a record shows an inherited value, and bodies take its own one. */
  readonly inheritedWhen?: AnyOf | undefined;
}

/** Any of these lists, of which all hold. */
export type AnyOf = readonly (readonly Comparison[])[];

/** A field beside another one, or further out (`../budgetMode`), and what it is. */
interface Comparison {
  readonly field: string;
  readonly is?: unknown;
  readonly isNot?: unknown;
}

export interface GroupShape {
  readonly name: string;
  readonly path: string;
  /** Fields that a create or an update takes. */
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** Fields that a create takes. */
  readonly created: ReadonlyMap<string, FieldShape>;
  /** Names of the fields that an update takes. */
  readonly updated: ReadonlySet<string>;
  /** Names that records show. */
  readonly shown: ReadonlySet<string>;
  readonly filters: ReadonlySet<string>;
  readonly keys: readonly (readonly string[])[];
  readonly operations: ReadonlySet<string>;
}

/** Reads the OpenAPI document. */
export class Shapes {
  readonly #document: Json;
  readonly #made = new Map<string, FieldShape>();
  readonly #groups = new Map<string, () => GroupShape>();
  readonly #paths = new Map<string, string>();
  readonly #known = new Map<string, GroupShape>();

  constructor(document: unknown) {
    this.#document = objectOf(document);
    for (const [path, item] of Object.entries(objectOf(this.#document['paths']))) {
      if (/[{]|^\/[^/]+\//.test(path)) continue;
      const { get, post, put } = objectOf(item);
      const id = String(objectOf(post)['operationId'] ?? '');
      if (!id.startsWith('create') && !Object.hasOwn(objectOf(get), 'x-filters')) continue;
      const one = objectOf(objectOf(this.#document['paths'])[`${path}/{id}`]);
      const named = [post, one['get'], one['patch'], one['delete']].map((each) => objectOf(each)['operationId']);
      const name = kebab(
        String(named.find((each) => each !== undefined) ?? path).replace(/^(create|get|update|delete)/, ''),
      );
      this.#paths.set(name, path);
      this.#groups.set(name, () => {
        const [created, updated] = [this.#bodyOf(post), this.#bodyOf(one['patch'])];
        return {
          ...{ name, path, created },
          fields: mergeFields(created, updated),
          updated: new Set(updated.keys()),
          shown: this.#shownBy(one['get'] ?? get),
          filters: new Set(Array.isArray(objectOf(get)['x-filters']) ? (objectOf(get)['x-filters'] as string[]) : []),
          keys: (objectOf(put)['x-unique-keys'] as string[][] | undefined) ?? [],
          operations: new Set(
            Object.entries({ create: post, put, list: get, get: one['get'], update: one['patch'] }).flatMap(
              ([key, each]) => (each === undefined ? [] : [key]),
            ),
          ),
        };
      });
    }
  }

  get names(): readonly string[] {
    return [...this.#groups.keys()];
  }

  didYouMean(name: string): string {
    return suggestName(name, this.names) || `; there are ${this.names.join(', ')}.`;
  }

  /** Finds a group by its name or path; both give the same object. */
  find(nameOrPath: string): GroupShape | undefined {
    const bare = nameOrPath.replace(/^\//, '');
    const name = this.#groups.has(bare) ? bare : this.names.find((each) => this.#paths.get(each) === `/${bare}`);
    if (name === undefined) return undefined;
    const group = this.#known.get(name) ?? this.#groups.get(name)?.();
    if (group !== undefined) this.#known.set(name, group);
    return group;
  }

  #resolve(schema: unknown): Json {
    const { $ref } = objectOf(schema);
    if (typeof $ref !== 'string') return objectOf(schema);
    const steps = $ref.slice(2).split('/');
    return this.#resolve(steps.reduce<unknown>((node, step) => objectOf(node)[step], this.#document));
  }

  #bodyOf(operation: unknown): ReadonlyMap<string, FieldShape> {
    const content = objectOf(objectOf(objectOf(operation)['requestBody'])['content']);
    return this.#fieldsOf(objectOf(content['application/json'])['schema']);
  }

  #fieldsOf(schema: unknown): ReadonlyMap<string, FieldShape> {
    const properties = objectOf(this.#resolve(schema)['properties']);
    return new Map(Object.entries(properties).map(([name, each]) => [name, this.#shapeOf(each)]));
  }

  #shownBy(operation: unknown): ReadonlySet<string> {
    const answer = this.#resolve(objectOf(objectOf(operation)['responses'])['200']);
    const schema = this.#resolve(objectOf(objectOf(answer['content'])['application/json'])['schema']);
    const { results } = objectOf(schema['properties']);
    const record = results === undefined ? schema : this.#resolve(objectOf(this.#resolve(results)['items']));
    return new Set(Object.keys(objectOf(record['properties'])));
  }

  #shapeOf(schema: unknown): FieldShape {
    const { 'x-not-sent-when': notSentWhen, 'x-inherited-when': inheritedWhen } = objectOf(schema);
    const shape = this.#plainShapeOf(schema);
    if (notSentWhen === undefined && inheritedWhen === undefined) return shape;
    return { ...shape, notSentWhen: notSentWhen as AnyOf, inheritedWhen: inheritedWhen as AnyOf };
  }

  #plainShapeOf(schema: unknown): FieldShape {
    const { $ref } = objectOf(schema);
    const key = typeof $ref === 'string' ? $ref : undefined;
    const known = key === undefined ? undefined : this.#made.get(key);
    if (known !== undefined) return known;
    const resolved = this.#resolve(schema);
    const choices = Array.isArray(resolved['anyOf'])
      ? resolved['anyOf'].map((each) => this.#resolve(each))
      : [resolved];
    const own = choices.find(({ type }) => type !== 'null') ?? {};
    const types = choices.flatMap(({ type }) => (Array.isArray(type) ? type : [type]));
    const type = types.find((each) => each !== 'null' && each !== undefined);
    const shape: FieldShape = {
      type: type === 'string' || type === undefined ? 'text' : type === 'array' ? 'list' : (type as 'integer'),
      format: typeof own['format'] === 'string' ? own['format'] : undefined,
      isNullable: types.includes('null'),
      reference: [own['x-reference'], resolved['x-reference']].find((each) => typeof each === 'string') as
        | string
        | undefined,
      items: type === 'array' ? this.#shapeOf(own['items']) : undefined,
      fields: type === 'object' ? this.#fieldsOf(own) : new Map(),
      ...(Array.isArray(own['enum']) && { values: own['enum'].filter((each) => typeof each === 'string') }),
    };
    if (key !== undefined) this.#made.set(key, shape);
    return shape;
  }
}

/** Merges the fields of both bodies, also inside objects and items: only updates take the ids of items, only creates immutable fields. */
function mergeFields(
  created: ReadonlyMap<string, FieldShape>,
  updated: ReadonlyMap<string, FieldShape>,
): ReadonlyMap<string, FieldShape> {
  const fields = new Map([...created, ...updated]);
  for (const [name, shape] of created) {
    const updatedShape = updated.get(name);
    if (updatedShape === undefined) continue;
    const items = shape.items && {
      ...shape.items,
      fields: mergeFields(shape.items.fields, updatedShape.items?.fields ?? new Map()),
    };
    fields.set(name, { ...shape, items, fields: mergeFields(shape.fields, updatedShape.fields) });
  }
  return fields;
}

const kebab = (name: string): string => name.replace(/(?<!^)([A-Z])/g, '-$1').toLowerCase();
