// Sensible parameters: filters by what records show, pages, and headers that the document names.
import { type Document, groupOf, isNode, type Json, type Operation, type Parameter } from './document.ts';
import type { Tools } from './draft.ts';
import { typesOf } from './values.ts';

const cursors = ['startingAfter', 'endingBefore'];

/** `name=value` of some parameters of an operation. */
export function sensibleQuery(operation: Operation, tools: Tools): string[] {
  const { random, harvest } = tools;
  const { query, group, kind } = operation;
  const filters = query.filter(({ name }) => name !== 'limit' && !cursors.includes(name));
  const model = harvest.recordOf(group);
  const key = operation.keys.length === 0 || random.chance(0.1) ? undefined : random.pick(operation.keys);
  const chosen =
    key === undefined
      ? random.some(filters, random.pick([0, 0, 1, 1, 1, 2, 3]))
      : filters.filter(({ name }) => key.includes(name));
  const found = chosen.map((parameter) => [parameter.name, filterValue(parameter, model, tools)] as const);
  const paging: [string, string][] = [];
  if (kind === 'list' && random.chance(0.5))
    paging.push(['limit', String(random.pick([1, 2, 3, 10, random.between(1, 100)]))]);
  if (kind === 'list' && random.chance(0.35)) {
    const id = random.chance(0.85)
      ? harvest.idOf(group)
      : random.pick([harvest.goneIdOf(group), harvest.idOf(random.pick(harvest.groups()))]);
    paging.push([random.pick(cursors), id]);
  }
  return [...found, ...paging].map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
}

/** The field that a filter looks at has the longest name that the filter's begins with. */
function fieldOf(name: string, model: Json): string | undefined {
  const names = Object.keys(model).filter(
    (key) => name === key || name === `${key}Id` || (name.startsWith(key) && /^[A-Z]/.test(name.slice(key.length))),
  );
  return names.toSorted((one, other) => other.length - one.length)[0];
}

function filterValue({ name, schema }: Parameter, model: Json | undefined, tools: Tools): string {
  const { random, values, harvest } = tools;
  const key = model === undefined ? undefined : fieldOf(name, model);
  const shown = key === undefined ? undefined : model?.[key];
  if (schema['format'] === 'uuid') {
    if (isNode(shown) && typeof shown['id'] === 'string' && random.chance(0.7)) return shown['id'];
    const group = groupOf(name.replace(/Ids?$/, ''));
    return harvest.idOf(harvest.has(group) ? group : random.pick(harvest.groups()));
  }
  const isText = typesOf(schema)[0] === 'string' && schema['format'] === undefined && schema['enum'] === undefined;
  const known =
    typeof shown === 'string' || typeof shown === 'number' || typeof shown === 'boolean' ? String(shown) : undefined;
  // An id in a text is another one in the other service, and so are its parts.
  if (known === undefined || hasId.test(known) || random.chance(0.3))
    return isText ? values.newText(20) : String(values.of(schema));
  if (!isText || random.chance(0.4)) return known;
  const letters = [...known];
  const from = random.between(0, letters.length);
  return letters
    .slice(random.chance(0.4) ? 0 : from, random.chance(0.5) ? letters.length : from + random.between(1, 4))
    .join('');
}

const hasId = /[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** Values for headers that the document names, as callers send them. */
export class DeclaredHeaders {
  readonly #document: Document;
  /** Tags of records by their ids. */
  readonly #tags = new Map<string, string>();
  readonly #keys: string[] = [];
  #count = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  /** Takes the tag that an answer gives to a record. */
  learn(id: string, etag: string | undefined): void {
    if (etag === undefined) return;
    if (this.#tags.size > 5000) this.#tags.clear();
    this.#tags.set(id, etag);
  }

  tagOf(id: string | undefined): string | undefined {
    return this.#tags.get(id ?? '');
  }

  of({ headers }: Operation, id: string | undefined, { random, values }: Tools): [string, string][] {
    return headers.flatMap(({ name, schema }): [string, string][] => {
      if (!random.chance(0.12)) return [];
      switch (name.toLowerCase()) {
        case 'if-match':
        case 'if-none-match': {
          const tag = this.#tags.get(id ?? '') ?? '"1"';
          return [[name, random.pick([tag, tag, '*', `"x", ${tag}`, `W/${tag}`, '"nobody"'])]];
        }
        case 'idempotency-key':
          return [[name, this.#key(random.chance(0.3), (list) => random.pick(list))]];
        case 'prefer':
          return [[name, random.pick(['tx=rollback', 'tx=rollback', 'tx=commit'])]];
        case 'traceparent':
          return [[name, '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01']];
        default:
          return [[name, String(values.of(this.#document.resolve(schema)))]];
      }
    });
  }

  /** A key of its own, or one that was sent before. */
  #key(isAgain: boolean, pick: (list: readonly string[]) => string): string {
    if (isAgain && this.#keys.length > 0) return pick(this.#keys);
    this.#count += 1;
    const key = `key-${this.#count}-of-this-run`;
    if (this.#keys.length > 20) this.#keys.shift();
    this.#keys.push(key);
    return key;
  }
}
