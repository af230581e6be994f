// Checks of the log of changes: whether it is written and forgotten as it was said, how large it is, and webhooks that wait for somebody.
import type { Config } from '../config.ts';
import { wasBeyond } from '../past/renewal.ts';
import { countUnordered, firstTime, meanLength } from '../storage/log/read-log.ts';
import { isLogOn, readState } from '../storage/log/state.ts';
import { hasLog } from '../storage/log/tables.ts';
import { hasWebhooks, type KeptWebhook, readWebhooks } from '../storage/log/webhooks.ts';
import type { Database } from '../storage/schema/session.ts';
import { act, type Finding, fine, note } from './finding.ts';

/** It is forgotten each hour, by a service that runs. */
const patienceMs = 24 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
/** A webhook that is further behind has a slow receiver, or a bad one. */
const farBehind = 10_000;

/** Nothing where there is no log, and none is wanted. */
export async function changes(database: Database, config: Config): Promise<readonly Finding[]> {
  if (!(await hasLog(database)))
    return config.changes === undefined
      ? []
      : [
          note(
            'changes',
            'CHANGES is set, and there is no log yet',
            'praxis migrate apply, or the next start, makes it',
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
      : [note('changes', 'nothing is written into it: it is switched off', 'CHANGES=90d, if that is not meant')]),
    ...old(config, since),
    ...((await wasBeyond(database))
      ? [
          note(
            'changes',
            'somebody had a cursor that leads behind the end of the log, as after a restored backup',
            'praxis changes renew, if the database was restored: who follows then reads the records again',
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
  const says = `it begins ${Math.floor(overMs / dayMs)} days before the time for which it is kept`;
  return [act('changes', says, 'let a service run: it forgets at its start, and each hour')];
}

const todos = {
  failing: 'see GET /api/webhooks/<id>/tries, then PATCH it to active, or POST …/skip',
  lost: 'read the records again, then POST …/replay with a cursor of the feed',
  stopped: 'make another one with a token that lasts, and delete this one',
} as const;

function webhook({ id, state, wish, position }: KeptWebhook, head: number): readonly Finding[] {
  const named = `the webhook ${id} to ${new URL(wish.url).host}`;
  if (state === 'failing' || state === 'lost' || state === 'stopped')
    return [act('webhooks', `${named} is ${state}`, todos[state])];
  const behind = head - position;
  if (state === 'paused' || behind < farBehind) return [];
  return [note('webhooks', `${named} is ${behind} entries behind`, 'see GET /api/webhooks/<id>/tries')];
}
