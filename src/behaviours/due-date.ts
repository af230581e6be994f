// The day on which an invoice is due, from its payment term (domain: Payment Terms).
import { addDays, daysBetween } from '../values/date.ts';
import { isChanged, isUnset } from './record-values.ts';
import { keyArgument, type Moment, type Rule, textOf } from './rule.ts';

const lastDay = '9999-12-31';

/** Fills `field` from the day `from` and the payment term `term`, and again when one of these changes without it. */
export const dueDate = {
  says: '{field} follows from {from} and the term in {term}, unless it is sent; again when one of these changes.',
  parameters: { field: { field: 'date', filled: true }, from: { field: 'date' }, term: { field: 'reference' } },
  needs: { term: { type: 'enum', days: 'integer' } },
  on: ['create', 'update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'from'), keyArgument(resource, use, 'term')],
  fill: async (moment) => {
    const { use, resource, values } = moment;
    const key = keyArgument(resource, use, 'field');
    const from = textOf(values, keyArgument(resource, use, 'from'));
    if (from === null || !isWanted(moment, key)) return;
    const due = await dueOn(moment, from);
    if (due === undefined) moment.refuse(key, `must be at most ${lastDay}`);
    else values[key] = due;
  },
} as const satisfies Rule;

function isWanted({ use, resource, operation, before, values, sent }: Moment, key: string): boolean {
  if (operation === 'create') return isUnset(values[key]);
  const isMoved = ['from', 'term'].some((name) => isChanged(before, values, keyArgument(resource, use, name)));
  return isMoved && !sent.has(key);
}

/** Undefined beyond the last date that there is. */
async function dueOn({ use, resource, values, records }: Moment, from: string): Promise<string | undefined> {
  const field = resource.byKey.get(keyArgument(resource, use, 'term'));
  const id = field && textOf(values, field.key);
  const term = field?.kind === 'reference' && id ? await records.find(field.target, id) : undefined;
  const days = term === undefined || term.type === 'due_on_receipt' ? 0 : Number(term.days);
  if (daysBetween(from, lastDay) < days) return undefined;
  const day = addDays(from, days);
  return term?.type === 'end_of_month' ? endOfMonth(day) : day;
}

function endOfMonth(date: string): string {
  // Day 0 of the month after is the last of this one.
  const days = new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();
  return `${date.slice(0, 8)}${days}`;
}
