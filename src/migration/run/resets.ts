// Tells readers of the log of changes which groups are to be read anew: a migration gives records other values than writes did.
import { appendReset, isLogOn } from '../../storage/log/state.ts';
import type { Database, Session } from '../../storage/schema/session.ts';
import { adaptStep } from '../plan/adapt.ts';
import { findColumn, findTable, type Schema } from '../plan/schema.ts';
import { applyStep, type Step } from '../plan/steps.ts';
import type { DoneStep } from './history.ts';

interface Planned {
  readonly step: Step;
  readonly place: DoneStep | undefined;
}

/** Of which groups a step is the last of its file to change values. */
export type Resets = ReadonlyMap<Planned, readonly string[]>;

/** None where there is no log that is written. */
export async function resetsOf(database: Database, steps: readonly Planned[], recorded: Schema): Promise<Resets> {
  const last = new Map<string, { readonly planned: Planned; readonly group: string }>();
  let now = recorded;
  for (const planned of steps)
    for (const part of adaptStep(planned.step, now)) {
      const group = groupChanged(part, now);
      if (group !== undefined) last.set(`${planned.place?.name} ${group}`, { planned, group });
      now = applyStep(now, part);
    }
  if (last.size === 0 || !(await isLogOn(database))) return new Map();
  const byStep = Map.groupBy(last.values(), ({ planned }) => planned);
  return new Map([...byStep].map(([planned, found]) => [planned, found.map(({ group }) => group)]));
}

/** Leaves an entry for each group, in the transaction that notes a step as done. */
export async function noteResets(session: Session, database: Database, { planned, resets }: Noted): Promise<void> {
  const cause = { kind: 'migration', name: planned.place?.name ?? 'start' } as const;
  for (const group of resets.get(planned) ?? []) await appendReset(session, database.dialect, { group, cause });
}

interface Noted {
  readonly planned: Planned;
  readonly resets: Resets;
}

function groupChanged(step: Step, schema: Schema): string | undefined {
  switch (step.do) {
    case 'computeFigures':
    case 'fillColumn':
    case 'renameValues':
      return groupOf(step.table, schema);
    case 'addColumn':
    case 'changeColumn':
      return step.fill === undefined ? undefined : groupOf(step.table, schema);
    case 'dropTable':
      return step.group;
    default:
      return undefined;
  }
}

/** The group whose records are in a table, or whose lists are. */
function groupOf(table: string, schema: Schema): string {
  const owner = findColumn(findTable(schema, table), 'owner_id')?.references;
  return (owner ?? table).replaceAll('_', '-');
}
