// Records to filter: of every group with filters, straight into tables made from the registry, the same each time. What
// they hold is uneven on purpose: common and rare states, references to few and to many, days that follow the creation
// and days that have nothing to do with it, lists that refer to the same record more than once.
import { DatabaseSync } from 'node:sqlite';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { filtersOf } from '../../src/endpoints/routes/endpoint.ts';
import type { Field, Registry, Resource } from '../../src/registry/model/model.ts';
import { mariaDbDialect, mysqlDialect } from '../../src/storage/mysql/dialect.ts';
import type { Bound } from '../../src/storage/schema/cells.ts';
import { encode } from '../../src/storage/schema/columns.ts';
import type { Dialect } from '../../src/storage/schema/dialect.ts';
import { type Column, type Table, tableName, tablesOf } from '../../src/storage/schema/tables.ts';
import { sqliteDialect } from '../../src/storage/sqlite/dialect.ts';
import { createIndex, createTable, indexLine } from '../../src/storage/statements/ddl.ts';
import { addDays } from '../../src/values/date.ts';
import { fold, keyHash } from '../../src/values/fold.ts';
import { newIdAt } from '../../src/values/id.ts';

const firstMs = Date.UTC(2023, 0, 1);
const reachMs = 3 * 365 * 86_400_000;
const rowsAStatement = 250;
/** So many groups hold most of the rows. */
const largeGroups = 6;
const largeShare = 0.8;
const ownersOfReferences = 2000;

/** How many rows each group with filters gets: most of them those with the most filters. */
export function sizesOf(registry: Registry, rows: number, names?: readonly string[]): ReadonlyMap<string, number> {
  const groups = [...registry.resources.values()]
    .filter((group) => group.operations.has('list') && filtersOf(group).length > 0)
    .filter(({ name }) => names === undefined || names.includes(name))
    .toSorted((a, b) => filtersOf(b).length - filtersOf(a).length);
  const large = Math.min(largeGroups, groups.length);
  const rest = groups.length - large;
  return new Map(
    groups.map(({ name }, place) => {
      if (rest === 0) return [name, Math.round(rows / large)];
      return [name, Math.round(place < large ? (rows * largeShare) / large : (rows * (1 - largeShare)) / rest)];
    }),
  );
}

/** A number from 0 to 1 for each seed and purpose: the same everywhere. */
function chance(seed: number, purpose: string): number {
  let sum = seed ^ 0x9e3779b9;
  for (const letter of purpose) sum = Math.imul(sum ^ letter.charCodeAt(0), 0x01000193);
  sum = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d);
  sum = Math.imul(sum ^ (sum >>> 12), 0x297a2d39);
  return ((sum ^ (sum >>> 15)) >>> 0) / 2 ** 32;
}

const bytesOf = (seed: number): Uint8Array =>
  Uint8Array.from({ length: 16 }, (_value, n) => Math.floor(chance(seed, `byte ${n}`) * 256));

/** What a group's rows are made of. */
class Rows {
  readonly resource: Resource;
  readonly #sizes: ReadonlyMap<string, number>;

  constructor(resource: Resource, sizes: ReadonlyMap<string, number>) {
    this.resource = resource;
    this.#sizes = sizes;
  }

  get size(): number {
    return this.#sizes.get(this.resource.name) ?? 0;
  }

  /** Some rows share their millisecond. */
  createdMs(n: number, size = this.size): number {
    return firstMs + Math.floor((Math.floor(n / 3) * 3 * reachMs) / Math.max(1, size));
  }

  id(n: number): string {
    return this.idIn(this.resource.name, n);
  }

  /** The id of a record of any group, whether it is there or not. */
  idIn(group: string, n: number): string {
    const size = this.#sizes.get(group) ?? ownersOfReferences;
    return newIdAt(this.createdMs(n, size), n, bytesOf(n + group.length * 7_919 + group.charCodeAt(0) * 104_729));
  }

  /** References of very uneven popularity: some are in every tenth row, most in few. */
  target(group: string, n: number, purpose: string): string {
    const size = Math.min(this.#sizes.get(group) ?? ownersOfReferences, ownersOfReferences);
    return this.idIn(group, Math.floor(size * chance(n, `target ${purpose}`) ** 4));
  }

  /** A day close to the creation in half of the groups, any day of ten years in the others. */
  day(n: number, purpose: string): string {
    const follows = chance(0, this.resource.name) < 0.6;
    const created = new Date(this.createdMs(n)).toISOString().slice(0, 10);
    if (follows) return addDays(created, -Math.floor(20 * chance(n, purpose) ** 3));
    return addDays('2017-01-01', Math.floor(3650 * chance(n, purpose)));
  }

  value(field: Field, n: number): string | number | boolean | null {
    const draw = chance(n, field.key);
    const isFree = field.unset === 'null' && field.filter !== undefined;
    if (field.unset === 'null' && (field.filter === undefined || (isFree && draw < 0.15))) return null;
    switch (field.kind) {
      case 'reference':
        return this.target(field.target, n, field.key);
      case 'enum': {
        // The last of several values is nowhere, the others are each ten times as rare as the one before.
        const used = Math.max(1, field.values.length - (field.values.length > 2 ? 1 : 0));
        const place = Math.min(used - 1, Math.floor(-Math.log10(Math.max(1e-9, chance(n, `${field.key} value`)))));
        return field.values[place] ?? null;
      }
      case 'date':
        return this.day(n, field.key);
      case 'dateTime':
        return new Date(this.createdMs(n)).toISOString();
      case 'boolean':
        return chance(n, field.key) < 0.995;
      case 'integer':
        return Math.max(field.minimum, Math.min(field.maximum, Math.floor(2000 * draw ** 4)));
      case 'decimal':
        return field.filter === undefined ? '0' : String(Math.floor(500 * draw ** 2) + 1);
      case 'text':
        return this.text(field, n);
      default:
        return null;
    }
  }

  text(field: Field & { kind: 'text' }, n: number): string {
    if (field.format === 'currency')
      return ['EUR', 'USD', 'CHF', 'SEK'][Math.floor(4 * chance(n, field.key) ** 5)] ?? '';
    if (field.filter === undefined) return '';
    if (field.sample !== undefined) return field.sample;
    const isKey = this.resource.unique.some(({ fields }) => fields.includes(field));
    const word = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm'][Math.floor(5 * chance(n, field.key) ** 3)] ?? '';
    const number = isKey || field.filter === 'text' ? n : Math.floor(2000 * chance(n, field.key) ** 4);
    return `${word} ${number}`.slice(0, field.maxLength);
  }
}

/** The cells of a row, in the order of the columns. */
function cellsOf(rows: Rows, columns: readonly Column[], n: number, dialect: Dialect): Bound[] {
  const texts = new Map<string, string>();
  return columns.map(({ name, type, nullable, field, madeFrom }): Bound => {
    if (name === 'id') return rows.id(n);
    if (name === 'created_at') return encode(new Date(rows.createdMs(n)).toISOString(), type, dialect);
    if (madeFrom !== undefined) {
      const text = texts.get(madeFrom);
      if (text === undefined) return null;
      return type.kind === 'key' ? keyHash(text) : encode(fold(text), type, dialect);
    }
    const value = field === undefined ? null : rows.value(field, n);
    if (field?.kind === 'text' && typeof value === 'string') texts.set(name, value);
    return value === null && !nullable ? zeroOf(type, dialect) : encode(value, type, dialect);
  });
}

const zeroOf = (type: Column['type'], dialect: Dialect): Bound => {
  switch (type.kind) {
    case 'json':
      return '[]';
    case 'integer':
    case 'boolean':
    case 'decimal':
      return encode(type.kind === 'decimal' ? '0' : 0, type.kind === 'decimal' ? type : { kind: 'integer' }, dialect);
    case 'date':
      return '2020-01-01';
    case 'dateTime':
      return encode('2020-01-01T00:00:00.000Z', type, dialect);
    case 'id':
      return '00000000-0000-7000-8000-000000000000';
    default:
      return '';
  }
};

/** Rows of a list: none to three for a record, two of which may refer to the same. */
function* itemsOf(rows: Rows, { columns }: Table, dialect: Dialect): Iterable<Bound[]> {
  for (let n = 0; n < rows.size; n += 1) {
    const count = Math.floor(4 * chance(n, 'items'));
    const seen = new Set<string>();
    for (let position = 0; position < count; position += 1) {
      const cells = columns.map(({ name, type, nullable, field }): Bound => {
        if (name === 'owner_id') return rows.id(n);
        if (name === 'position') return position;
        if (name === 'created_at') return encode(new Date(rows.createdMs(n)).toISOString(), type, dialect);
        const target = field?.kind === 'reference' ? field.target : name === 'target_id' ? 'target' : undefined;
        if (target !== undefined) return rows.target(target, n * 4 + position, name);
        return nullable ? null : zeroOf(type, dialect);
      });
      const link = columns.findIndex(({ name }) => name === 'target_id');
      if (link >= 0 && seen.has(String(cells[link]))) continue;
      seen.add(String(cells[link]));
      yield cells;
    }
  }
}

function* recordsOf(rows: Rows, { columns }: Table, dialect: Dialect): Iterable<Bound[]> {
  for (let n = 0; n < rows.size; n += 1) yield cellsOf(rows, columns, n, dialect);
}

/** Where the rows go: a connection without foreign keys. */
interface Sink {
  readonly dialect: Dialect;
  run(sql: string, values?: readonly Bound[]): Promise<void>;
  close(): Promise<void>;
}

function openFile(path: string): Sink {
  const raw = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  raw.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -262144');
  return {
    dialect: sqliteDialect,
    run: async (sql, values = []) => void raw.prepare(sql).run(...values),
    close: async () => {
      raw.exec('pragma journal_mode = wal');
      raw.close();
    },
  };
}

async function openServer(url: string): Promise<Sink> {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' });
  const [found] = await connection.query<RowDataPacket[]>('select version() as version');
  await connection.query('set foreign_key_checks = 0');
  return {
    dialect: /mariadb/i.test(String(found[0]?.['version'])) ? mariaDbDialect : mysqlDialect,
    run: async (sql, values = []) =>
      void (await connection.query(
        sql,
        values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
      )),
    close: () => connection.end(),
  };
}

/** Makes the tables of the groups, fills them, and then makes their indexes; an empty database is expected. */
export async function fillGroups(
  databaseUrl: string,
  registry: Registry,
  sizes: ReadonlyMap<string, number>,
): Promise<void> {
  const isFile = databaseUrl.startsWith('sqlite:');
  const sink = isFile ? openFile(databaseUrl.slice('sqlite:'.length)) : await openServer(databaseUrl);
  const { dialect } = sink;
  try {
    for (const table of tablesOf(registry)) {
      const resource = registry.resources.get(table.group);
      if (resource === undefined) continue;
      const unique = table.indexes.filter((index) => index.unique);
      const later = table.indexes.filter((index) => !index.unique);
      // The server sorts an index that comes when the rows are there, instead of filling it row by row.
      const bare = { ...table, foreignKeys: [], indexes: unique };
      for (const sql of createTable(bare, dialect)) await sink.run(sql);
      const rows = new Rows(resource, sizes);
      const cells =
        table.name === tableName(resource.name) ? recordsOf(rows, table, dialect) : itemsOf(rows, table, dialect);
      // Lists of items of items are not filtered.
      if (rows.size > 0 && !table.columns.some(({ name }) => name === 'item')) await insert(sink, table, cells);
      if (table.list !== undefined && rows.size > 0) await sink.run(withoutOwner(table, dialect));
      if (dialect.name === 'sqlite') for (const index of later) await sink.run(createIndex(table.name, index, dialect));
      else if (later.length > 0)
        await sink.run(
          `alter table ${dialect.quote(table.name)} ${later.map((index) => `add ${indexLine(index, dialect)}`).join(', ')}`,
        );
      if (dialect.name === 'mysql' && rows.size > 0) await sink.run(`analyze table ${dialect.quote(table.name)}`);
    }
  } finally {
    await sink.close();
  }
}

/** Deletes the lists of records that a unique key has kept out. */
const withoutOwner = ({ name, group }: Table, dialect: Dialect): string =>
  `delete from ${dialect.quote(name)} where owner_id not in (select id from ${dialect.quote(tableName(group))})`;

async function insert(sink: Sink, { name, columns }: Table, rows: Iterable<Bound[]>): Promise<void> {
  const names = columns.map((column) => sink.dialect.quote(column.name)).join(', ');
  const places = `(${columns.map(() => '?').join(', ')})`;
  // Unique keys of references alone are met more than once.
  const verb = sink.dialect.insertIgnore;
  const put = (some: readonly Bound[][]): Promise<void> =>
    sink.run(
      `${verb} into ${sink.dialect.quote(name)} (${names}) values ${some.map(() => places).join(', ')}`,
      some.flat(),
    );
  await sink.run(sink.dialect.name === 'sqlite' ? 'begin' : 'start transaction');
  let some: Bound[][] = [];
  for (const row of rows) {
    some.push(row);
    if (some.length < rowsAStatement) continue;
    await put(some);
    some = [];
  }
  if (some.length > 0) await put(some);
  await sink.run('commit');
}
