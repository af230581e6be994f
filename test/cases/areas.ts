// All areas of the specification.
import type { Areas, Unreachable } from './run.ts';
import { tasks } from './tasks.ts';

export const areas: Areas = { Tasks: tasks };

export const unreachable: Unreachable = {};
