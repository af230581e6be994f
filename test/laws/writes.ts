// Laws of creates and updates that succeed.
import { expect } from 'vitest';
import type { Field, Resource } from '../../src/registry/model/model.ts';
import { type Context, isObject, type Json } from '../support/service/praxis.ts';
import {
  asSent,
  expectShown,
  get,
  isReshaped,
  isShownElsewhere,
  isTied,
  type Law,
  offers,
  pathOf,
  someRecord,
} from './law.ts';

async function makesAndReadsBack(context: Context, resource: Resource, extent: 'all' | 'required'): Promise<void> {
  const body = await context.bodyOf(resource.name, {}, extent);
  const before = Date.now();
  const made = await context.call('POST', resource.path, body);
  expect(made.status, `${JSON.stringify(body)} ${made.text}`).toBe(200);
  const record = made.body;
  if (!isObject(record)) throw new Error(made.text);
  expect(Math.abs(Date.parse(String(record['createdAt'])) - before)).toBeLessThan(5000);
  for (const field of resource.fields) {
    const sent = body[field.key];
    if (sent === undefined || !field.shown || isShownElsewhere(field, resource, body)) continue;
    if (isReshaped(resource, field))
      expect(record[field.name], field.name).toEqual(expect.arrayContaining(Array.isArray(sent) ? sent : []));
    else expectShown(field, sent, record[field.name]);
  }
  expect(await get(context, resource, String(record['id']))).toBe(made.text);
  if (!resource.operations.has('list')) return;
  const page = await context.call('GET', `${resource.path}?limit=1`);
  expect(page.text).toBe(
    `{"results":[${made.text}],"hasMore":${JSON.stringify(isObject(page.body) && page.body['hasMore'])}}`,
  );
}

/** Fields that another one's change may change. */
const follows = (resource: Resource, field: Field, changed: Field): boolean =>
  field === changed ||
  field.derived !== undefined ||
  field.figure !== undefined ||
  (isTied(resource, field) && isTied(resource, changed));

async function changesOne(context: Context, resource: Resource, field: Field): Promise<void> {
  const body = resource.operations.has('create') ? await context.bodyOf(resource.name, {}, 'all') : {};
  const made = resource.operations.has('create')
    ? await context.make(resource.name, body, 'all')
    : await someRecord(context, resource);
  const path = pathOf(resource, made.id);
  const before: Json = JSON.parse(await get(context, resource, made.id));
  const value = await newValue(context, field, { resource, before });
  const answer = await context.call('PATCH', path, { [field.key]: value });
  const after: Json = JSON.parse(await get(context, resource, made.id));
  if (answer.status !== 200) {
    expect(isTied(resource, field), `PATCH ${JSON.stringify({ [field.key]: value })} answers ${answer.text}`).toBe(
      true,
    );
    return expect(after).toEqual(before);
  }
  expect(answer.body).toEqual(after);
  if (isReshaped(resource, field))
    expect(after[field.name], field.name).toEqual(expect.arrayContaining(Array.isArray(value) ? value : []));
  else if (field.shown && !isShownElsewhere(field, resource, { ...body, ...before }))
    expectShown(field, value, after[field.name]);
  for (const other of resource.fields) {
    if (other.shown && !follows(resource, other, field))
      expect(after[other.name], `${other.name} after a change of ${field.name}`).toEqual(before[other.name]);
  }
  const modified = resource.fields.find(({ derived }) => derived?.use === 'modified');
  const hasChanged = field.shown && JSON.stringify(after[field.name]) !== JSON.stringify(before[field.name]);
  if (modified !== undefined && hasChanged)
    expect(Date.parse(String(after[modified.name]))).toBeGreaterThanOrEqual(Date.parse(String(before[modified.name])));
  if (modified !== undefined && hasChanged)
    expect(Date.now() - Date.parse(String(after[modified.name]))).toBeLessThan(5000);
}

/** A record as it is shown. */
interface Stored {
  readonly resource: Resource;
  readonly before: Json;
}

/** Another value than the stored one, where there is one. */
async function newValue(context: Context, field: Field, { resource, before }: Stored): Promise<unknown> {
  if (field.kind === 'boolean') return before[field.name] !== true;
  if (field.kind === 'enum') return field.values.find((value) => value !== before[field.name]);
  if (field.kind === 'text' && field.format === 'time-zone') return 'Asia/Kolkata';
  if (field.kind === 'text' && field.format === 'currency') return 'JPY';
  if (field.kind === 'list' && field.item.kind === 'enum') return field.item.values.slice(0, 1);
  if (field.kind === 'reference') return (await context.make(field.target)).id;
  // Fields of a group that may have been made without them.
  const body = await context.valueOf(resource.name, field.key);
  return body;
}

export const writeLaws: readonly Law[] = [
  {
    title: 'makes a record with every field and reads it back',
    appliesTo: offers('create', 'get'),
    check: (context, resource) => makesAndReadsBack(context, resource, 'all'),
  },
  {
    title: 'makes a record with the required fields alone and reads it back',
    appliesTo: offers('create', 'get'),
    check: (context, resource) => makesAndReadsBack(context, resource, 'required'),
  },
  {
    title: 'changes nothing by an update with an empty body',
    appliesTo: offers('get', 'update'),
    check: async (context, resource) => {
      const { id } = await someRecord(context, resource);
      const before = await get(context, resource, id);
      const answer = await context.call('PATCH', pathOf(resource, id), {});
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(before);
      expect(await get(context, resource, id)).toBe(before);
    },
  },
  {
    title: 'changes nothing by an update with the values that are stored, modifiedAt included',
    appliesTo: offers('get', 'update'),
    check: async (context, resource) => {
      const { id } = await someRecord(context, resource);
      const before = await get(context, resource, id);
      const record: Json = JSON.parse(before);
      const kept = resource.fields.filter(
        (field) => field.onUpdate && field.shown && !isShownElsewhere(field, resource, record),
      );
      const body = Object.fromEntries(kept.map((field) => [field.key, asSent(field, record[field.name])]));
      const answer = await context.call('PATCH', pathOf(resource, id), body);
      expect(answer.text).toBe(before);
      for (const [key, value] of Object.entries(body)) {
        const one = await context.call('PATCH', pathOf(resource, id), { [key]: value });
        expect(one.text, `${key}: ${JSON.stringify(value)}`).toBe(before);
      }
    },
  },
  {
    title: 'changes one field alone',
    appliesTo: offers('get', 'update'),
    check: async (context, resource) => {
      for (const field of resource.fields.filter(({ onUpdate }) => onUpdate))
        await changesOne(context, resource, field);
    },
  },
  {
    title: 'unsets what can be unset, and gives the rest its default',
    appliesTo: offers('create', 'get'),
    check: async (context, resource) => {
      const plain = await context.make(resource.name);
      for (const unset of [null, '', ' \t\n\u00a0']) {
        const body = await context.bodyOf(resource.name);
        const fields = resource.fields.filter(
          (field) =>
            field.onCreate && body[field.key] === undefined && !isTied(resource, field) && canCarry(field, unset),
        );
        const made = await context.make(resource.name, Object.fromEntries(fields.map(({ key }) => [key, unset])));
        for (const field of fields.filter(({ shown }) => shown))
          expect(made[field.name], field.name).toEqual(
            unsetValue(field) === undefined ? plain[field.name] : unsetValue(field),
          );
      }
    },
  },
  {
    title: 'unsets by an update, and takes a switch back to its default',
    appliesTo: offers('get', 'update'),
    check: async (context, resource) => {
      for (const unset of [null, '', ' \t\n\u00a0']) {
        const { id } = await someRecord(context, resource);
        const fields = resource.fields.filter(
          (field) => field.onUpdate && !isTied(resource, field) && canCarry(field, unset) && isUnsettable(field),
        );
        const answer = await context.call(
          'PATCH',
          pathOf(resource, id),
          Object.fromEntries(fields.map(({ key }) => [key, unset])),
        );
        expect(answer.status, answer.text).toBe(200);
        const after: Json = JSON.parse(await get(context, resource, id));
        expect(answer.body).toEqual(after);
        for (const field of fields.filter(({ shown }) => shown))
          expect(after[field.name], field.name).toEqual(
            unsetValue(field) === undefined ? field.default : unsetValue(field),
          );
      }
    },
  },
];

/** Null unsets every field; empty texts only texts, and no codes of fixed form. */
export const canCarry = (field: Field, unset: string | null): boolean =>
  unset === null || (field.kind === 'text' && field.format !== 'currency' && field.format !== 'time');

/** What an unset field shows; undefined where it takes a default instead. */
function unsetValue(field: Field): unknown {
  if (field.unset === 'empty') return '';
  if (field.unset === 'null') return null;
  const isList =
    field.kind === 'references' || ((field.kind === 'list' || field.kind === 'objects') && field.minItems === 0);
  return isList ? [] : undefined;
}

function isUnsettable(field: Field): boolean {
  return unsetValue(field) !== undefined || (field.kind === 'boolean' && field.default !== undefined);
}
