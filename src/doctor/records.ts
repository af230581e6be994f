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
/** Maximum difference of two clocks; beyond it, processes disagree about expiry times and about the day. */
const mostSkewMs = 5000;
const soonMs = 14 * 24 * 3_600_000;

/** Runs the checks that need the database, and changes nothing. @throws ConfigurationFault if it cannot be opened */
export async function records(config: Config, registry: Registry): Promise<readonly Finding[]> {
  if (config.databaseUrl === memoryUrl)
    return [note('database', 'all records are in memory and end with the process', 'set DATABASE_URL')];
  const file = fileOf(config.databaseUrl);
  if (file !== undefined && !existsSync(file))
    return [note('database', `'${file}' does not exist yet`, 'run "praxis serve"; its first start creates the file')];
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

/** Checks that descriptors, migrations and database agree. */
async function migrations(database: Database, config: Config, registry: Registry): Promise<Finding> {
  const { state, files, drift } = await statusOf(database, registry, readMigrations(config.migrations));
  const waiting = files.filter((each) => each.state === 'pending' || each.state === 'partly').length;
  switch (state) {
    case 'new':
      return note(
        'migrations',
        'the database is empty',
        'run "praxis serve", whose first start sets it up, or "praxis migrate apply"',
      );
    case 'current':
      return fine('migrations', 'descriptors, migrations and database agree');
    case 'unwritten':
      return act(
        'migrations',
        'the descriptors differ from the migrations',
        'run "praxis migrate generate", then "praxis migrate apply"',
      );
    case 'pending':
      return act('migrations', `${waiting} of ${files.length} migrations are pending`, 'run "praxis migrate apply"');
    case 'drifted':
      return act(
        'migrations',
        `${drift[0]?.text ?? 'a migration was changed after it was applied'}`,
        'run "praxis migrate status" for all differences',
      );
  }
}

/** Checks the size of the write-ahead log; a long snapshot keeps it from being truncated. */
function log({ logBytes }: Database): readonly Finding[] {
  const bytes = logBytes?.() ?? 0;
  if (bytes <= longLogBytes) return [];
  const says = `the write-ahead log of the database has ${(bytes / 1024 ** 3).toFixed(1)} GiB`;
  return [
    note(
      'log',
      says,
      'stop running exports, or lower EXPORT_LIMIT: a running export keeps the log from being truncated',
    ),
  ];
}

/** Compares the clock of the database with the clock of this machine. */
async function clock(database: Database): Promise<Finding> {
  const before = Date.now();
  const [row] = await database.all(`select ${database.dialect.nowMs} as now`, []);
  // Compare with the middle of the round trip.
  const skew = Math.abs(Number(row?.[0]) - (before + Date.now()) / 2);
  const says = `the clocks of database and service differ by ${(skew / 1000).toFixed(1)} s`;
  return skew > mostSkewMs
    ? act('clock', says, 'synchronise both clocks by NTP (timedatectl set-ntp true)')
    : fine('clock', says);
}

/** Checks that no record is dated in the future, which means that the clock was ahead or is late. */
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
        `a ${newest.title} was created at ${newest.at}, ${(aheadMs / 3_600_000).toFixed(1)} h in the future`,
        'synchronise the clock by NTP (timedatectl set-ntp true); until then, lists sort new records after that record',
      )
    : fine('times', 'no record is dated in the future');
}

/** Checks that there is a valid token, and reports tokens that expire soon. */
async function tokens(database: Database, { accessToken }: Config): Promise<readonly Finding[]> {
  const all = (await hasTable(database, tokenTableName))
    ? await listTokens(createUnitOfWork(database, { deadlineMs }))
    : [];
  const now = new Date().toISOString();
  const soon = new Date(Date.now() + soonMs).toISOString();
  const active = all.filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt ?? soon) > now);
  if (all.length === 0 && accessToken === undefined)
    return [note('tokens', 'there is no token yet', 'run "praxis serve", which prints one, or "praxis token create"')];
  if (active.length === 0 && accessToken === undefined)
    return [act('tokens', 'no token is valid', 'run "praxis token create"')];
  const ending = active.filter(({ expiresAt }) => expiresAt !== null && expiresAt < soon);
  const count = `${active.length} ${active.length === 1 ? 'token is' : 'tokens are'} valid${accessToken === undefined ? '' : ', and ACCESS_TOKEN'}`;
  return [
    fine('tokens', count),
    ...ending.map(({ name, last4, expiresAt }) =>
      act(
        'tokens',
        `the token '${name}' (…${last4}) expires at ${expiresAt}`,
        `replace it: praxis token create --name ${JSON.stringify(name)}, then praxis token revoke ${last4}`,
      ),
    ),
  ];
}

/** Checks that this Node knows the time zone of the workspace. */
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
      fine('time-zone', `it is ${day} in ${name}, with time zone data ${process.versions['tz'] ?? 'of the system'}`),
    ];
  } catch {
    return [
      act(
        'time-zone',
        `this Node.js does not know the time zone ${name} of the workspace settings`,
        'use a build of Node.js with full ICU data',
      ),
    ];
  }
}
