// The JSON of computed fields that are evaluated on read.
import { isList, isMade, type Known } from '../../formulas/language/value.ts';
import { kinds } from '../../registry/model/kinds.ts';
import type { Field, Scalar, ScalarField, Value } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import { roundToShow } from '../../values/decimal.ts';
import { fieldValue, itemField } from '../draft/field-value.ts';

/** JSON of the records that a field refers to, by id. */
export type Shown = ReadonlyMap<Field, ReadonlyMap<string, string>>;

/** The ids under which a value names records for a field: itself, or in the items that it is a list of. */
export function idsIn(value: Known, field: Field): readonly string[] {
  if (value === null || typeof value === 'boolean') return [];
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap((one) => idsIn(one, field));
  if (isMade(value)) return idsIn(value.entries[field.name] ?? null, field);
  return value.id === undefined ? [] : [value.id];
}

/** The JSON of a value, as that of a kept one would be. */
export function textOf(field: Field, value: Known, shown: Shown): string {
  switch (field.kind) {
    case 'references':
      // As in a list that is kept, each stands there once.
      return `[${[...new Set(idsIn(value, field))].flatMap((id) => shown.get(field)?.get(id) ?? []).join(',')}]`;
    case 'reference': {
      const [id] = idsIn(value, field);
      if (id === undefined) return 'null';
      return shown.get(field)?.get(id) ?? (field.as === 'id' ? JSON.stringify(id) : 'null');
    }
    case 'objects':
      return `[${listOf(value)
        .map((item) => itemText(field.fields, item, shown))
        .join(',')}]`;
    case 'list':
      return `[${listOf(value)
        .filter((item) => item !== null)
        .map((item) => plainText(itemField(field), item))
        .join(',')}]`;
    case 'object':
    case 'choice':
      return unreachable(`${field.name} is no field that a formula gives`);
    default:
      return plainText(field, value);
  }
}

function plainText(field: ScalarField, value: Known): string {
  // Nobody has refused what has more digits than a JSON number holds.
  if (field.kind === 'decimal' && typeof value === 'string') return roundToShow(value, field.scale);
  const shown = fieldValue(field, value);
  return shown === null ? 'null' : scalarText(field, shown);
}

const listOf = (value: Known): readonly Known[] => (value !== null && isList(value) ? value : []);

function itemText(fields: readonly Field[], item: Known, shown: Shown): string {
  const entries = item !== null && isMade(item) ? item.entries : {};
  const members = fields.map(
    (field) => `${JSON.stringify(field.name)}:${textOf(field, entries[field.name] ?? null, shown)}`,
  );
  return `{${members.join(',')}}`;
}

/** Decimals are text inside, in plain notation: they are written as they are, like those that are kept. */
export const scalarText = (scalar: Scalar, value: Value): string =>
  kinds[scalar.kind].isExact ? String(value) : JSON.stringify(value);
