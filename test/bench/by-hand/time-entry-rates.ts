// What an hour of a time entry is billed at and costs, as of its last write.
import { lastOfMonth } from '../../../src/values/date.ts';
import { add, quotient, round } from '../../../src/values/decimal.ts';
import { calendarOf, daysOf, totalOf, type Worker } from './calendar.ts';
import type { Cell, Session } from './store.ts';

/** All that rates and costs are found in. */
export interface Priced extends Worker {
  readonly project_currency: string;
  readonly role_id: string | null;
  readonly card_role_rate: Cell;
  readonly card_member_rate: Cell;
  readonly role_rate: Cell;
  readonly seat_rate: Cell;
  readonly default_rate: Cell;
  readonly default_rate_currency: string | null;
  readonly override_currency: string | null;
  readonly override_cost: Cell;
  readonly override_overhead: Cell;
  readonly has_override: number;
  readonly cost_method_id: string | null;
  readonly cost_currency: string | null;
  readonly cost_per_hour: Cell;
  readonly cost_per_month: Cell;
}

/** What goes before the columns' joins: the card of the day, the cost period of the day. Binds the date twice. */
export const pricedColumns = `p.currency as project_currency, rr.rate as card_role_rate, mr.rate as card_member_rate, r.rate as role_rate,
    pm.rate as seat_rate, m.default_rate, m.default_rate_currency, m.active_start_date, m.active_end_date,
    coalesce(mr.override_cost_rate, 0) + coalesce(pm.override_cost_rate, 0) as has_override,
    case when mr.override_cost_rate = 1 then mr.cost_currency else pm.cost_currency end as override_currency,
    case when mr.override_cost_rate = 1 then mr.cost_per_hour else pm.cost_per_hour end as override_cost,
    case when mr.override_cost_rate = 1 then mr.overhead_cost_per_hour else pm.overhead_cost_per_hour end as override_overhead,
    cp.cost_method_id, cp.currency as cost_currency, cp.total_cost_per_hour as cost_per_hour, cp.total_cost_per_month as cost_per_month`;
export const pricedJoins = `left join project_rate_card k on w.features like '%"project_rate_cards"%' and k.id =
      (select id from project_rate_card where project_id = p.id and (start is null or start <= ?) order by start desc limit 1)
    left join project_rate_card_role_rates rr on rr.owner_id = k.id and rr.project_role_id = r.id
    left join project_rate_card_member_rates mr on mr.owner_id = k.id and mr.member_id = m.id
    left join cost_period cp on cp.id = coalesce(
      (select id from cost_period where member_id = m.id and start <= ? order by start desc limit 1),
      (select id from cost_period where member_id = m.id order by start limit 1))`;

/** Amounts as text, null where there are none. */
export interface Prices {
  readonly rate: string | null;
  readonly rateCurrency: string | null;
  readonly costPerHour: string | null;
  readonly costCurrency: string | null;
}

const scale = 4;

export async function pricesOf(session: Session, found: Priced, date: string, isBillable: boolean): Promise<Prices> {
  const isByRole = found.role_id !== null;
  const ofCard = isByRole ? found.card_role_rate : found.card_member_rate;
  const own = isByRole ? found.role_rate : found.seat_rate;
  const usual = found.default_rate_currency === found.project_currency ? found.default_rate : null;
  const cell = isBillable ? (ofCard ?? own ?? usual) : null;
  const rate = cell === null ? null : session.text(cell, scale);
  const costPerHour = await costOf(session, found, date);
  const costCurrency = found.has_override > 0 ? found.override_currency : found.cost_currency;
  return {
    ...{ rate, rateCurrency: rate === null ? null : found.project_currency },
    ...{ costPerHour, costCurrency: costPerHour === null ? null : costCurrency },
  };
}

/** A monthly cost is spread over the hours of the month. */
async function costOf(session: Session, found: Priced, date: string): Promise<string | null> {
  const text = (cell: Cell): string => session.text(cell, scale);
  if (found.has_override > 0) return add(text(found.override_cost), text(found.override_overhead ?? 0));
  if (found.cost_method_id !== 'fixed_monthly') return found.cost_per_hour === null ? null : text(found.cost_per_hour);
  const [start, end] = [`${date.slice(0, 8)}01`, lastOfMonth(date)];
  const calendar = await calendarOf(session, found, { start, end });
  const hours = totalOf(daysOf(start, end).map(calendar.capacity));
  const cost = quotient(text(found.cost_per_month), hours);
  return cost === null ? null : round(cost, scale);
}
