// A score over several ratings.
import { isRecord } from './record-values.ts';
import { keyOfName, type Rule, textArguments, textOf } from './rule.ts';

/** Sum over the ratings in `of`, each worth what `worth` says; null without any. */
export const points = {
  says: 'The sum over {of}, each worth {worth}; null without any.',
  parameters: { of: { list: { field: 'enum' } }, worth: { map: 'text', to: { number: 'integer' } } },
  gives: { field: 'integer', nullBy: 'always' },
  isLocal: true,
  derive: ({ use, resource, values, key }) => {
    const { worth } = use.arguments;
    const ratings = textArguments(use, 'of').flatMap((name) => textOf(values, keyOfName(resource, name)) ?? []);
    const given = isRecord(worth) ? ratings.map((rating) => Number(worth[rating] ?? 0)) : [];
    values[key] = given.length === 0 ? null : given.reduce((sum, one) => sum + one, 0);
  },
} as const satisfies Rule;
