// What a migration leaves in the log of changes: what it calls otherwise, for who reads older entries, and which groups are to be
// read anew, because it gives records other values than writes did. Webhooks and limits of tokens go on with groups by their new names.
import type { Renaming } from '../../storage/log/entry.ts';
import { appendRenaming, appendReset, isLogOn } from '../../storage/log/state.ts';
import { hasLog } from '../../storage/log/tables.ts';
import { hasWebhooks, renameWebhookGroup } from '../../storage/log/webhooks.ts';
import type { Database, Session } from '../../storage/schema/session.ts';
import { hasTokenLimits, renameInLimits } from '../../storage/tokens.ts';
import { adaptStep } from '../plan/adapt.ts';
import { findColumn, findTable, type Schema } from '../plan/schema.ts';
import { applyStep, type Step } from '../plan/steps.ts';
import type { DoneStep } from './history.ts';

interface Planned {
  readonly step: Step;
  readonly place: DoneStep | undefined;
}

/** What steps are to leave in the log of a database. */
export interface LogNotes {
  readonly hasLog: boolean;
  readonly hasWebhooks: boolean;
  readonly hasTokenLimits: boolean;
  /** Of which groups a step is the last of its file to change values; none where the log is not written. */
  readonly resets: ReadonlyMap<Planned, readonly string[]>;
}

export async function logNotesOf(database: Database, steps: readonly Planned[], recorded: Schema): Promise<LogNotes> {
  const last = new Map<string, { readonly planned: Planned; readonly group: string }>();
  let now = recorded;
  for (const planned of steps)
    for (const part of adaptStep(planned.step, now)) {
      const group = groupChanged(part, now);
      if (group !== undefined) last.set(`${planned.place?.name} ${group}`, { planned, group });
      now = applyStep(now, part);
    }
  const byStep = Map.groupBy((await isLogOn(database)) ? last.values() : [], ({ planned }) => planned);
  return {
    hasLog: await hasLog(database),
    hasWebhooks: await hasWebhooks(database),
    hasTokenLimits: await hasTokenLimits(database),
    resets: new Map([...byStep].map(([planned, found]) => [planned, found.map(({ group }) => group)])),
  };
}

interface Noted {
  readonly planned: Planned;
  /** What was left to do of it. */
  readonly parts: readonly Step[];
  readonly notes: LogNotes;
}

/** Leaves what a step is to leave, in the transaction that notes it as done. */
export async function noteInLog(session: Session, { dialect }: Database, noted: Noted): Promise<void> {
  const { planned, parts, notes } = noted;
  const cause = { kind: 'migration', name: planned.place?.name ?? 'start' } as const;
  for (const part of parts) {
    const renaming = renamingOf(part);
    if (notes.hasLog && renaming !== undefined) await appendRenaming(session, dialect, { renaming, cause });
    const named = groupRenamed(part);
    if (named === undefined) continue;
    if (notes.hasWebhooks) await renameWebhookGroup(session, named.from, named.to);
    if (notes.hasTokenLimits) await renameInLimits(session, named.from, named.to);
  }
  for (const group of notes.resets.get(planned) ?? []) await appendReset(session, dialect, { group, cause });
}

/** A group that has another name behind a step, or is gone. */
function groupRenamed(step: Step): { readonly from: string; readonly to: string | undefined } | undefined {
  if (step.do === 'renameTable') return step.group;
  return step.do === 'dropTable' && step.group !== undefined ? { from: step.group, to: undefined } : undefined;
}

function renamingOf(step: Step): Renaming | undefined {
  switch (step.do) {
    case 'createTable':
      return { do: 'addTable', table: step.table.name };
    case 'renameTable':
      return { do: step.do, table: step.table, to: step.to };
    case 'dropTable':
      return { do: step.do, table: step.table };
    case 'renameColumn':
    case 'dropColumn':
    case 'renameValues':
      return step;
    default:
      return undefined;
  }
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
