// The rule `nextPlace`: a new record goes behind those that it stands among.

import { isUnset } from '../facts/record-values.ts';
import type { Values } from '../registry/model/model.ts';
import { keyArgument, keyOfName, type Rule, textArguments } from './support/rule.ts';

/**
 * Fills `field` on create with the highest of the records that are equal in the fields `within`, and 1. A rule, because the
 * database finds that number without the records: a default by formula reads all of them, for each of thousands of creates.
 */
export const nextPlace = {
  says: 'On create, {field} is one more than the highest of the records with the same {within}, unless it is sent.',
  example: {
    properties: {
      folder: { reference: 'folder', immutable: true, onDelete: 'cascade' },
      position: { type: 'integer', minimum: 0 },
    },
    required: ['folder'],
    rules: [{ use: 'nextPlace', field: 'position', within: ['folderId'] }],
    beside: { folder: { properties: { name: { type: 'string', maxLength: 255 } }, required: ['name'] } },
  },
  parameters: {
    field: { field: 'integer', kept: true, filled: true },
    within: { list: { field: 'single', kept: true } },
  },
  on: ['create'],
  fill: async ({ use, resource, values, records }) => {
    const key = keyArgument(resource, use, 'field');
    if (!isUnset(values[key])) return;
    const keys = textArguments(use, 'within').map((name) => keyOfName(resource, name));
    const scope: Values = Object.fromEntries(keys.map((name) => [name, values[name] ?? null]));
    const next = ((await records.greatest(resource.name, scope, key)) ?? 0) + 1;
    const field = resource.byKey.get(key);
    // Where no place is left, it shares the last one: it comes behind the others there by its time.
    values[key] = field?.kind === 'integer' ? Math.max(field.minimum, Math.min(next, field.maximum)) : next;
  },
} as const satisfies Rule;
