// Derived columns: copies that the engine stores next to a value. Filters read a text without letter case, unique keys compare
// a hash, and the rows of a list have the time of their record.
import { sql } from 'kysely';
import type { Resource, Value } from '../../registry/model/model.ts';
import type { Bound, Cell, Row } from '../schema/cells.ts';
import { decode } from '../schema/columns.ts';
import { bind, compile, type Statement } from '../schema/compiler.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { LruCache } from '../schema/lru-cache.ts';
import type { Session } from '../schema/session.ts';
import type { Sql } from '../schema/sql.ts';
import { type ListTable, listTablesOf, tableName } from '../schema/tables.ts';
import type { Binding } from './bindings.ts';
import { idParts } from './id-parts.ts';
import { rowBindings } from './row-columns.ts';

/** A derived column of one record that differs from the value that it copies. */
export interface WrongCopy {
  readonly id: string;
  /** Key of the field, or keys of the lists: `lines`, `lines.parts`. */
  readonly path: string;
  /** `name_folded` */
  readonly column: string;
  /** Hashes in hexadecimal digits. */
  readonly stored: string | null;
  readonly right: string | null;
  /** Stores the right value. */
  readonly repair: (session: Pick<Session, 'run'>) => Promise<unknown>;
}

/** A text without letter case or a hash, and the text that it copies. */
interface TextCopy {
  readonly source: Binding;
  readonly copy: Binding;
}

/** A list with a table, whose rows have the time of their record. */
interface TimedList {
  readonly path: string;
  readonly table: string;
}

/** A select on the records with some ids; `name` tells its text from others of the group. */
interface Selection {
  readonly session: Pick<Session, 'all'>;
  readonly ids: readonly string[];
  readonly name: string;
}

const timeColumn = 'created_at';

/** Compares and repairs the derived columns of one group. */
export class DerivedColumns {
  readonly #table: string;
  readonly #dialect: Dialect;
  readonly #statements: LruCache<Statement>;
  readonly #copies: readonly TextCopy[];
  readonly #lists: readonly TimedList[];

  /** @param statements Shared with other groups */
  constructor(resource: Resource, dialect: Dialect, statements: LruCache<Statement>) {
    this.#table = tableName(resource.name);
    this.#dialect = dialect;
    this.#statements = statements;
    const bindings = rowBindings(resource, dialect);
    this.#copies = bindings.flatMap((copy) => {
      const source = bindings.find(({ key, isPlain }) => isPlain && key === copy.key);
      return copy.put === undefined && source !== undefined ? [{ source, copy }] : [];
    });
    this.#lists = listTablesOf(resource).flatMap((list) => timedLists(list, ''));
  }

  /** Whether the group has no derived column. */
  get isEmpty(): boolean {
    return this.#copies.length === 0 && this.#lists.length === 0;
  }

  /** Reads the derived columns of some records, and compares them. */
  async findWrong(session: Pick<Session, 'all'>, ids: readonly string[]): Promise<readonly WrongCopy[]> {
    const wrongCopies = await Promise.all([
      this.#copies.length === 0 ? [] : this.#compareStrings(session, ids),
      ...this.#lists.map((list) => this.#compareTimes(session, ids, list)),
    ]);
    return wrongCopies.flat();
  }

  async #compareStrings(session: Pick<Session, 'all'>, ids: readonly string[]): Promise<readonly WrongCopy[]> {
    const columns = ['id', ...this.#copies.flatMap(({ source, copy }) => [source.column, copy.column])];
    const rows = await this.#select({ session, ids, name: 'texts' }, (isAmong) => {
      const names = sql.join(columns.map((name) => sql.ref(name)));
      return sql`select ${names} from ${sql.table(this.#table)} where ${isAmong(sql.ref('id'))}`;
    });
    return rows.flatMap(([id, ...cells]) =>
      this.#copies.flatMap((text, place) =>
        this.#compareString(text, String(id), cells.slice(2 * place, 2 * place + 2)),
      ),
    );
  }

  #compareString({ source, copy }: TextCopy, id: string, [text, cell]: readonly Cell[]): readonly WrongCopy[] {
    const value: Value = decode(text, source.type, this.#dialect);
    const right = copy.bound({ [copy.key]: value });
    if (isSameCell(cell ?? null, right)) return [];
    const update = `update ${this.#quoted(this.#table)} set ${this.#quoted(copy.column)} = ? where id = ?`;
    return [
      {
        ...{ id, path: copy.key, column: copy.column },
        ...{ stored: cellText(cell ?? null, copy), right: cellText(right, copy) },
        repair: (session) => session.run(update, [right, id]),
      },
    ];
  }

  async #compareTimes(
    session: Pick<Session, 'all'>,
    ids: readonly string[],
    { path, table }: TimedList,
  ): Promise<readonly WrongCopy[]> {
    const rows = await this.#select({ session, ids, name: `times:${table}` }, (isAmong) => {
      const [owner, copied] = [sql.ref(`o.${timeColumn}`), sql.ref(`l.${timeColumn}`)];
      const tables = sql`${sql.table(table)} as l join ${sql.table(this.#table)} as o on o.id = l.owner_id`;
      return sql`select l.owner_id, min(${copied}), ${owner} from ${tables} where ${isAmong(sql.ref('l.owner_id'))} and ${copied} <> ${owner} group by l.owner_id, ${owner}`;
    });
    const [own, list] = [this.#quoted(this.#table), this.#quoted(table)];
    const update = `update ${list} set ${timeColumn} = (select o.${timeColumn} from ${own} o where o.id = owner_id) where owner_id = ?`;
    const decodeTime = (cell: Cell | undefined): string => String(decode(cell, { kind: 'dateTime' }, this.#dialect));
    return rows.map(
      ([id, stored, right]): WrongCopy => ({
        ...{ id: String(id), path, column: timeColumn, stored: decodeTime(stored), right: decodeTime(right) },
        repair: (session) => session.run(update, [String(id)]),
      }),
    );
  }

  async #select({ session, ids, name }: Selection, make: (isAmong: (column: Sql) => Sql) => Sql): Promise<Row[]> {
    const rows: Row[] = [];
    for (const { count, places, values } of idParts(ids)) {
      const statement = this.#statements.get(`derived ${this.#table} ${name}:${count}`, () =>
        compile(
          make((column) => sql`${column} in (${places()})`),
          this.#dialect,
        ),
      );
      rows.push(...(await session.all(statement.sql, bind(statement, values))));
    }
    return rows;
  }

  #quoted(name: string): string {
    return this.#dialect.quote(name);
  }
}

const timedLists = ({ name, field, inner }: ListTable, outer: string): readonly TimedList[] => [
  { path: `${outer}${field.key}`, table: name },
  ...inner.flatMap((list) => timedLists(list, `${outer}${field.key}.`)),
];

/** Reports whether a cell holds a value. Some drivers return bytes as text. */
function isSameCell(cell: Cell, value: Bound): boolean {
  if (cell === null || value === null) return cell === value;
  return typeof cell === typeof value && !(cell instanceof Uint8Array)
    ? cell === value
    : Buffer.compare(toBytes(cell), toBytes(value)) === 0;
}

const toBytes = (cell: NonNullable<Bound>): Uint8Array =>
  cell instanceof Uint8Array ? cell : Buffer.from(String(cell));

/** Returns a cell as text: bytes as UTF-8, those of a hash as hexadecimal digits. */
function cellText(cell: Bound, { type }: Binding): string | null {
  if (cell === null) return null;
  if (!(cell instanceof Uint8Array)) return String(cell);
  return Buffer.from(cell).toString(type.kind === 'key' ? 'hex' : 'utf8');
}
