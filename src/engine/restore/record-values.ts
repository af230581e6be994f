// A record as an export has it → the values that are kept of it.
import { rowOf } from '../../endpoints/values/kinds.ts';
import { isScalar } from '../../registry/model/kinds.ts';
import type { Field, Resource, Scalar, Value, Values } from '../../registry/model/model.ts';
import { nameOfOwn } from '../../registry/model/naming.ts';
import { isObject, type JsonObject, type JsonValue } from '../../values/json.ts';

/** Of all that is kept: also what callers cannot send. What an export does not show holds what it holds while it is unset. */
export function valuesOfRecord({ fields }: Pick<Resource, 'fields'>, record: JsonObject): Values {
  const values: Values = {};
  for (const field of fields) if (field.stored) values[field.key] = valueOfField(field, shownOf(field, record));
  const { id } = record;
  if (typeof id === 'string') values['id'] ??= id;
  return values;
}

/** Its own where the record shows what it inherits; under its name, or under its key where it is written and never shown. */
function shownOf(field: Field, record: JsonObject): JsonValue | undefined {
  const own = record[nameOfOwn(field.name)];
  return own === undefined ? (record[field.name] ?? record[field.key]) : own;
}

function valueOfField(field: Field, shown: JsonValue | undefined): Value {
  if (shown === undefined || shown === null) return unsetValue(field, shown === null);
  switch (field.kind) {
    case 'reference':
      return idOf(shown);
    case 'references':
      return itemsOf(shown).map(idOf);
    case 'choice':
      return String(shown);
    case 'list':
      return itemsOf(shown).map((item) => rowOf(field.item).toEngine(item));
    case 'object':
      return isObject(shown) ? valuesOfRecord(field, shown) : null;
    case 'objects':
      // What is kept as one text holds it as it is shown.
      if (field.isEmbedded) return shown as Value;
      return itemsOf(shown).flatMap((item) => (isObject(item) ? [valuesOfRecord(field, item)] : []));
    default:
      return rowOf(field).toEngine(shown);
  }
}

const itemsOf = (shown: JsonValue): readonly JsonValue[] => (Array.isArray(shown) ? shown : []);

const idOf = (shown: JsonValue): string => String(isObject(shown) ? shown['id'] : shown);

/** @param isNull Whether the record shows null, which may be so while a condition does not hold. */
function unsetValue(field: Field, isNull: boolean): Value {
  if (field.kind === 'references' || field.kind === 'objects' || field.kind === 'list') return [];
  if (isNull || field.unset === 'null' || field.kind === 'object') return null;
  if (field.unset === 'empty') return '';
  // A figure that is not shown is computed when all records are there.
  return field.default ?? (isScalar(field) ? placeholderOf(field) : null);
}

function placeholderOf(scalar: Scalar): Value {
  switch (scalar.kind) {
    case 'boolean':
      return false;
    case 'integer':
      return 0;
    case 'decimal':
      return '0';
    case 'enum':
      return scalar.values[0] ?? null;
    case 'text':
      return '';
    default:
      return null;
  }
}
