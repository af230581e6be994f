// The rule `sequence`: consecutive numbers, one sequence for each group (domain: sequence).

import { isUnset } from '../facts/record-values.ts';
import type { Value } from '../registry/model/model.ts';
import { keyArgument, type Rule, textArgument } from './support/rule.ts';

const leastDigits = 4;

/**
 * Fills `field` on create with the next number; with `prefix`, a field of the workspace, with the text of that field and
 * at least four digits. Numbers that callers have taken are left out; a refused create gives its number back.
 */
export const sequence = {
  says: 'On create, where it is not sent, {field} is the next number of a sequence[, behind the text in {prefix} of the workspace].',
  example: {
    properties: { number: { type: 'integer', minimum: 1 } },
    rules: [{ use: 'sequence', field: 'number' }],
  },
  parameters: {
    field: { field: 'integer', instead: { with: 'prefix', field: 'text' }, kept: true, filled: true },
    prefix: { field: 'text', in: 'workspace' },
  },
  optional: ['prefix'],
  on: ['create'],
  fill: async ({ use, resource, values, records }) => {
    const key = keyArgument(resource, use, 'field');
    if (!isUnset(values[key])) return;
    const prefix = textArgument(use, 'prefix');
    const start = prefix === '' ? undefined : String((await records.workspace())[prefix] ?? '');
    let value: Value;
    do {
      const number = await records.next(resource.name);
      value = start === undefined ? number : start + String(number).padStart(leastDigits, '0');
    } while (await records.exists(resource.name, { [key]: value }));
    values[key] = value;
  },
} as const satisfies Rule;
