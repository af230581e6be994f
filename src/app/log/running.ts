// The log of a service that runs: it is read, sent to webhooks, and forgotten in time.
import type { Logger } from 'pino';
import type { LogService } from '../../http/request/service.ts';
import type { LogSight } from '../../metrics/log.ts';
import type { StreamTimes } from '../../past/stream.ts';
import type { WebhookOptions } from '../../webhooks/sender.ts';
import type { CallerRights } from '../access/rights-of-callers.ts';
import type { Workspace } from '../workspace.ts';
import { sweepKept } from './log.ts';
import { createLogService, groundOf } from './past.ts';
import { logSightOf } from './sight.ts';
import { webhooksOf } from './webhooks.ts';

const sweepEveryMs = 60 * 60 * 1000;

interface RunningParts {
  readonly workspace: Workspace;
  readonly rights: CallerRights;
  readonly options: {
    readonly streamTimes?: Partial<StreamTimes> | undefined;
    readonly webhooks?: WebhookOptions | undefined;
    readonly now?: (() => number) | undefined;
  };
  readonly logger: Logger;
}

export interface RunningLog {
  readonly service: LogService;
  readonly sight: () => Promise<LogSight>;
  /** Ends streams and waits, and sends no more. */
  stop(): Promise<void>;
}

/** Forgets what was kept long enough, and begins; undefined where there is no log. */
export async function runLog({ workspace, rights, options, logger }: RunningParts): Promise<RunningLog | undefined> {
  const { log } = workspace;
  if (log === undefined) return undefined;
  const { streamTimes: times, webhooks: sending = {}, now = Date.now } = options;
  await sweepKept(log, workspace, logger);
  const sweep = setInterval(() => void sweepKept(log, workspace, logger), sweepEveryMs);
  sweep.unref();
  const ground = await groundOf(workspace, log);
  const webhooks = webhooksOf({ workspace, ground, rights, options: sending, now, logger });
  webhooks.deliveries.start();
  return {
    service: createLogService({ workspace, ground, webhooks, times }),
    sight: logSightOf(ground, webhooks),
    stop: async () => {
      clearInterval(sweep);
      log.watch.end();
      await webhooks.deliveries.stop();
    },
  };
}
