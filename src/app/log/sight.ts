// What metrics tell of the log: how far it goes, what has no position yet, how far behind it webhooks are.
import type { LogSight } from '../../metrics/log.ts';
import type { LogGround } from '../../past/page.ts';
import { countUnordered } from '../../storage/log/read-log.ts';
import { readState } from '../../storage/log/state.ts';
import { readWebhooks } from '../../storage/log/webhooks.ts';
import type { Webhooks } from './webhooks.ts';

/** Makes the function that looks. Where the database is away, it tells what was last known. */
export function logSightOf(ground: LogGround, { deliveries }: Webhooks): () => Promise<LogSight> {
  const { unit, dialect, listeners } = ground;
  let known: Pick<LogSight, 'head' | 'kept' | 'unordered' | 'lags'> = { head: 0, kept: 0, unordered: 0, lags: [] };
  const look = async () => {
    const { first, head } = await readState(unit.direct, dialect);
    const unordered = await countUnordered(unit.direct, dialect);
    const lags = (await readWebhooks(unit.direct)).map(({ id, position }): [string, number] => [
      id,
      Math.max(0, head - position),
    ]);
    known = { head, kept: head - first + 1 + unordered, unordered, lags };
  };
  return async () => {
    await look().catch(() => {});
    return { ...known, streams: listeners.count, tries: deliveries.tries };
  };
}
