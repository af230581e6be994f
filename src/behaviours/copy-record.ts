// Values and lists copied from a record that only the create names.
import { isRecord, isUnset } from './record-values.ts';
import { keyArgument, keyOfName, type Rule, textOf } from './rule.ts';

/**
 * Copies values from the record that `through` names, where they are not sent: `values` gives key here → key there.
 * `limits` gives switches a path: one that is not true there is not copied as true.
 */
export const copyRecord = {
  says: 'What is not sent is copied from the record in {through}: {values:from}[. A switch is copied as true only where the other is true: {limits}].',
  parameters: {
    through: { field: 'reference' },
    values: { map: { field: 'any', filled: true }, to: { field: 'any', in: 'through', like: '@key' } },
    limits: { map: { field: 'boolean' }, to: { path: 'boolean' } },
  },
  optional: ['limits'],
  on: ['create'],
  fill: async ({ use, resource, values, sent, records }) => {
    const field = resource.byKey.get(keyArgument(resource, use, 'through'));
    const id = field && textOf(values, field.key);
    const source = field?.kind === 'reference' && id ? await records.whole(field.target, id) : undefined;
    const { values: copied, limits } = use.arguments;
    if (source === undefined || !isRecord(copied)) return;
    for (const [name, theirs] of Object.entries(copied)) {
      const key = keyOfName(resource, name);
      const value = source[String(theirs)];
      // What does not apply to the record as it will be is not copied.
      if (sent.has(key) || isUnset(value) || resource.byKey.get(key)?.onlyWhen?.test(values) === false) continue;
      const limit = isRecord(limits) ? limits[name] : undefined;
      const isKept = limit === undefined || (await records.follow(resource, values, String(limit))) !== false;
      values[key] = value === true ? isKept : value;
    }
  },
} as const satisfies Rule;
