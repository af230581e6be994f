// Prepared statements that a connection has carried out before. mysql2 by itself looks at each execution whether the statement is
// prepared, and reads what the server tells of every column anew; here both are known from the execution before.
import type { PoolConnection, QueryError, QueryResult } from 'mysql2';
import { unreachable } from '../../../unreachable.ts';
import { LruCache } from '../../schema/lru-cache.ts';
import { columnCaches } from './column-cache.ts';
import { type Command, commandsOf, type Wire } from './tap.ts';

/** A statement and what is bound to it. */
export interface BoundStatement {
  readonly sql: string;
  readonly values: (string | number | bigint | Buffer | null)[];
}
type Answer = (error: QueryError | null, result?: QueryResult) => void;

/** A packet of mysql2 whose reading may have begun. */
interface Packet {
  readonly buffer: Buffer;
  readonly end: number;
  offset: number;
  readLengthCodedNumber(): number | null;
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
export interface Execution extends Command {
  /** Undefined until it is prepared. */
  statement: Prepared | undefined;
  readonly options: object;
  _fieldCount: number;
  _receivedFieldsCount: number;
  /** Of each answer; a statement has one. */
  readonly _fields: (readonly Column[] | undefined)[];
  readonly _rows: unknown[][];
  _currentRows: unknown[];
  _currentFields: readonly Column[];
  _rowParser: object | null;
  buildParserFromFields(columns: readonly Column[], wire: Wire): new () => object;
  start(packet: Packet | undefined, wire: Wire): State | null;
  resultsetHeader(packet: Packet, wire: Wire): State | null;
  readField(packet: Packet, wire: Wire): State | null;
  fieldsEOF(packet: Packet, wire: Wire): State | null;
  row(packet: Packet, wire: Wire): State | null;
}
interface ExecutionOptions extends BoundStatement {
  readonly statement: Prepared | undefined;
}
type ExecutionClass = new (options: ExecutionOptions, answer: Answer) => Execution;

/** A statement that a connection keeps, as mysql2 has it. */
interface Prepared {
  /** As they were told when it was prepared, or when it was last carried out and had others. */
  columns: readonly Column[];
  /** What reads a row of these. */
  rowParser: object | null;
}

/** Of the flags of a column. */
const unsigned = 0x20;

/** A statement that the server wants prepared anew, and one that it has no longer. */
const unusable: ReadonlySet<number> = new Set([1615, 1243]);

/** mysql2's key of a statement by its text, as long as the text itself. */
const keys = new LruCache<string>(2000);
let executionClass: ExecutionClass | undefined;

/** The command that carries out a statement, once it has a prepared one; undefined where that is not known yet. */
export function executionOf(wire: Wire, { sql, values }: BoundStatement, answer: Answer): Execution {
  executionClass ??= classOf(wire);
  const statement = wire._statements.get(keys.get(sql, () => keyOf(wire, sql))) as Prepared | undefined;
  return new executionClass({ sql, values, statement }, answer);
}

/** The command that prepares a statement. What the server says of it is learned here, and at its first time. */
export function prepare(
  connection: PoolConnection,
  sql: string,
  done: (error: QueryError | null, statement: Prepared | undefined) => void,
): Command {
  const [command] = commandsOf(() =>
    connection.prepare(sql, (error, made) =>
      done(error, error === null ? prepared(made as unknown as Prepared) : undefined),
    ),
  );
  return command ?? unreachable('nothing was prepared');
}

/** Forgets a statement that can no longer be carried out: mysql2's own cache would try the same again. */
export function forgetUnusable(connection: PoolConnection, sql: string, { errno }: QueryError): void {
  if (errno !== undefined && unusable.has(errno)) connection.unprepare(sql);
}

function keyOf(wire: Wire, sql: string): string {
  const made = wire.constructor as unknown as { statementKey(options: { readonly sql: string }): string };
  return made.statementKey({ sql });
}

/** The same without the bytes of all that came along. */
function prepared(statement: Prepared): Prepared {
  statement.columns = statement.columns.map(columnFrom);
  return statement;
}

const columnFrom = (column: Column): Column => {
  const { name, characterSet, encoding, columnType, flags, decimals, extendedTypeName, extendedFormat } = column;
  return { name, characterSet, encoding, columnType, flags, decimals, extendedTypeName, extendedFormat };
};

/** Executions as mysql2 makes them, which read columns only where they are not those that are known. */
function classOf(wire: Wire): ExecutionClass {
  const connection = wire as unknown as PoolConnection; // it is one
  const execution = commandsOf(() => connection.execute('select 1', [], () => {})).at(-1);
  return repeated((execution?.constructor ?? unreachable('nothing was executed')) as ExecutionClass);
}

const repeated = (Base: ExecutionClass): ExecutionClass =>
  class extends Base {
    override start(packet: Packet | undefined, wire: Wire): State | null {
      return super.start(packet, wire) && this.resultsetHeader;
    }

    override resultsetHeader(packet: Packet, wire: Wire): State | null {
      const { offset } = packet;
      if (packet.buffer[offset] === 0) return super.resultsetHeader(packet, wire);
      this._fieldCount = packet.readLengthCodedNumber() ?? 0;
      const areTold = !columnCaches.has(wire) || packet.buffer[packet.offset] !== 0;
      const { columns } = this.statement ?? unreachable('what is carried out was not prepared');
      this._receivedFieldsCount = areTold ? 0 : this._fieldCount;
      this._currentRows = [];
      this._rows.push(this._currentRows);
      this._currentFields = columns.length === this._fieldCount ? columns : [];
      this._fields.push(this._currentFields);
      return areTold ? this.readField : this.fieldsEOF;
    }

    override readField(packet: Packet, wire: Wire): State | null {
      const { columns } = this.statement ?? unreachable('what is carried out was not prepared');
      const column = columns[this._receivedFieldsCount];
      const { buffer, end } = packet;
      // All that counts stands at the end of what is told of a column. Not a function of its own: it is asked most of all.
      const isKnown =
        column !== undefined &&
        columns.length === this._fieldCount &&
        buffer[end - 6] === column.columnType &&
        buffer[end - 3] === column.decimals &&
        // Whether a joined one may be null hangs on what is found, and nothing on that.
        (((buffer[end - 5] ?? 0) ^ column.flags) & unsigned) === 0 &&
        buffer.readUInt16LE(end - 12) === column.characterSet;
      if (isKnown && this._currentFields === columns) {
        this._receivedFieldsCount += 1;
      } else if (isKnown) {
        this._receivedFieldsCount += 1;
        (this._currentFields as Column[]).push(column);
      } else {
        if (this._currentFields === columns) {
          this._currentFields = columns.slice(0, this._receivedFieldsCount);
          this._fields[this._fields.length - 1] = this._currentFields;
        }
        super.readField(packet, wire);
      }
      return this._receivedFieldsCount === this._fieldCount ? this.fieldsEOF : this.readField;
    }

    override fieldsEOF(_packet: Packet, wire: Wire): State {
      const statement = this.statement ?? unreachable('what is carried out was not prepared');
      if (this._currentFields !== statement.columns) {
        statement.columns = this._currentFields.map(columnFrom);
        statement.rowParser = null;
      }
      statement.rowParser ??= new (this.buildParserFromFields(statement.columns, wire))();
      this._rowParser = statement.rowParser;
      return this.row;
    }
  };
