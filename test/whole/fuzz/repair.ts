// A refusal says what is wrong: the same request with that put right is often one that is taken.
import type { Random } from '../../../src/demo/plan/random.ts';
import { addDays, isDate } from '../../../src/values/date.ts';
import { type Document, groupOf, isNode, type Json, nodeOf, type Schema } from './document.ts';
import type { Harvest } from './harvest.ts';
import type { Values } from './values.ts';

interface Place {
  readonly holder: Json;
  readonly key: string;
  readonly schema: Schema;
}

/** Finds `lines[2].rate` in a body. */
function find(document: Document, body: Json, path: string, root: Schema): Place | undefined {
  const steps = path.split('.');
  let holder = body;
  let schema = root;
  for (const [nth, step] of steps.entries()) {
    const [, key = '', index] = /^([^[]*)(?:\[(\d+)\])?/.exec(step) ?? [];
    const part = new Map(document.properties(schema)).get(key);
    if (part === undefined) return undefined;
    const isLast = nth === steps.length - 1;
    if (isLast) return { holder, key, schema: part };
    const inner = index === undefined ? holder[key] : [holder[key]].flat()[Number(index)];
    if (!isNode(inner)) return undefined;
    holder = inner;
    schema = index === undefined ? part : document.resolve(nodeOf(part['items']));
  }
  return undefined;
}

interface Repairing {
  readonly document: Document;
  readonly values: Values;
  readonly harvest: Harvest;
  readonly random: Random;
}

interface Refused {
  readonly body: Json;
  readonly schema: Schema;
  /** The body of an answer that is no success. */
  readonly answer: Json;
  /** The record that the body is for, where it is known. */
  readonly record: Json | undefined;
}

/** How far a day is behind another that it hangs on. */
const spans = [0, 1, 3, 6, 7, 30];
const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Does what a refusal asks for. @returns whether there was anything to do */
export function repair(
  { document, values, harvest, random }: Repairing,
  { body, schema, answer, record }: Refused,
): boolean {
  const texts = Array.isArray(answer['errors']) ? answer['errors'].map(String) : takenKeys(String(answer['message']));
  let isChanged = false;
  const fitting = ({ holder, schema: part }: Place, words: string, beside: unknown): string | undefined => {
    const { 'x-reference': target, format } = part;
    if (typeof target === 'string' && / same /.test(words))
      return harvest.relativeOf(groupOf(target), JSON.stringify(beside).match(ids) ?? []);
    const other = holder[/ (?:after|as|before) (\w+)$/.exec(words)?.[1] ?? ''];
    const hasDaysBehind = typeof other === 'string' && isDate(other) && other < '9999';
    return format === 'date' && hasDaysBehind ? addDays(other, random.pick(spans)) : undefined;
  };
  for (const text of texts) {
    const [, path = '', words = ''] = /^'([^']+)' (.*)$/s.exec(text) ?? [];
    const place = find(document, body, path, schema);
    if (place === undefined) continue;
    isChanged = true;
    const amount = /^must be (-?[\d.]+)$/.exec(words)?.[1];
    if (amount !== undefined) place.holder[place.key] = Number(amount);
    else if (words === 'is not allowed') delete place.holder[place.key];
    else place.holder[place.key] = fitting(place, words, { body, record }) ?? notNull(values, place.schema);
  }
  return isChanged;
}

/** `A Project with the same key already exists.` → what would be said of that field. */
const takenKeys = (message: string): string[] => {
  const key = /with the same (\w+)/.exec(message)?.[1];
  return key === undefined ? [] : [`'${key}' is taken`, `'${key}Id' is taken`];
};

function notNull(values: Values, schema: Schema): unknown {
  for (let tries = 0; tries < 5; tries += 1) {
    const value = values.of(schema);
    if (value !== null) return value;
  }
  return null;
}
