// A sum that a record keeps over those that name it (domain: Timesheets, hours).
import type { Values } from '../registry/model.ts';
import { divide, round } from '../values/decimal.ts';
import { sumOf } from './amounts.ts';
import { isChanged } from './record-values.ts';
import { keyArgument, type Rule, textArgument, textOf } from './rule.ts';

/** The record that `by` names, before and after, keeps in `into` the sum of `of` over those that name it, in units of `per`. */
export const sumsUp = {
  says: 'The record that {by} names keeps in {into} the sum of {of} over all that name it, in units of {per}.',
  parameters: {
    by: { field: 'reference', kept: true },
    of: { field: 'number', kept: true },
    into: { field: 'decimal', in: 'by' },
    per: { numeral: 'positive' },
  },
  after: async ({ use, resource, operation, before, values, records, effects }) => {
    const by = keyArgument(resource, use, 'by');
    const of = keyArgument(resource, use, 'of');
    const field = resource.byKey.get(by);
    if (field?.kind !== 'reference') return;
    const isSame = operation === 'update' && !isChanged(before, values, by) && !isChanged(before, values, of);
    const named = [before, values].flatMap((record) => (record && textOf(record, by)) ?? []);
    for (const id of isSame ? [] : [...new Set(named)].sort()) {
      // Whoever else changes one of them waits here, and then sees this change.
      await effects.guard({ group: field.target, ids: [id] });
      const all = await records.list(resource.name, { [by]: id });
      await effects.refresh(field.target, [id], {
        [textArgument(use, 'into')]: shareOf(all, of, textArgument(use, 'per')),
      });
    }
  },
} as const satisfies Rule;

/** Sum of numbers in units of `per`, to 2 decimals. */
export const shareOf = (records: readonly Readonly<Values>[], of: string, per: string): string =>
  round(divide(sumOf(records, of), per), 2);
