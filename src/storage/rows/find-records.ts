// Finds records, or items of lists, by the conditions that formulas ask with: questions that differ only in values share one
// statement.
import { sql } from 'kysely';
import { inTurns } from '../../admission/event-loop.ts';
import type { Ask, Limit } from '../../formulas/evaluate/facts.ts';
import { type Soon, soon, soonAll } from '../../values/soon.ts';
import type { Bound, Row } from '../schema/cells.ts';
import { cellOf } from '../schema/columns.ts';
import { bind, compile, type Statement } from '../schema/compiler.ts';
import type { LruCache } from '../schema/lru-cache.ts';
import type { Session } from '../schema/session.ts';
import type { Sql } from '../schema/sql.ts';
import { limitTo, Param } from '../schema/sql.ts';
import { paddedCount } from '../statements/query.ts';
import { either, every, type FoundRow, isExact, type Levels, type WantedColumns } from './levels.ts';

interface PreparedLimit extends Pick<Limit, 'sign' | 'orNull'> {
  readonly column: string;
  /** Null is looked for in another way. */
  readonly cell: Bound;
}

/** An ask, as statements are told it. */
interface Prepared {
  readonly index: number;
  /** What tells the asks of one statement from those of others. */
  readonly shape: string;
  readonly spots: readonly WantedColumns[];
  readonly cells: readonly Bound[];
  /** The values as they are read, to find whose a row is. */
  readonly values: string;
  readonly limits: readonly PreparedLimit[];
}

/** So many ids stand in one statement, or so many asks that differ in more than one value. */
const mostValues = 1000;
const mostAsks = 50;

export class RecordFinder {
  readonly #levels: Levels;
  readonly #kept: LruCache<Statement>;

  constructor(levels: Levels, kept: LruCache<Statement>) {
    this.#levels = levels;
    this.#kept = kept;
  }

  /**
   * What each of these asks finds, in no order. Limits may be passed over: whoever asks judges what is found.
   * @param most Of each, in the mean of those of one statement: undefined for all of a statement that finds more.
   */
  find(session: Session, asks: readonly Ask[], most?: number): Soon<readonly (readonly FoundRow[] | undefined)[]> {
    const shapes = new Map<string, Prepared[]>();
    for (const [index, ask] of asks.entries()) {
      const one = this.#prepare(ask, index);
      if (one === undefined) continue;
      const alike = shapes.get(one.shape);
      if (alike === undefined) shapes.set(one.shape, [one]);
      else alike.push(one);
    }
    const found: (Map<string, FoundRow> | undefined)[] = asks.map(() => new Map());
    const parts = [...shapes.values()].flatMap((alike) => this.#partsOf(alike));
    const read = soonAll(parts.map((part) => this.#read(session, { ...part, most }, found)));
    return soon(read, () => found.map((rows) => rows && [...rows.values()]));
  }

  /** Whether there is any, but for those of one record. */
  async hasAny(session: Session, except: string): Promise<boolean> {
    const { deepest, depth } = this.#levels;
    const id = depth === 0 ? 'id' : 'owner_id';
    const statement = this.#keep(
      'any',
      () => sql`select 1 from ${sql.table(deepest.table)} where ${sql.ref(id)} <> ${new Param('except')} limit 1`,
    );
    return (await session.all(statement.sql, bind(statement, { except }))).length > 0;
  }

  #keep(key: string, make: () => Parameters<typeof compile>[0]): Statement {
    const { deepest, dialect } = this.#levels;
    return this.#kept.get(`find ${deepest.table} ${key}`, () => compile(make(), dialect));
  }

  /** @returns undefined for what no record can have */
  #prepare({ wanted, limits }: Ask, index: number): Prepared | undefined {
    const spots = wanted.map((one, place) => this.#levels.spotOf(one, place));
    const cells: Bound[] = [];
    for (const [place, { value }] of wanted.entries()) {
      const spot = spots[place];
      const cell = spot && this.#levels.cellAt(spot, value);
      if (cell === undefined) return undefined;
      cells.push(cell);
    }
    const prepared = limits.flatMap((limit) => this.#limitOf(limit) ?? []);
    return {
      index,
      spots,
      cells,
      limits: prepared,
      values: JSON.stringify(wanted.map(({ value }) => String(value))),
      shape: [
        ...wanted.map(({ key, up, isAmong, group }) => `${key}^${up}${isAmong ? '@' : ''}${group ?? ''}`),
        ...prepared.map(
          ({ column, sign, orNull, cell }) => `${column}${sign}${orNull ? '-' : ''}${cell === null ? '0' : ''}`,
        ),
      ].join(),
    };
  }

  /** @returns undefined for what the condition has to judge alone */
  #limitOf({ key, sign, value, orNull }: Limit): PreparedLimit | undefined {
    const { depth, deepest, dialect } = this.#levels;
    const binding = depth === 0 ? deepest.readable.find((one) => one.key === key) : undefined;
    if (binding === undefined) return undefined;
    const cell = value === null ? null : cellOf(value, binding.type, dialect);
    return cell === undefined ? undefined : { column: `r.${binding.column}`, sign, orNull, cell };
  }

  /** Asks that are one statement each. */
  #partsOf(asks: readonly Prepared[]): readonly StatementAsks[] {
    const [first] = asks;
    if (first === undefined) return [];
    const differ = (cellsOf: (one: Prepared) => readonly Bound[]): number[] =>
      cellsOf(first).flatMap((cell, place) => (asks.some((one) => cellsOf(one)[place] !== cell) ? [place] : []));
    const varying = differ(({ cells }) => cells.map((cell) => (cell instanceof Uint8Array ? keyText(cell) : cell)));
    const isOneValue = varying.length <= 1 && differ(({ limits }) => limits.map(({ cell }) => cell)).length === 0;
    const most = isOneValue ? mostValues : mostAsks;
    const parts: StatementAsks[] = [];
    for (let start = 0; start < asks.length; start += most)
      parts.push({ asks: asks.slice(start, start + most), varying: isOneValue ? (varying[0] ?? 0) : undefined });
    return parts;
  }

  #read(
    session: Session,
    { most, ...part }: StatementAsks & { readonly most: number | undefined },
    found: (Map<string, FoundRow> | undefined)[],
  ): Soon<void> {
    const { asks, varying } = part;
    const [first] = asks;
    if (first === undefined) return;
    const count = paddedCount(asks.length);
    const limit = most === undefined ? undefined : most * asks.length;
    const statement = this.#keep(
      `${first.shape}:${varying ?? 'or'}:${count}:${limit === undefined ? '' : 'few'}`,
      () =>
        limit === undefined ? this.#statement(part, first) : sql`${this.#statement(part, first)} ${limitTo('limit')}`,
    );
    const bound: Record<string, Bound> = limit === undefined ? {} : { limit: BigInt(limit + 1) };
    for (let place = 0; place < count; place += 1) {
      const { cells, limits } = asks[place] ?? first;
      for (const [index, cell] of cells.entries()) bound[`w${index}:${place}`] = cell;
      for (const [index, { cell }] of limits.entries()) bound[`b${index}:${place}`] = cell;
    }
    const askers = new Map<string, number[]>();
    for (const { values, index } of asks) askers.set(values, [...(askers.get(values) ?? []), index]);
    const isLone = asks.length === 1 && first.spots.every(isExact);
    const put = (row: Row): void => {
      const one = this.#levels.decode(row);
      const key = one.items.length === 0 ? one.id : [one.id, ...one.items.map(({ place }) => place)].join();
      const whose = isLone ? [first.index] : (askers.get(this.#wantedIn(row, first.spots)) ?? []);
      for (const index of whose) found[index]?.set(key, one);
    };
    return session.all(statement.sql, bind(statement, bound)).then((rows) => {
      if (limit === undefined || rows.length <= limit) return inTurns(rows, put);
      for (const { index } of asks) found[index] = undefined;
      return undefined;
    });
  }

  // --- Statements

  #statement({ asks, varying }: StatementAsks, { spots, limits }: Prepared): Sql {
    const count = paddedCount(asks.length);
    const spot = (index: number, values: (column: Sql) => Sql): Sql =>
      either((spots[index]?.sought ?? []).map(({ name }) => values(sql.ref(name))));
    const equal = (index: number, place: number): Sql =>
      spot(index, (column) => sql`${column} = ${new Param(`w${index}:${place}`)}`);
    const limitsAt = (place: number): Sql[] => limits.map((limit, index) => limitSql(limit, `b${index}:${place}`));
    const ask = (place: number): Sql =>
      every([...spots.map((_spot, index) => equal(index, place)), ...limitsAt(place)]);
    const places = Array.from({ length: count }, (_value, place) => place);
    let where = ask(0);
    if (count > 1 && varying === undefined) where = either(places.map((place) => sql`(${ask(place)})`));
    if (count > 1 && varying !== undefined) {
      const list = sql.join(places.map((place) => sql`${new Param(`w${varying}:${place}`)}`));
      const values = spots.map((_spot, index) =>
        index === varying ? spot(index, (column) => sql`${column} in (${list})`) : equal(index, 0),
      );
      where = every([...values, ...limitsAt(0)]);
    }
    const wanted = spots.flatMap(({ columns }) => columns.map((column) => this.#levels.selected(column)));
    return sql`select ${sql.join([...this.#levels.own(), ...wanted])} from ${this.#levels.joined(spots)} where ${where}`;
  }

  /** The wanted values as a row has them: they stand last. */
  #wantedIn(row: Row, spots: readonly WantedColumns[]): string {
    let start = row.length - spots.reduce((sum, { columns }) => sum + columns.length, 0);
    const values = spots.map((spot) => {
      const end = start + spot.columns.length;
      const text = this.#levels.textIn(spot, row.slice(start, end));
      start = end;
      return text;
    });
    return JSON.stringify(values);
  }
}

/** Asks of one statement. */
interface StatementAsks {
  readonly asks: readonly Prepared[];
  /** The place of the only value in which they differ; undefined where they differ in more. */
  readonly varying: number | undefined;
}

const keyText = (bytes: Uint8Array): string => bytes.toString();

function limitSql({ column, sign, orNull, cell }: PreparedLimit, param: string): Sql {
  const at = sql.ref(column);
  if (cell === null) return sign === '==' ? sql`${at} is null` : sql`${at} is not null`;
  const limit = sql`${at} ${sql.raw(signs[sign])} ${new Param(param)}`;
  return orNull || sign === '!=' ? sql`(${limit} or ${at} is null)` : limit;
}

const signs = { '==': '=', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' } as const;
