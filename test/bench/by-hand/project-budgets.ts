// What the budget of a project comes to: by the hours of its team, or by its tasks.
import { minorUnits } from '../../../src/values/currency.ts';
import { add, round } from '../../../src/values/decimal.ts';
import type { Cell, Session } from './store.ts';

/** The budget, and the one that repeats every month; columns of projects and of their members begin so. */
export type BudgetKind = 'budget' | 'monthly_budget';

interface Sums {
  readonly billable_hours: Cell;
  readonly other_hours: Cell;
  /** Of the team: a product of hours and rates. */
  readonly team_revenue: Cell;
  readonly item_fees: Cell;
}
const sums = (kind: BudgetKind): string => `select coalesce(sum(m.${kind}_billable_hours), 0) as billable_hours,
    coalesce(sum(m.${kind}_non_billable_hours), 0) as other_hours,
    coalesce(sum(m.${kind}_billable_hours * coalesce(x.rate, m.rate)), 0) as team_revenue,
    (select coalesce(sum(fee), 0) from project_${kind}_service_item where project_id = ?) as item_fees
  from project_member m
    left join project_rate_card k on k.project_id = m.project_id and k.is_budget_rate_card = 1
      and exists (select 1 from workspace_settings where features like '%"project_rate_cards"%')
    left join project_rate_card_member_rates x on x.owner_id = k.id and x.member_id = m.member_id
  where m.project_id = ?`;
const amount = 'cast(? as decimal(18, 4))';
const hours = 'cast(? as decimal(9, 2))';
const keep = (
  kind: BudgetKind,
): string => `update project set ${kind}_billable_hours = ?, ${kind}_non_billable_hours = ?,
    ${kind}_services_revenue = ?, ${kind}_revenue = ${amount} + ${kind}_products_revenue + ${kind}_other_revenue
  where id = ?`;
const statements = {
  budget: { sums: sums('budget'), keep: keep('budget') },
  monthly_budget: { sums: sums('monthly_budget'), keep: keep('monthly_budget') },
} as const;

interface Staffed {
  readonly id: string;
  readonly currency: string;
  readonly is_billable: number;
}

/** Sums up a budget of the members of a project, which is this transaction's alone. */
export async function keepTeamBudget(session: Session, kind: BudgetKind, project: Staffed): Promise<void> {
  const [found] = await session.all<Sums>(statements[kind].sums, [project.id, project.id]);
  if (found === undefined) throw new Error('a sum has one row');
  // Hours have two decimals and rates four.
  const team = round(session.text(found.team_revenue, 6), minorUnits(project.currency));
  const revenue = project.is_billable === 1 ? add(team, session.text(found.item_fees, 4)) : '0';
  const kept = session.decimal(revenue, 4);
  await session.run(statements[kind].keep, [found.billable_hours, found.other_hours, kept, kept, project.id]);
}

interface Planned {
  readonly hours: number | undefined;
  readonly revenue: number | undefined;
  readonly isBillable: boolean;
}

/** What a new task plans is planned in the tasks above, and in its project where that sums up its tasks. */
export async function keepTaskBudgets(
  session: Session,
  planned: Planned,
  { above, projectId }: { above: readonly string[]; projectId: string | undefined },
): Promise<void> {
  if (planned.hours === undefined && planned.revenue === undefined) return;
  const [more, earned] = [session.decimal(planned.hours ?? null, 2), session.decimal(planned.revenue ?? null, 4)];
  if (above.length > 0)
    await session.run(
      `update task set budgeted_hours = coalesce(budgeted_hours + ${hours}, ${hours}, budgeted_hours),
          budgeted_services_revenue = coalesce(budgeted_services_revenue + ${amount}, ${amount}, budgeted_services_revenue)
        where id in (${above.map(() => '?').join(', ')})`,
      [more, more, earned, earned, ...above],
    );
  if (projectId === undefined) return;
  const column = planned.isBillable ? 'budget_billable_hours' : 'budget_non_billable_hours';
  await session.run(
    `update project set ${column} = ${column} + ${hours}, budget_services_revenue = budget_services_revenue + ${amount},
      budget_revenue = budget_revenue + ${amount} where id = ?`,
    [more ?? 0, earned ?? 0, earned ?? 0, projectId],
  );
}
