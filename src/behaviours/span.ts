// Periods of a bounded length.
import { keyArgument, type Rule, textOf } from './rule.ts';

const mostYears = 5;

/** From `from` to `to` are at most 5 years: up to the day before the same day five years later. */
export const span = {
  parameters: { from: 'field', to: 'field' },
  isLocal: true,
  on: ['create', 'update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'from'), keyArgument(resource, use, 'to')],
  check: ({ use, resource, values, refuse, isSound }) => {
    const from = keyArgument(resource, use, 'from');
    const to = keyArgument(resource, use, 'to');
    const [first, last] = [textOf(values, from), textOf(values, to)];
    if (!isSound(from, to) || first === null || last === null) return;
    const year = Number(first.slice(0, 4)) + mostYears;
    // Texts of dates compare as dates do, also those that no calendar has (02-29 of a common year).
    if (year <= 9999 && last >= `${year}${first.slice(4)}`)
      refuse(to, `must be at most ${mostYears} years after ${from}`);
  },
} as const satisfies Rule;
