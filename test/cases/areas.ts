// All areas of the specification.
import { projectBudgets } from './project-budgets.ts';
import type { Areas, Unreachable } from './run.ts';
import { salesAmounts } from './sales-amounts.ts';
import { salesPipeline } from './sales-pipeline.ts';
import { tasks } from './tasks.ts';

export const areas: Areas = {
  'Project budgets': projectBudgets,
  'Sales pipeline': [...salesPipeline, ...salesAmounts],
  Tasks: tasks,
};

export const unreachable: Unreachable = {};
