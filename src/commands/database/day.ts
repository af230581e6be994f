// `praxis day`: shows the workspace's day, and lets it go on beyond the clock of the database server.
import type { Clock } from '../../app/clock.ts';
import { openWorkspace } from '../../app/workspace.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { isDate } from '../../values/date.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';

/** Prints the date that the workspace has reached, and how far it is from the clock. @throws ConfigurationFault */
export async function show(config: Config, flags: JsonFlag): Promise<void> {
  const { reached = null, behind, ahead } = await withClock(config, async (clock) => clock.report);
  const state = behind > 0 ? `, ${behind} to go` : ahead > 0 ? `, ${ahead} ahead` : '';
  tell(flags, { reached, behind, ahead }, `${reached ?? 'no day yet'}${state}`);
}

/** Lets the workspace reach a date, whatever the clocks say; running processes follow within 5 seconds. @throws ConfigurationFault */
export async function allow(config: Config, date: string, flags: JsonFlag): Promise<void> {
  if (!isDate(date)) throw new ConfigurationFault(`'${date}' is not a date; write it as 2026-12-31.`);
  await withClock(config, (clock) => clock.allow(date));
  tell(flags, { allowed: date }, `Allowed the workspace to reach ${date}.`);
}

async function withClock<T>(config: Config, run: (clock: Clock) => Promise<T>): Promise<T> {
  const workspace = await openWorkspace(config);
  try {
    if (workspace.clock === undefined) throw new ConfigurationFault('Nothing in this workspace depends on the day.');
    return await run(workspace.clock);
  } finally {
    await workspace.close();
  }
}
