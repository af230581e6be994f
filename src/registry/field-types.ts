// What the fields of descriptors are to rules: their kind, in words, and whether one is like another.
import { type FieldKind, type FieldNeed, type FieldType, families } from './parameters.ts';
import { isKept, type RawField, shapeOf } from './vocabulary.ts';

/** A field, where it was found. */
export interface Placed {
  readonly name: string;
  readonly field: RawField;
  /** The group whose record it is part of. */
  readonly group: string;
}

/** The id that every record has. */
export const idField: RawField = { type: 'string', format: 'uuid', readOnly: true };

const typeWords = {
  text: 'a text',
  enum: 'an enum',
  uuid: 'a uuid',
  date: 'a date',
  dateTime: 'a time with its day',
  time: 'a time of day',
  currency: 'a currency',
  integer: 'an integer',
  decimal: 'an amount',
  boolean: 'a boolean',
  id: 'the id',
  reference: 'a reference',
  choice: 'a reference into one of several groups',
  references: 'a list of references',
  texts: 'a list of texts',
  values: 'a list of values',
  object: 'an object',
  objects: 'a list of objects',
  number: 'a number',
  single: 'a single value',
  any: 'a field',
} as const satisfies Record<FieldType, string>;

const kindOfFormat: Readonly<Record<string, FieldKind>> = {
  date: 'date',
  'date-time': 'dateTime',
  uuid: 'uuid',
  time: 'time',
  currency: 'currency',
};

/** The kind of a field, or undefined where its keywords do not say. */
export function kindOf(field: RawField): FieldKind | undefined {
  if (field === idField) return 'id';
  const shape = shapeOf(field);
  switch (shape) {
    case 'text':
      return field.enum === undefined ? (kindOfFormat[field.format ?? ''] ?? 'text') : 'enum';
    case 'number':
      return 'decimal';
    case 'list':
      return field.items !== undefined && shapeOf(field.items) === 'text' ? 'texts' : 'values';
    default:
      return shape;
  }
}

export const typesOf = ({ field }: Pick<FieldNeed, 'field'>): readonly FieldType[] =>
  typeof field === 'string' ? [field] : field;

/** Whether a kind is one of these, or belongs to one of them. */
export const isOneOf = (kind: FieldKind, types: readonly FieldType[]): boolean =>
  types.some((type) => {
    if (type === 'any' || type === kind) return true;
    const family: readonly FieldKind[] = type === 'number' || type === 'single' ? families[type] : [];
    return family.includes(kind);
  });

/** `a date or a number` */
export function typesInWords(types: readonly FieldType[]): string {
  const words = types.map((type) => typeWords[type]);
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Whether a field may hold null: it says so, or it does not always apply. */
export const mayBeNull = (field: RawField): boolean =>
  Array.isArray(field.type) || field.nullable === true || field.onlyWhen !== undefined;

/** Whether rules find its value in the record, or none: what is read from elsewhere is not there. */
export const isInRecord = (field: RawField): boolean => isKept(field) || field.transient === true;

/** The group that a field leads to: a reference and a list of them; the id of a record leads to itself. */
export const targetOf = ({ field, group }: Placed): string | undefined =>
  field === idField ? group : (field.reference ?? field.references);

/** Why a value of one field can neither be kept in nor be equal to another, or undefined. */
export function unlikeness(one: Placed, other: Placed): string | undefined {
  const [kind, wanted] = [kindOf(one.field), kindOf(other.field)];
  if (kind === undefined || wanted === undefined) return undefined;
  const [leads, asked] = [targetOf(one), targetOf(other)];
  const isMany = (each: FieldKind): boolean => each === 'references';
  if (leads !== undefined && asked !== undefined && isMany(kind) === isMany(wanted))
    return leads === asked ? undefined : `is a "${leads}", and "${other.name}" is a "${asked}"`;
  const isSame = kind === wanted && hasCommonValue(one.field, other.field);
  if (isSame) return undefined;
  if (kind !== wanted) return `is ${typeWords[kind]}, and "${other.name}" is ${typeWords[wanted]}`;
  return `has no value in common with "${other.name}"`;
}

function hasCommonValue(one: RawField, other: RawField): boolean {
  const [ours, theirs] = [one.enum ?? one.items?.enum, other.enum ?? other.items?.enum];
  return ours === undefined || theirs === undefined || ours.some((value) => theirs.includes(value));
}
