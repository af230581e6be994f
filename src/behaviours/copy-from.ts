// Values copied from another record that only the create names.
import { isUnset } from './record-values.ts';
import { keyArgument, keyOfName, type Rule, textArgument, textArguments } from './rule.ts';

/**
 * Copies `fields` from the record that `through` names, where they are not sent. The amount `amount` is in the currency
 * at the path `currency` there; it is copied only into the same currency, that at the path `into`.
 */
export const copyFrom = {
  says: 'What is not sent of {fields} is copied from the record in {through}; {amount} only where {currency} and {into} are the same currency.',
  parameters: { through: 'reference', fields: 'fields', amount: 'field', currency: 'text', into: 'text' },
  optional: ['amount', 'currency', 'into'],
  on: ['create'],
  fill: async ({ use, resource, values, sent, records, refuse }) => {
    const through = keyArgument(resource, use, 'through');
    if (isUnset(values[through])) return;
    for (const key of textArguments(use, 'fields').map((name) => keyOfName(resource, name))) {
      // What does not apply to the record as it will be is not copied.
      if (sent.has(key) || resource.byKey.get(key)?.onlyWhen?.test(values) === false) continue;
      const value = await records.follow(resource, values, `${through}.${key}`);
      if (value === undefined) continue;
      values[key] = value;
      if (key !== keyArgument(resource, use, 'amount') || value === null) continue;
      const from = await records.follow(resource, values, textArgument(use, 'currency'));
      const into = await records.follow(resource, values, textArgument(use, 'into'));
      // Without a known exchange rate there is nothing to convert with.
      if (from !== into) refuse(key, `must be sent: no exchange rate from ${from} to ${into} is known`);
    }
  },
} as const satisfies Rule;
