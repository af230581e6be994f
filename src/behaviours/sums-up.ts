// A sum that a record keeps over those that name it (domain: Timesheets, hours).
import type { Values } from '../registry/model.ts';
import { divide, round } from '../values/decimal.ts';
import { isChanged } from './record-values.ts';
import { keyArgument, type Rule, textArgument, textOf } from './rule.ts';

/** The record that `by` names, before and after, keeps in `into` the sum of the integers `of` of those that name it, in units of `per`. */
export const sumsUp = {
  says: 'The record that {by} names keeps in {into} the sum of {of} over all that name it, in units of {per}.',
  parameters: { by: 'reference', of: 'field', into: 'text', per: 'text' },
  after: async ({ use, resource, operation, before, values, records }) => {
    const by = keyArgument(resource, use, 'by');
    const of = keyArgument(resource, use, 'of');
    const field = resource.byKey.get(by);
    if (field?.kind !== 'reference') return;
    const isSame = operation === 'update' && !isChanged(before, values, by) && !isChanged(before, values, of);
    const named = [before, values].flatMap((record) => (record && textOf(record, by)) ?? []);
    for (const id of isSame ? [] : [...new Set(named)].sort()) {
      // Whoever else changes one of them waits here, and then sees this change.
      await records.guard({ group: field.target, ids: [id] });
      const all = await records.list(resource.name, { [by]: id });
      await records.keep(field.target, id, { [textArgument(use, 'into')]: shareOf(all, of, textArgument(use, 'per')) });
    }
  },
} as const satisfies Rule;

/** Sum of integers in units of `per`, to 2 decimals. */
export function shareOf(records: readonly Readonly<Values>[], of: string, per: string): string {
  const sum = records.reduce((total, record) => total + Number(record[of] ?? 0), 0);
  return round(divide(String(sum), per), 2);
}
