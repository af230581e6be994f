// Records for any descriptors: values at the edges of what each field takes, the same for the same seed.
import type { Field, Registry, Resource, Scalar } from '../../../src/registry/model/model.ts';
import type { Numbers } from '../../descriptors/mutate.ts';
import { type Call, isObject, type Json } from '../../support/service/client.ts';

/** A record as it is shown, under a label that is the same on every database. */
export type Shown = Readonly<Record<string, Json>>;

const pick = <T>(list: readonly T[], numbers: Numbers): T | undefined => list[Math.floor(numbers() * list.length)];
const texts = ['on', 'off', 'low', 'a', 'Straße', 'İstanbul', 'it\'s \\ "so"', '😀b', 'a b', 'x', '%_', 'ZZ', 'dflt'];
const letters = 'Äb3';

/** Makes records through the API. @returns their ids by label: `alpha#1` */
export async function makeRecords(call: Call, registry: Registry, numbers: Numbers): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const resource of registry.resources.values()) {
    const count = Math.floor(numbers() * 5);
    for (let number = 1; number <= count; number++) {
      const name = `${resource.name}#${number}`;
      const body = bodyOf(resource.fields, { numbers, ids, resource });
      const answer = await call('POST', resource.path, { ...body, name });
      // Keys may meet, and there may be nothing to refer to: such a record is left out, on every database alike.
      if (answer.status === 200 && isObject(answer.body)) ids.set(name, String(answer.body['id']));
      else if (answer.status !== 409 && !/'f\d+Id' is required|'f\d+' is required/.test(answer.text))
        throw new Error(`POST ${resource.path} ${JSON.stringify(body)}: ${answer.text}`);
    }
  }
  return ids;
}

interface Making {
  readonly numbers: Numbers;
  readonly ids: ReadonlyMap<string, string>;
  readonly resource: Resource;
}

function bodyOf(fields: readonly Field[], making: Making): Json {
  const isOn = making.numbers() < 0.7;
  return Object.fromEntries(
    fields
      .filter(({ onCreate }) => onCreate)
      .flatMap((field): [string, unknown][] => {
        if (field.name === 'isOn') return [['isOn', isOn]];
        if (field.onlyWhen !== undefined && !isOn) return [];
        const isLeft = !field.required && making.numbers() < 0.25;
        // What has no default is sent all the same where it can be neither null nor empty.
        if (isLeft && (field.unset !== 'never' || field.default !== undefined)) return [];
        const value = valueAt(field, making);
        return value === undefined ? [] : [[field.key, value]];
      }),
  );
}

function valueAt(field: Field, making: Making): unknown {
  const { numbers, ids } = making;
  if (field.unset === 'null' && numbers() < 0.2) return null;
  if (field.unset === 'empty' && numbers() < 0.2) return '';
  const idsOf = (group: string): string[] =>
    [...ids].filter(([label]) => label.startsWith(`${group}#`)).map(([, id]) => id);
  switch (field.kind) {
    case 'reference':
      return pick(idsOf(field.target), numbers) ?? (field.unset === 'null' ? null : undefined);
    case 'references':
      return idsOf(field.target).slice(0, Math.floor(numbers() * (field.maxItems + 1)));
    case 'object':
      return bodyOf(field.fields, making);
    case 'list': {
      const count = field.minItems + Math.floor(numbers() * (field.maxItems - field.minItems + 1));
      const values = Array.from({ length: count }, () => scalarOf(field.item, numbers));
      return values.every((value) => value !== undefined) ? [...new Set(values)] : undefined;
    }
    case 'choice':
      throw new Error('no set of groups has a reference to one of several groups');
    case 'objects': {
      const count = field.minItems + Math.floor(numbers() * (Math.min(field.maxItems, 4) - field.minItems + 1));
      return Array.from({ length: count }, () => bodyOf(field.fields, making));
    }
    default:
      return scalarOf(field, numbers);
  }
}

function scalarOf(scalar: Scalar, numbers: Numbers): unknown {
  switch (scalar.kind) {
    case 'text': {
      const { maxLength, format } = scalar;
      if (format === 'email') return pick(maxLength < 10 ? [] : ['a@b.co', 'x@yy.de'], numbers);
      if (format === 'url') return maxLength < 10 ? undefined : pick(['http://a.b', 'https://b'], numbers);
      if (numbers() < 0.15) return letters.repeat(maxLength).slice(0, Math.min(maxLength, 250));
      return [...(pick(texts, numbers) ?? '')].slice(0, maxLength).join('').trim();
    }
    case 'enum':
      return pick(scalar.values, numbers);
    case 'boolean':
      return numbers() < 0.5;
    case 'date':
      return pick(['2024-02-29', '1999-12-31', '2030-01-01'], numbers);
    case 'integer': {
      const [least, most] = [Math.max(scalar.minimum, -5), Math.min(scalar.maximum, 120)];
      if (numbers() < 0.1) return Math.min(scalar.maximum, Number.MAX_SAFE_INTEGER);
      return least + Math.floor(numbers() * (most - least + 1));
    }
    case 'decimal': {
      const { scale, precision, minimum = 0, maximum = Infinity } = scalar;
      const most = Math.min(maximum, 10 ** (precision - scale) - 10 ** -scale);
      const places = pick([0, scale], numbers) ?? 0;
      const value = numbers() < 0.15 ? most : minimum + numbers() * (Math.min(most, 130) - minimum);
      return Number((Math.floor(value * 10 ** places) / 10 ** places).toFixed(scale)) || Math.max(0, minimum);
    }
    default:
      return undefined;
  }
}

/** All records of all groups, by label, with labels in the place of ids. Labels are the names that the records have. */
export async function readRecords(call: Call, registry: Registry, ids: ReadonlyMap<string, string>): Promise<Shown> {
  const labels = new Map([...ids].map(([label, id]) => [id, label]));
  const shown: Record<string, Json> = {};
  for (const { path } of registry.resources.values()) {
    const { body, status, text } = await call('GET', `${path}?limit=100`);
    if (status !== 200 || !isObject(body) || !Array.isArray(body['results'])) throw new Error(`GET ${path}: ${text}`);
    for (const record of body['results'] as Json[]) {
      const { createdAt: _made, id, ...rest } = record;
      shown[labels.get(String(id)) ?? String(id)] = JSON.parse(
        JSON.stringify(rest, (_key, value: unknown) =>
          isObject(value) && 'name' in value && 'id' in value ? value['id'] : value,
        ).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (found) => labels.get(found) ?? found),
      ) as Json;
    }
  }
  return shown;
}
