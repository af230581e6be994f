// Counts, sums, minima and maxima that formulas ask of many records or items: computed by the database, one row per question.
import { type RawBuilder, sql } from 'kysely';
import type { Tally } from '../../formulas/analyse/tally.ts';
import type { TallyAsk, TallyQuestion } from '../../formulas/evaluate/facts.ts';
import type { TreeOf } from '../../formulas/language/tree.ts';
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
import { bindingTypesText, toBindingType } from './aggregates/given-values.ts';
import type { Prepared, TallySql } from './aggregates/prepared.ts';
import { getQuestionKey, isRecord, padQuestions, type StatementAsks, statementsFor } from './aggregates/questions.ts';
import { addSteps } from './aggregates/steps.ts';
import { either, every, type Levels, type WantedColumns } from './levels.ts';

/** What a question has come to: a number or another plain value; or the first or the last ones. */
interface Told {
  value: string | null;
  readonly records: readonly Values[];
}

export class Aggregator {
  readonly #levels: Levels;
  readonly #kept: LruCache<Statement>;
  /** What can be said of each tally, by the forms of what it is given; undefined for what cannot. */
  readonly #said = new LruCache<TallySql | undefined>(500);

  constructor(levels: Levels, kept: LruCache<Statement>) {
    this.#levels = levels;
    this.#kept = kept;
  }

  /** Whether the database can tell it, and exactly. */
  canTell({ tally, given }: TallyAsk): boolean {
    const types = given.map((value, index) => toBindingType(tally.given[index], value));
    return types.every((type) => type !== undefined) && this.#sayingOf(tally, types) !== undefined;
  }

  /** What each of these questions comes to, all of which can be told. */
  tell(session: Session, questions: readonly TallyQuestion[]): Soon<readonly Told[]> {
    const told: Told[] = questions.map(() => ({ value: null, records: [] }));
    const open = questions.flatMap((question, index) => this.#prepare(question, index) ?? []);
    const { parts, chains } = statementsFor(open);
    const [first, ...others] = parts.map((part) => this.#read(session, part, told));
    if (first === undefined) return told;
    if (others.length === 0 && chains.length === 0) return first;
    return soon(soonAll([first, ...others]), () => {
      addSteps(chains, told);
      return told;
    });
  }

  /** @returns undefined for what no record can have */
  #prepare(question: TallyQuestion, index: number): Prepared | undefined {
    const { tally, wanted, given, most, except } = question;
    const spots = wanted.map((one, place) => this.#levels.spotOf(one, place));
    const cells = wanted.map(({ value }, place) => spots[place] && this.#levels.cellAt(spots[place], value));
    const types = given.map((value, place) => toBindingType(tally.given[place], value));
    const said = this.#sayingOf(tally, types);
    if (said === undefined) unreachable('it was asked whether this can be told');
    const isKnown = (cell: Bound | undefined): cell is Bound => cell !== undefined;
    if (!cells.every(isKnown)) return undefined;
    const { dialect } = this.#levels;
    return {
      ...{ index, question, sql: said, spots, cells },
      givenCells: given.map((value, place) => encode(value, types[place] ?? { kind: 'boolean' }, dialect)),
      shape: [
        ...wanted.map(({ key, up, group }) => `${key}^${up}${group ?? ''}`),
        `${tally.id}${bindingTypesText(types)}:${most === undefined ? '' : 'most'}:${except.length}`,
      ].join(),
    };
  }

  #sayingOf(tally: Tally, types: readonly (ColumnType | undefined)[]): TallySql | undefined {
    return this.#said.get(`${tally.id}${bindingTypesText(types)}`, () => this.#say(tally, types));
  }

  #say(tally: Tally, types: readonly (ColumnType | undefined)[]): TallySql | undefined {
    const { dialect } = this.#levels;
    const columnsAt =
      (place: number, param = (index: string): Param => new Param(`g${index}:${place}`)): ColumnsOf =>
      (key, up) => {
        if (!key.startsWith('?')) {
          const column = this.#levels.columnOf(key, up);
          return column && { sql: sql.ref(column.name), type: column.type, isColumn: true };
        }
        const type = types[Number(key.slice(1))];
        const given = sql`${param(key.slice(1))}`;
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
    const bound = tally.step && conditions[tally.step.condition];
    const beyond = bound?.op === 'compare' ? toOpposite(bound) : undefined;
    const between = (place: number): Sql | undefined =>
      beyond &&
      conditionSql(
        beyond,
        columnsAt(place, () => new Param(`p:${place}`)),
        dialect,
      );
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
      between: between(0) === undefined ? undefined : (place) => between(place) ?? unreachable('it was SQL before'),
    };
  }

  #sum({ sql: number, type }: FormulaSql): readonly Sql[] | undefined {
    return type.kind === 'decimal' ? this.#levels.dialect.formulas.sum(number, type) : undefined;
  }

  #read(session: Session, { blocks, varying }: StatementAsks, told: Told[]): Soon<readonly Told[]> {
    const [first] = blocks[0] ?? [];
    if (first === undefined) return told;
    const asked = blocks.flatMap((asks) => padQuestions(asks));
    const key = blocks.map((asks) => `${asks[0]?.shape}*${paddedCount(asks.length)}`).join(' + ');
    const statement = this.#keep(`${key}:${varying ?? ''}`, () =>
      varying === undefined ? this.#together(asked) : this.#grouped(first, varying, asked.length),
    );
    const bound: Record<string, Bound> = {};
    for (const [place, { cells, givenCells, question, previous }] of asked.entries()) {
      if (previous !== undefined) bound[`p:${place}`] = previous;
      for (const [index, cell] of cells.entries()) bound[`w${index}:${place}`] = cell;
      for (const [index, cell] of givenCells.entries()) bound[`g${index}:${place}`] = cell;
      for (const [index, id] of question.except.entries()) bound[`e${index}:${place}`] = id;
      if (question.most !== undefined) bound[`most:${place}`] = BigInt(question.most);
    }
    // What fills a block up is its last question again: one answer to it is enough.
    const askers = new Map(
      asked.flatMap((one, place) =>
        asked[place - 1] === one || one.index < 0 ? [] : [[getQuestionKey(one, place, varying), one] as const],
      ),
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

  #one({ sql: said, spots, question, previous }: Prepared, place: number): Sql {
    const { tally, most, except } = question;
    const equal = spots.map((spot, index) =>
      either(spot.sought.map(({ name }) => sql`${sql.ref(name)} = ${new Param(`w${index}:${place}`)}`)),
    );
    const between = previous === undefined ? [] : [said.between?.(place)].filter((part) => part !== undefined);
    const where = every([...equal, ...this.#others(except, place), ...said.conditions(place), ...between]);
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
  #grouped({ sql: said, spots, question: { tally, except } }: Prepared, varying: number, count: number): Sql {
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

  #taken({ take }: Tally, { body }: TallySql, place: number): readonly Sql[] {
    if (take === 'count') return [sql`count(*)`];
    const part = body?.(place);
    if (part === undefined) unreachable(`nothing is given to ${take}`);
    if (take === 'sum') return this.#sum(part) ?? [];
    return [sql`${sql.raw(take)}(${part.sql})`];
  }

  // --- Rows

  #toldBy({ question: { tally }, sql: said }: Prepared, cells: Row, before: readonly Values[]): Told {
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

const opposites = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

/** The comparison that holds for the records that the other one leaves out, apart from null. */
const toOpposite = (tree: TreeOf<'compare'>): TreeOf<'compare'> => ({ ...tree, sign: opposites[tree.sign] });

/** No column of a record has such a name. */
const askerColumn = '#';

/** Values of whatever kind as two texts, of which the second one is null where there is one alone. */
const values = ([value, more]: readonly Sql[]): Sql =>
  sql`cast(${value ?? sql`null`} as char) as value, cast(${more ?? sql`null`} as char) as more`;
