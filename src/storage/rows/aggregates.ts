// Counts, sums, minima and maxima that formulas ask of many records or items: computed by the database, one row per question.
import { type RawBuilder, sql } from 'kysely';
import type { Tally } from '../../formulas/analyse/tally.ts';
import type { TallyAsk, TallyQuestion } from '../../formulas/evaluate/facts.ts';
import type { Type } from '../../formulas/language/tree.ts';
import type { Values } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import { type Soon, soon, soonAll } from '../../values/soon.ts';
import { conditionSql, formulaSql, orderedSql } from '../formulas/formula-sql.ts';
import type { ColumnsOf, FormulaSql } from '../formulas/parts.ts';
import type { Bound, Cell, Row } from '../schema/cells.ts';
import type { ColumnType } from '../schema/column-types.ts';
import { decode, encode } from '../schema/columns.ts';
import { bind, compile, type Statement } from '../schema/compiler.ts';
import { LruCache } from '../schema/lru-cache.ts';
import type { Session } from '../schema/session.ts';
import type { Sql } from '../schema/sql.ts';
import { limitTo, Param } from '../schema/sql.ts';
import { paddedCount } from '../statements/query.ts';
import { either, every, isExact, type Levels, type WantedColumns } from './levels.ts';

/** What a question has come to: a number or another plain value; or the first or the last ones. */
interface Told {
  readonly value: string | null;
  readonly records: readonly Values[];
}

/** A question, as statements are told it. */
interface Prepared {
  readonly index: number;
  readonly question: TallyQuestion;
  readonly said: Said;
  readonly spots: readonly WantedColumns[];
  readonly cells: readonly Bound[];
  readonly given: readonly Bound[];
  /** What tells the questions of one statement from those of others. */
  readonly shape: string;
}

/** What is said of a tally in SQL, of the question at a place of the statement. */
interface Said {
  readonly conditions: (place: number) => readonly Sql[];
  readonly body: ((place: number) => FormulaSql) | undefined;
  readonly bodyType: ColumnType | undefined;
}

/** So many questions are one statement where they differ in one id alone, or in more. */
const mostValues = 1000;
const mostQuestions = 50;

export class Aggregator {
  readonly #levels: Levels;
  readonly #kept: LruCache<Statement>;
  /** What can be said of each tally, by the forms of what it is given; undefined for what cannot. */
  readonly #said = new LruCache<Said | undefined>(500);

  constructor(levels: Levels, kept: LruCache<Statement>) {
    this.#levels = levels;
    this.#kept = kept;
  }

  /** Whether the database can tell it, and exactly. */
  canTell({ tally, given }: TallyAsk): boolean {
    const types = given.map((value, index) => formOf(tally.given[index], value));
    return types.every((type) => type !== undefined) && this.#sayingOf(tally, types) !== undefined;
  }

  /** What each of these questions comes to, all of which can be told. */
  tell(session: Session, questions: readonly TallyQuestion[]): Soon<readonly Told[]> {
    const told: Told[] = questions.map(() => ({ value: null, records: [] }));
    const open = questions.flatMap((question, index) => this.#prepare(question, index) ?? []);
    const [first, ...others] = statementsFor(open).map((part) => this.#read(session, part, told));
    return first === undefined || others.length === 0 ? (first ?? told) : soon(soonAll([first, ...others]), () => told);
  }

  /** @returns undefined for what no record can have */
  #prepare(question: TallyQuestion, index: number): Prepared | undefined {
    const { tally, wanted, given, most, except } = question;
    const spots = wanted.map((one, place) => this.#levels.spotOf(one, place));
    const cells = wanted.map(({ value }, place) => spots[place] && this.#levels.cellAt(spots[place], value));
    const types = given.map((value, place) => formOf(tally.given[place], value));
    const said = this.#sayingOf(tally, types);
    if (said === undefined) unreachable('it was asked whether this can be told');
    const isKnown = (cell: Bound | undefined): cell is Bound => cell !== undefined;
    if (!cells.every(isKnown)) return undefined;
    const { dialect } = this.#levels;
    return {
      ...{ index, question, said, spots, cells },
      given: given.map((value, place) => encode(value, types[place] ?? { kind: 'boolean' }, dialect)),
      shape: [
        ...wanted.map(({ key, up, group }) => `${key}^${up}${group ?? ''}`),
        `${tally.id}${formsOf(types)}:${most === undefined ? '' : 'most'}:${except.length}`,
      ].join(),
    };
  }

  #sayingOf(tally: Tally, types: readonly (ColumnType | undefined)[]): Said | undefined {
    return this.#said.get(`${tally.id}${formsOf(types)}`, () => this.#say(tally, types));
  }

  #say(tally: Tally, types: readonly (ColumnType | undefined)[]): Said | undefined {
    const { dialect } = this.#levels;
    const columnsAt =
      (place: number): ColumnsOf =>
      (key, up) => {
        if (!key.startsWith('?')) {
          const column = this.#levels.columnOf(key, up);
          return column && { sql: sql.ref(column.name), type: column.type, isColumn: true };
        }
        const type = types[Number(key.slice(1))];
        const given = sql`${new Param(`g${key.slice(1)}:${place}`)}`;
        if (type?.kind === 'date' || type?.kind === 'dateTime')
          return { sql: dialect.formulas.moment(type.kind, given), type };
        return type && { sql: given, type };
      };
    const { conditions, body, take } = tally;
    const columns = columnsAt(0);
    const bodyIn = take === 'sum' ? formulaSql : orderedSql;
    const bodySql = body && bodyIn(body, columns, dialect);
    if (body !== undefined && bodySql === undefined) return undefined;
    if (conditions.some((tree) => conditionSql(tree, columns, dialect) === undefined)) return undefined;
    if (take === 'sum' && (bodySql === undefined || this.#sum(bodySql) === undefined)) return undefined;
    return {
      conditions: (place) => conditions.flatMap((tree) => conditionSql(tree, columnsAt(place), dialect) ?? []),
      body:
        body &&
        ((place) => {
          const part = bodyIn(body, columnsAt(place), dialect);
          if (part === undefined) unreachable('it could be said before');
          return part;
        }),
      bodyType: bodySql?.type,
    };
  }

  #sum({ sql: number, type }: FormulaSql): readonly Sql[] | undefined {
    return type.kind === 'decimal' ? this.#levels.dialect.formulas.sum(number, type) : undefined;
  }

  #read(session: Session, { blocks, varying }: StatementAsks, told: Told[]): Soon<readonly Told[]> {
    const [first] = blocks[0] ?? [];
    if (first === undefined) return told;
    const asked = blocks.flatMap((asks) => padded(asks));
    const key = blocks.map((asks) => `${asks[0]?.shape}*${paddedCount(asks.length)}`).join(' + ');
    const statement = this.#keep(`${key}:${varying ?? ''}`, () =>
      varying === undefined ? this.#together(asked) : this.#grouped(first, varying, asked.length),
    );
    const bound: Record<string, Bound> = {};
    for (const [place, { cells, given, question }] of asked.entries()) {
      for (const [index, cell] of cells.entries()) bound[`w${index}:${place}`] = cell;
      for (const [index, cell] of given.entries()) bound[`g${index}:${place}`] = cell;
      for (const [index, id] of question.except.entries()) bound[`e${index}:${place}`] = id;
      if (question.most !== undefined) bound[`most:${place}`] = BigInt(question.most);
    }
    // What fills a block up is its last question again: one answer to it is enough.
    const askers = new Map(
      asked.flatMap((one, place) => (asked[place - 1] === one ? [] : [[askerOf(one, place, varying), one] as const])),
    );
    return session.all(statement.sql, bind(statement, bound)).then((rows) => {
      for (const [asker, ...cells] of rows) {
        const one = askers.get(String(asker));
        if (one !== undefined) told[one.index] = this.#toldBy(one, cells, told[one.index]?.records ?? []);
      }
      return told;
    });
  }

  #keep(key: string, make: () => RawBuilder<unknown>): Statement {
    const { deepest, dialect } = this.#levels;
    return this.#kept.get(`tally ${deepest.table} ${key}`, () => compile(make(), dialect));
  }

  // --- Statements

  /** Each question by itself, one below the other. */
  #together(asked: readonly Prepared[]): Sql {
    const each = asked.map((one, place) => this.#one(one, place));
    const [only] = each;
    if (only !== undefined && each.length === 1) return only;
    if (only === undefined || !asked.some(isRecord)) return sql.join(each, sql` union all `);
    const { ordersUnionParts } = this.#levels.dialect;
    const parts = each.map((one, place) =>
      ordersUnionParts ? sql`(${one})` : sql`select * from (${one}) as ${sql.ref(`q${place}`)}`,
    );
    return sql.join(parts, sql` union all `);
  }

  #one({ said, spots, question }: Prepared, place: number): Sql {
    const { tally, most, except } = question;
    const equal = spots.map((spot, index) =>
      either(spot.sought.map(({ name }) => sql`${sql.ref(name)} = ${new Param(`w${index}:${place}`)}`)),
    );
    const where = every([...equal, ...this.#others(except, place), ...said.conditions(place)]);
    const from = sql`${this.#from(tally, spots)} where ${where}`;
    const asker = sql`${sql.raw(String(place))} as ${sql.ref(askerColumn)}`;
    if (tally.take === 'count' && most !== undefined)
      return sql`select ${asker}, ${values([sql`count(*)`])} from (select 1 from ${from} ${limitTo(`most:${place}`)}) as c`;
    if (!isRecord({ question })) return sql`select ${asker}, ${values(this.#taken(tally, said, place))} from ${from}`;
    const way = sql.raw(tally.take === 'first' ? 'asc' : 'desc');
    const made = this.#isOrdered(tally, spots) ? [] : [sql.ref('r.created_at'), sql.ref('r.id')];
    const keys = [...(said.body === undefined ? [] : [said.body(place).sql]), ...made];
    const order = sql.join(keys.map((key) => sql`${key} ${way}`));
    return sql`select ${sql.join([asker, ...this.#levels.own()])} from ${from} order by ${order} ${most === undefined ? sql`limit 1` : limitTo(`most:${place}`)}`;
  }

  /** Whether no two of them have the same key: then an index of a unique key has their order. */
  #isOrdered({ body }: Tally, spots: readonly WantedColumns[]): boolean {
    if (body?.op !== 'field' || body.of.op !== 'self' || body.member.kind !== 'value' || body.nullable) return false;
    const column = this.#levels.columnOf(body.member.key, body.of.up);
    const wanted = spots.flatMap(({ columns, link }) => (link === undefined && columns.length === 1 ? columns : []));
    return column !== undefined && this.#levels.isUnique([...wanted, column]);
  }

  /** All questions at once, where they differ in the id under one key alone. */
  #grouped({ said, spots, question: { tally, except } }: Prepared, varying: number, count: number): Sql {
    const list = sql.join(Array.from({ length: count }, (_value, place) => sql`${new Param(`w${varying}:${place}`)}`));
    const equal = spots.map((spot, index) =>
      either(
        spot.sought.map(({ name }) =>
          index === varying ? sql`${sql.ref(name)} in (${list})` : sql`${sql.ref(name)} = ${new Param(`w${index}:0`)}`,
        ),
      ),
    );
    const asker = sql.ref(spots[varying]?.columns[0]?.name ?? '');
    const where = every([...equal, ...this.#others(except, 0), ...said.conditions(0)]);
    return sql`select ${asker}, ${values(this.#taken(tally, said, 0))} from ${this.#from(tally, spots)} where ${where} group by ${asker}`;
  }

  #from({ ups }: Tally, spots: readonly WantedColumns[]): Sql {
    const { depth } = this.#levels;
    return this.#levels.joined(spots, ups.has(depth) || spots.some(({ isOfRecord }) => isOfRecord));
  }

  #others(except: readonly string[], place: number): readonly Sql[] {
    if (except.length === 0) return [];
    const ids = except.map((_id, index) => sql`${new Param(`e${index}:${place}`)}`);
    return [sql`${sql.ref(this.#levels.id)} not in (${sql.join(ids)})`];
  }

  #taken({ take }: Tally, { body }: Said, place: number): readonly Sql[] {
    if (take === 'count') return [sql`count(*)`];
    const part = body?.(place);
    if (part === undefined) unreachable(`nothing is given to ${take}`);
    if (take === 'sum') return this.#sum(part) ?? [];
    return [sql`${sql.raw(take)}(${part.sql})`];
  }

  // --- Rows

  #toldBy({ question: { tally }, said }: Prepared, cells: Row, before: readonly Values[]): Told {
    const { dialect } = this.#levels;
    const [cell] = cells;
    switch (tally.take) {
      case 'first':
      case 'last': {
        const { record } = this.#levels.decode(cells);
        return { value: null, records: record === undefined ? before : [...before, record] };
      }
      case 'count':
        return { value: String(cell), records: [] };
      case 'sum':
        return { value: dialect.formulas.summed(cells, scaleOf(said.bodyType)), records: [] };
      default:
        return { value: textOf(cell, said.bodyType, dialect), records: [] };
    }
  }
}

const scaleOf = (type: ColumnType | undefined): number => (type?.kind === 'decimal' ? type.scale : 0);

function textOf(cell: Cell | undefined, type: ColumnType | undefined, dialect: Levels['dialect']): string | null {
  const value = type && decode(cell, type, dialect);
  return value === null || value === undefined ? null : String(value);
}

/** What is told in one statement. */
interface StatementAsks {
  /** Questions of one shape each. */
  readonly blocks: readonly (readonly Prepared[])[];
  /** The place of the only value in which those of the only shape differ, where they are grouped by it. */
  readonly varying: number | undefined;
}

/** Questions as few statements: many of one shape by the id in which they differ, all others one below the other. */
function statementsFor(open: readonly Prepared[]): readonly StatementAsks[] {
  const parts: StatementAsks[] = [];
  const rest: (readonly Prepared[])[] = [];
  for (const asks of Map.groupBy(open, ({ shape }) => shape).values()) {
    const varying = varyingIn(asks);
    if (varying === undefined) rest.push(...portions(asks, mostQuestions));
    else for (const some of portions(asks, mostValues)) parts.push({ blocks: [some], varying });
  }
  // Those that give a record have its columns, and all others one value.
  for (const ofRecords of [true, false]) {
    let blocks: (readonly Prepared[])[] = [];
    let size = 0;
    for (const asks of rest) {
      if (asks.some((one) => isRecord(one) !== ofRecords)) continue;
      const more = paddedCount(asks.length);
      if (size > 0 && size + more > mostQuestions) {
        parts.push({ blocks, varying: undefined });
        [blocks, size] = [[], 0];
      }
      blocks.push(asks);
      size += more;
    }
    if (size > 0) parts.push({ blocks, varying: undefined });
  }
  return parts;
}

function portions(asks: readonly Prepared[], most: number): readonly (readonly Prepared[])[] {
  const found: (readonly Prepared[])[] = [];
  for (let start = 0; start < asks.length; start += most) found.push(asks.slice(start, start + most));
  return found;
}

/** With the last one again and again, so that few statements differ in their length alone. */
const padded = (asks: readonly Prepared[]): readonly Prepared[] =>
  Array.from({ length: paddedCount(asks.length) }, (_value, place) => asks[place] ?? asks.at(-1)).filter(
    (one) => one !== undefined,
  );

const isRecord = ({ question: { tally } }: Pick<Prepared, 'question'>): boolean =>
  tally.take === 'first' || tally.take === 'last';

/** No column of a record has such a name. */
const askerColumn = '#';

/** Values of whatever kind as two texts, of which the second one is null where there is one alone. */
const values = ([value, more]: readonly Sql[]): Sql =>
  sql`cast(${value ?? sql`null`} as char) as value, cast(${more ?? sql`null`} as char) as more`;

/** The place of the only id in which several questions differ. */
function varyingIn(asks: readonly Prepared[]): number | undefined {
  const [first, second] = asks;
  if (first === undefined || second === undefined) return undefined;
  const { most, except } = first.question;
  if (isRecord(first) || most !== undefined) return undefined;
  const isSame = asks.every(
    ({ given, question }) =>
      given.every((value, index) => value === first.given[index]) &&
      question.except.every((id, index) => id === except[index]),
  );
  const differing = first.cells.flatMap((cell, index) =>
    asks.some(({ cells }) => !isSameCell(cells[index], cell)) ? [index] : [],
  );
  const [varying, ...others] = differing;
  const spot = varying === undefined ? undefined : first.spots[varying];
  return isSame && others.length === 0 && spot !== undefined && isExact(spot) && spot.columns.length === 1
    ? varying
    : undefined;
}

const isSameCell = (one: Bound | undefined, other: Bound): boolean =>
  one === other || (one instanceof Uint8Array && other instanceof Uint8Array && Buffer.compare(one, other) === 0);

/** By what the row of a question is known: its id, or its place. */
const askerOf = ({ cells }: Prepared, place: number, varying: number | undefined): string =>
  varying === undefined ? String(place) : String(cells[varying]);

/** How a value is bound that a tally is given; undefined for one that no engine takes as we do. */
function formOf(type: Type | undefined, value: string | boolean | null): ColumnType | undefined {
  switch (type?.kind) {
    case 'bool':
      return { kind: 'boolean' };
    case 'number': {
      const [whole = '', decimals = ''] = String(value ?? '')
        .replace('-', '')
        .split('.');
      // Few forms, so that few statements differ by them alone.
      return {
        kind: 'decimal',
        precision: Math.ceil((whole.length + 1) / 6) * 6 + decimals.length,
        scale: decimals.length,
      };
    }
    case 'date':
      return { kind: 'date' };
    case 'instant':
      return { kind: 'dateTime' };
    case 'time':
    case 'id':
    case 'text':
      return isSayable(String(value ?? '')) ? { kind: 'text', length: 255 } : undefined;
    default:
      return undefined;
  }
}

const isSayable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

const formsOf = (types: readonly (ColumnType | undefined)[]): string =>
  types.map((type) => (type?.kind === 'decimal' ? `${type.precision}.${type.scale}` : (type?.kind ?? '-'))).join();
