// Laws of bodies that are refused: with the exact texts, in the order of the record, and without any change.
import { expect } from 'vitest';
import type { Field, ObjectsField, Resource } from '../../src/registry/model/model.ts';
import { meantName } from '../../src/text/nearest.ts';
import { type Context, isObject, type Json } from '../support/service/praxis.ts';
import { isNumber, isScalar, isTied, type Law, offers, pathOf, refusalsFrom, someRecord, unknownId } from './law.ts';
import { canCarry } from './writes.ts';
import { edges, wrongValues } from './wrong-values.ts';

type Mode = 'create' | 'update';

/**
 * What sends bodies that must be refused, as creates or as updates of one record: being refused, they leave it as it is for
 * the next. Whatever the bodies need must be there before.
 */
async function refuser(
  context: Context,
  resource: Resource,
  mode: Mode,
): Promise<(body: Json, errors: readonly string[]) => Promise<void>> {
  const target = mode === 'create' ? undefined : await someRecord(context, resource);
  const refuses = await refusalsFrom(context, resource);
  const send = (body: Json) =>
    target === undefined
      ? context.call('POST', resource.path, body)
      : context.call('PATCH', pathOf(resource, target.id), body);
  return (body, errors) => refuses(() => send(body), { status: 400, errors: errors.slice(0, 50) });
}

const modes = (resource: Resource): Mode[] =>
  (['create', 'update'] as const).filter((mode) => resource.operations.has(mode));
const accepts = (field: Field, mode: Mode): boolean => (mode === 'create' ? field.onCreate : field.onUpdate);

/** Whether a field of the one record that all tests share may be locked by what other tests have made. */
const mayBeLocked = ({ singleton, lockedFields }: Resource, field: Field): boolean =>
  singleton && lockedFields.some(({ fields }) => fields.includes(field));

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

/** An id that is wrong in one way, with the words for it where a record of a group is asked for. */
interface WrongId {
  readonly id: string;
  readonly words: (title: string) => string;
}

/** Such an id in a field. */
function idsWith(context: Context, field: Field, { id, words }: WrongId): Wrong | undefined {
  if (field.kind !== 'reference' && field.kind !== 'references') return undefined;
  const { title } = context.resource(field.target);
  return field.kind === 'reference'
    ? { value: id, place: field.key, words: words(title) }
    : { value: [id], place: `${field.key}[0]`, words: words(title) };
}

async function refusesIds(context: Context, resource: Resource, wrongId: WrongId): Promise<void> {
  for (const mode of modes(resource)) {
    const body = await wholeBody(context, resource, mode);
    const errors: string[] = [];
    for (const field of resource.fields) {
      const wrong =
        accepts(field, mode) && Object.hasOwn(body, field.key) ? idsWith(context, field, wrongId) : undefined;
      if (wrong !== undefined) {
        body[field.key] = wrong.value;
        errors.push(`'${wrong.place}' ${wrong.words}`);
      }
      if (field.kind === 'objects') errors.push(...wrongItems(context, listOf(field, field.key, body), wrongId));
    }
    if (errors.length > 0) await (await refuser(context, resource, mode))(body, errors);
  }
}

/** The group that an id of an item is of. */
function targetIn(field: Field, item: Json): string | undefined {
  if (field.kind === 'reference') return field.target;
  if (field.kind !== 'choice') return undefined;
  return field.branches.find(({ value }) => value === item[field.by])?.reference.target;
}

/** Items in a body, and where they stand in it. */
interface Items {
  readonly place: string;
  readonly fields: readonly Field[];
  readonly items: readonly Json[];
}

const listOf = ({ key, fields }: ObjectsField, place: string, holder: Json): Items => ({
  place,
  fields,
  items: Array.isArray(holder[key]) ? holder[key] : [],
});

/** Puts a wrong id into every reference of the first item of a list, and of the first item of its lists. */
function wrongItems(context: Context, list: Items, wrongId: WrongId): string[] {
  const { fields, items } = list;
  const [item] = items;
  if (item === undefined) return [];
  return fields
    .filter((field) => Object.hasOwn(item, field.key))
    .flatMap((field) => {
      const place = `${list.place}[0].${field.key}`;
      if (field.kind === 'objects') return wrongItems(context, listOf(field, place, item), wrongId);
      const target = targetIn(field, item);
      if (target === undefined) return [];
      item[field.key] = wrongId.id;
      return [`'${place}' ${wrongId.words(context.resource(target).title)}`];
    });
}

export const refusalLaws: readonly Law[] = [
  {
    title: 'refuses ids that are none',
    appliesTo: (resource) => modes(resource).length > 0,
    check: (context, resource) => refusesIds(context, resource, { id: 'not-an-id', words: () => 'must be a UUID' }),
  },
  {
    title: 'refuses ids of nothing',
    appliesTo: (resource) => modes(resource).length > 0,
    check: (context, resource) =>
      refusesIds(context, resource, { id: unknownId, words: (title) => `does not refer to an existing ${title}` }),
  },
  {
    title: 'refuses values beyond each bound and of each wrong type, all at once',
    appliesTo: (resource) => modes(resource).length > 0,
    check: async (context, resource) => {
      for (const mode of modes(resource)) {
        const whole = await wholeBody(context, resource, mode);
        const refuses = await refuser(context, resource, mode);
        for (const round of [0, 1, 2, 3, 4]) {
          const body = { ...whole };
          const errors: string[] = [];
          for (const field of resource.fields) {
            if (!accepts(field, mode) || (body[field.key] === undefined && resource.operations.has('create'))) continue;
            if (mayBeLocked(resource, field)) continue;
            const wrong = wrongValues(field, mode)[round];
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
          if (errors.length > 0) await refuses(body, errors);
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
        if (field.pattern !== undefined) continue;
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
      const whole = await context.bodyOf(resource.name);
      const refuses = await refuser(context, resource, 'create');
      for (const unset of [undefined, null, '', ' \t\n']) {
        const body = { ...whole };
        const fields = resource.fields.filter(
          (field) =>
            field.required &&
            (unset === undefined || canCarry(field, unset)) &&
            (unset === undefined || !isList(field)),
        );
        if (fields.length === 0) continue;
        for (const { key } of fields) body[key] = unset;
        await refuses(
          body,
          fields.map(({ key }) => `'${key}' is required`),
        );
      }
    },
  },
  {
    title: 'refuses to unset by an update what cannot be unset',
    appliesTo: offers('update'),
    check: async (context, resource) => {
      const refuses = await refuser(context, resource, 'update');
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
        const refuses = await refuser(context, resource, mode);
        // Who mistypes a name is told of those that may be sent, and of no others.
        const sendable = resource.fields.filter((field) => accepts(field, mode)).map(({ key }) => key);
        await refuses(body, [
          ...refused.map((key) => `'${key}' is not allowed`),
          ...unknown.map((key) => `'${key}' is not allowed${meantName(key, sendable)}`),
        ]);
      }
    },
  },
];

const isList = (field: Field): boolean =>
  field.kind === 'list' || field.kind === 'references' || field.kind === 'objects';
