// Laws of bodies that are refused: with the exact texts, in the order of the record, and without any change.
import { expect } from 'vitest';
import type { Field, Resource } from '../../src/registry/model.ts';
import { type Context, isObject, type Json } from '../support/praxis.ts';
import { expectRefused, isNumber, isScalar, isTied, type Law, offers, pathOf, someRecord, unknownId } from './law.ts';
import { canCarry } from './writes.ts';
import { edges, wrongValues } from './wrong-values.ts';

type Mode = 'create' | 'update';

/** Sends one body as a create, or as an update of a record. */
async function refuses(
  context: Context,
  resource: Resource,
  mode: Mode,
  body: Json,
  errors: readonly string[],
): Promise<void> {
  const target = mode === 'create' ? undefined : await someRecord(context, resource);
  const send = () =>
    target === undefined
      ? context.call('POST', resource.path, body)
      : context.call('PATCH', pathOf(resource, target.id), body);
  await expectRefused(context, resource, send, { status: 400, errors: errors.slice(0, 50) });
}

const modes = (resource: Resource): Mode[] =>
  (['create', 'update'] as const).filter((mode) => resource.operations.has(mode));
const accepts = (field: Field, mode: Mode): boolean => (mode === 'create' ? field.onCreate : field.onUpdate);

/** Whether a field of the one record that all tests share may be locked by what other tests have made. */
const mayBeLocked = ({ singleton, rules }: Resource, { name }: Field): boolean =>
  singleton &&
  rules.some(({ use, arguments: given }) => use === 'lockedOnceUsed' && [given['fields']].flat().includes(name));

/** A body with all fields, of which those that an update takes. */
async function wholeBody(context: Context, resource: Resource, mode: Mode): Promise<Json> {
  const record = resource.operations.has('create') ? await context.bodyOf(resource.name, {}, 'all') : {};
  return Object.fromEntries(
    Object.entries(record).filter(([key]) =>
      resource.fields.some((field) => field.key === key && accepts(field, mode)),
    ),
  );
}

interface Wrong {
  readonly value: unknown;
  readonly place: string;
  readonly words: string;
}

/** Ids in a field that are wrong in one way. */
function idsWith(field: Field, id: string, words: (target: string) => string): Wrong | undefined {
  if (field.kind === 'reference') return { value: id, place: field.key, words: words(field.target) };
  if (field.kind === 'references') return { value: [id], place: `${field.key}[0]`, words: words(field.target) };
  return undefined;
}

async function refusesIds(
  context: Context,
  resource: Resource,
  id: string,
  words: (title: string) => string,
): Promise<void> {
  for (const mode of modes(resource)) {
    const body = await wholeBody(context, resource, mode);
    const errors: string[] = [];
    for (const field of resource.fields) {
      const wrong =
        accepts(field, mode) && Object.hasOwn(body, field.key)
          ? idsWith(field, id, (target) => words(context.resource(target).title))
          : undefined;
      if (wrong !== undefined) {
        body[field.key] = wrong.value;
        errors.push(`'${wrong.place}' ${wrong.words}`);
      }
      if (field.kind === 'objects' && Array.isArray(body[field.key]))
        errors.push(...wrongItems(context, field.key, field.fields, body[field.key] as Json[], id, words));
    }
    if (errors.length > 0) await refuses(context, resource, mode, body, errors);
  }
}

/** The group that an id of an item is of. */
function targetIn(field: Field, item: Json): string | undefined {
  if (field.kind === 'reference') return field.target;
  if (field.kind !== 'choice') return undefined;
  return field.branches.find(({ value }) => value === item[field.by])?.reference.target;
}

/** Puts a wrong id into every reference of the first item of a list, and of the first item of its lists. */
function wrongItems(
  context: Context,
  key: string,
  fields: readonly Field[],
  items: Json[],
  id: string,
  words: (title: string) => string,
): string[] {
  const [item] = items;
  if (item === undefined) return [];
  return fields
    .filter((field) => Object.hasOwn(item, field.key))
    .flatMap((field) => {
      const place = `${key}[0].${field.key}`;
      if (field.kind === 'objects') {
        const inside = item[field.key];
        return Array.isArray(inside) ? wrongItems(context, place, field.fields, inside as Json[], id, words) : [];
      }
      const target = targetIn(field, item);
      if (target === undefined) return [];
      item[field.key] = id;
      return [`'${place}' ${words(context.resource(target).title)}`];
    });
}

export const refusalLaws: readonly Law[] = [
  {
    title: 'refuses ids that are none',
    appliesTo: (resource) => modes(resource).length > 0,
    check: (context, resource) => refusesIds(context, resource, 'not-an-id', () => 'must be a UUID'),
  },
  {
    title: 'refuses ids of nothing',
    appliesTo: (resource) => modes(resource).length > 0,
    check: (context, resource) =>
      refusesIds(context, resource, unknownId, (title) => `does not refer to an existing ${title}`),
  },
  {
    title: 'refuses values beyond each bound and of each wrong type, all at once',
    appliesTo: (resource) => modes(resource).length > 0,
    check: async (context, resource) => {
      for (const mode of modes(resource)) {
        for (const round of [0, 1, 2, 3, 4]) {
          const body = await wholeBody(context, resource, mode);
          const errors: string[] = [];
          for (const field of resource.fields) {
            if (!accepts(field, mode) || (body[field.key] === undefined && resource.operations.has('create'))) continue;
            if (mayBeLocked(resource, field)) continue;
            const wrong = wrongValues(field)[round];
            if (wrong === undefined) continue;
            body[field.key] = wrong[0];
            errors.push(`'${field.key}' must be ${wrong[1]}`);
            // Ids that stand twice are looked up all the same.
            if (field.kind === 'references' && wrong[1] === 'without duplicates')
              for (const place of [0, 1])
                errors.push(
                  `'${field.key}[${place}]' does not refer to an existing ${context.resource(field.target).title}`,
                );
          }
          if (errors.length > 0) await refuses(context, resource, mode, body, errors);
        }
      }
    },
  },
  {
    title: 'takes texts of the full length, in characters, and gives them back',
    appliesTo: offers('create', 'get'),
    check: async (context, resource) => {
      const body = await context.bodyOf(resource.name, {}, 'all');
      for (const field of resource.fields) {
        if (field.kind !== 'text' || field.format !== undefined || body[field.key] === undefined) continue;
        const mark = [...String(body[field.key])].slice(-6).join('');
        body[field.key] = '\u{1F600}'.repeat(field.maxLength - [...mark].length) + mark;
      }
      const made = await context.make(resource.name, body, 'all');
      for (const field of resource.fields)
        if (field.kind === 'text' && field.shown && body[field.key] !== undefined)
          expect(made[field.name]).toBe(body[field.key]);
    },
  },
  {
    title: 'takes numbers up to each bound and gives them back',
    appliesTo: offers('create', 'get'),
    check: async (context, resource) => {
      const whole = await context.bodyOf(resource.name, {}, 'all');
      for (const field of resource.fields) {
        if (!isScalar(field) || !isNumber(field) || whole[field.key] === undefined) continue;
        for (const value of edges(field)) {
          const body = await context.bodyOf(resource.name, { [field.key]: value }, 'all');
          const answer = await context.call('POST', resource.path, body);
          if (answer.status === 200 && isObject(answer.body))
            expect(answer.body[field.name]).toBe(field.shown ? value : undefined);
          else {
            // Its rules may refuse a value that by itself is sound.
            expect(isTied(resource, field), `${field.key} ${value}: ${answer.text}`).toBe(true);
            expect(answer.text).not.toContain(`'${field.key}' must be a number`);
          }
        }
      }
    },
  },
  {
    title: 'asks for each required field that is missing, null or empty',
    appliesTo: (resource) => offers('create')(resource) && resource.fields.some(({ required }) => required),
    check: async (context, resource) => {
      for (const unset of [undefined, null, '', ' \t\n']) {
        const body = await context.bodyOf(resource.name);
        const fields = resource.fields.filter(
          (field) =>
            field.required &&
            (unset === undefined || canCarry(field, unset)) &&
            (unset === undefined || !isList(field)),
        );
        if (fields.length === 0) continue;
        for (const { key } of fields) body[key] = unset;
        await refuses(
          context,
          resource,
          'create',
          JSON.parse(JSON.stringify(body)),
          fields.map(({ key }) => `'${key}' is required`),
        );
      }
    },
  },
  {
    title: 'refuses to unset by an update what cannot be unset',
    appliesTo: offers('update'),
    check: async (context, resource) => {
      for (const unset of [null, '', ' \t\n']) {
        const fields = resource.fields.filter(
          (field) =>
            field.onUpdate &&
            field.unset === 'never' &&
            field.onlyWhen === undefined &&
            field.kind !== 'boolean' &&
            !isList(field) &&
            !mayBeLocked(resource, field) &&
            canCarry(field, unset),
        );
        const body = Object.fromEntries(fields.map(({ key }) => [key, unset]));
        if (fields.length > 0)
          await refuses(
            context,
            resource,
            'update',
            body,
            fields.map(({ key }) => `'${key}' is required`),
          );
      }
    },
  },
  {
    title: 'refuses fields that are unknown, read-only, or not for this operation',
    appliesTo: (resource) => modes(resource).length > 0,
    check: async (context, resource) => {
      for (const mode of modes(resource)) {
        const body = await wholeBody(context, resource, mode);
        const refused = resource.fields.filter((field) => !accepts(field, mode)).map(({ key }) => key);
        const shownOnly = resource.fields
          .filter(({ name, key }) => name !== key && !resource.byKey.has(name))
          .map(({ name }) => name);
        const unknown = ['zzz', 'aaa', 'constructor', 'toString', ...shownOnly];
        for (const key of [...unknown, ...refused]) body[key] = 'x';
        await refuses(
          context,
          resource,
          mode,
          body,
          [...refused, ...unknown].map((key) => `'${key}' is not allowed`),
        );
      }
    },
  },
];

const isList = (field: Field): boolean =>
  field.kind === 'list' || field.kind === 'references' || field.kind === 'objects';
