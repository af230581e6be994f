// Bodies that a service should take: of its schema, of the document's examples, or like a record that is there.
import type { Random } from '../../../src/demo/plan/random.ts';
import { type Document, groupOf, isNode, type Json, nodeOf, type Operation, type Schema } from './document.ts';
import type { Harvest } from './harvest.ts';
import { isNullable, typesOf, type Values } from './values.ts';

interface Sources {
  readonly document: Document;
  readonly random: Random;
  readonly harvest: Harvest;
  readonly values: Values;
}

export class Bodies {
  readonly #document: Document;
  readonly #random: Random;
  readonly #harvest: Harvest;
  readonly #values: Values;

  constructor({ document, random, harvest, values }: Sources) {
    this.#document = document;
    this.#random = random;
    this.#harvest = harvest;
    this.#values = values;
  }

  /** A body for an operation. @param id Of the record that it is for, where there is one. */
  of({ kind, body, group, examples }: Operation, id: string | undefined): Json {
    if (body === undefined) return {};
    if (kind === 'update') return this.#change(body, group, id);
    const example = examples.length === 0 ? undefined : this.#random.pick(examples);
    const model = this.#harvest.recordOf(group);
    if (model !== undefined && this.#random.chance(0.6))
      return this.#related(body, group, this.#varied(body, this.like(body, model)));
    const isLikeExample = example !== undefined && this.#random.chance(0.4);
    return this.#related(body, group, isLikeExample ? this.#withKnownIds(body, example) : this.#values.object(body));
  }

  /** What of a record as shown a body takes: the ids of what it shows by name among them. */
  like(schema: Schema, record: Json): Json {
    const made: Json = {};
    for (const [key, part] of this.#document.properties(schema)) {
      const value = this.#valueFor(part, key, record);
      if (value !== undefined) made[key] = value;
    }
    return made;
  }

  #valueFor(schema: Schema, key: string, record: Json): unknown {
    const shown = record[key];
    if (shown !== undefined) {
      if (Array.isArray(shown)) {
        const items = this.#document.resolve(nodeOf(schema['items']));
        return typesOf(items)[0] === 'object' ? shown.filter(isNode).map((item) => this.like(items, item)) : [...shown];
      }
      return isNode(shown) ? this.like(schema, shown) : shown;
    }
    if (key.endsWith('Ids')) {
      const stem = key.slice(0, -3);
      const list = [`${stem}s`, `${stem}es`, `${stem.replace(/y$/, 'ie')}s`]
        .map((name) => record[name])
        .find(Array.isArray);
      return list?.flatMap((item) => (isNode(item) ? [item['id']] : []));
    }
    const one = key.endsWith('Id') ? record[key.slice(0, -2)] : undefined;
    return one === null ? null : isNode(one) ? one['id'] : undefined;
  }

  /** Some fields: of another record of the group, of this one, or of their schema. */
  #change(schema: Schema, group: string, id: string | undefined): Json {
    const own = id === undefined ? undefined : this.#harvest.record(group, id);
    const model = this.#random.chance(0.3) ? own : this.#harvest.recordOf(group);
    const copied = model === undefined ? {} : this.like(schema, model);
    const all = this.#document.properties(schema);
    const chosen = this.#random.some(all, this.#random.pick([1, 1, 2, 3, 6]));
    return Object.fromEntries(
      chosen.map(([key, part]) => [
        key,
        key in copied && this.#random.chance(0.4) ? copied[key] : this.#values.of(part),
      ]),
    );
  }

  /** Another record like one that is there: other names, and often another value or two. */
  #varied(schema: Schema, body: Json): Json {
    const parts = this.#document.properties(schema);
    for (const [key, part] of parts) {
      const isName = isNameLike(part) && typeof body[key] === 'string';
      const most = typeof part['maxLength'] === 'number' ? part['maxLength'] : 255;
      if (isName && this.#random.chance(0.9)) body[key] = this.#values.newText(most);
      // What the service makes itself where it is left out: numbers, keys.
      else if (isNullable(part) && this.#random.chance(0.1)) delete body[key];
    }
    const changes = this.#random.some(parts, this.#random.pick([0, 1, 1, 2, 4]));
    for (const [key, part] of changes) body[key] = this.#values.of(part);
    return body;
  }

  /** Some references are such as were taken before: few of all ids are of records that a rule lets in. */
  #related(schema: Schema, group: string, body: Json): Json {
    if (this.#random.chance(0.5)) return body;
    for (const [key, part] of this.#document.properties(schema)) {
      const isReference = typeof part['x-reference'] === 'string' && typeof body[key] === 'string';
      const id = isReference ? this.#harvest.acceptedOf(group, key) : undefined;
      if (id !== undefined) body[key] = id;
    }
    return body;
  }

  /** The ids of an example are of records that nobody has made. */
  #withKnownIds(schema: Schema, example: Json): Json {
    const parts = new Map(this.#document.properties(schema));
    return Object.fromEntries(
      Object.entries(example).map(([key, value]) => [key, this.#known(parts.get(key) ?? {}, value)]),
    );
  }

  #known(schema: Schema, value: unknown): unknown {
    if (Array.isArray(value)) {
      const items = this.#document.resolve(nodeOf(schema['items']));
      return value.map((item) => this.#known(items, item));
    }
    if (isNode(value)) return this.#withKnownIds(schema, value);
    const target = schema['x-reference'];
    if (typeof target === 'string') return this.#harvest.idOf(groupOf(target));
    return typeof value === 'string' && isNameLike(schema) ? this.#values.newText(64) : value;
  }
}

/** Any text will do, as long as there is one. */
const isNameLike = (schema: Schema): boolean =>
  schema['pattern'] === '\\S' && schema['x-format'] === undefined && schema['format'] === undefined;
