// Preflight: looks for data conflicts of all steps before the first one runs, so that a refusal leaves the database unchanged.
// Each step is examined on the present tables as if it were the first. What cannot be seen here, because a process died between
// a step and its record in the history, is found when that step runs.
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Bound, Cell } from '../../storage/schema/cells.ts';
import { decode, encode } from '../../storage/schema/columns.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Session } from '../../storage/schema/session.ts';
import { keyHash } from '../../values/fold.ts';
import { type Live, readLive } from '../editors/live.ts';
import { adaptStep } from '../plan/adapt.ts';
import { typeOf } from '../plan/column-type.ts';
import { compileFill } from '../plan/fill-formula.ts';
import { allows } from '../plan/fill-value.ts';
import { columnIn, findColumn, findTable, type Schema, type SchemaColumn } from '../plan/schema.ts';
import { applyStep, type FillValue, type Step } from '../plan/steps.ts';
import { stepWords } from '../plan/words.ts';
import { dataConflictOf } from './data-conflicts.ts';
import { duplicateKeys, type EarlyKey, type KeyPart } from './duplicate-keys.ts';
import { columnsOf, type EarlyFill, type FillPart, filledCell, findFillConflicts } from './fill-conflicts.ts';

/** A column of the database on its way through the steps. */
interface Passage {
  /** Its name in the database; undefined for one that a step brings. */
  readonly name: string | undefined;
  /** The formula that has given each row a value that had none. */
  readonly fill?: EarlyFill;
  /** What becomes of a value; undefined while nothing does. */
  readonly change: ((value: Bound) => Bound) | undefined;
  /** New value of an enum → the one that rows have. */
  readonly renamed: Readonly<Record<string, string>>;
}

interface Origin {
  /** The table's name in the database. */
  readonly name: string;
  readonly columns: Map<string, Passage>;
}

/**
 * Looks at the rows for all steps at once.
 * @param recorded the schema that the database has
 * @throws ConfigurationFault that names the rows in the way
 */
export async function refuseDataConflicts(
  steps: readonly Step[],
  recorded: Schema,
  { session, dialect, lostColumns, allowLoss }: PreflightOptions,
): Promise<void> {
  const live = await readLive(session, dialect);
  const voyage = new Voyage({ recorded, live, dialect, lostColumns });
  const search = { session, dialect, before: recorded };
  const found: string[] = [];
  const losses: string[] = [];
  for (const step of steps) {
    for (const part of adaptStep(step, voyage.now)) {
      const note = (list: string[], conflict: string | undefined): void => {
        if (conflict !== undefined) list.push(`  it ${stepWords(part)}, but ${conflict}`);
      };
      const early = voyage.early(part);
      voyage.take(part);
      for (const ask of [early, ...voyage.filledKeys(part)]) {
        if (ask === undefined) continue;
        if ('target' in ask) {
          const conflicts = await findFillConflicts(ask, search);
          note(found, conflicts.unfit);
          note(losses, conflicts.losses);
        } else note(found, 'sources' in ask ? await duplicateKeys(ask, search) : await dataConflictOf(ask, search));
      }
    }
  }
  if (found.length > 0)
    throw new ConfigurationFault(
      `Stored rows block the migration; nothing was changed:\n${found.join('\n')}\nCorrect the rows, or replace their values with --fill, then run it again.`,
    );
  if (losses.length > 0 && !allowLoss)
    throw new ConfigurationFault(
      `Stored rows would lose values; nothing was changed:\n${losses.join('\n')}\nCorrect the rows or the formula, or run with --allow-loss.`,
    );
}

interface PreflightOptions {
  readonly session: Pick<Session, 'all'>;
  readonly dialect: Dialect;
  /** Columns whose values a fill loses if it gives nothing. */
  readonly lostColumns: ReadonlyMap<Step, ReadonlySet<string>>;
  readonly allowLoss: boolean;
}

interface VoyageOptions extends Pick<PreflightOptions, 'dialect' | 'lostColumns'> {
  readonly recorded: Schema;
  readonly live: Live;
}

/** Where the tables and columns come from, in the middle of the steps. */
class Voyage {
  now: Schema;
  readonly #recorded: Schema;
  readonly #dialect: Dialect;
  readonly #lostColumns: VoyageOptions['lostColumns'];
  readonly #tables = new Map<string, Origin>();

  constructor({ recorded, live, dialect, lostColumns }: VoyageOptions) {
    this.now = recorded;
    this.#recorded = recorded;
    this.#dialect = dialect;
    this.#lostColumns = lostColumns;
    for (const { name, columns } of recorded.tables) {
      const found = live.get(name);
      // What was interrupted may have gone further than its note.
      if (found === undefined || !columns.every((column) => found.columns.has(column.name))) continue;
      const passages = columns.map((column): [string, Passage] => [
        column.name,
        { name: column.name, change: undefined, renamed: {} },
      ]);
      this.#tables.set(name, { name, columns: new Map(passages) });
    }
  }

  /** The step as if it were the first one; undefined when it asks nothing of the rows that there are. */
  early(step: Step): Step | EarlyKey | EarlyFill | undefined {
    if (step.do === 'createTable' || step.do === 'noteStates') return undefined;
    const table = this.#tables.get(step.table);
    if (table === undefined) return undefined;
    switch (step.do) {
      case 'addColumn':
      case 'changeLimits':
        return { ...step, table: table.name };
      case 'changeColumn': {
        const passage = table.columns.get(step.column.name);
        // A fill that replaces values is checked itself: each row has one that the column allows after it.
        if (passage?.name === undefined || passage.fill?.isReplacing === true) return undefined;
        const column = { ...withOldValues(step.column, passage.renamed), name: passage.name };
        // What is null is given a value before this step, and so is what is made from it.
        const source = table.columns.get(step.column.madeFrom ?? step.column.name);
        const given = source?.fill === undefined ? {} : { fill: '' };
        return { ...step, ...given, table: table.name, column };
      }
      case 'fillColumn':
        return this.#earlyFill(step, table);
      case 'addIndex':
        return step.index.unique === true ? this.#earlyKey(step, table) : undefined;
      case 'addForeignKey': {
        const column = table.columns.get(step.column)?.name;
        const references = this.#tables.get(step.references)?.name ?? step.references;
        return column === undefined ? undefined : { ...step, table: table.name, column, references };
      }
      default:
        return undefined;
    }
  }

  /** Keys over a column whose nulls a step has filled: rows that differed by having none may be the same now. */
  filledKeys(step: Step): readonly (Step | EarlyKey | undefined)[] {
    if (step.do !== 'fillColumn' && (step.do !== 'changeColumn' || step.fill === undefined)) return [];
    const [table, origin] = [findTable(this.now, step.table), this.#tables.get(step.table)];
    if (table === undefined || origin === undefined) return [];
    const isFilled = (name: string): boolean =>
      name === step.column.name || findColumn(table, name)?.madeFrom === step.column.name;
    return table.indexes
      .filter(({ unique, columns }) => unique === true && columns.some(isFilled))
      .map((index) => this.#earlyKey({ do: 'addIndex', table: step.table, index }, origin));
  }

  #earlyKey(step: Extract<Step, { readonly do: 'addIndex' }>, origin: Origin): Step | EarlyKey | undefined {
    const table = findTable(this.#recorded, origin.name);
    const now = findTable(this.now, step.table);
    if (table === undefined) return undefined;
    const sources = step.index.columns.map((name): KeyPart & { readonly isPlain: boolean } => {
      const made = findColumn(now, name);
      const passage = origin.columns.get(made?.madeFrom ?? name);
      const isPlain =
        passage?.change === undefined && passage?.fill === undefined && origin.columns.get(name)?.name !== undefined;
      const valueFrom = (cells: readonly Cell[]): Bound => this.#cellOf(passage, cells);
      const hashed = (cells: readonly Cell[]): Bound => {
        const text = valueFrom(cells);
        return text === null ? null : keyHash(String(text));
      };
      return {
        columns: this.#columnsFor(passage),
        valueFrom: made?.madeFrom === undefined ? valueFrom : hashed,
        isPlain,
      };
    });
    if (!sources.every(({ isPlain }) => isPlain)) return { table, columns: step.index.columns, sources };
    const columns = step.index.columns.map((name) => origin.columns.get(name)?.name ?? name);
    return { ...step, table: origin.name, index: { ...step.index, columns } };
  }

  /** The columns of the database that tell what a column holds behind the steps so far. */
  #columnsFor(passage: Passage | undefined): readonly string[] {
    if (passage?.fill !== undefined) return columnsOf(passage.fill);
    return passage?.name === undefined ? [] : [passage.name];
  }

  #cellOf({ change = same, fill }: Partial<Passage> = {}, cells: readonly Cell[]): Bound {
    return change(fill === undefined ? (cells[0] ?? null) : filledCell(fill, cells, this.#dialect));
  }

  #earlyFill(step: Extract<Step, { readonly do: 'fillColumn' }>, origin: Origin): EarlyFill | undefined {
    const table = findTable(this.#recorded, origin.name);
    if (table === undefined) return undefined;
    const now = findTable(this.now, step.table);
    const { column } = step;
    const fill = compileFill(step.formula, now, column);
    const target = origin.columns.get(column.name);
    const lostColumns = this.#lostColumns.get(step) ?? new Set();
    const sources = fill.reads.map((name): FillPart => {
      const passage = origin.columns.get(name);
      const { name: stored, renamed = {} } = passage ?? {};
      const type = typeOf(findColumn(table, stored ?? '') ?? findColumn(now, name) ?? column);
      const heirs = new Map(Object.entries(renamed).map(([heir, old]) => [old, heir]));
      return {
        columns: this.#columnsFor(passage),
        valueFrom: (cells) => {
          const changed = this.#cellOf(passage, cells);
          const value = decode(typeof changed === 'bigint' ? String(changed) : changed, type, this.#dialect);
          return heirs.get(String(value)) ?? value;
        },
      };
    });
    const stored = typeOf(findColumn(table, target?.name ?? '') ?? column);
    const heirs = new Map(Object.entries(target?.renamed ?? {}).map(([heir, old]) => [old, heir]));
    const keeps = (cell: Cell): boolean => {
      if (step.unfit !== true) return cell !== null;
      const value = decode(cell, stored, this.#dialect);
      return allows(heirs.get(String(value)) ?? value, column);
    };
    const isLost = (source: number): boolean => lostColumns.has(fill.reads[source] ?? '');
    return { table, column, fill, sources, target: target?.name, keeps, isLost, isReplacing: step.unfit === true };
  }

  /** Goes on behind a step. */
  take(step: Step): void {
    const before = this.now;
    this.now = applyStep(before, step);
    if (step.do === 'createTable' || step.do === 'noteStates') return;
    const table = this.#tables.get(step.table);
    const columns = table?.columns;
    const move = <T>(map: Map<string, T>, from: string, to: string): void => {
      const found = map.get(from);
      map.delete(from);
      if (found !== undefined) map.set(to, found);
    };
    switch (step.do) {
      case 'dropTable':
        this.#tables.delete(step.table);
        break;
      case 'renameTable':
        move(this.#tables, step.table, step.to);
        break;
      case 'addColumn': {
        const fill = this.#encoded(step.fill, step.column);
        columns?.set(step.column.name, { name: undefined, change: () => fill, renamed: {} });
        break;
      }
      case 'fillColumn': {
        const passage = columns?.get(step.column.name);
        const fill = table && this.#earlyFill(step, table);
        if (passage === undefined || fill === undefined) break;
        const isNew = passage.name === undefined && passage.change?.(null) === null;
        columns?.set(step.column.name, { ...passage, fill, ...(isNew && { change: undefined }) });
        break;
      }
      case 'dropColumn':
        columns?.delete(step.column);
        break;
      case 'renameColumn':
        if (columns !== undefined) move(columns, step.column, step.to);
        break;
      case 'changeColumn': {
        const [from, passage] = [columnIn(before, step), columns?.get(step.column.name)];
        if (from === undefined || passage === undefined) break;
        const change = this.#changed(step, from);
        const { change: earlier = same } = passage;
        if (change !== undefined)
          columns?.set(step.column.name, { ...passage, change: (value) => change(earlier(value)) });
        break;
      }
      case 'renameValues': {
        const passage = columns?.get(step.column);
        if (passage !== undefined) columns?.set(step.column, { ...passage, renamed: step.values });
        break;
      }
      default:
    }
  }

  readonly #encoded = (fill: FillValue | undefined, column: SchemaColumn): Bound =>
    fill === undefined ? null : encode(fill, typeOf(column), this.#dialect);

  /** What a change does to what was unset; undefined when nothing. */
  #changed(
    { column: to, fill }: Extract<Step, { readonly do: 'changeColumn' }>,
    from: SchemaColumn,
  ): ((value: Bound) => Bound) | undefined {
    const isEmptyGone = to.filled === true && from.filled !== true && from.values === undefined;
    if (fill !== undefined) {
      const value = this.#encoded(fill, from);
      return (was) => (was === null || (isEmptyGone && was === '') ? value : was);
    }
    return isEmptyGone && to.nullable === true ? (was) => (was === '' ? null : was) : undefined;
  }
}

const same = (value: Bound): Bound => value;

/** A column that also takes the values that are renamed on the way. */
function withOldValues(column: SchemaColumn, renamed: Readonly<Record<string, string>>): SchemaColumn {
  const { values, items } = column;
  const all = (now: readonly string[]): readonly string[] => [...now, ...now.flatMap((value) => renamed[value] ?? [])];
  if (values !== undefined) {
    const wide = all(values);
    return { ...column, values: wide, type: `word(${Math.max(...wide.map(({ length }) => length))})` };
  }
  return items?.values === undefined ? column : { ...column, items: { ...items, values: all(items.values) } };
}
