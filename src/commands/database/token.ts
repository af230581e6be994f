// `praxis token`: access tokens, made by whoever has write access to the database.
import { limitsOf, readAllowance, type TokenLimits } from '../../access/limits.ts';
import { type AccessOperation, accessOperations, mays, operationsOf, operationWords } from '../../access/model.ts';
import { registryOf, rolesOf } from '../../app/registry.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { prepareState } from '../../storage/counters.ts';
import { memoryUrl, openDatabase } from '../../storage/database.ts';
import type { Database } from '../../storage/schema/session.ts';
import { tableName } from '../../storage/schema/tables.ts';
import { endSession, listSessions, prepareSessions, sessionsMeant } from '../../storage/sessions.ts';
import { hasTable } from '../../storage/statements/ddl.ts';
import { createToken, listTokens, prepareTokens, revokeToken, type TokenRecord } from '../../storage/tokens.ts';
import { createUnitOfWork, type UnitOfWork } from '../../storage/unit-of-work.ts';
import { didYouMean } from '../../text/nearest.ts';
import { addDays, isDate } from '../../values/date.ts';
import { codePoints, hasText, isUuid } from '../../values/format.ts';
import { columnLines } from '../output/table.ts';
import { type JsonFlag, print, printJson, tell } from '../output/terminal.ts';

const deadlineMs = 10_000;
const longestName = 255;
const hourMs = 3_600_000;

/** A token, or the session of a member who has signed in. */
type Listed = TokenRecord & { readonly kind: 'token' | 'session' };
/** What tokens have and sessions have not. */
const ofSessions = { name: 'session', revokedAt: null, limits: null, roles: null };

export interface CreateOptions extends JsonFlag {
  readonly name: string;
  readonly member?: string;
  readonly expires?: string;
  readonly readOnly?: boolean;
  /** Names of roles. */
  readonly role?: readonly string[];
  /** As `to:on`, each. */
  readonly allow?: readonly string[];
}

/** Prints the token alone, so that a script can take it; what else there is to say goes to standard error. */
export async function create(config: Config, options: CreateOptions): Promise<void> {
  const name = readName(options.name);
  const expiresAt = options.expires === undefined ? undefined : readExpiry(options.expires, Date.now());
  const roles = readRoles(config, options.role);
  const limits = readLimits(config, options);
  const memberId = options.member?.toLowerCase();
  const made = await withTokens(config, async (unit, database) => {
    if (memberId !== undefined) await checkMember(config, database, memberId);
    return createToken(unit, { name, memberId, expiresAt, roles, limits });
  });
  tell(
    options,
    {
      id: made.id,
      token: made.token,
      name,
      expiresAt: expiresAt ?? null,
      roles: roles ?? null,
      limits: limits ?? null,
    },
    made.token,
  );
  if (options.json === true) return;
  process.stderr.write(
    `Token ${made.id} (${name}) expires ${expiresAt ?? 'never'}; it cannot be shown again. Running services accept it from now on.\n`,
  );
  const unseen = groupsUnseen(config, limits);
  if (unseen.length > 0)
    process.stderr.write(
      `It may write ${unseen.join(', ')} but read no group, so bodies cannot refer to records, and responses contain only the id.\n`,
    );
}

/** Prints a table, a line for each token, with a line of headings. */
export async function list(config: Config, flags: JsonFlag): Promise<void> {
  const [tokens, sessions] = await withTokens(config, async (unit) =>
    Promise.all([listTokens(unit), listSessions(unit, Date.now())]),
  );
  const records: readonly Listed[] = [
    ...tokens.map((token) => ({ kind: 'token', ...token }) as const),
    ...sessions.map((session) => ({ kind: 'session', ...session, ...ofSessions }) as const),
  ];
  const now = new Date().toISOString();
  if (flags.json === true) {
    printJson(records.map((record) => ({ ...record, state: stateOf(record, now) })));
    return;
  }
  const lines = [
    ['id', 'ends', 'state', 'created', 'expires', 'member', 'roles', 'limits', 'name'],
    ...records.map((record) => [
      record.id,
      record.last4,
      stateOf(record, now),
      record.createdAt,
      record.expiresAt ?? 'never',
      record.memberId ?? 'nobody',
      record.roles?.join(' ') ?? (record.memberId === null ? 'all' : "the member's"),
      limitWords(record.limits),
      record.name,
    ]),
  ];
  for (const line of columnLines(lines)) print(line);
}

/** Revokes one token; running processes refuse it within 5 seconds. */
export async function revoke(config: Config, key: string, flags: JsonFlag): Promise<void> {
  const [one, ...others] = await withTokens(config, async (unit) => {
    const sessions = (await sessionsMeant(unit, key)).map((session) => ({ ...session, ...ofSessions }));
    const [session] = sessions;
    if (session === undefined) return revokeToken(unit, key);
    const tokens = (await listTokens(unit)).filter(({ last4, revokedAt }) => last4 === key && revokedAt === null);
    const meant = [...sessions, ...tokens];
    if (meant.length === 1) await endSession(unit, session.id);
    return meant;
  });
  if (one === undefined) {
    throw new ConfigurationFault(`No token has the id or the last four characters '${key}'; see: praxis token list.`);
  }
  if (others.length > 0) {
    throw new ConfigurationFault(`${others.length + 1} tokens end in '${key}'; give the id: praxis token list.`);
  }
  const wasRevoked = one.revokedAt !== null;
  tell(
    flags,
    { id: one.id, last4: one.last4, name: one.name, wasRevoked },
    `${one.id}  ${one.last4}  ${wasRevoked ? 'was already ' : ''}revoked  ${one.name}`,
  );
  if (flags.json !== true) process.stderr.write('Services that run refuse it within 5 seconds.\n');
}

async function withTokens<T>(config: Config, work: (unit: UnitOfWork, database: Database) => Promise<T>): Promise<T> {
  if (config.databaseUrl === memoryUrl)
    throw new ConfigurationFault(
      `Tokens in ${memoryUrl} would end with this command; set DATABASE_URL or ACCESS_TOKEN.`,
    );
  const database = await openDatabase(config.databaseUrl);
  try {
    await prepareState(database);
    await prepareTokens(database);
    await prepareSessions(database);
    return await work(createUnitOfWork(database, { deadlineMs }), database);
  } finally {
    await database.close();
  }
}

/** The service itself only looks when it needs the acting member; a slip of the pen is found here. */
async function checkMember(config: Config, database: Database, id: string): Promise<void> {
  const { actors, resources } = registryOf(config);
  const group = actors === undefined ? undefined : resources.get(actors);
  if (group === undefined)
    throw new ConfigurationFault(
      'No descriptor has a reference with "defaultFrom": "actingMember", so no records act; leave --member out.',
    );
  if (!isUuid(id)) throw new ConfigurationFault(`--member must be the id of a ${group.title}, not '${id}'.`);
  const table = tableName(group.name);
  const isSetUp = await hasTable(database, table);
  const { quote } = database.dialect;
  const found = isSetUp ? await database.all(`select 1 from ${quote(table)} where id = ?`, [id]) : [];
  if (found.length === 0) throw new ConfigurationFault(`There is no ${group.title} with the id '${id}'.`);
}

function readName(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would forge a line of the list.
  if (hasText(text) && codePoints(text) <= longestName && !/[\u0000-\u001f\u007f]/.test(text)) return text;
  throw new ConfigurationFault(`--name must be a line of text, at most ${longestName} characters.`);
}

/** @throws ConfigurationFault for a role that there is not, with the nearest one, and where there are none */
function readRoles(config: Config, names: readonly string[] = []): readonly string[] | undefined {
  if (names.length === 0) return undefined;
  const roles = rolesOf(config, registryOf(config));
  if (roles === undefined)
    throw new ConfigurationFault(
      '--role needs role files, but the project has none; write them with "praxis new access".',
    );
  const known = roles.byName;
  for (const name of names)
    if (!known.has(name)) throw new ConfigurationFault(`"${name}" is not a role${didYouMean(name, known.keys())}`);
  return [...new Set(names)];
}

/** @throws ConfigurationFault for a word, a group or an area that there is not, with the nearest right one */
function readLimits(config: Config, { readOnly = false, allow = [] }: CreateOptions): TokenLimits | undefined {
  if (!readOnly && allow.length === 0) return undefined;
  if (allow.length > 0) {
    const groups = [...registryOf(config).resources.values()];
    const places = ['*', ...groups.flatMap(({ name, area }) => [name, `area:${area}`])];
    const words = [...accessOperations, ...Object.keys(operationWords)];
    for (const text of allow) {
      const { to, on } = readAllowance(text) ?? wrongAllowance(text, 'it is not of the form to:on');
      const isMay = to.includes('may');
      if (isMay && to.length > 1) wrongAllowance(text, '"may" must be the only word before the colon');
      for (const word of isMay ? [] : to)
        if (operationsOf(word).length === 0)
          wrongAllowance(text, `there is no operation "${word}"`, didYouMean(word, words));
      const known = isMay ? ['*', ...mays] : places;
      for (const place of on)
        if (!known.includes(place)) wrongAllowance(text, `there is no "${place}"`, didYouMean(place, known));
    }
  }
  return { readOnly, allow };
}

function wrongAllowance(text: string, why: string, meant = ''): never {
  throw new ConfigurationFault(
    `--allow must be like read:client,invoice, create:area:Billing or may:metrics, not '${text}': ${why}${meant || '.'}`,
  );
}

/** The groups that a token may write where it may read none. */
function groupsUnseen(config: Config, said: TokenLimits | undefined): string[] {
  if (said === undefined || said.allow.length === 0) return [];
  const limits = limitsOf(said);
  const groups = [...registryOf(config).resources.values()];
  const does = (act: AccessOperation) => groups.filter((group) => limits.permits(group, act)).map(({ name }) => name);
  return does('list').length + does('get').length > 0 ? [] : [...new Set([...does('create'), ...does('update')])];
}

/** `read-only, read:client,invoice` */
const limitWords = (limits: TokenLimits | null): string =>
  limits === null ? 'none' : [...(limits.readOnly ? ['read-only'] : []), ...limits.allow].join(' ');

/** `2027-12-31` works through that day; `30d` and `12h` count from now. @returns ISO 8601, UTC */
function readExpiry(text: string, now: number): string {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([dh])$/.exec(text) ?? [];
  if (count !== '') return new Date(now + Number(count) * (unit === 'd' ? 24 : 1) * hourMs).toISOString();
  const end = isDate(text) && text < '9999-12-31' ? `${addDays(text, 1)}T00:00:00.000Z` : '';
  if (Date.parse(end) > now) return end;
  throw new ConfigurationFault(
    `--expires must be a day to come (2027-12-31) or a time from now (30d, 12h), not '${text}'.`,
  );
}

function stateOf({ revokedAt, expiresAt }: TokenRecord, now: string): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}
