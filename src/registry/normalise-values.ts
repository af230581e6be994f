// Plain values of raw descriptors → those of the engine: what a field may hold, and its default.
import type { Scalar, TextFormat, Value } from './model.ts';
import { digitsOf, leastOf, textLength } from './sizes.ts';
import { type RawField, shapeOf } from './vocabulary.ts';

const maxSafe = Number.MAX_SAFE_INTEGER;

/** What a plain value may be; of any other field, what its items may be, or a text. */
export function scalarOf(field: RawField): Scalar {
  switch (shapeOf(field)) {
    case 'integer':
      return {
        kind: 'integer',
        minimum: field.minimum ?? (field.signed === true ? -maxSafe : 0),
        maximum: field.maximum ?? maxSafe,
      };
    case 'number':
      return {
        kind: 'decimal',
        ...digitsOf(field),
        minimum: field.minimum ?? leastOf(field),
        maximum: field.maximum,
        exclusiveMinimum: field.exclusiveMinimum,
      };
    case 'boolean':
      return { kind: 'boolean' };
    default:
      break;
  }
  if (field.enum !== undefined) return { kind: 'enum', values: field.enum };
  switch (field.format) {
    case 'date':
      return { kind: 'date' };
    case 'date-time':
      return { kind: 'dateTime' };
    case 'uuid':
      return { kind: 'uuid' };
    default:
      return { kind: 'text', maxLength: textLength(field), format: field.format as TextFormat | undefined };
  }
}

/** The value of a field that a create leaves out; lists are empty where nothing else fills them. */
export function defaultOf(raw: RawField, scalar: Scalar): Value | undefined {
  if (raw.default !== undefined) return asEngineValue(raw.default, scalar);
  const shape = shapeOf(raw);
  return (shape === 'list' || shape === 'objects' || shape === 'references') &&
    raw.derived === undefined &&
    raw.defaultFrom === undefined
    ? []
    : undefined;
}

/** JSON of a descriptor → value of the engine: decimals become text. */
function asEngineValue(value: unknown, scalar: Scalar): Value {
  if (Array.isArray(value)) return value.map((item: unknown) => asEngineValue(item, scalar));
  return scalar.kind === 'decimal' && typeof value === 'number' ? plainDecimal(value, scalar.scale) : (value as Value);
}

/** `1e-8` → `0.00000001`, 2.50 → `2.5`. The checks have seen that the digits fit. */
const plainDecimal = (value: number, scale: number): string => {
  const digits = (value || 0).toFixed(scale);
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
};

/** A source of a default with its decimals as text. */
export const textOfDecimals = (source: unknown, scalar: Scalar): unknown =>
  typeof source === 'object' && source !== null && 'value' in source
    ? { ...source, value: asEngineValue(source.value, scalar) }
    : source;
