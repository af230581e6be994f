// Consent of the operator to steps that destroy data or block writers. Asked before the first step.
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Database } from '../../storage/schema/session.ts';
import { classOf } from '../editors/changes.ts';
import { readLive } from '../editors/live.ts';
import { adaptStep } from '../plan/adapt.ts';
import type { Schema } from '../plan/schema.ts';
import { applyStep, type Step, tableOfStep } from '../plan/steps.ts';
import { stepWords } from '../plan/words.ts';

/** Consent of the operator, by the flags of the command. */
export interface Consent {
  readonly allowDrop: boolean;
  readonly allowRebuild: boolean;
  /** Whether fills may give nothing for a value that is lost then. */
  readonly allowLoss?: boolean | undefined;
}

export const needsRebuild = (words: readonly string[]): ConfigurationFault =>
  new ConfigurationFault(
    `These steps rebuild a table with rows and block writes to it; to allow them, run with --allow-rebuild:\n${bulleted(words)}`,
  );

const bulleted = (words: readonly string[]): string => words.map((word) => `  ${word}`).join('\n');

/** Refuses steps that need consent and do not have it. @throws ConfigurationFault that names their flag */
export async function askConsent(
  steps: readonly { readonly step: Step }[],
  recorded: Schema,
  { database, consent }: { readonly database: Database; readonly consent: Consent },
): Promise<void> {
  const { dialect } = database;
  const drops: string[] = [];
  const rebuilds: string[] = [];
  /** Name → the name that the table has in the database now; tables that are made on the way have none. */
  const tables = new Map(recorded.tables.map(({ name }) => [name, name]));
  let now = recorded;
  for (const { step } of steps) {
    for (const part of adaptStep(step, now)) {
      const kind = classOf(part, now, dialect);
      const name = tableOfStep(part);
      const storedName = tables.get(name);
      if (kind === 'destroys') drops.push(stepWords(part));
      // One writer keeps others waiting in any case.
      if (
        kind === 'rebuild' &&
        !dialect.hasOneWriter &&
        storedName !== undefined &&
        (await hasRows(database, storedName))
      )
        rebuilds.push(stepWords(part));
      if (part.do === 'renameTable') {
        tables.delete(part.table);
        if (storedName !== undefined) tables.set(part.to, storedName);
      }
      now = applyStep(now, part);
    }
  }
  if (drops.length > 0 && !consent.allowDrop)
    throw new ConfigurationFault(`These steps delete data; to allow them, run with --allow-drop:\n${bulleted(drops)}`);
  if (rebuilds.length > 0 && !consent.allowRebuild) throw needsRebuild(rebuilds);
}

/** Whether a table is there and has rows: a step that was interrupted may have renamed it already. */
async function hasRows(database: Database, table: string): Promise<boolean> {
  const live = await readLive(database, database.dialect);
  if (!live.has(table)) return false;
  return (await database.all(`select 1 from ${database.dialect.quote(table)} limit 1`, [])).length > 0;
}
