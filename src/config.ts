// Environment and project file → Config: the only place that knows the names of the variables. All faults are reported
// at once.
import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { ConfigurationFault } from './configuration-fault.ts';
import type { ProjectConfig } from './project.ts';
import { rulesWith } from './rules/catalogue.ts';
import type { Rule } from './rules/support/rule.ts';
import { didYouMean } from './text/nearest.ts';
import { currencyCodes, isCurrency } from './values/currency.ts';
import { codePoints, hasText, isEmail } from './values/format.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** Used once, when the records of a new workspace are made; descriptors name these values by their keys. */
interface SetupConfig {
  readonly workspaceName: string;
  readonly workspaceCurrency: string;
  /** Both or none: the first administrator. */
  readonly adminName: string | undefined;
  readonly adminEmail: string | undefined;
}

export const defaultSetup: SetupConfig = Object.freeze({
  workspaceName: 'My Company',
  workspaceCurrency: 'USD',
  adminName: undefined,
  adminEmail: undefined,
});

/** For how many days something is kept. */
export type KeptDays = number | 'forever';

/** So many requests in so many seconds. */
interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** How messages of webhooks are sent. */
interface WebhookConfig {
  /** Hosts with their ports, as addresses have them, that may be private and be spoken to without TLS. */
  readonly hosts: readonly string[];
  /** Pauses between tries, the last again and again, until a time is over; as usual where it is not set. */
  readonly pauses?: { readonly pausesMs: readonly number[]; readonly untilMs: number } | undefined;
}

/** How people sign in. */
interface SignInConfig {
  /** One at least. */
  readonly ways: readonly SignInWay[];
  readonly sessionHours: number;
  /** There where it is one of the ways. */
  readonly oidc:
    | {
        readonly issuer: string;
        readonly clientId: string;
        readonly clientSecret: string;
        /** Origin under which browsers know the service. */
        readonly publicUrl: string;
      }
    | undefined;
}

const signInWays = ['password', 'oidc'] as const;
type SignInWay = (typeof signInWays)[number];

export interface Config {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** As `openDatabase` reads it, which also says what is wrong with it. May hold a password. */
  readonly databaseUrl: string;
  /** Time that `migrate` and `verify` wait for a database that does not answer; undefined: their own default. */
  readonly databaseWaitMs?: number | undefined;
  /** A token that is always accepted. */
  readonly accessToken: string | undefined;
  /** Folder of descriptors. */
  readonly resources: string;
  /** Folder of roles, where another one is named than `roles` among the descriptors, which need not be there. */
  readonly rolesFolder?: string | undefined;
  /** Folder of migrations; it need not be there. */
  readonly migrations: string;
  /** The catalogue, with the rules of the project's own; the catalogue alone where it is not set. */
  readonly rules?: Readonly<Record<string, Rule>> | undefined;
  /** The project's own, which runs before every request. */
  readonly middleware?: ProjectConfig['middleware'] | undefined;
  /** Whether there are pages for people; there are where it is not set. */
  readonly pages?: boolean | undefined;
  /** Whether a start adds to a server database that holds records what the descriptors have more. */
  readonly applyAdditions: boolean;
  /** `https://app.example.com`, as browsers send them. */
  readonly corsOrigins: readonly string[];
  /** How much one token may ask of this process; without it, as much as it can. */
  readonly rateLimit?: RateLimit | undefined;
  /** How many other records one write may change; the engine's own default where it is not set. */
  readonly recordsPerWrite?: number | undefined;
  /** How many records a summary may look at; 2,000,000 by default. */
  readonly summaryRows?: number | undefined;
  /** How long an export may take, and how long its reader may take nothing of it. */
  readonly exportLimitMs?: number | undefined;
  readonly exportStallMs?: number | undefined;
  /** For how many days the log of changes is kept, or for ever; without it there is none. */
  readonly changes?: KeptDays | undefined;
  readonly webhooks?: WebhookConfig | undefined;
  /** Where files are kept: a folder, or `database`. */
  readonly files?: string | undefined;
  /** The server's own default where it is not set. */
  readonly connectionsPerAddress?: number | undefined;
  /** Whether there is a console for people, at `/console`. */
  readonly console?: boolean | undefined;
  /** Whether answers tell what their time went to. */
  readonly serverTiming?: boolean | undefined;
  readonly logLevel: LogLevel;
  /** How people sign in; nobody does where it is not set. */
  readonly signIn?: SignInConfig | undefined;
  /** Origin under which browsers know the service. */
  readonly publicUrl?: string | undefined;
  readonly setup: SetupConfig;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What a variable must be: a value, or the words behind "<NAME> must be ". */
type Reader<T> = (text: string) => { readonly value: T } | string;

const longestName = 255;

const readPort: Reader<number> = (text) => {
  const value = Number(text);
  return /^\d+$/.test(text) && value <= 65_535 ? { value } : `a whole number from 0 to 65535, not '${text}'`;
};

const readHost: Reader<string> = (text) =>
  isIP(text) > 0 || /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(text)
    ? { value: text }
    : `an IP address or a host name without port or scheme, not '${text}'`;

/** Reads a secret, which no message quotes, even if it is too short. */
const readSecret =
  (minLength: number): Reader<string> =>
  (text) =>
    /^[\x21-\x7e]+$/.test(text) && text.length >= minLength
      ? { value: text }
      : `${minLength} or more visible ASCII characters without spaces`;

const readFolderOf =
  (what: string): Reader<string> =>
  (text) =>
    statSync(text, { throwIfNoEntry: false })?.isDirectory() === true
      ? { value: text }
      : `a folder of ${what}; there is no folder '${text}'`;

const readOrigins: Reader<readonly string[]> = (text) => {
  const value = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const wrong = value.find((item) => originOf(item) !== item);
  if (wrong === undefined) return { value: Object.freeze([...new Set(value)]) };
  const meant = originOf(wrong) ?? 'https://app.example.com';
  return `origins separated by commas, each like '${meant}', not '${wrong}'`;
};

/** The origin of an address as browsers write it: no path, lower case, no default port. */
function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.origin : undefined;
}

const msOf = { s: 1000, min: 60_000, h: 3_600_000 } as const;
const mostRequests = 1_000_000_000;

const readRateLimit: Reader<RateLimit> = (text) => {
  const [, count = '', unit = ''] = /^([1-9]\d{0,9})\/(s|min|h)$/.exec(text) ?? [];
  const requests = Number(count);
  if (count === '' || requests > mostRequests)
    return `a number of requests from 1 to ${mostRequests} a second, minute or hour, like '100/s', '6000/min' or '100000/h', not '${text}'`;
  return { value: Object.freeze({ requests, seconds: msOf[unit as keyof typeof msOf] / 1000 }) }; // by the expression above
};

/** @param most As it is written. */
const readTime =
  (most: string): Reader<number> =>
  (text) => {
    const ms = msIn(text);
    return ms !== undefined && ms <= (msIn(most) ?? 0)
      ? { value: ms }
      : `a time like '10s', '5min' or '2h', at most ${most}, not '${text}'`;
  };

const readTries: Reader<NonNullable<WebhookConfig['pauses']>> = (text) => {
  const [pauses = '', until = '', ...others] = text.split('/');
  const pausesMs = pauses.split(',').map((pause) => msIn(pause.trim()));
  const untilMs = msIn(until.trim());
  return others.length > 0 || untilMs === undefined || !pausesMs.every((ms) => ms !== undefined)
    ? `pauses with commas, and behind a slash how long it is tried, like '5s,30s,2min,1h/72h', not '${text}'`
    : { value: Object.freeze({ pausesMs, untilMs }) };
};

/** As addresses have them: `hooks.internal:8080`. */
const readHosts: Reader<readonly string[]> = (text) => {
  const value = text.split(',').map((host) => host.trim());
  const wrong = value.find(
    (host) => !/^[^/:]+:\d+$|^\[[\da-f:.]+\]:\d+$/.test(host) || !URL.canParse(`http://${host}`),
  );
  return wrong === undefined
    ? { value: Object.freeze(value) }
    : `hosts with their ports, separated by commas, like 'hooks.internal:8080', not '${wrong}'`;
};

function msIn(text: string): number | undefined {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})(s|min|h)$/.exec(text) ?? [];
  return count === '' ? undefined : Number(count) * msOf[unit as keyof typeof msOf]; // by the expression above
}

const readCount =
  (most: number): Reader<number> =>
  (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= 1 && value <= most
      ? { value }
      : `a whole number from 1 to ${most}, not '${text}'`;
  };

/** As many as there may be in all. */
const readConnections = readCount(10_000);
/** Its changes are held in memory until they are committed. */
const readRecords = readCount(10_000_000);

/** @returns undefined as its value for none */
const readKept: Reader<KeptDays | undefined> = (text) => {
  if (text === 'off' || text === 'forever') return { value: text === 'off' ? undefined : text };
  const days = /^[1-9]\d{0,3}d$/.test(text) ? Number.parseInt(text, 10) : 0;
  return days >= 1 && days <= 3650 ? { value: days } : `off, forever, or days from 1d to 3650d, not '${text}'`;
};

const readName: Reader<string> = (text) =>
  hasText(text) && codePoints(text) <= longestName ? { value: text } : `a text of at most ${longestName} characters`;

const readCurrency: Reader<string> = (text) =>
  isCurrency(text)
    ? { value: text }
    : `the ISO 4217 code of a currency in use, not '${text}'${didYouMean(text, currencyCodes)}`;

const readEmail: Reader<string> = (text) => (isEmail(text) ? { value: text } : `an e-mail address, not '${text}'`);

const readSwitch: Reader<boolean> = (text) =>
  text === 'true' || text === 'false' ? { value: text === 'true' } : `true or false, not '${text}'`;

const readWays: Reader<readonly SignInWay[]> = (text) => {
  const words = text.split(',').map((word) => word.trim());
  const wrong = words.find((word) => !signInWays.some((way) => way === word));
  const known = signInWays.filter((way) => words.includes(way));
  return wrong === undefined
    ? { value: Object.freeze(known) }
    : `${signInWays.join(', ')} or both, separated by a comma, not '${text}'${didYouMean(wrong, signInWays)}`;
};

const readPublicUrl: Reader<string> = (text) => {
  const origin = originOf(text);
  return origin === text ? { value: text } : `an origin like '${origin ?? 'https://work.example.com'}', not '${text}'`;
};

/** Only on this machine is plain HTTP as good. */
const isLoopback = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

const readIssuer: Reader<string> = (text) => {
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  return url !== null && isSafe && url.search === '' && url.hash === '' && url.username === ''
    ? { value: text }
    : `the https address of an issuer, without a query, not '${text}'`;
};

/** Several processes have a server together, and no folder. */
const filesBeside = (databaseUrl = 'sqlite:data/workspace.sqlite'): string =>
  databaseUrl.startsWith('sqlite:') && databaseUrl !== 'sqlite::memory:' ? 'data/files' : 'database';

const readLevel: Reader<LogLevel> = (text) => {
  const value = logLevels.find((level) => level === text);
  return value === undefined ? `one of ${logLevels.join(', ')}, not '${text}'` : { value };
};

/** What reads one variable, or says that it is wrong. */
interface Reading {
  read<T, D>(name: string, reader: Reader<T>, otherwise: D): T | D;
  readonly given: ReadonlyMap<string, string>;
  readonly faults: string[];
}

function readSignIn(reading: Reading): SignInConfig | undefined {
  const ways = reading.read('SIGN_IN', readWays, undefined);
  const sessionHours = reading.read('SESSION_HOURS', readCount(720), 12);
  return ways && { ways, sessionHours, oidc: ways.includes('oidc') ? readOidc(reading) : undefined };
}

const readTimes = (read: Reading['read']): Pick<Config, 'databaseWaitMs' | 'exportLimitMs' | 'exportStallMs'> => ({
  databaseWaitMs: read('DATABASE_WAIT', readTime('24h'), undefined),
  exportLimitMs: read('EXPORT_LIMIT', readTime('24h'), undefined),
  exportStallMs: read('EXPORT_STALL', readTime('60s'), undefined),
});

const readWebhooks = (read: Reading['read']): WebhookConfig =>
  Object.freeze({
    hosts: read('WEBHOOK_HOSTS', readHosts, []),
    pauses: read('WEBHOOK_TRIES', readTries, undefined),
  });

/** What a sign-in elsewhere needs, all of it. */
function readOidc({ read, given, faults }: Reading): NonNullable<SignInConfig['oidc']> {
  const needed = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL'];
  const missing = needed.filter((name) => !given.has(name));
  if (missing.length > 0) faults.push(`SIGN_IN=oidc needs ${missing.join(', ')} too.`);
  return {
    issuer: read('OIDC_ISSUER', readIssuer, ''),
    clientId: read('OIDC_CLIENT_ID', (value) => ({ value }), ''),
    clientSecret: read('OIDC_CLIENT_SECRET', readSecret(16), ''),
    publicUrl: read('PUBLIC_URL', readPublicUrl, ''),
  };
}

/**
 * Reads the configuration; a variable that is empty counts as not set.
 * @param project What `praxis.config.ts` says; variables go before it.
 * @throws ConfigurationFault with a line for each wrong value. The database address is judged when it is opened.
 */
export function readConfig(env: Environment, project: ProjectConfig = {}): Config {
  const { resources, roles, migrations, changes } = project;
  const said = Object.entries({
    RESOURCES: resources,
    ROLES: roles,
    MIGRATIONS: migrations,
    CHANGES: changes,
  }).filter(isSet);
  const variables = Object.entries(env).filter(isSet);
  // The default folder may be missing as well as a named one.
  const given = new Map([['RESOURCES', 'resources'], ...said, ...variables]);
  const inProject = new Map(said.filter(([name]) => !new Map(variables).has(name)));
  const faults: string[] = [];
  function read<T, D>(name: string, reader: Reader<T>, otherwise: D): T | D {
    const text = given.get(name);
    if (text === undefined) return otherwise;
    const result = reader(text);
    if (typeof result === 'object') return result.value;
    const called = inProject.has(name) ? `"${name.toLowerCase()}" of the project` : name;
    faults.push(`${called} must be ${result}${result.endsWith('?') ? '' : '.'}`);
    return otherwise;
  }
  function readTogether(one: string, other: string): void {
    if (given.has(one) && !given.has(other)) faults.push(`${one} is set and ${other} is not; set both or none.`);
  }

  const signIn = readSignIn({ read, given, faults });
  const publicUrl = signIn?.oidc?.publicUrl ?? read('PUBLIC_URL', readPublicUrl, undefined);
  const config: Config = {
    port: read('PORT', readPort, 3000),
    host: read('HOST', readHost, '127.0.0.1'),
    databaseUrl: read('DATABASE_URL', (value) => ({ value }), 'sqlite:data/workspace.sqlite'),
    accessToken: read('ACCESS_TOKEN', readSecret(24), undefined),
    resources: read('RESOURCES', readFolderOf('descriptors'), 'resources'),
    // A folder that is named must be there: without it nobody would be refused anything.
    rolesFolder: read('ROLES', readFolderOf('roles'), undefined),
    migrations: read('MIGRATIONS', (value) => ({ value }), 'migrations'),
    rules: project.rules && rulesWith(project.rules),
    middleware: project.middleware,
    pages: read('PAGES', readSwitch, project.pages),
    applyAdditions: read('APPLY_ADDITIONS', readSwitch, false),
    corsOrigins: read('CORS_ORIGINS', readOrigins, []),
    rateLimit: read('RATE_LIMIT', readRateLimit, undefined),
    recordsPerWrite: read('RECORDS_PER_WRITE', readRecords, undefined),
    summaryRows: read('SUMMARY_ROWS', readCount(100_000_000), undefined),
    ...readTimes(read),
    changes: read('CHANGES', readKept, undefined),
    webhooks: readWebhooks(read),
    files: read('FILES', (value) => ({ value }), filesBeside(given.get('DATABASE_URL'))),
    connectionsPerAddress: read('CONNECTIONS_PER_ADDRESS', readConnections, undefined),
    console: read('CONSOLE', readSwitch, project.console),
    // What a request waits for is nobody's business but the developers'.
    serverTiming: given.get('NODE_ENV') !== 'production',
    logLevel: read('LOG_LEVEL', readLevel, 'info'),
    ...(signIn && { signIn }),
    ...(publicUrl !== undefined && { publicUrl }),
    setup: Object.freeze({
      workspaceName: read('WORKSPACE_NAME', readName, defaultSetup.workspaceName),
      workspaceCurrency: read('WORKSPACE_CURRENCY', readCurrency, defaultSetup.workspaceCurrency),
      adminName: read('ADMIN_NAME', readName, undefined),
      adminEmail: read('ADMIN_EMAIL', readEmail, undefined),
    }),
  };
  if (signIn?.oidc !== undefined && config.console === false)
    faults.push('SIGN_IN=oidc needs the console, where people begin; leave CONSOLE out.');
  readTogether('ADMIN_NAME', 'ADMIN_EMAIL');
  readTogether('ADMIN_EMAIL', 'ADMIN_NAME');
  if (faults.length > 0) throw new ConfigurationFault(faults.join('\n'));
  return Object.freeze(config);
}

const isSet = (entry: [string, string | undefined]): entry is [string, string] => (entry[1] ?? '') !== '';
