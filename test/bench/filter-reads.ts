// What pages of filters read: every declared filter, alone and in pairs, with values that many records have, few and none,
// from the beginning of the list and from places deep in it, in both directions. Rows are counted, so that the result is
// the same on every machine.

import { sql } from 'kysely';
import { type Endpoint, endpointsOf, type FilterParameter } from '../../src/endpoints/routes/endpoint.ts';
import { type Group, Groups } from '../../src/engine/plan/groups.ts';
import { readPage } from '../../src/engine/read/read.ts';
import type { Registry } from '../../src/registry/model/model.ts';
import type { Intent } from '../../src/request/intent.ts';
import { parseAddress } from '../../src/request/parse.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { Bound } from '../../src/storage/schema/cells.ts';
import { columnTypeOf, decode } from '../../src/storage/schema/columns.ts';
import { bind, compile } from '../../src/storage/schema/compiler.ts';
import type { Database, Session } from '../../src/storage/schema/session.ts';
import { and, param, words } from '../../src/storage/schema/sql.ts';
import { filterSql, filterValues, joinsSql } from '../../src/storage/statements/filter-sql.ts';
import { holderOf } from '../../src/storage/statements/plan.ts';
import { openCounter, type RowCounter } from '../support/databases/rows-read.ts';
import type { Cell } from './report.ts';

/** Of a range of days alone, for each day in it. */
const rowsADay = 1.5;
/** Of a pair, for each match of the rarer filter: what other ways look at meanwhile is a half at most. */
const pairShare = 1.5;
/** The same where the filter is the beginning of a text, or bounds numbers or moments: how far it has come cannot be told. */
const beginningShare = 3;
/** A page of so many records is asked for. */
const limit = 10;
/** What a page may read for each record that it shows, and at least in all. */
const rowsEach = 50;
const rowsAtLeast = 200;
/** Of a pair: each way has a few steps of its own. */
const pairAtLeast = 400;

type Commonness = 'common' | 'rare' | 'old' | 'none';

/** Bounds beyond which there is nothing. */
const endsOf: Readonly<Partial<Record<FilterParameter['accepts']['kind'], readonly [string, string]>>> = {
  integer: ['-1', '999999999'],
  decimal: ['-1', '99999999'],
  dateTime: ['1000-01-01T00:00:00Z', '2999-01-01T00:00:00Z'],
};

interface Wanted {
  readonly filter: FilterParameter;
  readonly commonness: Commonness;
  readonly value: string;
  readonly matches: number;
}

/** One page and what it read. */
export interface Look {
  readonly group: string;
  readonly query: string;
  readonly place: string;
  readonly commonness: readonly Commonness[];
  readonly shown: number;
  readonly read: number;
  readonly statements: number;
  /** What it may read; undefined where nothing is promised. */
  readonly allowed: number | undefined;
}

const isSearch = ({ comparison }: FilterParameter): boolean =>
  comparison === 'foldedContains' || comparison === 'foldedEndsWith';
const isRange = ({ comparison }: FilterParameter): boolean =>
  comparison === 'after' || comparison === 'onAfter' || comparison === 'before' || comparison === 'onBefore';
/** Whether nobody can tell how far a way through what it leads to has come. */
const isUntold = (filter: FilterParameter): boolean =>
  filter.comparison === 'foldedStartsWith' || (isRange(filter) && filter.accepts.kind !== 'date');

/**
 * Looks at all pages.
 * @param pairs every so many-th pair is looked at: 1 for all.
 * @param isChecked whether each page is compared with what a plain statement finds.
 */
export async function lookAtFilters(
  {
    databaseUrl,
    registry,
    rules,
    sizes,
    pairs,
    isChecked,
  }: {
    databaseUrl: string;
    registry: Registry;
    rules: ConstructorParameters<typeof Groups>[1];
    sizes: ReadonlyMap<string, number>;
    pairs: number;
    isChecked: boolean;
  },
  report: (look: Look) => void,
): Promise<void> {
  const database = await openDatabase(databaseUrl);
  const counter = await openCounter(databaseUrl);
  try {
    const groups = new Groups(registry, rules, database.dialect);
    for (const endpoint of endpointsOf(registry)) {
      if (endpoint.operation !== 'list' || !sizes.has(endpoint.resource.name)) continue;
      const ground = new Ground({ database, counter, endpoint, isChecked, group: groups.get(endpoint.resource.name) });
      await ground.look(pairs, report);
    }
  } finally {
    await counter.close();
    await database.close();
  }
}

class Ground {
  readonly #database: Database;
  readonly #counter: RowCounter;
  readonly #endpoint: Endpoint;
  readonly #group: Group;

  readonly #isChecked: boolean;

  constructor(parts: {
    readonly database: Database;
    readonly counter: RowCounter;
    readonly endpoint: Endpoint;
    readonly group: Group;
    readonly isChecked: boolean;
  }) {
    this.#isChecked = parts.isChecked;
    this.#database = parts.database;
    this.#counter = parts.counter;
    this.#endpoint = parts.endpoint;
    this.#group = parts.group;
  }

  async look(pairs: number, report: (look: Look) => void): Promise<void> {
    const table = this.#group.queries.view.table;
    const count = Number(await this.#one(`select count(*) from ${table}`));
    const at = (share: number): Promise<unknown> =>
      this.#one(
        `select id from ${table} order by created_at desc, id desc limit 1 offset ${Math.floor(count * share)}`,
      );
    const places = [
      { name: 'first', query: '' },
      { name: 'behind a third', query: `&startingAfter=${await at(1 / 3)}` },
      { name: 'behind nearly all', query: `&startingAfter=${await at(0.95)}` },
      { name: 'before two thirds', query: `&endingBefore=${await at(2 / 3)}` },
    ];
    const wanted = [];
    for (const filter of this.#endpoint.filters.values()) wanted.push(await this.#valuesOf(filter));
    for (const one of wanted.flat()) for (const place of places) report(await this.#measure([one], place));
    let number = 0;
    for (const [n, first] of wanted.entries())
      for (const second of wanted.slice(n + 1))
        for (const one of first)
          for (const other of second) {
            // A value that nobody has needs no company but that of a common one.
            if (
              (one.commonness === 'none' || other.commonness === 'none') &&
              one.commonness !== 'common' &&
              other.commonness !== 'common'
            )
              continue;
            number += 1;
            if (number % pairs === 0) for (const place of places) report(await this.#measure([one, other], place));
          }
  }

  async #one(text: string, values: readonly Bound[] = []): Promise<unknown> {
    const one = async (session: Pick<Session, 'all'>) => (await session.all(text, values))[0]?.[0];
    // What looks at a whole table may take the server longer than a statement of the service may.
    return this.#database.dialect.name === 'mysql' ? this.#database.restructure(one) : one(this.#database);
  }

  /** A value that many records have, one that few have, one that none has; of upper bounds also one of long ago. */
  async #valuesOf(filter: FilterParameter): Promise<Wanted[]> {
    const found: [Commonness, unknown][] = [];
    const { view } = this.#group.queries;
    const { comparison, field, accepts } = filter;
    const holder = holderOf(view, filter);
    const [table, name] = holder === undefined ? [view.table, field.column] : [holder.table, holder.column];
    const column = this.#database.dialect.quote(name);
    // As a parameter says it, where a cell is something else.
    const said = (cell: unknown): unknown =>
      cell === undefined || (accepts.kind !== 'decimal' && accepts.kind !== 'dateTime')
        ? cell
        : decode(cell as Bound & string, columnTypeOf(accepts), this.#database.dialect);
    if (comparison.startsWith('folded') && comparison !== 'foldedEquals') {
      const part = {
        foldedContains: ['lder', 'lm 1'],
        foldedStartsWith: ['al', 'elm 1'],
        foldedEndsWith: ['7', '977'],
      }[comparison as 'foldedContains'];
      found.push(['common', part?.[0]], ['rare', part?.[1]], ['none', 'no record has this']);
    } else if (isRange(filter)) {
      const known = Number(await this.#one(`select count(${column}) from ${table}`));
      const at = async (share: number): Promise<unknown> =>
        said(
          await this.#one(
            `select ${column} from ${table} where ${column} is not null order by ${column} limit 1 offset ${Math.floor((known - 1) * share)}`,
          ),
        );
      const isLower = comparison === 'after' || comparison === 'onAfter';
      found.push(['common', await at(isLower ? 0.1 : 0.9)], ['rare', await at(isLower ? 0.999 : 0.001)]);
      const [least, most] = endsOf[accepts.kind] ?? ['1000-01-01', '2999-01-01'];
      found.push(isLower ? ['none', most] : ['old', await at(0.2)]);
      if (!isLower) found.push(['none', least]);
    } else {
      const by = async (order: string): Promise<unknown> =>
        said(
          await this.#one(
            `select ${column} from ${table} where ${column} is not null group by ${column} order by count(*) ${order}, ${column} limit 1`,
          ),
        );
      found.push(['common', await by('desc')], ['rare', await by('asc')]);
      if (accepts.kind === 'enum') found.push(['none', accepts.values.at(-1)]);
      else if (accepts.kind === 'uuid') found.push(['none', '00000000-0000-7000-8000-00000000dead']);
      else if (accepts.kind === 'date') found.push(['none', '2999-01-01']);
      else if (accepts.kind === 'text' && accepts.format === undefined) found.push(['none', 'no record has this']);
    }
    const wanted: Wanted[] = [];
    for (const [commonness, value] of found) {
      if (value === null || value === undefined || wanted.some((other) => other.value === String(value))) continue;
      wanted.push({ filter, commonness, value: String(value), matches: await this.#matchesOf(filter, String(value)) });
    }
    return wanted;
  }

  async #matchesOf(filter: FilterParameter, value: string): Promise<number> {
    const { view } = this.#group.queries;
    const { dialect } = this.#database;
    const holder = holderOf(view, filter);
    const counted =
      holder === undefined
        ? sql`select count(*) from ${sql.table(view.table)} as t ${view.shownElsewhere.has(filter.field) ? joinsSql(view.joins) : sql``} where ${and([filterSql(view, filter, dialect)])}`
        : // An item is a row of its own.
          sql`select count(*) from ${sql.table(holder.table)} as f where ${sql.ref(`f.${holder.column}`)} = ${sql.raw(`'${value}'`)}`;
    const statement = compile(counted, dialect);
    return Number(await this.#one(statement.sql, bind(statement, filterValues(filter, value, dialect))));
  }

  async #measure(wanted: readonly Wanted[], place: { name: string; query: string }): Promise<Look> {
    const query = wanted.map(({ filter, value }) => `${filter.name}=${encodeURIComponent(value)}`).join('&');
    const asked: [string, readonly Bound[]][] = [];
    const session = {
      all: (text: string, values: readonly Bound[]) => {
        asked.push([text, values]);
        return this.#database.all(text, values);
      },
    };
    const address = parseAddress(this.#endpoint, '', `limit=${limit}&${query}${place.query}`);
    const intent = { endpoint: this.#endpoint, caller: { tokenId: '', memberId: null }, ...address, body: undefined };
    // Lists are read by the ids of the page, whatever the filters are.
    const group: Group = {
      ...this.#group,
      lists: [],
      write: (row) => JSON.stringify(row[0]),
    };
    const { dialect } = this.#database;
    const records = () => {
      throw new Error('nothing is taken when these records are read');
    };
    const page = await readPage({ session, group, dialect, today: () => '2026-01-01', records }, intent);
    const { results: shown } = JSON.parse(page.toString()) as { results: string[] };
    if (this.#isChecked) await this.#check(intent, shown);
    let read = 0;
    for (const [text, values] of asked) read += await this.#counter.count(text, values);
    return {
      ...{
        group: this.#group.resource.name,
        query,
        place: place.name,
        shown: shown.length,
        read,
        statements: asked.length,
      },
      commonness: wanted.map(({ commonness }) => commonness),
      allowed: await this.#allowed(wanted, shown.length),
    };
  }

  /** Compares a page with the one that a plain statement finds, whatever it costs. @throws Error where they differ. */
  async #check({ filters, cursor }: Pick<Intent, 'filters' | 'cursor'>, shown: readonly string[]): Promise<void> {
    const { view } = this.#group.queries;
    const { dialect } = this.#database;
    const values: Record<string, Bound> = { cursorId: cursor?.id ?? null };
    for (const { filter, value } of filters) Object.assign(values, filterValues(filter, value, dialect));
    const conditions = filters.map(({ filter }) => filterSql(view, filter, dialect));
    const isBackwards = cursor?.direction === 'before';
    const [sign, direction] = isBackwards ? ['>', 'asc'] : ['<', 'desc'];
    const cursorAt = sql`(select created_at from ${sql.table(view.table)} where id = ${param('cursorId')})`;
    if (cursor !== undefined)
      conditions.push(
        sql`(t.created_at ${words(sign)} ${cursorAt} or (t.created_at = ${cursorAt} and t.id ${words(sign)} ${param('cursorId')}))`,
      );
    const plain = compile(
      sql`select t.id from ${sql.table(view.table)} as t ${joinsSql(view.joins)} where ${and(conditions)} order by t.created_at ${words(direction)}, t.id ${words(direction)} limit ${words(String(limit))}`,
      dialect,
    );
    const found = (await this.#database.all(plain.sql, bind(plain, values))).map(([id]) => String(id));
    if (isBackwards) found.reverse();
    if (found.join() !== shown.join())
      throw new Error(
        `${filters.map(({ filter, value }) => `${filter.name}=${value}`).join('&')}: ${shown.join()}, not ${found.join()}`,
      );
  }

  /** The promise. */
  async #allowed(wanted: readonly Wanted[], shown: number): Promise<number | undefined> {
    const page = Math.max(rowsAtLeast, rowsEach * shown);
    const [one] = wanted;
    const { shownElsewhere } = this.#group.queries.view;
    const counted = wanted.filter(({ filter }) => !isSearch(filter) && !shownElsewhere.has(filter.field));
    if (one === undefined || counted.length === 0) return undefined;
    const rarer = Math.min(...counted.map(({ matches }) => matches));
    if (wanted.length > 1) {
      // A row of a list leads to the record that owns it: two rows.
      const each = wanted.some(({ filter }) => holderOf(this.#group.queries.view, filter) !== undefined) ? 2 : 1;
      const share = wanted.some(({ filter }) => isUntold(filter)) ? beginningShare : pairShare;
      return Math.max(pairAtLeast, page) + each * share * rarer;
    }
    if (isUntold(one.filter)) return page + beginningShare * one.matches;
    return isRange(one.filter) ? page + rowsADay * (await this.#daysOf(one)) : page;
  }

  readonly #days = new Map<string, number>();

  /** How many days there are within a bound. */
  async #daysOf({ filter, value }: Wanted): Promise<number> {
    const key = `${filter.name}=${value}`;
    const known = this.#days.get(key);
    if (known !== undefined) return known;
    const { view } = this.#group.queries;
    const { dialect } = this.#database;
    const statement = compile(
      sql`select count(distinct ${sql.ref(`t.${filter.field.column}`)}) from ${sql.table(view.table)} as t where ${filterSql(view, filter, dialect)}`,
      dialect,
    );
    const days = Number(await this.#one(statement.sql, bind(statement, filterValues(filter, value, dialect))));
    this.#days.set(key, days);
    return days;
  }
}

/** What a page read to what it may: above 1 the promise is broken. */
export const excess = ({ read, allowed }: Look): number => (allowed === undefined ? 0 : read / allowed);

export const lookHeads = ['group', 'filters', 'values', 'page', 'shown', 'read', 'promised', 'statements'];

/** The worst pages, and beside them those of which nothing is promised. */
export function lookRows(looks: readonly Look[], count: number): Cell[][] {
  const worst = looks.toSorted((one, other) => excess(other) - excess(one)).slice(0, count);
  const free = looks.filter(({ allowed }) => allowed === undefined).toSorted((one, other) => other.read - one.read);
  return [...worst, ...free.slice(0, 3)].map((look) => [
    look.group,
    look.query.length > 70 ? `${look.query.slice(0, 69)}…` : look.query,
    look.commonness.join(', '),
    ...[look.place, look.shown, look.read, look.allowed === undefined ? 'nothing' : Math.floor(look.allowed)],
    look.statements,
  ]);
}
