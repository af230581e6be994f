// What may be wrong with what a body says, before it is written.
import { wrongTokens } from '../../http/corpus/fields.ts';
import { hostileTexts } from '../../http/corpus/row.ts';
import { nasty } from '../../support/data/nasty.ts';
import { type Document, isNode, type Json, nodeOf, type Schema } from './document.ts';
import type { Slip, Tools } from './draft.ts';
import { typesOf } from './values.ts';

/** A value in a body, and what it should be. */
interface Place {
  readonly holder: Json | unknown[];
  readonly key: string | number;
  readonly schema: Schema;
}

/** Stands for JSON that no value can be written as; `writeBody` puts it in. */
const tokenMark = 'token-of-json:';
const rawToken = (json: string): string => `${tokenMark}${json}`;

/** The JSON of a body, tokens put in as they are. */
export function writeBody(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes(tokenMark)) return text;
  return text.replaceAll(/"token-of-json:((?:[^"\\]|\\.)*)"/g, (_whole, inner: string) => JSON.parse(`"${inner}"`));
}

/** All values of a body; those of lists by their first items. */
function placesIn(document: Document, value: Json, schema: Schema): Place[] {
  const within = (item: unknown, part: Schema): Place[] => {
    if (isNode(item)) return placesIn(document, item, part);
    if (!Array.isArray(item)) return [];
    const items = document.resolve(nodeOf(part['items']));
    return item.slice(0, 3).flatMap((each, key) => [{ holder: item, key, schema: items }, ...within(each, items)]);
  };
  const parts = new Map(document.properties(schema));
  return Object.entries(value).flatMap(([key, item]) => {
    const part = parts.get(key) ?? {};
    return [{ holder: value, key, schema: part }, ...within(item, part)];
  });
}

const put = ({ holder, key }: Place, value: unknown): void => {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
};

/** A slip at one place of a body; fields that the body leaves out are places too. */
const atPlace =
  (change: (place: Place, tools: Tools) => boolean): Slip =>
  (draft, tools) => {
    const { value, operation } = draft;
    if (value === undefined || operation.body === undefined) return false;
    const missing = tools.document
      .properties(operation.body)
      .filter(([key]) => !Object.hasOwn(value, key))
      .map(([key, schema]): Place => ({ holder: value, key, schema }));
    const places = placesIn(tools.document, value, operation.body);
    const all = tools.random.chance(0.7) && places.length > 0 ? places : [...places, ...missing];
    return all.length > 0 && change(tools.random.pick(all), tools);
  };

/** What an operation of a batch may take from the answer of one before it; elsewhere no more than an object. */
const fromAnswers = [
  'part0.id',
  'part0',
  'part1.results[0].id',
  'part0.name',
  'part0.etag',
  'nobody.id',
  '',
  'part0.lines[9]',
  5,
];
const shapes: readonly unknown[] = [
  ...[null, '', ' ', 0, -1, 0.5, true, [], {}, [null], [{}], [[]], { id: null }, 'null'],
  ...fromAnswers.map((from) => ({ $from: from })),
];

function beyondBounds(schema: Schema, { random, document }: Tools): unknown {
  const { minimum, maximum, exclusiveMinimum, maxLength, minLength, maxItems, minItems, items } = schema;
  const decimals = schema['x-decimals'];
  const kinds = typesOf(schema);
  const unit = typeof decimals === 'number' ? 10 ** -decimals : 1;
  const found: unknown[] = [];
  if (kinds.includes('number') || kinds.includes('integer')) {
    for (const bound of [minimum, maximum, exclusiveMinimum])
      if (typeof bound === 'number') found.push(bound, bound - unit, bound + unit, bound - 1, bound + 1);
    found.push(unit / 10, 1 + unit / 10, 1e15, 999_999_999_999_999, 2 ** 53 - 1, -(2 ** 53 - 1), 1e21, -0);
    found.push(
      ...['99999999999999.9999', '0.00000000000000000001', '9007199254740993', '1E+2', '100e-2', '-0'].map(rawToken),
    );
  }
  if (typeof maxLength === 'number') {
    const most = maxLength;
    found.push(
      'x'.repeat(most),
      'x'.repeat(most + 1),
      '\u{1F600}'.repeat(most),
      '\u{1F600}'.repeat(most + 1),
      'ﷺ'.repeat(most),
    );
  }
  if (typeof minLength === 'number') found.push('', ' ', '\u00a0', '\u200b');
  if (kinds.includes('array')) {
    const item = random.pick<unknown>([
      1,
      'x',
      null,
      {},
      document.resolve(nodeOf(items))['type'] === 'object' ? {} : 'EUR',
    ]);
    for (const count of [minItems, maxItems])
      if (typeof count === 'number')
        found.push(...[count - 1, count, count + 1].filter((n) => n >= 0 && n < 1100).map((n) => Array(n).fill(item)));
  }
  return found.length === 0 ? undefined : random.pick(found);
}

const anotherShape = atPlace((place, { random }) => {
  put(place, random.pick(shapes));
  return true;
});

const wrongToken = atPlace((place, { random }) => {
  put(place, rawToken(random.pick(wrongTokens)));
  return true;
});

const nothing = atPlace((place) => {
  put(place, null);
  return true;
});

const atBounds = atPlace((place, tools) => {
  const value = beyondBounds(place.schema, tools);
  if (value === undefined) return false;
  put(place, value);
  return true;
});

const hostileText = atPlace((place, { random }) => {
  const parts = Array.from({ length: random.between(1, 6) }, () => random.pick(nasty));
  put(
    place,
    random.pick([random.pick(hostileTexts), parts.join(''), `a\0b`, '\ud800', 'x\udfff', '\u0001\u001f\u007f']),
  );
  return true;
});

const otherId = atPlace((place, { random, harvest }) => {
  if (place.schema['format'] !== 'uuid') return false;
  const group = random.pick(harvest.groups());
  const id = harvest.idOf(group);
  put(place, random.pick([id, id.toUpperCase(), harvest.goneIdOf(group), '00000000-0000-0000-0000-000000000000']));
  return true;
});

const left = atPlace(({ holder, key }) => {
  if (Array.isArray(holder)) return false;
  return Object.hasOwn(holder, key) && Reflect.deleteProperty(holder, key);
});

const repeated = atPlace(({ holder, key }) => {
  if (!Array.isArray(holder)) return false;
  holder.push(holder[Number(key)]);
  return true;
});

const names = [
  'zzz',
  '__proto__',
  'constructor',
  'toString',
  'id',
  'createdAt',
  'modifiedAt',
  'version',
  '',
  ' ',
  '$ref',
  'a\0b',
  '\ud800',
];
const unknownField: Slip = ({ value, operation }, { random, document }) => {
  if (value === undefined || operation.body === undefined) return false;
  const objects = [
    value,
    ...placesIn(document, value, operation.body).flatMap(({ holder }) => (Array.isArray(holder) ? [] : [holder])),
  ];
  const holder = random.pick(objects);
  const known = Object.keys(holder);
  const key =
    random.chance(0.3) && known.length > 0
      ? `${random.pick(known)}${random.pick([' ', 'Id', '_', '\u0301'])}`
      : random.pick(names);
  put({ holder, key, schema: {} }, random.pick<unknown>([1, null, 'x', {}, []]));
  return true;
};

const deep = atPlace((place, { random }) => {
  const levels = random.pick([5, 31, 32, 33, 200, 5000]);
  put(
    place,
    rawToken(
      random.chance(0.5) ? '['.repeat(levels) + ']'.repeat(levels) : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
    ),
  );
  return true;
});

const lastDays = ['9999-12-31', '1000-01-01', '9999-12-30', '9999-11-30'];
const amounts = [999_999_999_999_999, 99_999_999_999.9999, 1e11, -99_999_999_999.9999, 0.0001, 1e-6, 0, 1, 2 ** 53 - 1];

/** All numbers and days of a body at their ends together: what follows from them has no room. */
const extremes: Slip = ({ value, operation }, { random, document }) => {
  if (value === undefined || operation.body === undefined) return false;
  const [amount, day] = [random.pick(amounts), random.pick(lastDays)];
  const places = placesIn(document, value, operation.body);
  for (const place of places) {
    const { minimum, maximum, format } = place.schema;
    const kinds = typesOf(place.schema);
    if (kinds.includes('number') || kinds.includes('integer')) {
      const most = typeof maximum === 'number' ? maximum : amount;
      put(place, Math.max(typeof minimum === 'number' ? minimum : -most, Math.min(most, amount)));
    } else if (format === 'date') put(place, day);
  }
  return places.length > 0;
};

/** A list that holds its items many times. */
const manyItems = atPlace(({ holder, key }, { random }) => {
  if (!Array.isArray(holder)) return false;
  const item = holder[Number(key)];
  const count = random.pick([5, 40, 300]);
  for (let nth = 0; nth < count && holder.length < 1000; nth += 1) holder.push(isNode(item) ? { ...item } : item);
  return true;
});

export const valueSlips: Readonly<Record<string, Slip>> = {
  ...{
    anotherShape,
    wrongToken,
    nothing,
    atBounds,
    hostileText,
    otherId,
    left,
    repeated,
    unknownField,
    deep,
    extremes,
    manyItems,
  },
};
