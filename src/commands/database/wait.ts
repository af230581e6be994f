// Waits for a database that does not answer for some time: commands of a deployment go on when it does.
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { fileOf, openDatabase } from '../../storage/database.ts';
import { describeUnavailable, isUnavailable } from '../../storage/unavailable.ts';

const pauseMs = 1000;
const minuteMs = 60_000;
const secondMs = 1000;
/** Longer than the restart of a server, or a failover. */
const defaultWaitMs = 5 * minuteMs;

/** A command that may be run again as a whole. */
interface WaitOptions {
  /** `praxis migrate apply` */
  readonly command: string;
  /** Called when it begins to wait. */
  readonly onWait?: () => void;
}

/**
 * Runs work again while the database does not answer, or others hold it.
 * @param work is handed a function to call when it has got further: the time that it may wait begins again.
 * @throws ConfigurationFault with the next command if the database has not answered for `databaseWaitMs`
 */
export async function whileUnavailable<T>(
  { databaseUrl, databaseWaitMs = defaultWaitMs }: Pick<Config, 'databaseUrl' | 'databaseWaitMs'>,
  { command, onWait }: WaitOptions,
  work: (onProgress: () => void) => Promise<T>,
): Promise<T> {
  let since: number | undefined;
  const onProgress = (): void => {
    since = undefined;
  };
  for (;;) {
    try {
      return await work(onProgress);
    } catch (error) {
      // A file that cannot be opened does not get better by waiting.
      const isFile = fileOf(databaseUrl) !== undefined && error instanceof ConfigurationFault;
      if (isFile || !isUnavailable(error)) throw error;
      const reason = describeUnavailable(error);
      if (since === undefined) {
        since = performance.now();
        onWait?.();
        process.stderr.write(`${reason}; waiting up to ${toText(databaseWaitMs)}.\n`);
      }
      if (performance.now() - since > databaseWaitMs)
        throw new ConfigurationFault(`${reason}, for ${toText(databaseWaitMs)}; run "${command}" again.`, error);
      await delay(pauseMs);
    }
  }
}

/** Waits until a connection can be opened. @throws ConfigurationFault as `whileUnavailable` */
export const awaitDatabase = (config: Config, command: string): Promise<void> =>
  whileUnavailable(config, { command }, async () => (await openDatabase(config.databaseUrl)).close());

const toText = (ms: number): string => (ms % minuteMs === 0 ? `${ms / minuteMs} min` : `${ms / secondMs} s`);
