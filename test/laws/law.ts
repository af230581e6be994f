// What a law is, and the words in which laws speak of fields and answers.
import { expect } from 'vitest';
import type { Field, Figure, Resource, Scalar } from '../../src/registry/model/model.ts';
import { withDefaults } from '../support/data/records.ts';
import { type Answer, type Context, isObject, type Json } from '../support/service/praxis.ts';

/** A sentence that holds for every group it applies to, on every database. */
export interface Law {
  readonly title: string;
  readonly appliesTo: (resource: Resource) => boolean;
  readonly check: (context: Context, resource: Resource) => Promise<void>;
}

export const offers =
  (...operations: readonly ('list' | 'get' | 'create' | 'update' | 'delete')[]) =>
  (resource: Resource): boolean =>
    operations.every((operation) => resource.operations.has(operation));

const generalMessage = 'There was a problem processing your request. See errors for more details.';
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** Address of a record, or of the only one. */
export const pathOf = (resource: Resource, id: string): string =>
  resource.singleton ? resource.path : `${resource.path}/${id}`;

/** A record of the group to change: a new one, the only one, or one of the set-up. */
export async function someRecord(
  context: Context,
  resource: Resource,
  extent: 'required' | 'all' = 'all',
): Promise<Json & { readonly id: string }> {
  if (resource.operations.has('create')) return context.make(resource.name, {}, extent);
  const answer = resource.singleton ? await context.call('GET', resource.path) : undefined;
  const record = answer === undefined ? (await context.all(resource.name)).at(-1) : answer.body;
  if (!isObject(record)) throw new Error(`no ${resource.title} to look at`);
  return record as Json & { readonly id: string };
}

export async function get(context: Context, resource: Resource, id: string): Promise<string> {
  return (await context.call('GET', pathOf(resource, id))).text;
}

/** What a group holds, as far as a refused write could have changed it: its hundred newest records. */
async function contentOf(context: Context, resource: Resource): Promise<string> {
  if (resource.singleton) return get(context, resource, '');
  return resource.operations.has('list') ? (await context.call('GET', `${resource.path}?limit=100`)).text : '';
}

interface Refusal {
  readonly status: number;
  readonly message?: string;
  readonly errors?: readonly string[];
}

/** What sends requests that must be refused, one after the other, and sees each time that nothing has changed since now. */
export async function refusalsFrom(
  context: Context,
  resource: Resource,
): Promise<(send: () => Promise<Answer>, expected: Refusal) => Promise<void>> {
  const before = await contentOf(context, resource);
  return async (send, expected) => {
    const { body } = await send();
    const { status, message = generalMessage, errors } = expected;
    expect(body).toEqual({ status, message, ...(errors && { errors }) });
    expect(await contentOf(context, resource)).toBe(before);
  };
}

/** Whether a field's shown value is that of another record, in a record made of this body. */
export function isShownElsewhere(field: Field, resource: Resource, body: Readonly<Json>): boolean {
  const values = withDefaults(resource.fields, body);
  return field.inherits.some(
    ({ when: { key, operator, literal } }) => (values[key] === literal) === (operator === '=='),
  );
}

/** Checks that a record shows what a body has sent for a field. */
export function expectShown(field: Field, sent: unknown, shown: unknown): void {
  const where = `${field.name}: ${JSON.stringify(shown)} of ${JSON.stringify(sent)}`;
  switch (field.kind) {
    case 'reference':
      expect(isObject(shown) ? shown['id'] : (shown ?? null), where).toBe(sent);
      return;
    case 'references':
      expect(idsOf(shown), where).toEqual(sent);
      return;
    case 'object':
    case 'objects': {
      const pairs: [unknown, unknown][] =
        Array.isArray(sent) && Array.isArray(shown) ? sent.map((item, place) => [item, shown[place]]) : [[sent, shown]];
      if (Array.isArray(sent)) expect(shown, where).toHaveLength(sent.length);
      for (const [one, other] of pairs) {
        if (!isObject(one) || !isObject(other)) expect(other, where).toEqual(one);
        else
          for (const inside of field.fields)
            if (one[inside.key] !== undefined && inside.shown) expectShown(inside, one[inside.key], other[inside.name]);
      }
      return;
    }
    default:
      expect(shown, where).toEqual(sent);
  }
}

export const idsOf = (list: unknown): unknown[] =>
  Array.isArray(list) ? list.map((item: unknown) => (isObject(item) ? item['id'] : item)) : [];

/** What a body would have to send so that a field stays as it is shown. */
export function asSent(field: Field, shown: unknown): unknown {
  switch (field.kind) {
    case 'reference':
      return isObject(shown) ? shown['id'] : shown;
    case 'references':
      return idsOf(shown);
    case 'object':
      return isObject(shown) ? itemAsSent(field.fields, shown, false) : shown;
    case 'objects':
      return Array.isArray(shown) ? shown.map((item: Json) => itemAsSent(field.fields, item, true)) : shown;
    default:
      return shown;
  }
}

function itemAsSent(fields: readonly Field[], item: Json, isWhole: boolean): Json {
  const sent = fields.filter(({ onCreate, onUpdate, shown }) => shown && (isWhole ? onCreate : onUpdate));
  return Object.fromEntries(sent.map((field) => [field.key, asSent(field, item[field.name])]));
}

/** Formulas of a field's defaults, and of what is inside it. */
function formulasIn(field: Field): readonly Figure[] {
  const inside = 'fields' in field ? field.fields : [];
  const defaults = field.defaultFrom.flatMap((source) => (source.kind === 'formula' ? [source.figure] : []));
  return [...defaults, ...inside.flatMap((one) => [...(one.figure ? [one.figure] : []), ...formulasIn(one)])];
}

/** Words of a group's rules and derivations: fields that they name may change together with others. */
const ruleWords = (resource: Resource): string =>
  JSON.stringify([
    resource.rules.map(({ arguments: given, conditions }) => [
      given,
      Object.values(conditions).map(({ keys, paths }) => [keys, paths]),
    ]),
    resource.fields.map(
      ({ derived }) => derived && [derived.arguments, Object.values(derived.conditions).map(({ keys }) => keys)],
    ),
    resource.fields.map(({ figure }) => figure?.keys),
    resource.fields.map((field) => formulasIn(field).map(({ keys, again }) => [keys, again])),
    resource.fields.flatMap(({ onlyWhen, requiredWhen, inherits }) => [
      onlyWhen?.keys,
      requiredWhen?.keys,
      inherits.map(({ when, from }) => [when.key, from]),
    ]),
    resource.lockedUpdate?.keys,
    resource.lockedFields.map(({ when }) => when.keys),
  ]);

/** Rules that look at fields which their arguments do not name. */
const wideRules = new Set(['rateCardChain']);

/** Whether other fields, rules or conditions have a say in what a field may be. */
export function isTied(resource: Resource, field: Field): boolean {
  const { onlyWhen, requiredWhen, inherits, derived, figure } = field;
  if (resource.lockedFields.some(({ fields }) => fields.includes(field))) return true;
  if (onlyWhen || requiredWhen || derived || figure || inherits.length > 0) return true;
  if ('fields' in field && formulasIn(field).length > 0) return true;
  if ('transitions' in field && field.transitions !== undefined) return true;
  if (resource.rules.some(({ use }) => wideRules.has(use))) return true;
  const words = new Set(ruleWords(resource).match(/\w+/g));
  const record = field.key.replace(/Ids?$/, '');
  return [field.key, field.name, record].some((word) => words.has(word));
}

/** Whether a rule puts the items of a list in order, or adds some. */
export const isReshaped = (resource: Resource, field: Field): boolean =>
  resource.rules.some(
    ({ use, arguments: given }) =>
      (use === 'sorted' || use === 'contains') && JSON.stringify(given).includes(`"${field.name}"`),
  );

export const isNumber = (scalar: Scalar): scalar is Extract<Scalar, { kind: 'integer' | 'decimal' }> =>
  scalar.kind === 'integer' || scalar.kind === 'decimal';

/** The fields that are one plain value. */
export const isScalar = (field: Field): field is Extract<Field, Scalar> =>
  field.kind !== 'list' &&
  field.kind !== 'reference' &&
  field.kind !== 'references' &&
  field.kind !== 'object' &&
  field.kind !== 'objects';
