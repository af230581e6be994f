// What the fields of each kind refuse, in the words of the interface, and the last values that they take.
import { rowOf } from '../../src/endpoints/values/kinds.ts';
import { enumWords, patternWords } from '../../src/endpoints/values/words.ts';
import type { Field, Scalar } from '../../src/registry/model/model.ts';
import { textFormats } from '../../src/registry/model/text-formats.ts';
import { unknownId } from './law.ts';

/** Values that a field refuses in a create or in an update, each with the words for it. */
export function wrongValues(
  field: Field | (Scalar & { readonly kind: Scalar['kind'] }),
  mode: 'create' | 'update' = 'update',
): readonly (readonly [unknown, string])[] {
  switch (field.kind) {
    case 'text': {
      if (field.format !== undefined)
        return [
          ['_ X', textFormats[field.format].words],
          [7, textFormats[field.format].words],
          [[], textFormats[field.format].words],
        ];
      if (field.pattern !== undefined)
        return [
          ['_ X', patternWords({ pattern: field.pattern, sample: field.sample })],
          [`${field.sample}\n`, patternWords({ pattern: field.pattern, sample: field.sample })],
          ['\u{1F600}'.repeat(field.maxLength + 1), `at most ${field.maxLength} characters`],
          [7, 'a string'],
        ];
      const long = '\u{1F600}'.repeat(field.maxLength + 1);
      return [
        [long, `at most ${field.maxLength} characters`],
        [7, 'a string'],
        [{}, 'a string'],
        [true, 'a string'],
      ];
    }
    case 'enum': {
      const initial = mode === 'create' && 'initialStates' in field ? field.initialStates : undefined;
      const values = initial ?? field.values;
      const others = field.values.filter((value) => !values.includes(value));
      return ['nope', String(field.values[0]).toUpperCase(), 1, ...others].map((value) => [value, enumWords(values)]);
    }
    case 'boolean':
      return [
        ['true', 'a boolean'],
        [0, 'a boolean'],
        [1, 'a boolean'],
      ];
    case 'date':
      return ['2023-02-29', '0999-12-31', '10000-01-01', '2024-1-1', 20240101].map((value) => [
        value,
        rowOf(field).words(field),
      ]);
    case 'json':
      return [
        ['x', 'an object'],
        [[], 'an object'],
        [1e300, 'an object'],
        [{ long: 'x'.repeat(16_384) }, 'an object with at most 16384 characters as JSON'],
        [JSON.parse(`${'{"a":'.repeat(11)}1${'}'.repeat(11)}`), 'an object with at most 10 levels'],
      ];
    case 'dateTime':
      return [
        ...['2026-03-02', '2026-03-02T09:30:00', '2026-03-02T09:30:00+01:00', '2026-03-02T09:30:00.1234Z'],
        ...['2026-02-29T09:30:00Z', '2026-03-02T24:00:00Z', '2026-03-02T09:30:60Z', '2026-03-02 09:30:00Z'],
        ...['2026-03-02t09:30:00z', '2026-03-02T09:30Z', '0999-12-31T09:30:00Z', '', 1772443800000],
      ].map((value) => [value, rowOf(field).words(field)]);
    case 'integer': {
      const bounds = `from ${field.minimum} to ${field.maximum}`;
      const above = field.maximum === Number.MAX_SAFE_INTEGER ? 1e300 : field.maximum + 1;
      return [
        [field.minimum - 1, bounds],
        [above, bounds],
        [field.minimum + 0.5, 'an integer'],
        [String(field.minimum), 'an integer'],
      ];
    }
    case 'decimal':
      return wrongDecimals(field);
    case 'list': {
      const tooMany = Array.from({ length: field.maxItems + 1 }, () => 0);
      const words =
        field.minItems === field.maxItems ? `exactly ${field.maxItems} items` : `at most ${field.maxItems} items`;
      const isNumbers = field.item.kind === 'integer' || field.item.kind === 'decimal';
      const twin = field.item.kind === 'enum' ? field.item.values[0] : undefined;
      return [
        [tooMany, words],
        ['x', 'an array'],
        ...(twin === undefined || isNumbers || field.maxItems < 2
          ? []
          : [[[twin, twin], 'without duplicates'] as const]),
      ];
    }
    case 'references':
      return [
        [Array.from({ length: 1001 }, () => unknownId), `at most ${field.maxItems} items`],
        [unknownId, 'an array'],
        [[unknownId, unknownId.toUpperCase()], 'without duplicates'],
      ];
    case 'objects':
      return [
        [Array.from({ length: field.maxItems + 1 }, () => ({})), `at most ${field.maxItems} items`],
        [{}, 'an array'],
      ];
    case 'object':
      return [
        ['x', 'an object'],
        [[], 'an object'],
      ];
    case 'reference':
      return [
        ['x', 'a UUID'],
        [7, 'a UUID'],
        [`urn:uuid:${unknownId}`, 'a UUID'],
      ];
    default:
      return [];
  }
}

function wrongDecimals({
  minimum,
  maximum,
  exclusiveMinimum,
  scale,
  precision,
}: Extract<Scalar, { kind: 'decimal' }>): readonly (readonly [unknown, string])[] {
  const unit = 10 ** -scale;
  const between = minimum !== undefined && maximum !== undefined;
  const low = between ? `from ${minimum} to ${maximum}` : `at least ${minimum}`;
  const high = between ? `from ${minimum} to ${maximum}` : `at most ${maximum}`;
  const tooFine = Number(`${Math.max(0, minimum ?? 0)}.${'0'.repeat(scale)}1`);
  const digits = Math.min(precision, 15);
  return [
    ...(minimum === undefined ? [] : [[Number((minimum - unit).toFixed(scale)), low] as const]),
    ...(exclusiveMinimum === undefined ? [] : [[exclusiveMinimum, `greater than ${exclusiveMinimum}`] as const]),
    maximum === undefined
      ? ([10 ** (precision - scale), `a number with at most ${digits} digits`] as const)
      : ([Number((maximum + unit).toFixed(scale)), high] as const),
    [tooFine, `a number with at most ${scale} decimals`],
    ['1', 'a number'],
  ];
}

/** Greatest and least values of a number. */
export function edges(scalar: Extract<Scalar, { kind: 'integer' | 'decimal' }>): number[] {
  if (scalar.kind === 'integer') return [scalar.minimum, scalar.maximum];
  const { minimum, maximum, exclusiveMinimum, scale, precision } = scalar;
  const unit = Number((10 ** -scale).toFixed(scale));
  const most = maximum ?? Number(`${'9'.repeat(Math.min(precision, 15) - scale)}.${'9'.repeat(scale)}`);
  return [minimum ?? (exclusiveMinimum === undefined ? -most : exclusiveMinimum + unit), unit, most];
}
