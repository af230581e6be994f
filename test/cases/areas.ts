// All areas of the specification.
import { projectBudgets } from './project-budgets.ts';
import type { Areas, Unreachable } from './run.ts';
import { tasks } from './tasks.ts';

export const areas: Areas = { 'Project budgets': projectBudgets, Tasks: tasks };

export const unreachable: Unreachable = {};
