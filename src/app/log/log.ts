// The log of changes of a service: whether there is one, who writes what into it, and for how long it is kept.
import type { Logger } from 'pino';
import type { KeptDays } from '../../config.ts';
import { ChangeLog, type Origin } from '../../engine/log/write-log.ts';
import type { CallerRequest } from '../../http/request/service.ts';
import { Listeners } from '../../past/listeners.ts';
import { sweepLog } from '../../past/sweep.ts';
import { LogWatch } from '../../past/watch.ts';
import type { Registry } from '../../registry/model/model.ts';
import type { Database } from '../../storage/schema/session.ts';
import type { TokenBook } from '../../storage/tokens.ts';
import type { UnitOfWork } from '../../storage/unit-of-work.ts';

/** A log that is switched on. */
export interface ServiceLog {
  readonly changes: ChangeLog;
  readonly watch: LogWatch;
  readonly listeners: Listeners;
  readonly kept: KeptDays;
}

interface LogParts {
  readonly registry: Registry;
  readonly database: Database;
  readonly unit: UnitOfWork;
  readonly kept: KeptDays | undefined;
}

/** The log of a service; undefined where it is switched off. */
export function logOf({ registry, database, unit, kept }: LogParts): ServiceLog | undefined {
  if (kept === undefined) return undefined;
  const watch = new LogWatch(unit, database.dialect);
  const changes = new ChangeLog({ registry, dialect: database.dialect, committed: watch.committed });
  return { changes, watch, listeners: new Listeners(), kept };
}

interface Known {
  readonly log: ServiceLog | undefined;
  readonly tokens: TokenBook;
}

/** What entries say of where a write comes from; nothing where there is no log. */
export function originOf(
  { log, tokens }: Known,
  { caller, requestId, traceId }: Pick<CallerRequest, 'caller' | 'requestId' | 'traceId'>,
): Origin | undefined {
  if (log === undefined) return undefined;
  const { tokenId, memberId } = caller;
  const name = tokens.nameOf(tokenId);
  const token = name === undefined ? { id: null, name: 'ACCESS_TOKEN' } : { id: tokenId, name };
  return { by: { member: memberId, token }, request: requestId, trace: traceId ?? null };
}

const dayMs = 24 * 60 * 60 * 1000;

/** Forgets what was kept long enough. What cannot be forgotten now is the next time. */
export async function sweepKept(
  { kept }: ServiceLog,
  { unit, database }: { readonly unit: UnitOfWork; readonly database: Database },
  logger: Logger,
): Promise<void> {
  if (kept === 'forever') return;
  try {
    await sweepLog(unit, database.dialect, new Date(Date.now() - kept * dayMs).toISOString());
  } catch (error) {
    logger.debug({ err: error }, 'failed to delete old changes');
  }
}
