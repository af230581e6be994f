// Two dates of one week.
import { daysBetween } from '../values/date.ts';
import { keyArgument, type Rule, textOf } from './rule.ts';

/** A Monday. */
const someMonday = '2024-01-01';

/** `from` and `to` are in the same ISO week, Monday to Sunday. */
export const sameWeek = {
  parameters: { from: 'field', to: 'field' },
  isLocal: true,
  on: ['create', 'update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'from'), keyArgument(resource, use, 'to')],
  check: ({ use, resource, values, refuse, isSound }) => {
    const from = keyArgument(resource, use, 'from');
    const to = keyArgument(resource, use, 'to');
    const [first, last] = [textOf(values, from), textOf(values, to)];
    if (!isSound(from, to) || first === null || last === null || last < first) return;
    if (weekOf(first) !== weekOf(last)) refuse(to, `must be in the same week as ${from}`);
  },
} as const satisfies Rule;

const weekOf = (date: string): number => Math.floor(daysBetween(someMonday, date) / 7);
