// Types of fields for rules: the kind in words, and whether two are alike.

import type { Kind } from '../../model/kind-name.ts';
import { isKind, kindOf, kinds } from '../../model/kinds.ts';
import type { Family, FieldKind, FieldNeed, FieldType } from '../../model/parameters.ts';
import { isCode, textFormatOf } from '../../model/text-formats.ts';
import { isKept, type RawField, shapeOf } from '../../model/vocabulary.ts';

/** A field, where it was found. */
export interface Placed {
  readonly name: string;
  readonly field: RawField;
  /** The group whose record it is part of. */
  readonly group: string;
}

/** The id that every record has. */
export const idField: RawField = { type: 'string', format: 'uuid', readOnly: true };

/** Kinds that rules tell apart and fields do not → the kind of the field. */
const keptAs = {
  id: 'uuid',
  time: 'text',
  currency: 'text',
  texts: 'list',
  values: 'list',
} as const satisfies Record<Exclude<FieldKind, Kind>, Kind>;

const words: Readonly<Record<Exclude<FieldType, Kind>, string>> = {
  id: 'the id',
  time: 'a time of day',
  currency: 'a currency',
  texts: 'a list of texts',
  values: 'a list of values',
  number: 'a number',
  single: 'a single value',
  any: 'a field',
};

const wordsOf = (type: FieldType): string => (isKind(type) ? kinds[type].words : words[type]);
const rowOfKind = (kind: FieldKind) => kinds[isKind(kind) ? kind : keptAs[kind]];

/** Which kinds a family has; lists of plain values are in none. */
const isInFamily: Readonly<Record<Family, (kind: FieldKind) => boolean>> = {
  number: (kind) => rowOfKind(kind).isNumber,
  single: (kind) => rowOfKind(kind).isSought,
  any: () => true,
};

const isFamily = (type: FieldType): type is Family => Object.hasOwn(isInFamily, type);

/** What a field is to rules, or undefined where its keywords do not say. */
export function fieldKind(field: RawField): FieldKind | undefined {
  if (field === idField) return 'id';
  const kind = kindOf(field);
  if (kind === 'list') return field.items !== undefined && shapeOf(field.items) === 'text' ? 'texts' : 'values';
  const format = textFormatOf(field.format);
  return kind === 'text' && isCode(format) ? format : kind;
}

export const typesOf = ({ field }: Pick<FieldNeed, 'field'>): readonly FieldType[] =>
  typeof field === 'string' ? [field] : field;

/** Whether a kind is one of these, or belongs to one of them. */
export const isOneOf = (kind: FieldKind, types: readonly FieldType[]): boolean =>
  types.some((type) => (isFamily(type) ? isInFamily[type](kind) : type === kind));

/** `a date or a number` */
export function typesInWords(types: readonly FieldType[]): string {
  const each = types.map(wordsOf);
  return each.length < 2 ? (each[0] ?? '') : `${each.slice(0, -1).join(', ')} or ${each.at(-1)}`;
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
  const [kind, wanted] = [fieldKind(one.field), fieldKind(other.field)];
  if (kind === undefined || wanted === undefined) return undefined;
  const [leads, asked] = [targetOf(one), targetOf(other)];
  const isMany = (each: FieldKind): boolean => each === 'references';
  if (leads !== undefined && asked !== undefined && isMany(kind) === isMany(wanted))
    return leads === asked ? undefined : `is a "${leads}", and "${other.name}" is a "${asked}"`;
  const isSame = kind === wanted && hasCommonValue(one.field, other.field);
  if (isSame) return undefined;
  if (kind !== wanted) return `is ${wordsOf(kind)}, and "${other.name}" is ${wordsOf(wanted)}`;
  return `has no value in common with "${other.name}"`;
}

function hasCommonValue(one: RawField, other: RawField): boolean {
  const [ours, theirs] = [one.enum ?? one.items?.enum, other.enum ?? other.items?.enum];
  return ours === undefined || theirs === undefined || ours.some((value) => theirs.includes(value));
}
