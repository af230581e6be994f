// A project of its own: descriptors that change, the migrations that follow them, and a database that is brought along.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { vi } from 'vitest';
import { startPraxis } from '../../../src/app/serve.ts';
import { apply, generate, status } from '../../../src/commands/database/migrate.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import { type Live, readLive } from '../../../src/migration/editors/live.ts';
import type { Status } from '../../../src/migration/run/status.ts';
import { loadRegistry } from '../../../src/registry/registry.ts';
import { ruleSignatures } from '../../../src/rules/catalogue.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import type { Database } from '../../../src/storage/schema/session.ts';
import { databases, type Engine } from '../databases/databases.ts';
import { type Call, createClient, isObject, type Json } from '../service/client.ts';

export type Dialect = Engine;
/** The databases that there are here. */
export const dialects: readonly Dialect[] = databases.filter(({ isThere }) => isThere).map(({ name }) => name);

/** Descriptors by group, without what all share. */
export type Groups = Readonly<Record<string, Json>>;

export const token = 'token-of-the-tests-0123456789';

export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'praxis-migrate-'));
  readonly url: string;
  readonly #drop: () => Promise<void>;
  /** Lines of the log of the last start. */
  readonly log: string[] = [];

  private constructor(url: string | undefined, drop: () => Promise<void>) {
    this.url = url ?? `sqlite:${join(this.folder, 'data.sqlite')}`;
    this.#drop = drop;
    mkdirSync(join(this.folder, 'resources'));
  }

  static async open(dialect: Dialect): Promise<Project> {
    const server = databases.find(({ name, isServer }) => isServer && name === dialect);
    if (server === undefined) return new Project(undefined, async () => {});
    const database = await server.open('praxis_migrate');
    return new Project(database.url, () => database.drop());
  }

  async close(): Promise<void> {
    await this.#drop();
    rmSync(this.folder, { recursive: true });
  }

  get migrations(): string {
    return join(this.folder, 'migrations');
  }

  /** The environment of a command in this project. */
  get env(): Readonly<Record<string, string>> {
    return { RESOURCES: join(this.folder, 'resources'), MIGRATIONS: this.migrations, DATABASE_URL: this.url };
  }

  config(more: Readonly<Record<string, string>> = {}): Config {
    return readConfig({ ...this.env, ACCESS_TOKEN: token, PORT: '0', ...more });
  }

  /** Makes these the only descriptors. */
  describe(groups: Groups): void {
    const folder = join(this.folder, 'resources');
    for (const file of readdirSync(folder)) rmSync(join(folder, file));
    for (const [name, group] of Object.entries(groups))
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(complete(name, group)));
  }

  /** `praxis migrate generate`. @returns what it prints */
  generate(name?: string, flags: { allowDrop?: boolean; fill?: readonly string[]; check?: boolean } = {}): string {
    return printed(() => generate(this.config(), name, { fill: [], ...flags }));
  }

  /** `praxis migrate apply` */
  async apply(
    flags: { allowDrop?: boolean; allowRebuild?: boolean; allowLoss?: boolean } = {},
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const lines = quietly();
    try {
      await apply(this.config(more), flags);
    } finally {
      lines.stop();
    }
    return lines.text();
  }

  /** `praxis migrate status --json` */
  async status(): Promise<Status> {
    const lines = quietly();
    try {
      await status(this.config(), { json: true });
    } finally {
      lines.stop();
    }
    return JSON.parse(lines.text()) as Status;
  }

  /** Starts the service, uses it and stops it. */
  async serve<T>(
    use: (call: Call, address: string) => Promise<T>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    this.log.length = 0;
    const logger = pino({ level: 'info' }, { write: (line: string) => void this.log.push(line) });
    const config = this.config(more);
    const running = await startPraxis(config, logger);
    const registry = loadRegistry(config.resources, ruleSignatures);
    const call = createClient({ address: running.address, token, registry, log: () => this.log.slice(-3).join('') });
    try {
      return await use(call, running.address);
    } finally {
      call.close();
      await running.stop();
    }
  }

  async withDatabase<T>(use: (database: Database) => Promise<T>): Promise<T> {
    const database = await openDatabase(this.url);
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  }

  /** The tables of the database, without what does not count: names of foreign keys, and defaults. */
  async tables(): Promise<unknown> {
    const live = await this.withDatabase((database) => readLive(database, database.dialect));
    return tableShapes(live);
  }
}

/** Tables without what does not count: names of foreign keys, and defaults. */
export function tableShapes(live: Live): unknown {
  const sorted = <T>(entries: Iterable<readonly [string, T]>): [string, T][] =>
    [...entries].map(([name, value]): [string, T] => [name, value]).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted(live)
    .filter(([name]) => !name.startsWith('sqlite_'))
    .map(([name, { columns, primaryKey, indexes, foreignKeys }]) => ({
      name,
      columns: sorted(columns).map(([column, { type, isNullable }]) => `${column} ${type}${isNullable ? ' null' : ''}`),
      primaryKey,
      indexes: sorted(indexes).map(
        ([index, { columns: over, unique }]) => `${index} ${over.join()} ${unique === true}`,
      ),
      foreignKeys: sorted(foreignKeys).map(([column, { target }]) => `${column} → ${target}`),
    }));
}

/** A descriptor with what its group leaves out. */
function complete(name: string, { properties, required, unique, setup, ...rest }: Json): Json {
  const title = name.replaceAll(/(?:^|-)([a-z])/g, (_match, letter: string) => ` ${letter.toUpperCase()}`).trim();
  return {
    title,
    description: `${title}.`,
    type: 'object',
    properties: described(properties),
    required: required ?? neededOf(properties),
    ...rest,
    resource: {
      path: `/${name}s`,
      shownAs: '{name}',
      operations: ['list', 'get', 'create', 'update', 'delete'],
      ...(unique !== undefined && { unique }),
      ...(setup !== undefined && { setup }),
      ...(isObject(rest['resource']) ? rest['resource'] : {}),
    },
  };
}

/** Fields that every create must bring. */
const neededOf = (fields: unknown): string[] =>
  Object.entries(Object(fields) as Json).flatMap(([name, field]) => (isObject(field) && isNeeded(field) ? [name] : []));

function isNeeded(field: Json): boolean {
  const mayLack = field['nullable'] === true || field['readOnly'] === true || 'references' in field;
  const hasSource = ['default', 'defaultFrom', 'computedBy', 'formula', 'lookup', 'via', 'onlyWhen', 'inherits'].some(
    (word) => word in field,
  );
  return !mayLack && !hasSource && !Array.isArray(field['type']) && field['type'] !== 'array';
}

/** The same of an object, or of the items of a list. */
const within = (holder: Json): Json => ({
  ...holder,
  properties: described(holder['properties']),
  required: holder['required'] ?? neededOf(holder['properties']),
});

/** Each field says something of itself. */
function described(fields: unknown): Json {
  if (!isObject(fields)) return {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]): [string, Json] => {
      if (!isObject(field)) throw new Error(`"${name}" is no field`);
      const inside = isObject(field['items']) ? field['items'] : undefined;
      return [
        name,
        {
          description: name,
          ...field,
          ...('properties' in field && within(field)),
          ...(inside && 'properties' in inside && { items: within(inside) }),
        },
      ];
    }),
  );
}

function printed(work: () => void): string {
  const lines = quietly();
  try {
    work();
  } finally {
    lines.stop();
  }
  return lines.text();
}

/** Collects what is printed. */
function quietly(): { text(): string; stop(): void } {
  let text = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  return { text: () => text, stop: () => spy.mockRestore() };
}
