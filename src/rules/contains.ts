// The rule `contains`: a list that always contains a value of its record.
import { textsOf } from '../facts/record-values.ts';
import { keyArgument, type Rule, textOf } from './support/rule.ts';

/**
 * Adds the value of `value` to `list` where it is missing. A rule, because it changes what is sent: a figure is not sent, and a
 * default is not taken where something is.
 */
export const contains = {
  says: '{list} always holds the value of {value}.',
  example: {
    properties: {
      languages: { type: 'array', items: { type: 'string', maxLength: 40 }, maxItems: 20 },
      language: { type: 'string', maxLength: 40 },
    },
    required: ['language'],
    rules: [{ use: 'contains', list: 'languages', value: 'language' }],
  },
  parameters: { list: { field: 'texts' }, value: { field: 'single', itemOf: 'list' } },
  isLocal: true,
  on: ['create', 'update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'list'), keyArgument(resource, use, 'value')],
  derive: ({ use, resource, values }) => {
    const key = keyArgument(resource, use, 'list');
    const list = textsOf(values, key);
    const value = textOf(values, keyArgument(resource, use, 'value'));
    if (value !== null && !list.includes(value)) values[key] = [...list, value];
  },
} as const satisfies Rule;
