// The whole plan: a house, and in it one firm or several, week by week.
import { addDays } from '../../values/date.ts';
import { addMonths, earlier, firstOfMonth, mondayOf } from '../plan/calendar.ts';
import type { Plan } from '../plan/plan.ts';
import type { Event } from '../plan/timeline.ts';
import { planBilling } from './billing.ts';
import { planClients } from './clients.ts';
import { planMonthOfExpenses } from './expenses.ts';
import { planFinancials } from './financials.ts';
import { planHouse } from './house.ts';
import { Ledger } from './ledger.ts';
import { planPeople } from './people.ts';
import { planPipeline } from './pipeline.ts';
import { planInternal, planProjects } from './projects.ts';
import { planStaffing } from './staffing.ts';
import { planTimeOff, planWeek } from './time.ts';

/**
 * What happens in each week of the history, in order. Planned when it is asked for: the hours of large firms alone would
 * be more than fits in memory.
 */
export function* weeksOf(plan: Plan, scale: number): Generator<Event[]> {
  const { span, timeline } = plan;
  planHouse(plan);
  const firms = Array.from({ length: scale }, (_firm, copy) => planFirm(plan, copy));
  for (let monday = mondayOf(span.first); monday <= span.last; monday = addDays(monday, 7)) {
    // A month is billed in the week in which the next one has begun; its hours are all planned then.
    const sunday = addDays(monday, 6);
    for (const firm of firms) {
      planWeek(plan, firm, monday);
      const month = firstOfMonth(earlier(addDays(sunday, 5), span.last));
      if (firm.spent < month) {
        planMonthOfExpenses(plan, firm, month);
        firm.spent = month;
      }
      const over = addMonths(firstOfMonth(sunday), -1);
      if (firm.billed < over) {
        planBilling(plan, firm, over);
        firm.billed = over;
      }
    }
    yield timeline.take(monday).filter(({ at }) => at < Date.parse(`${addDays(span.last, 1)}T00:00Z`));
  }
}

function planFirm(plan: Plan, copy: number) {
  const staff = planPeople(plan, copy);
  const accounts = planClients(plan, staff, copy);
  const jobs = planProjects(plan, accounts, staff);
  const ledger = new Ledger();
  for (const job of jobs) {
    planFinancials(plan, ledger, job);
    planStaffing(plan, job);
  }
  planTimeOff(plan, staff);
  planPipeline(plan, { staff, accounts, jobs }, copy);
  const internal = planInternal(plan, staff, copy);
  return {
    staff,
    accounts,
    jobs,
    ledger,
    internal,
    spent: addMonths(firstOfMonth(plan.span.first), -1),
    billed: addMonths(firstOfMonth(plan.span.first), -1),
  };
}
