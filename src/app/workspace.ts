// A database set up for the descriptors, and the engine on it.

import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Roles } from '../access/model.ts';
import { type Config, defaultSetup, type KeptDays } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { components } from '../endpoints/document/components.ts';
import { Holders } from '../engine/access/holders.ts';
import { Engine } from '../engine/engine.ts';
import { Idempotency } from '../engine/idempotency.ts';
import { Groups } from '../engine/plan/groups.ts';
import { setUp } from '../engine/setup.ts';
import { WorkspaceSettings } from '../engine/transaction/workspace.ts';
import { endedActors } from '../engine/write/actors.ts';
import { inDatabase, openStore } from '../files/open-store.ts';
import type { FileStore } from '../files/store.ts';
import { patiently } from '../migration/run/lock.ts';
import { bringUp, findFittingRevision } from '../migration/run/start.ts';
import { type People, peopleOf, preparePeople, type SignInOptions } from '../people/people.ts';
import type { Registry } from '../registry/model/model.ts';
import { rules as ownRules } from '../rules/catalogue.ts';
import type { Rule } from '../rules/support/rule.ts';
import { prepareState } from '../storage/counters.ts';
import { forgetCredentials } from '../storage/credentials.ts';
import { fileOf, memoryUrl, openDatabase } from '../storage/database.ts';
import { prepareFiles } from '../storage/files/records.ts';
import { prepareIdempotencyKeys } from '../storage/idempotency-keys.ts';
import { isLogOn, prepareLog } from '../storage/log/state.ts';
import { prepareWebhooks } from '../storage/log/webhooks.ts';
import type { Database } from '../storage/schema/session.ts';
import { endSessionsOf } from '../storage/sessions.ts';
import { prepareTokens, revokeTokensOf, TokenBook } from '../storage/tokens.ts';
import { createUnitOfWork, type UnitOfWork } from '../storage/unit-of-work.ts';
import { prepareDay } from '../storage/workspace-day.ts';
import { Clock } from './clock.ts';
import { figuresIn } from './figures.ts';
import { logOf, type ServiceLog } from './log/log.ts';
import { registryOf, rolesOf, rulesOf } from './registry.ts';

/** No further try of a unit of work begins after this time. */
const deadlineMs = 10_000;
/** A database that is set up for a registry, and the engine on it. */
export interface Workspace {
  readonly registry: Registry;
  readonly database: Database;
  readonly unit: UnitOfWork;
  readonly engine: Engine;
  readonly groups: Groups;
  readonly once: Idempotency;
  readonly book: WorkspaceSettings;
  readonly tokens: TokenBook;
  /** Where something that is kept, or done, hangs on the day. */
  readonly clock: Clock | undefined;
  /** Where the bytes of files are; undefined where no group has any. */
  readonly files: FileStore | undefined;
  /** The log of changes, where it is switched on. */
  readonly log: ServiceLog | undefined;
  /** Undefined where nobody signs in. */
  readonly people: People | undefined;
  /** Undefined where there are none, and everything is as without them. */
  readonly roles: Roles | undefined;
  /** Who holds which of them. */
  readonly holders: Holders | undefined;
  close(): Promise<void>;
}

export interface WorkspaceParts {
  readonly registry: Registry;
  readonly database: Database;
  /** Rules by the names that the descriptors of `registry` use; the catalogue's own by default. */
  readonly rules?: Readonly<Record<string, Rule>> | undefined;
  /** Of `registry`; undefined: there are none. */
  readonly roles?: Roles | undefined;
  /** Used once, for the first records of a new database. */
  readonly setup?: Config['setup'] | undefined;
  /** Folder of migrations; without one, a database is only set up and added to. */
  readonly migrations?: string | undefined;
  /** Whether a start adds to a server database that holds records what the descriptors have more. */
  readonly applyAdditions?: boolean | undefined;
  /** How many other records one write may change. */
  readonly recordsPerWrite?: number | undefined;
  /** How many records a summary may look at. */
  readonly summaryRows?: number | undefined;
  /** Maximum length of the responses stored for the idempotency keys of a caller in 24 hours, in bytes. */
  readonly storedResponseBytes?: number | undefined;
  /** Where files are kept: a folder, or `database`, where they are by default. */
  readonly files?: string | undefined;
  /** For how many days the log of changes is kept; without it there is none. */
  readonly changes?: KeptDays | undefined;
  /** Whether somebody is at work on the descriptors; see `bringUp`. */
  readonly isTrial?: boolean | undefined;
  /** A token that is always accepted, belonging to no member; others are made with `praxis token create`. */
  readonly accessToken?: string | undefined;
  /** How people sign in; nobody does without it. */
  readonly signIn?: SignInOptions | undefined;
  /** Milliseconds since 1970, for what ends with time of those who sign in; the clock of the machine by default. */
  readonly now?: (() => number) | undefined;
  readonly logger?: Logger | undefined;
}

/**
 * Opens the database of a configuration and sets it up.
 * @throws DescriptorFaults, ConfigurationFault
 */
export async function openWorkspace(config: Config, logger?: Logger): Promise<Workspace> {
  const registry = registryOf(config);
  const roles = rolesOf(config, registry);
  const database = await openDatabase(config.databaseUrl);
  // Only a service switches the log off: what a command writes is logged wherever one is on.
  const opened = isLogOn(database).then((isOn) =>
    setUpWorkspace({
      ...{ ...config, registry, roles, database, logger },
      changes: config.changes ?? (isOn ? 'forever' : undefined),
    }),
  );
  return closedOnFailure(database, opened);
}

/**
 * Opens the database of a configuration as it is, for who looks at its records: nothing is made or brought up to date. What is
 * put right is logged, where a log is on.
 * @throws DescriptorFaults; ConfigurationFault where it is not what the descriptors ask
 */
export async function openAsItIs(
  config: Config,
  options: { readonly isScanned?: boolean } = {},
): Promise<
  Pick<Workspace, 'registry' | 'files' | 'database' | 'engine' | 'unit' | 'close'> & { readonly today: () => string }
> {
  const registry = registryOf(config);
  const file = fileOf(config.databaseUrl);
  if (config.databaseUrl === memoryUrl || (file !== undefined && !existsSync(file)))
    throw new ConfigurationFault(`There are no records in ${config.databaseUrl}; set DATABASE_URL.`);
  const database = await openDatabase(config.databaseUrl, options);
  const revision = await closedOnFailure(database, findFittingRevision(database, registry));
  if (revision === undefined) {
    await database.close();
    throw new ConfigurationFault('The database does not match the descriptors; run "praxis migrate status".');
  }
  const unit = createUnitOfWork(database, { deadlineMs });
  unit.schema.adopt(revision);
  const groups = new Groups(registry, rulesOf(config), database.dialect);
  const book = new WorkspaceSettings(groups, unit);
  const isLogged = await closedOnFailure(database, isLogOn(database));
  const log = logOf({ registry, database, unit, kept: isLogged ? 'forever' : undefined });
  const engine = new Engine({
    groups,
    unit,
    log: log?.changes,
    today: () => book.today(),
    recordsPerWrite: config.recordsPerWrite,
    workspaceChanged: () => book.refresh(),
  });
  await closedOnFailure(database, book.refresh());
  const clock = groups.hasDays ? new Clock({ groups, unit, engine, book, logger: undefined }) : undefined;
  if (clock !== undefined)
    await closedOnFailure(
      database,
      prepareDay(database).then(() => clock.begin()),
    );
  const files = filesOf(config, { registry, unit, dialect: database.dialect });
  return { registry, files, database, engine, unit, today: () => book.today(), close: closing(database, log) };
}

/** A database that cannot be used must not keep the process alive. */
export async function closedOnFailure<T>(database: Database, made: Promise<T>): Promise<T> {
  try {
    return await made;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Where files are kept, if any group has them. */
const filesOf = (
  { files = inDatabase }: Pick<WorkspaceParts, 'files'>,
  { registry, unit, dialect }: Pick<Workspace, 'registry' | 'unit'> & Pick<Database, 'dialect'>,
): FileStore | undefined => registry.files && openStore(files, { unit, dialect });

export async function setUpWorkspace(parts: WorkspaceParts): Promise<Workspace> {
  const { registry, database, rules, setup, migrations, applyAdditions, isTrial, logger } = parts;
  // Two things of one name in the document stop the start before a table is made.
  components(registry);
  const unit = createUnitOfWork(database, { deadlineMs, ...(logger && { logger }) });
  const groups = new Groups(registry, rules ?? ownRules, database.dialect);
  const book = new WorkspaceSettings(groups, unit);
  const tokens = new TokenBook({ accessToken: parts.accessToken, logger });
  const log = logOf({ registry, database, unit, kept: parts.changes });
  const people = parts.signIn && peopleOf({ groups, unit, options: parts.signIn, now: parts.now ?? Date.now });
  const engine = new Engine({
    groups,
    unit,
    log: log?.changes,
    today: () => book.today(),
    recordsPerWrite: parts.recordsPerWrite,
    summaryRows: parts.summaryRows,
    workspaceChanged: () => lookAgain(book, logger),
    changing: async (session, changes) => {
      const { gone, ended, out } = await endedActors(groups, session, changes);
      if (ended.length > 0) await revokeTokensOf(session, ended);
      if (people !== undefined && out.length > 0) {
        await endSessionsOf(session, out);
        if (gone.length > 0) await forgetCredentials(session, gone);
      }
      if (out.length === 0 && holders === undefined) return undefined;
      return async () => {
        holders?.noteChanges(changes);
        if (out.length === 0) return;
        people?.sessions.forgetOf(out);
        await lookAgain({ refresh: () => tokens.refresh(unit) }, logger);
      };
    },
  });
  const holders =
    parts.roles &&
    new Holders({
      ...{ registry, roles: [...parts.roles.byName.values()], today: () => book.today() },
      ...{ session: unit.direct, dialect: database.dialect },
    });
  await prepare(database, { registry, groups, isLogged: log !== undefined, mayMake: applyAdditions === true, people });
  const revision = await bringUp({
    database,
    registry,
    folder: migrations,
    applyAdditions: applyAdditions === true,
    isTrial,
    figures: figuresIn({ groups, unit, database }),
    onStep: (words) => logger?.info(`database: ${words}`),
  });
  unit.schema.adopt(revision);
  await setUp({ database, unit, groups, values: { ...(setup ?? defaultSetup) }, log: log?.changes });
  await book.refresh();
  const clock = groups.hasDays ? new Clock({ groups, unit, engine, book, logger }) : undefined;
  await clock?.begin();
  const once = new Idempotency(unit, parts.storedResponseBytes);
  const { roles } = parts;
  const files = filesOf(parts, { registry, unit, dialect: database.dialect });
  const kept = { registry, files, database, unit, engine, groups, once, book, tokens };
  return { ...kept, people, clock, log, roles, holders, close: closing(database, log) };
}

/** The log has been told of all that was committed before its database is closed. */
const closing = (database: Database, log: ServiceLog | undefined) => async (): Promise<void> => {
  await log?.watch.done();
  await database.close();
};

interface Prepared extends Pick<Workspace, 'registry' | 'groups' | 'people'> {
  readonly isLogged: boolean;
  /** Whether a start may make the tables of the log where there are records already. */
  readonly mayMake: boolean;
}

/** Makes the tables of the service's own, unless they are there. */
async function prepare(database: Database, { registry, groups, people, isLogged, mayMake }: Prepared): Promise<void> {
  await patiently(() => prepareState(database));
  await patiently(() => prepareTokens(database));
  await patiently(() => prepareIdempotencyKeys(database));
  if (groups.hasDays) await patiently(() => prepareDay(database));
  await patiently(() => prepareLog(database, { isOn: isLogged, mayMake }));
  if (isLogged) await patiently(() => prepareWebhooks(database));
  if (people !== undefined) await patiently(() => preparePeople(database));
  if (registry.files !== undefined) await patiently(() => prepareFiles(database));
}

/** What cannot be read now is read the next time; until then what was last known holds. */
export const lookAgain = (book: Pick<WorkspaceSettings, 'refresh'>, logger: Logger | undefined): Promise<void> =>
  book.refresh().catch((error: unknown) => logger?.debug({ err: error }, 'failed to read settings'));
