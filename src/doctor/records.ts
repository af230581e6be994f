// Checks of the database: its server, whether it fits the descriptors, its clock, tokens, the time zone.
import { existsSync } from 'node:fs';
import { rulesOf } from '../app/registry.ts';
import type { Config } from '../config.ts';
import { Groups } from '../engine/plan/groups.ts';
import { zoneIn } from '../engine/transaction/workspace.ts';
import { readMigrations } from '../migration/files/folder.ts';
import { statusOf } from '../migration/run/status.ts';
import type { Registry } from '../registry/model/model.ts';
import { fileOf, memoryUrl, openToRead } from '../storage/database.ts';
import { type Database, longLogBytes } from '../storage/schema/session.ts';
import { tableName } from '../storage/schema/tables.ts';
import { hasTable } from '../storage/statements/ddl.ts';
import { listTokens, tokenTableName } from '../storage/tokens.ts';
import { createUnitOfWork } from '../storage/unit-of-work.ts';
import { timeOfId } from '../values/id.ts';
import { changes } from './changes.ts';
import { act, type Finding, fine, note } from './finding.ts';
import { signInOf } from './sign-in.ts';

const deadlineMs = 10_000;
/** Beyond it, when a token ends, or what day it is, is not the same for all. */
const mostSkewMs = 5000;
const soonMs = 14 * 24 * 3_600_000;

/** Everything that needs the database; nothing is made or changed. @throws ConfigurationFault when it cannot be opened */
export async function records(config: Config, registry: Registry): Promise<readonly Finding[]> {
  if (config.databaseUrl === memoryUrl)
    return [note('database', 'all records are kept in memory', 'set DATABASE_URL: they end with the process')];
  const file = fileOf(config.databaseUrl);
  if (file !== undefined && !existsSync(file))
    return [note('database', `there is no '${file}' yet`, 'praxis serve makes it at its first start')];
  const database = await openToRead(config.databaseUrl);
  try {
    const fit = await migrations(database, config, registry);
    const settings = database.advice.map(({ says, todo }) => note('settings', says, todo));
    const found = [fine('database', database.server), ...settings, ...log(database), await clock(database), fit];
    if (fit.state === 'note') return found;
    if (fit.state === 'fine') found.push(await times(database, registry));
    return [
      ...found,
      ...(await tokens(database, config)),
      ...(await signInOf(database, config)),
      ...(await changes(database, config)),
      ...(await zone(database, config, registry)),
    ];
  } finally {
    await database.close();
  }
}

/** How descriptors, migrations and database fit together. */
async function migrations(database: Database, config: Config, registry: Registry): Promise<Finding> {
  const { state, files, drift } = await statusOf(database, registry, readMigrations(config.migrations));
  const waiting = files.filter((each) => each.state === 'pending' || each.state === 'partly').length;
  switch (state) {
    case 'new':
      return note(
        'migrations',
        'the database is empty',
        'praxis serve sets it up at its first start; or: praxis migrate apply',
      );
    case 'current':
      return fine('migrations', 'descriptors, migrations and database agree');
    case 'unwritten':
      return act(
        'migrations',
        'the descriptors ask for more than the migrations say',
        'praxis migrate generate, then praxis migrate apply',
      );
    case 'pending':
      return act('migrations', `${waiting} of ${files.length} migrations are pending`, 'praxis migrate apply');
    case 'drifted':
      return act(
        'migrations',
        `${drift[0]?.text ?? 'a migration was changed after it was applied'}`,
        'praxis migrate status tells all of it',
      );
  }
}

/** Whether the log of writes is longer than it is when nobody reads one moment for long. */
function log({ logBytes }: Database): readonly Finding[] {
  const bytes = logBytes?.() ?? 0;
  if (bytes <= longLogBytes) return [];
  const says = `the log of the database has ${(bytes / 1024 ** 3).toFixed(1)} GiB that are not in its file yet`;
  return [note('log', says, 'end the exports that run, or lower EXPORT_LIMIT: they keep it from being cut')];
}

/** The clock of the database against ours. */
async function clock(database: Database): Promise<Finding> {
  const before = Date.now();
  const [row] = await database.all(`select ${database.dialect.nowMs} as now`, []);
  // Half of the way there and back.
  const skew = Math.abs(Number(row?.[0]) - (before + Date.now()) / 2);
  const says = `the clocks of database and service differ by ${(skew / 1000).toFixed(1)} s`;
  return skew > mostSkewMs ? act('clock', says, 'set both by NTP (timedatectl set-ntp true)') : fine('clock', says);
}

/** Whether records are dated later than now: the clock was ahead, or is behind. */
async function times(database: Database, registry: Registry): Promise<Finding> {
  const { quote } = database.dialect;
  let newest = { at: '', title: '' };
  for (const { name, title, computed } of registry.resources.values()) {
    if (computed !== undefined) continue;
    const [row] = await database.all(`select max(id) from ${quote(tableName(name))}`, []);
    const at = timeOfId(String(row?.[0])) ?? '';
    if (at > newest.at) newest = { at, title };
  }
  const aheadMs = newest.at === '' ? 0 : Date.parse(newest.at) - Date.now();
  return aheadMs > mostSkewMs
    ? act(
        'times',
        `a ${newest.title} was made at ${newest.at}, ${(aheadMs / 3_600_000).toFixed(1)} h after now`,
        'set the clock by NTP (timedatectl set-ntp true); until then lists have what is made now behind that record',
      )
    : fine('times', 'no record is dated later than now');
}

/** Whether anybody is let in, and for how long. */
async function tokens(database: Database, { accessToken }: Config): Promise<readonly Finding[]> {
  const all = (await hasTable(database, tokenTableName))
    ? await listTokens(createUnitOfWork(database, { deadlineMs }))
    : [];
  const now = new Date().toISOString();
  const soon = new Date(Date.now() + soonMs).toISOString();
  const active = all.filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt ?? soon) > now);
  if (all.length === 0 && accessToken === undefined)
    return [
      note('tokens', 'there is no token yet', 'praxis serve prints one at its next start; or: praxis token create'),
    ];
  if (active.length === 0 && accessToken === undefined)
    return [act('tokens', 'no token is valid any more', 'praxis token create')];
  const ending = active.filter(({ expiresAt }) => expiresAt !== null && expiresAt < soon);
  const count = `${active.length} ${active.length === 1 ? 'token is' : 'tokens are'} valid${accessToken === undefined ? '' : ', and ACCESS_TOKEN'}`;
  return [
    fine('tokens', count),
    ...ending.map(({ name, last4, expiresAt }) =>
      act(
        'tokens',
        `the token '${name}' (…${last4}) ends at ${expiresAt}`,
        `praxis token create --name ${JSON.stringify(name)}, hand it over, then praxis token revoke ${last4}`,
      ),
    ),
  ];
}

/** Whether this Node knows the time zone by which the workspace tells what day it is. */
async function zone(database: Database, config: Config, registry: Registry): Promise<readonly Finding[]> {
  const { workspace } = registry;
  if (workspace?.timeZone === undefined) return [];
  const groups = new Groups(registry, rulesOf(config), database.dialect);
  const unit = createUnitOfWork(database, { deadlineMs });
  const session = unit.direct;
  const settings = await groups
    .get(workspace.name)
    .rows.find(session, '', { lists: false })
    .catch(() => undefined);
  const name = zoneIn(workspace, settings ?? {});
  try {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: name }).format(new Date());
    return [
      fine('time-zone', `it is ${day} in ${name}, by time zone data ${process.versions['tz'] ?? 'of the system'}`),
    ];
  } catch {
    return [
      act(
        'time-zone',
        `this Node does not know the time zone ${name} of the settings`,
        'use a Node with full ICU data',
      ),
    ];
  }
}
