// The address of a MySQL server: parsed strictly, and shown in messages without its password.

import type { ConnectionOptions } from 'mysql2';
import { ConfigurationFault } from '../../configuration-fault.ts';

/** Whether commands are sent before others are answered. `on`: whatever stands between; `auto`: where nothing does. */
const pipelines = ['auto', 'on', 'off'] as const;
export type Pipeline = (typeof pipelines)[number];

export interface ServerAddress {
  /** `host:port`, for messages. */
  readonly name: string;
  readonly user: string;
  readonly database: string;
  readonly connectionLimit: number;
  /** The most that a command of a request may take. */
  readonly deadlineMs: number;
  readonly pipeline: Pipeline;
  readonly connection: ConnectionOptions;
}

const encryptions: ReadonlyMap<string, ConnectionOptions> = new Map([
  ['false', {}],
  ['true', { ssl: { rejectUnauthorized: true, verifyIdentity: true } }],
  ['unverified', { ssl: { rejectUnauthorized: false } }],
]);

const fault = (text: string, cause?: unknown): ConfigurationFault => new ConfigurationFault(text, cause);

const decoded = (part: string, text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw fault(`The ${part} in the database URL is not percent-encoded correctly.`);
  }
};

interface Bounds {
  readonly otherwise: number;
  readonly least: number;
  readonly most: number;
}

const numbers = {
  connectionLimit: { otherwise: 10, least: 1, most: 500 },
  deadlineMs: { otherwise: 2000, least: 500, most: 60_000 },
} as const satisfies Record<string, Bounds>;

const readNumber = (url: URL, name: keyof typeof numbers): number => {
  const { otherwise, least, most } = numbers[name];
  const text = url.searchParams.get(name) ?? String(otherwise);
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw fault(`${name}=${text} in the database URL must be an integer from ${least} to ${most}.`);
  }
  return value;
};

const readPipeline = (text: string): Pipeline => {
  const found = pipelines.find((each) => each === text);
  if (found === undefined) throw fault(`pipeline=${text} in the database URL must be one of: ${pipelines.join(', ')}.`);
  return found;
};

const readEncryption = (text: string): ConnectionOptions => {
  const options = encryptions.get(text);
  if (options === undefined) {
    throw fault(`ssl=${text} in the database URL must be one of: ${[...encryptions.keys()].join(', ')}.`);
  }
  return options;
};

/**
 * Reads `mysql://user:password@host:port/database`, with `connectionLimit` (10), `deadlineMs` (2000) and `ssl`: `true`
 * checks certificate and host name, `unverified` only encrypts. User, password and database are percent-encoded.
 * @throws ConfigurationFault for anything else.
 */
export const readMysqlUrl = (url: URL): ServerAddress => {
  for (const name of url.searchParams.keys()) {
    if (!Object.hasOwn(numbers, name) && name !== 'ssl' && name !== 'pipeline') {
      throw fault(
        `Unknown option '${name}' in the database URL; known are connectionLimit, deadlineMs, pipeline and ssl.`,
      );
    }
  }
  const database = decoded('database', url.pathname.slice(1));
  if (database === '') throw fault('The database URL names no database: mysql://user:password@host:3306/database.');
  const host = decoded('host', url.hostname.replace(/^\[(.*)\]$/, '$1')) || '127.0.0.1';
  const port = url.port === '' ? 3306 : Number(url.port);
  const user = decoded('user', url.username);
  const password = decoded('password', url.password);
  return {
    name: `${url.hostname || host}:${port}`,
    user,
    database,
    connectionLimit: readNumber(url, 'connectionLimit'),
    deadlineMs: readNumber(url, 'deadlineMs'),
    pipeline: readPipeline(url.searchParams.get('pipeline') ?? 'auto'),
    connection: { host, port, user, password, database, ...readEncryption(url.searchParams.get('ssl') ?? 'false') },
  };
};

/** One clear line for why a first connection failed. */
export const connectionFault = (place: ServerAddress, error: unknown): ConfigurationFault => {
  const { name, user, database } = place;
  const errno = error instanceof Error && 'errno' in error ? error.errno : undefined;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (errno === 1045 || errno === 1698)
    return fault(`The database server at ${name} refuses the user '${user}' or the password.`, error);
  if (errno === 1044) return fault(`The user '${user}' may not use the database '${database}' at ${name}.`, error);
  if (errno === 1049) {
    return fault(
      `Unknown database '${database}' at ${name}: create it first (create database \`${database}\` character set utf8mb4).`,
      error,
    );
  }
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT')
    return fault(`The database server at ${name} offers no TLS (ssl=true).`, error);
  if (code === 'ECONNREFUSED') return fault(`No database server answers at ${name} (connection refused).`, error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return fault(`The database host of ${name} is not known.`, error);
  const reason = error instanceof Error && error.message !== '' ? error.message : String(code ?? error);
  return fault(`Cannot connect to the database server at ${name}: ${reason}`, error);
};
