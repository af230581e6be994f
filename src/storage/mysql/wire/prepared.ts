// Prepared statements that a connection has carried out before. mysql2 by itself looks at each execution whether the statement is
// prepared, and reads what the server tells of every column anew; here both are known from the execution before.
import type { PoolConnection, QueryError, QueryResult } from 'mysql2';
import { LruCache } from '../../schema/lru-cache.ts';

/** A statement and what is bound to it. */
interface BoundStatement {
  readonly sql: string;
  readonly values: (string | number | bigint | Buffer | null)[];
}
type Answer = (error: QueryError | null, result: QueryResult) => void;

/** A packet of mysql2 whose reading may have begun. */
interface Packet {
  readonly buffer: Buffer;
  readonly end: number;
}

/** What mysql2 reads of a column; it has more, and with it the bytes of all that came along. */
interface Column {
  readonly name: string;
  readonly characterSet: number;
  readonly encoding: string;
  readonly columnType: number;
  readonly flags: number;
  readonly decimals: number;
  readonly extendedTypeName?: string | undefined;
  readonly extendedFormat?: string | undefined;
}

type State = (packet: Packet, wire: Wire) => State | null;

/** mysql2's own command, which calls a state with each packet. It exports no class of it. */
interface Execution {
  readonly statement: object;
  readonly _executeOptions: ExecutionOptions;
  readonly _fieldCount: number;
  _receivedFieldsCount: number;
  /** Of each answer; a statement has one. */
  readonly _fields: readonly (readonly Column[] | undefined)[];
  _currentFields: Column[];
  _rowParser: object | null;
  readField(packet: Packet, wire: Wire): State | null;
  fieldsEOF(packet: Packet, wire: Wire): State | null;
  row(packet: Packet, wire: Wire): State | null;
}
interface ExecutionOptions extends BoundStatement {
  readonly statement: object;
  readonly known: Known;
}
type ExecutionClass = new (options: ExecutionOptions, answer: Answer) => Execution;

/** A connection, as its commands see it. */
interface Wire {
  readonly _statements: { get(key: string): object | undefined };
  addCommand(command: object): unknown;
}

/** What an execution of a statement has shown. */
interface Known {
  readonly columns: readonly Column[];
  /** None of a statement without rows. */
  readonly rowParser: object | null;
}

/** A statement that the server wants prepared anew, and one that it has no longer. */
const unusable: ReadonlySet<number> = new Set([1615, 1243]);

/** By the text: mysql2's key of a statement, as long as the text itself, and what is known of it. */
const statements = new LruCache<{ readonly key: string; known?: Known }>(2000);
let repeatedExecution: ExecutionClass | undefined;

/** Carries out a statement. What the server says of it is learned at its first time. */
export function execute(connection: PoolConnection, { sql, values }: BoundStatement, answer: Answer): void {
  const entry = statements.get(sql, () => ({ key: keyOf(connection, sql) }));
  const { known } = entry;
  const over = (error: QueryError | null, result: QueryResult): void => {
    if (!error) {
      if (execution._rowParser !== known?.rowParser) entry.known = knownFrom(execution);
      // Its own cache would try the same again.
    } else if (error.errno !== undefined && unusable.has(error.errno)) connection.unprepare(sql);
    answer(error, result);
  };
  const wire = connection as unknown as Wire; // what its types leave out
  const statement = wire._statements.get(entry.key);
  let execution: Execution;
  if (statement !== undefined && known !== undefined && repeatedExecution !== undefined) {
    execution = new repeatedExecution({ sql, values, statement, known }, over);
    wire.addCommand(execution);
  } else execution = connection.execute<QueryResult>(sql, values, over) as unknown as Execution;
}

function keyOf(connection: PoolConnection, sql: string): string {
  const made = connection.constructor as unknown as { statementKey(options: { readonly sql: string }): string };
  return made.statementKey({ sql });
}

function knownFrom(execution: Execution): Known {
  repeatedExecution ??= repeated(execution.constructor as ExecutionClass);
  const columns = execution._fields[0] ?? [];
  return { columns: columns.map(columnFrom), rowParser: execution._rowParser };
}

const columnFrom = (column: Column): Column => {
  const { name, characterSet, encoding, columnType, flags, decimals, extendedTypeName, extendedFormat } = column;
  return { name, characterSet, encoding, columnType, flags, decimals, extendedTypeName, extendedFormat };
};

/** An execution that reads columns only from where they are no longer those that are known: a table was changed. */
const repeated = (Base: ExecutionClass): ExecutionClass =>
  class extends Base {
    override readField(packet: Packet, wire: Wire): State | null {
      const { columns } = this._executeOptions.known;
      const column = columns[this._receivedFieldsCount];
      const { buffer, end } = packet;
      // All that counts stands at the end of what is told of a column. Not a function of its own: it is asked most of all.
      const isKnown =
        column !== undefined &&
        columns.length === this._fieldCount &&
        buffer[end - 6] === column.columnType &&
        buffer[end - 3] === column.decimals &&
        buffer.readUInt16LE(end - 5) === column.flags &&
        buffer.readUInt16LE(end - 12) === column.characterSet;
      if (!isKnown) return super.readField(packet, wire);
      this._receivedFieldsCount += 1;
      this._currentFields.push(column);
      return this._receivedFieldsCount === this._fieldCount ? this.fieldsEOF : this.readField;
    }

    override fieldsEOF(): State {
      this._rowParser = this._executeOptions.known.rowParser;
      return this.row;
    }
  };
