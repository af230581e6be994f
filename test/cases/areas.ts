// All areas of the specification.
import { expenseAmounts } from './expense-amounts.ts';
import { expenseReceipts } from './expense-receipts.ts';
import { expenses } from './expenses.ts';
import { projectBudgets } from './project-budgets.ts';
import type { Areas, Unreachable } from './run.ts';
import { salesAmounts } from './sales-amounts.ts';
import { salesPipeline } from './sales-pipeline.ts';
import { tasks } from './tasks.ts';
import { timeEntries } from './time-entries.ts';
import { timeOfMembers } from './time-off.ts';
import { timeOnProjects } from './time-projects.ts';
import { timeOnTasks } from './time-tasks.ts';
import { timesheetDecisions } from './timesheet-decisions.ts';
import { timesheets } from './timesheets.ts';

export const areas: Areas = {
  Expenses: [...expenses, ...expenseAmounts, ...expenseReceipts],
  'Project budgets': projectBudgets,
  'Sales pipeline': [...salesPipeline, ...salesAmounts],
  Tasks: tasks,
  Time: [...timeEntries, ...timeOfMembers, ...timeOnProjects, ...timeOnTasks, ...timesheets, ...timesheetDecisions],
};

export const unreachable: Unreachable = {
  'expense-receipt rules[1] lockedByOther: no case in which it gives a value or changes a record':
    'holds a delete back, and gives nothing',
  'opportunity.modifiedAt modified: no case that it allows':
    'marks a field that the write itself sets; two cases see when it does',
  'timesheet-attestation rules[1] lockedByOther: no case in which it gives a value or changes a record':
    'holds a delete back, and gives nothing',
};
