// Names of fields: in bodies, inside the engine, and in paths.
import { singular } from './naming.ts';
import type { RawField } from './vocabulary.ts';

/** Name of a field in bodies and inside the engine. */
export function keyOf(name: string, field: RawField): string {
  if (field.reference !== undefined) return field.referenceFormat === 'id' ? name : `${name}Id`;
  if (field.references !== undefined) return `${singular(name)}Ids`;
  return name;
}

/** A bare id `memberId` leads to the record `member`. */
export const recordName = (name: string): string => (name.endsWith('Id') ? name.slice(0, -2) : name);
