// Expense items without a markup, which nobody measures here.
import { minorUnits } from '../../../src/values/currency.ts';
import { multiply, numberToText, round } from '../../../src/values/decimal.ts';
import {
  body,
  day,
  flag,
  id,
  inserting,
  invalid,
  line,
  missing,
  money,
  newRecord,
  problems,
  refuse,
  shown,
  shownProject,
  text,
} from './records.ts';
import type { Cell, Session } from './store.ts';

interface Sent {
  readonly expenseReportId: string;
  readonly expenseCategoryId: string;
  readonly projectId?: string;
  readonly date: string;
  readonly vendor?: string;
  readonly notes?: string;
  readonly attendees?: string;
  readonly currency?: string;
  readonly unitCount?: number;
  readonly unitAmount?: number;
  readonly amount?: number;
  readonly isReimbursable?: boolean;
  readonly isBillable?: boolean;
}
export const newExpenseItem = body(['expenseReportId', 'expenseCategoryId', 'date'], {
  expenseReportId: id,
  expenseCategoryId: id,
  projectId: id,
  date: day,
  vendor: line,
  notes: text,
  attendees: text,
  currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  unitCount: money,
  unitAmount: money,
  amount: money,
  isReimbursable: flag,
  isBillable: flag,
});

interface Found {
  readonly report: string;
  readonly member_id: string;
  readonly member: string;
  readonly category_id: string | null;
  readonly category: string;
  readonly unit_name: string | null;
  readonly unit_amount: Cell;
  readonly require_attendees: number;
  readonly require_notes: number;
  readonly project_id: string | null;
  readonly project: string;
  readonly project_billable: number;
  readonly project_currency: string;
  readonly project_status: string;
  readonly project_record_status: string;
  readonly lock_time_and_expenses: number;
  readonly client_id: string;
  readonly client: string;
  readonly seat_active: number | null;
  readonly main_currency: string;
}
const look = `select x.title as report, m.id as member_id, m.name as member, k.id as category_id, k.name as category, k.unit_name,
    k.unit_amount, k.require_attendees, k.require_notes, p.id as project_id, p.name as project, p.is_billable as project_billable,
    p.currency as project_currency, p.status_id as project_status, p.record_status_id as project_record_status,
    p.lock_time_and_expenses, c.id as client_id, c.name as client, pm.is_active as seat_active,
    (select currency from workspace_settings limit 1) as main_currency
  from expense_report x
    join member m on m.id = x.member_id
    left join expense_category k on k.id = ?
    left join project p on p.id = ?
    left join client c on c.id = p.client_id
    left join project_member pm on pm.project_id = p.id and pm.member_id = x.member_id
  where x.id = ?`;

const takesNoExpenses = ['tentative', 'completed', 'cancelled'];

function judge(sent: Sent, found: Found, isBillable: boolean): void {
  const isPriced = found.unit_amount !== null;
  const hasProject = found.project_id !== null;
  const isClosed = found.project_record_status !== 'active' || takesNoExpenses.includes(found.project_status);
  refuse(
    problems([
      [!isPriced && sent.unitCount !== undefined, "'unitCount' is not allowed"],
      [isPriced && sent.unitCount === undefined, "'unitCount' is required"],
      [!isPriced && sent.unitAmount !== undefined, "'unitAmount' is not allowed"],
      [isPriced && sent.amount !== undefined, "'amount' is not allowed"],
      [!isPriced && sent.amount === undefined, "'amount' is required"],
      [isBillable && !hasProject, "'isBillable' must be false without a project"],
      [
        isBillable && hasProject && found.project_billable !== 1,
        "'isBillable' must be false on a project that is not billable",
      ],
      [found.require_attendees === 1 && sent.attendees === undefined, "'attendees' is required"],
      [found.require_notes === 1 && sent.notes === undefined, "'notes' is required"],
      [hasProject && isClosed, "'projectId' must be an active project that takes expenses"],
      [
        hasProject && found.lock_time_and_expenses === 1,
        "'projectId' must be a project that is not locked for time and expenses",
      ],
      [hasProject && found.seat_active !== 1, "'projectId' must be a project of which the member is an active member"],
    ]),
  );
}

const insert = inserting('expense_item', [
  ...[
    'id',
    'status_id',
    'date',
    'vendor',
    'notes',
    'attendees',
    'currency',
    'unit_count',
    'unit_amount',
    'amount',
    'total',
  ],
  ...[
    'is_reimbursable',
    'is_billable',
    'invoiced',
    'created_at',
    'expense_report_id',
    'expense_category_id',
    'member_id',
  ],
  ...['project_id', 'version', 'guard'],
]);

/** @throws Refusal 400 for what does not fit */
export async function createExpenseItem(session: Session, sent: Sent) {
  const { expenseReportId, expenseCategoryId, projectId = null } = sent;
  const values = [expenseCategoryId, projectId, expenseReportId];
  const [found] = await session.all<Found>(look + session.share, values);
  if (found === undefined) throw invalid(["'expenseReportId' does not refer to an existing Expense Report"]);
  refuse(
    problems([
      missing('expenseCategoryId', 'Expense Category', expenseCategoryId, found.category_id),
      missing('projectId', 'Project', projectId, found.project_id),
    ]),
  );
  const isBillable = sent.isBillable ?? (found.project_id !== null && found.project_billable === 1);
  judge(sent, found, isBillable);
  const { date, vendor = null, notes = null, attendees = null, isReimbursable = true } = sent;
  const currency = sent.currency ?? (found.project_id === null ? found.main_currency : found.project_currency);
  const price = found.unit_amount === null ? undefined : Number(session.text(found.unit_amount, 4));
  const unitCount = sent.unitCount ?? null;
  const unitAmount = price === undefined ? null : (sent.unitAmount ?? price);
  const amount =
    unitCount === null || unitAmount === null
      ? (sent.amount ?? 0)
      : Number(round(multiply(numberToText(unitCount), numberToText(unitAmount)), minorUnits(currency)));
  const { id, createdAt } = newRecord();
  await insert(session, {
    id,
    status_id: 'not_submitted',
    date,
    vendor,
    notes,
    attendees,
    currency,
    unit_count: session.decimal(unitCount, 4),
    unit_amount: session.decimal(unitAmount, 4),
    amount: session.decimal(amount, 4),
    total: session.decimal(amount, 4),
    is_reimbursable: isReimbursable ? 1 : 0,
    is_billable: isBillable ? 1 : 0,
    invoiced: 0,
    created_at: session.moment(createdAt),
    expense_report_id: expenseReportId,
    expense_category_id: expenseCategoryId,
    member_id: found.member_id,
    project_id: projectId,
    version: 0,
    guard: 0,
  });
  return {
    ...{ id, statusId: 'not_submitted', date, vendor, notes, attendees, currency, unitCount, unitAmount, amount },
    ...{ markupMethod: null, markupRatio: null, markupAmount: null, markup: null, total: amount },
    ...{ isReimbursable, isBillable, invoiced: false, createdAt },
    expenseReport: shown(expenseReportId, found.report),
    expenseCategory: { ...shown(expenseCategoryId, found.category), unitName: found.unit_name },
    member: shown(found.member_id, found.member),
    project:
      projectId === null
        ? null
        : shownProject({ id: projectId, name: found.project, client_id: found.client_id, client: found.client }),
    receipts: [],
  };
}
