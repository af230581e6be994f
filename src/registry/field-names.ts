// What fields of descriptors are called: in bodies and the engine, in paths, and in conditions.
import type { ConditionName } from './condition.ts';
import { isScalarKind, kindOf, kinds } from './kinds.ts';
import type { Kind, ScalarKind } from './model.ts';
import { singular } from './naming.ts';
import type { RawField } from './vocabulary.ts';

/** Name of a field in bodies and inside the engine. */
export function keyOf(name: string, field: RawField): string {
  if (field.reference !== undefined) return field.as === 'id' ? name : `${name}Id`;
  if (field.references !== undefined) return `${singular(name)}Ids`;
  return name;
}

/** A bare id `memberId` leads to the record `member`. */
export const recordName = (name: string): string => (name.endsWith('Id') ? name.slice(0, -2) : name);

const knownNames = new WeakMap<object, ReadonlyMap<string, ConditionName>>();

/**
 * What the conditions of a record may name: its own fields by key, and references as records. The same map for the same
 * fields each time, because compiled conditions are kept by it.
 */
export function conditionNames(fields: Readonly<Record<string, RawField | true>>): ReadonlyMap<string, ConditionName> {
  const known = knownNames.get(fields) ?? new Map(Object.entries(fields).flatMap(namesOf));
  knownNames.set(fields, known);
  return known;
}

type Named = readonly (readonly [string, ConditionName])[];

const anything = (name: string): Named => [[name, { type: 'dyn' }]];
const list = (name: string, field: RawField): Named => [[keyOf(name, field), { type: 'list' }]];

const compositeNames: Readonly<Record<Exclude<Kind, ScalarKind>, (name: string, field: RawField) => Named>> = {
  object: anything,
  objects: anything,
  choice: anything,
  references: list,
  list,
  reference: (name, field) => [
    [keyOf(name, field), { type: 'dyn' }],
    [field.as === 'id' ? recordName(name) : name, { type: 'record' }],
  ],
};

function namesOf([name, field]: readonly [string, RawField | true]): Named {
  if (field === true) return [];
  const kind = kindOf(field);
  if (kind === undefined) return anything(name);
  return isScalarKind(kind) ? [[name, plainName(field, kind)]] : compositeNames[kind](name, field);
}

/** A plain value as conditions see it. */
export function plainName(field: RawField, kind: ScalarKind): ConditionName {
  const base = kinds[kind].condition;
  if (base === 'amount') return { type: 'amount' };
  const values = field.enum === undefined ? {} : { values: field.enum };
  return Array.isArray(field.type) ? { type: 'dyn', base, ...values } : { type: base, ...values };
}
