// All areas of the specification.
import { clients } from './clients.ts';
import { people } from './people.ts';
import { projects } from './projects.ts';
import { projectBudgets } from './projects-budgets.ts';
import { projectReports } from './projects-reports.ts';
import { projectRoles } from './projects-roles.ts';
import { projectStates } from './projects-states.ts';
import { projectTeam } from './projects-team.ts';
import type { Areas, Unreachable } from './run.ts';
import { staffing } from './staffing.ts';
import { tasks } from './tasks.ts';
import { workspace } from './workspace.ts';

export const areas: Areas = {
  // First, for its main currency changes only as long as no amounts are recorded.
  'Workspace & organisation': workspace,
  'People & skills': people,
  'Clients & contacts': clients,
  Projects: [...projects, ...projectStates, ...projectBudgets, ...projectTeam, ...projectRoles, ...projectReports],
  Tasks: tasks,
  'Staffing & availability': staffing,
};

const onReading = 'it acts when a record is read; the cases of the group show what is read';
const onWriting = 'the write itself sets the time; the cases of the group show it';
const onlyRefuses = 'it only refuses, and gives no value';

export const unreachable: Unreachable = {
  'workspace-settings rules[1] lockedOnceUsed: no case in which it gives a value or changes a record': onlyRefuses,
  'workspace-settings.modifiedAt modified: no case that it allows': onWriting,
  'member.costMethodId inEffect: no case that it allows': onReading,
  'client.modifiedAt modified: no case that it allows': onWriting,
  'project rules[11] lockedOnceUsed: no case in which it gives a value or changes a record': onlyRefuses,
  'task-category rules[2] lockedOnceUsed: no case in which it gives a value or changes a record': onlyRefuses,
  'company.modifiedAt modified: no case that it allows': onWriting,
};
