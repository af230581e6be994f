// Values that a schema of the document allows: mostly everyday ones, some at its edges.
import type { Random } from '../../../src/demo/plan/random.ts';
import { nasty } from '../../support/data/nasty.ts';
import { type Document, groupOf, isNode, type Json, nodeOf, type Schema } from './document.ts';
import type { Harvest } from './harvest.ts';

/** Texts of forms that patterns and formats ask for: one that fits is taken. */
const formed = [
  ...[
    'EUR',
    'USD',
    'GBP',
    'JPY',
    'CHF',
    'KWD',
    'office@example.com',
    'A@B.C',
    'key-1',
    'a',
    'acme-2',
    '09:30',
    '23:59',
    '00:00',
  ],
  ...['https://example.com/1?a=b#c', 'HTTP://X.Y', ''],
];
const zones = ['Europe/Paris', 'UTC', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kolkata'];
const words = [
  'Acme',
  'Delta',
  'Review',
  'Straße',
  'İstanbul',
  'Ångström',
  'e\u0301cole',
  'Zoë',
  '日本',
  '\u{1F600} note',
];
const mostDepth = 6;

const patterns = new Map<string, RegExp>();
/** Whether a text fits a schema's pattern; each is compiled once. */
function fits(pattern: string, text: string): boolean {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, known);
  return known.test(text);
}

/** The types of a value, without null. */
export function typesOf(schema: Schema): string[] {
  return [schema['type']].flat().filter((type): type is string => typeof type === 'string' && type !== 'null');
}

export class Values {
  readonly #document: Document;
  readonly #random: Random;
  readonly #harvest: Harvest;
  #count = 0;

  constructor(document: Document, random: Random, harvest: Harvest) {
    this.#document = document;
    this.#random = random;
    this.#harvest = harvest;
  }

  /** An object with what is required and a share of the rest. */
  object(schema: Schema, depth = 0): Json {
    const required = new Set([schema['required'] ?? []].flat());
    const share = this.#random.pick([0, 0.15, 0.4, 1]);
    const made: Json = {};
    for (const [key, part] of this.#document.properties(schema)) {
      if (!required.has(key) && !this.#random.chance(depth > 2 ? share / 4 : share)) continue;
      const byReference = this.#referenceBy(part, made);
      made[key] = byReference ?? this.of(part, depth + 1);
    }
    return made;
  }

  of(raw: Schema, depth = 0): unknown {
    const schema = this.#document.resolve(raw);
    if (isNullable(schema) && this.#random.chance(0.08)) return null;
    if (Array.isArray(schema['anyOf'])) {
      const parts = schema['anyOf'].map((part) => this.#document.resolve(nodeOf(part)));
      return this.of(this.#random.pick(parts.filter((part) => part['type'] !== 'null')), depth);
    }
    if (Array.isArray(schema['enum'])) return this.#random.pick(schema['enum'].filter((value) => value !== null));
    if (schema['const'] !== undefined) return schema['const'];
    switch (typesOf(schema)[0]) {
      case 'string':
        return this.text(schema);
      case 'integer':
      case 'number':
        return this.#number(schema);
      case 'boolean':
        return this.#random.chance(0.5);
      case 'array':
        return this.#array(schema, depth);
      case 'object':
        return depth > mostDepth ? {} : this.object(schema, depth);
      default:
        return null;
    }
  }

  /** A text of the format or the pattern that a schema asks for. */
  text(schema: Schema): string {
    const { format, pattern, 'x-reference': target, 'x-format': own } = schema;
    if (typeof target === 'string') return this.#harvest.idOf(groupOf(target));
    if (format === 'uuid') return this.#harvest.idOf(this.#random.pick(this.#harvest.groups()));
    if (format === 'date') return this.day();
    if (format === 'email')
      return this.#random.pick(['office@example.com', 'A@B.C', `person${this.#next()}@example.com`]);
    if (format === 'uri') return this.#random.pick(['https://example.com/1?a=b#c', 'http://x.y']);
    if (own === 'time-zone') return this.#random.pick(zones);
    const most = typeof schema['maxLength'] === 'number' ? schema['maxLength'] : 300;
    if (typeof pattern !== 'string' || pattern === '\\S') return this.#words(most);
    const fitting = formed.filter((text) => fits(pattern, text));
    const made = this.#next();
    fitting.push(...[`key-${made}`, `person${made}@example.com`].filter((text) => fits(pattern, text)));
    return fitting.length === 0 ? this.#words(most) : this.#random.pick(fitting);
  }

  /** A day, mostly one of those around the records. */
  day(): string {
    const { between } = { between: (least: number, most: number) => this.#random.between(least, most) };
    if (this.#random.chance(0.04))
      return this.#random.pick(['1000-01-01', '9999-12-31', '2024-02-29', '1970-01-01', '2100-02-28']);
    const year = between(2025, 2027);
    return `${year}-${String(between(1, 12)).padStart(2, '0')}-${String(between(1, 28)).padStart(2, '0')}`;
  }

  /** A text that was not sent before. */
  newText(most: number): string {
    return cut(`${this.#random.pick(words)} ${this.#next()}`, most);
  }

  /** An id of one of several groups, by the value of the field beside it. */
  #referenceBy(schema: Schema, beside: Json): string | undefined {
    const [entry] = Object.entries(nodeOf(schema['x-reference-by']));
    if (entry === undefined) return undefined;
    const [by, groups] = entry;
    const group = nodeOf(groups)[String(beside[by])];
    return typeof group === 'string' ? this.#harvest.idOf(groupOf(group)) : undefined;
  }

  #array(schema: Schema, depth: number): unknown[] {
    const { items, minItems, maxItems, uniqueItems } = schema;
    const least = typeof minItems === 'number' ? minItems : 0;
    const most = typeof maxItems === 'number' ? maxItems : 3;
    const count = Math.min(most, Math.max(least, this.#random.pick([0, 1, 1, 2, 3])));
    const values = Array.from({ length: count }, () => this.of(nodeOf(items), depth + 1));
    return uniqueItems === true ? [...new Set(values)] : values;
  }

  #number(schema: Schema): number {
    const { minimum, maximum, exclusiveMinimum } = schema;
    const isWhole = typesOf(schema)[0] === 'integer';
    const decimals = isWhole ? 0 : typeof schema['x-decimals'] === 'number' ? schema['x-decimals'] : 2;
    const unit = 10 ** -decimals;
    const least =
      typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + unit : -50;
    const most = typeof maximum === 'number' ? maximum : Math.max(least, 0) + 1e6;
    if (this.#random.chance(0.05)) return this.#random.pick([least, most]);
    const reach = Math.min(most - least, this.#random.pick([1, 10, 100, 1000, most - least]));
    const value = Math.max(least, 0) > most ? least : Math.max(least, 0) + this.#random.next() * reach;
    return Number(Math.min(most, value).toFixed(Math.min(decimals, this.#random.pick([0, 1, 2, decimals]))));
  }

  #words(most: number): string {
    if (this.#random.chance(0.85)) return this.newText(most);
    const length = this.#random.between(1, 8);
    const text = Array.from({ length }, () => this.#random.pick(nasty)).join('');
    return cut(/\S/.test(text) ? text : `x${text}`, most);
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

/** At most so many code points. */
const cut = (text: string, most: number): string => [...text].slice(0, most).join('');

export function isNullable(schema: Schema): boolean {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((part) => isNode(part) && part['type'] === 'null');
  return Array.isArray(type) && type.includes('null');
}
