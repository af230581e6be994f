// The migration lock: one process at a time changes the schema. A row with a lease, because GET_LOCK holds on only one node of
// a cluster.
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { faultOf } from '../../storage/errors.ts';
import type { Row } from '../../storage/schema/cells.ts';
import type { Database, Session } from '../../storage/schema/session.ts';

const leaseMs = 30_000;
const renewMs = 5000;
const pollMs = 100;
/** Longer than a start of another process takes, and than the lease of one that was killed. */
const patienceMs = 60_000;

/**
 * Tries again while another process holds the database.
 * @param pauseMs the least time between two tries
 */
export async function patiently<T>(work: () => Promise<T>, pauseMs = 20): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (faultOf(error).kind !== 'retry' || performance.now() > end) throw error;
      await delay(pauseMs + Math.random() * pollMs);
    }
  }
}

/** Pause between two tries: three times as long as a change waits, so that writers wait for a quarter of the time at most. */
const maxPauseMs = 3000;

/**
 * Repeats a change while other transactions hold its table or rows, with pauses in which they continue.
 * @param label The change, as in `renames the table "a" to "b"`. @throws ConfigurationFault if they hold it all the time
 */
export async function repeatWithPauses<T>(label: string, work: () => Promise<T>): Promise<T> {
  try {
    return await patiently(work, maxPauseMs);
  } catch (error) {
    if (faultOf(error).kind !== 'retry') throw error;
    throw new ConfigurationFault(
      `The step that ${label} failed: other transactions have locked its table or rows for a minute. End them, then run it again.`,
      error,
    );
  }
}

/** Held while a schema is changed. */
export interface Lock {
  /** Takes the lease anew. @throws ConfigurationFault when another process has taken the lock meanwhile */
  renew(session: Session): Promise<void>;
}

/** Runs work while no other process, on whatever node, changes the schema. @throws ConfigurationFault when another one does not end */
export async function withLock<T>(database: Database, work: (lock: Lock) => Promise<T>): Promise<T> {
  const holder = `${place}/${process.pid}/${randomUUID().slice(0, 8)}`;
  await take(database, holder);
  holders.add(holder);
  const renewal = `update praxis_lock set ends_at = ${database.dialect.nowMs} + ${leaseMs} where name = 'migration' and holder = ?`;
  const renew = async (session: Session): Promise<void> => {
    if ((await session.run(renewal, [holder])) !== 1)
      throw new ConfigurationFault('Another process has taken over the migration; run "praxis migrate status".');
  };
  const timer = setInterval(() => void renew(database).catch(() => {}), renewMs);
  timer.unref();
  try {
    return await work({ renew });
  } finally {
    clearInterval(timer);
    holders.delete(holder);
    await patiently(() =>
      database.run("update praxis_lock set holder = '', ends_at = 0 where name = 'migration' and holder = ?", [holder]),
    ).catch(() => 0); // the lease ends by itself
  }
}

async function take(database: Database, holder: string): Promise<void> {
  const now = database.dialect.nowMs;
  const set = `update praxis_lock set holder = ?, ends_at = ${now} + ${leaseMs} where name = 'migration'`;
  const end = performance.now() + patienceMs;
  for (;;) {
    if ((await patiently(() => database.run(`${set} and ends_at < ${now}`, [holder]))) === 1) return;
    const [row] = await database.all("select holder from praxis_lock where name = 'migration'", []);
    // One of this machine that is no more need not be waited for.
    if (isGone(row) && (await patiently(() => database.run(`${set} and holder = ?`, [holder, String(row?.[0])]))) === 1)
      return;
    if (performance.now() > end)
      throw new ConfigurationFault(
        'Another process has been changing the schema for a minute; run the command again when it has finished.',
      );
    await delay(pollMs);
  }
}

/** This run of this machine's kernel, and the processes that see each other's numbers; '' where that cannot be told. */
const place = placeOfProcesses();
function placeOfProcesses(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')}`;
  } catch {
    return '';
  }
}

/** Locks that this process holds. One that it could not release, because the database was away, is not among them. */
const holders = new Set<string>();

function isGone(row: Row | undefined): boolean {
  const holder = String(row?.[0] ?? '');
  if (place === '' || !holder.startsWith(`${place}/`)) return false;
  const pid = Number(holder.slice(place.length + 1).split('/')[0]);
  if (pid === process.pid) return !holders.has(holder);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
