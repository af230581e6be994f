// All areas of the specification.

import { expenseApproval, timeApproval } from './approval-auto.ts';
import { billingCreditNotes } from './billing-credit-notes.ts';
import { billingCredits } from './billing-credits.ts';
import { billingDrafts } from './billing-drafts.ts';
import { billingInvoices } from './billing-invoices.ts';
import { billingLines } from './billing-lines.ts';
import { billingLocks } from './billing-locks.ts';
import { billingPayments } from './billing-payments.ts';
import { billingPrepayments } from './billing-prepayments.ts';
import { billingSources } from './billing-sources.ts';
import { billingStates } from './billing-states.ts';
import { billingTerms } from './billing-terms.ts';
import { billingTotals } from './billing-totals.ts';
import { clientRoles } from './client-roles.ts';
import { clients } from './clients.ts';
import { exchangeRate } from './exchange-rate.ts';
import { expenseAmounts } from './expense-amounts.ts';
import { expenseReceipts } from './expense-receipts.ts';
import { expenses } from './expenses.ts';
import { financialsExpenses } from './financials-expenses.ts';
import { financialsHeld } from './financials-held.ts';
import { financialsItems } from './financials-items.ts';
import { financialsRateCards } from './financials-rate-cards.ts';
import { financialsRevenue } from './financials-revenue.ts';
import { people } from './people.ts';
import { peopleTerms } from './people-terms.ts';
import { projectBudgets } from './project-budgets.ts';
import { projects } from './projects.ts';
import { sumsOfBudgets } from './projects-budget-sums.ts';
import { budgetsOfProjects } from './projects-budgets.ts';
import { projectDeletes } from './projects-deletes.ts';
import { projectHealth } from './projects-health.ts';
import { projectReports } from './projects-reports.ts';
import { projectRoles } from './projects-roles.ts';
import { projectStates } from './projects-states.ts';
import { projectTeam } from './projects-team.ts';
import type { Areas, Unreachable } from './run.ts';
import { salesAmounts } from './sales-amounts.ts';
import { salesLog } from './sales-log.ts';
import { salesOwners } from './sales-owners.ts';
import { salesPipeline } from './sales-pipeline.ts';
import { staffing } from './staffing.ts';
import { staffingHours } from './staffing-hours.ts';
import { staffingTerms } from './staffing-terms.ts';
import { tasks } from './tasks.ts';
import { timeCaps } from './time-caps.ts';
import { timeEntries } from './time-entries.ts';
import { timeOfMembers } from './time-off.ts';
import { timeOnProjects } from './time-projects.ts';
import { timeRates } from './time-rates.ts';
import { timeOnTasks } from './time-tasks.ts';
import { timesheetCapacity } from './timesheet-capacity.ts';
import { timesheetDecisions } from './timesheet-decisions.ts';
import { timesheets } from './timesheets.ts';
import { wholeAmounts } from './whole-amounts.ts';
import { workspace } from './workspace.ts';

export const areas: Areas = {
  // First, for its main currency changes only as long as no amounts are recorded.
  'Workspace & organisation': workspace,
  'People & skills': [...people, ...peopleTerms],
  'Clients & contacts': [...clients, ...clientRoles],
  Projects: [
    ...projects,
    ...projectStates,
    ...budgetsOfProjects,
    ...projectTeam,
    ...projectRoles,
    ...projectReports,
    ...projectHealth,
  ],
  'Projects that go, and what belongs to them': projectDeletes,
  Tasks: tasks,
  'Staffing & availability': [...staffing, ...staffingHours, ...staffingTerms],
  'Payment terms and due dates': billingTerms,
  'What an invoice amounts to': billingTotals,
  'Amounts in currencies without minor units': wholeAmounts,
  'Senders and receivers of invoices': billingInvoices,
  'Lines of invoices': billingLines,
  'What invoices bill': billingSources,
  'Advances of clients': billingPrepayments,
  Payments: billingPayments,
  'Credit notes': billingCreditNotes,
  'Credits on invoices': billingCredits,
  'Numbers and states of invoices': billingStates,
  'Drafts of bills': billingDrafts,
  'Bills that are out': billingLocks,
  'Items that projects bill': financialsItems,
  'Costs of projects': financialsExpenses,
  'What is billed stays': financialsHeld,
  'Rate cards': financialsRateCards,
  'Advances and earned revenue': financialsRevenue,
  'Exchange rates of a day': exchangeRate,
  Expenses: [...expenses, ...expenseAmounts, ...expenseReceipts, ...expenseApproval],
  'Project budgets': [...projectBudgets, ...sumsOfBudgets],
  'Sales pipeline': [...salesPipeline, ...salesAmounts, ...salesOwners, ...salesLog],
  Time: [
    ...timeEntries,
    ...timeOfMembers,
    ...timeOnProjects,
    ...timeOnTasks,
    ...timesheets,
    ...timesheetDecisions,
    ...timesheetCapacity,
    ...timeApproval,
    ...timeCaps,
    ...timeRates,
  ],
};

const onWriting = 'the write itself sets the time; the cases of the group show it';

export const unreachable: Unreachable = {
  'invoice.modifiedAt modified: no case that it allows': onWriting,
  'credit-note.modifiedAt modified: no case that it allows': onWriting,
  'opportunity.modifiedAt modified: no case that it allows':
    'marks a field that the write itself sets; two cases see when it does',
  'workspace-settings.modifiedAt modified: no case that it allows': onWriting,
  'client.modifiedAt modified: no case that it allows': onWriting,
  'company.modifiedAt modified: no case that it allows': onWriting,
};
