// Checks of the log of changes: whether it is written, whether old entries are deleted as configured, its size, and stopped webhooks.
import type { Config } from '../config.ts';
import { wasBeyond } from '../past/renewal.ts';
import { countUnordered, firstTime, meanLength } from '../storage/log/read-log.ts';
import { isLogOn, readState } from '../storage/log/state.ts';
import { hasLog } from '../storage/log/tables.ts';
import { hasWebhooks, type KeptWebhook, readWebhooks } from '../storage/log/webhooks.ts';
import type { Database } from '../storage/schema/session.ts';
import { act, type Finding, fine, note } from './finding.ts';

/** Tolerance for old entries; a running service deletes them each hour. */
const patienceMs = 24 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
/** Maximum lag of a webhook, in entries; beyond it, its receiver is slow or fails. */
const farBehind = 10_000;

/** Checks the log of changes. @returns an empty list if there is no log and none is configured */
export async function changes(database: Database, config: Config): Promise<readonly Finding[]> {
  if (!(await hasLog(database)))
    return config.changes === undefined
      ? []
      : [
          note(
            'changes',
            'CHANGES is set, but there is no log yet',
            'run "praxis migrate apply", or restart the service',
          ),
        ];
  const { dialect } = database;
  const { first, head } = await readState(database, dialect);
  const unordered = await countUnordered(database, dialect);
  const kept = head - first + 1 + unordered;
  const mib = (kept * (await meanLength(database))) / 1024 ** 2;
  const since = kept === 0 ? undefined : await firstTime(database, dialect);
  const says = `the log of changes has ${kept} ${kept === 1 ? 'entry' : 'entries'}${since === undefined ? '' : ` since ${since}`}, about ${mib.toFixed(1)} MiB without its indexes`;
  return [
    fine('changes', says),
    ...((await isLogOn(database))
      ? []
      : [note('changes', 'the log is disabled, so no entries are written', 'to enable it, set CHANGES=90d')]),
    ...old(config, since),
    ...((await wasBeyond(database))
      ? [
          note(
            'changes',
            'a caller sent a cursor beyond the end of the log, as after a restored backup',
            'if the database was restored, run "praxis changes renew": followers of the log then read the records again',
          ),
        ]
      : []),
    ...((await hasWebhooks(database)) ? (await readWebhooks(database)).flatMap((each) => webhook(each, head)) : []),
  ];
}

function old({ changes: days }: Config, since: string | undefined): readonly Finding[] {
  if (days === undefined || days === 'forever' || since === undefined) return [];
  const overMs = Date.now() - Date.parse(since) - days * dayMs;
  if (overMs <= patienceMs) return [];
  const says = `its first entry is ${Math.floor(overMs / dayMs)} days older than CHANGES allows`;
  return [act('changes', says, 'start the service: it deletes old entries at its start and each hour')];
}

const todos = {
  failing: 'read GET /api/webhooks/<id>/tries, then PATCH it to active, or POST …/skip',
  lost: 'read the records again, then POST …/replay with a cursor of the feed',
  stopped: 'create another webhook with a token that does not expire, and delete this one',
} as const;

function webhook({ id, state, wish, position }: KeptWebhook, head: number): readonly Finding[] {
  const named = `the webhook ${id} to ${new URL(wish.url).host}`;
  if (state === 'failing' || state === 'lost' || state === 'stopped')
    return [act('webhooks', `${named} is ${state}`, todos[state])];
  const behind = head - position;
  if (state === 'paused' || behind < farBehind) return [];
  return [
    note('webhooks', `${named} has not received the last ${behind} entries`, 'read GET /api/webhooks/<id>/tries'),
  ];
}
