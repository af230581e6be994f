// The rule `range`: two dates in order (domain: range).
import { keyArgument, type Rule, textOf } from './support/rule.ts';

/** When both are set, `to` is on or after `from`. */
export const range = {
  says: 'Where both are set, {to} must be on or after {from}.',
  example: {
    properties: {
      start: { type: ['string', 'null'], format: 'date' },
      end: { type: ['string', 'null'], format: 'date' },
    },
    rules: [{ use: 'range', from: 'start', to: 'end' }],
  },
  refuses: [{ at: '{to}', text: 'must be on or after {from}' }],
  parameters: { from: { field: 'date' }, to: { field: 'date' } },
  isLocal: true,
  on: ['create', 'update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'from'), keyArgument(resource, use, 'to')],
  check: ({ use, resource, values, refuse, isSound }) => {
    const from = keyArgument(resource, use, 'from');
    const to = keyArgument(resource, use, 'to');
    const [first, last] = [textOf(values, from), textOf(values, to)];
    if (!isSound(from, to) || first === null || last === null) return;
    if (last < first) refuse(to, `must be on or after ${from}`);
  },
} as const satisfies Rule;
