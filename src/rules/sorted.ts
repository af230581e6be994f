// The rule `sorted`: a list of texts or dates kept in ascending order.
import { textsOf } from '../facts/record-values.ts';
import { compareStrings } from '../values/format.ts';
import { keyArgument, type Rule } from './support/rule.ts';

/**
 * Sorts `list`; dates are text whose order is that of time. A rule, because it changes what is sent: a figure is not sent, and a
 * default is not taken where something is.
 */
export const sorted = {
  says: '{list} is kept in order.',
  example: {
    properties: { languages: { type: 'array', items: { type: 'string', maxLength: 40 }, maxItems: 20 } },
    rules: [{ use: 'sorted', list: 'languages' }],
  },
  parameters: { list: { field: 'texts' } },
  isLocal: true,
  on: ['create', 'update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'list')],
  derive: ({ use, resource, values }) => {
    const key = keyArgument(resource, use, 'list');
    values[key] = textsOf(values, key).toSorted(compareStrings);
  },
} as const satisfies Rule;
