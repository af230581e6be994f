// Schema diff: two schemas → the steps from one to the other, in an order in which each can run: renames, additions, changes,
// removals. Renames come from the descriptors; nothing is guessed.
import { computeChanges, emptyFill, listNewConditions } from './computed-columns.ts';
import { needsReplacing, pointShift, tightened } from './conversions.ts';
import type { RowFill } from './fill-value.ts';
import { type ColumnOrigin, isFilled, type Origins } from './origins.ts';
import { passingName } from './passing-name.ts';
import { heirsOf, isLonger, widened } from './renamed-values.ts';
import {
  findColumn,
  findIndex,
  findTable,
  isLinkTable,
  isSame,
  type Schema,
  type SchemaColumn,
  type SchemaTable,
} from './schema.ts';
import { applyStep, type FillValue, type Step } from './steps.ts';

/** What rows that exist get, by `group.field`: it goes before what the descriptor says. */
type Fills = ReadonlyMap<string, RowFill>;

interface DiffOptions {
  /** What the parts of the second schema were called. */
  readonly origins: Origins;
  readonly fills?: Fills;
}

/** The steps from one schema to another; none when they are the same but for the order of their parts. */
export function diffSchemas(from: Schema, to: Schema, options: DiffOptions): readonly Step[] {
  return new Differ(from, to, options).steps();
}

class Differ {
  #now: Schema;
  readonly #to: Schema;
  readonly #origins: Origins;
  readonly #fills: Fills;
  readonly #steps: Step[] = [];
  /** Columns that these steps add, as `table.column`. */
  readonly #added = new Set<string>();
  /** Tables that have been there before. */
  #older: ReadonlySet<string> = new Set();

  constructor(from: Schema, to: Schema, { origins, fills = new Map() }: DiffOptions) {
    this.#now = from;
    this.#to = to;
    this.#origins = origins;
    this.#fills = fills;
  }

  steps(): readonly Step[] {
    this.#renameTables();
    this.#older = new Set(this.#now.tables.map(({ name }) => name));
    for (const table of this.#both()) this.#renameColumns(table);
    // A list whose rows are kept otherwise is another table under the same name.
    for (const table of this.#both()) {
      const before = this.#before(table);
      if (isSame(before.primaryKey, table.primaryKey) && isLinkTable(before) === isLinkTable(table)) continue;
      this.#unlink(table.name);
      this.#emit({ do: 'dropTable', table: table.name });
    }
    this.#createTables();
    const both = this.#both();
    for (const table of both) this.#dropForeignKeys(table);
    for (const table of both) this.#changeTable(table);
    for (const table of both) this.#dropColumns(table);
    this.#dropTables();
    this.#computeFigures();
    this.#noteStates();
    return this.#steps;
  }

  #emit(step: Step): void {
    this.#now = applyStep(this.#now, step);
    this.#steps.push(step);
  }

  #before(table: SchemaTable): SchemaTable {
    return findTable(this.#now, table.name) ?? table;
  }

  /** Tables that are in both, as they shall be. */
  #both(): readonly SchemaTable[] {
    return this.#to.tables.filter(({ name }) => findTable(this.#now, name) !== undefined);
  }

  #origin(table: string, column: string): ColumnOrigin | undefined {
    return this.#origins.columns.get(`${table}.${column}`);
  }

  #fill(table: string, column: SchemaColumn): { readonly fill?: FillValue } {
    const origin = this.#origin(table, column.name);
    const rowFill = origin && this.#fills.get(origin.field);
    if (rowFill !== undefined && rowFill.value === undefined) return {};
    const fill = rowFill?.value ?? origin?.fill;
    const until = fill ?? (column.formula === undefined || column.nullable === true ? undefined : emptyFill(column));
    return until === undefined ? {} : { fill: until };
  }

  #findFill(table: string, column: string): RowFill | undefined {
    return this.#fills.get(this.#origin(table, column)?.field ?? '');
  }

  /** The formula that gives rows that exist their values; none of a column that is made from another. */
  #fillFormula(table: string, { name, madeFrom }: SchemaColumn): string | undefined {
    const rowFill = madeFrom === undefined ? this.#findFill(table, name) : undefined;
    return rowFill?.value === undefined ? rowFill?.formula : undefined;
  }

  /** A new column of a computed field or state, before it is filled. */
  #unfilled(table: string, { formula, becomes: _later, ...column }: SchemaColumn): SchemaColumn {
    const origin = this.#origin(table, column.name);
    const isTakenOnce =
      origin?.figure === 'atTimes' && (column.nullable === true || origin.fill !== undefined) && formula === undefined;
    return isTakenOnce && !this.#fills.has(origin.field) ? { ...column, unfilled: true } : column;
  }

  /**
   * Takes computed states as unchanged if the schema does not store their conditions: deciding them again would read all records of
   * their groups. Without any other step there is nothing to write.
   */
  #noteStates(): void {
    if (this.#now.hasStates === true || this.#steps.length === 0) return;
    const states = this.#both().flatMap((to) => {
      const conditions = listNewConditions(this.#before(to), to);
      return conditions === undefined ? [] : [[to.name, conditions] as const];
    });
    this.#emit({ do: 'noteStates', states: Object.fromEntries(states) });
  }

  /** Last of all: a formula may look at whatever the steps before have made. */
  #computeFigures(): void {
    for (const to of this.#both()) {
      const hasKnownStates = (column: string): boolean =>
        this.#now.hasStates === true || this.#added.has(`${to.name}.${column}`);
      const step = computeChanges(this.#before(to), to, hasKnownStates);
      if (step !== undefined) this.#emit(step);
    }
  }

  #renameTables(): void {
    for (const { name } of this.#to.tables) {
      if (findTable(this.#now, name) !== undefined) continue;
      const origin = this.#origins.tables.get(name);
      const old = origin?.earlier.find(
        (word) => findTable(this.#now, word) !== undefined && findTable(this.#to, word) === undefined,
      );
      if (old === undefined) continue;
      const before = origin?.groupBefore;
      this.#emit({
        do: 'renameTable',
        table: old,
        to: name,
        ...(before !== undefined && { group: { from: before, to: origin?.group ?? '' } }),
      });
    }
  }

  #renameColumns(to: SchemaTable): void {
    for (const { name, type } of to.columns) {
      if (findColumn(this.#before(to), name) !== undefined) continue;
      const old = this.#origin(to.name, name)
        ?.earlier.map((word) => findColumn(this.#before(to), word))
        .find((column) => column !== undefined && findColumn(to, column.name) === undefined);
      if (old !== undefined && pointShift(old.type, type) !== undefined)
        this.#emit({ do: 'renameColumn', table: to.name, column: old.name, to: name });
    }
    for (const index of to.indexes) {
      const { indexes } = this.#before(to);
      if (indexes.some(({ name }) => name === index.name)) continue;
      const old = indexes.find(
        (other) => findIndex(to, other.name) === undefined && isSame({ ...other, name: '' }, { ...index, name: '' }),
      );
      if (old !== undefined) this.#emit({ do: 'renameIndex', table: to.name, index: old.name, to: index.name });
    }
  }

  #createTables(): void {
    const later: Step[] = [];
    for (const table of this.#to.tables) {
      if (findTable(this.#now, table.name) !== undefined) continue;
      const [was] = this.#origins.tables.get(table.name)?.earlier ?? [];
      const fills = table.columns.flatMap((column): [string, FillValue][] => {
        const { fill } = column.nullable === true ? {} : this.#fill(table.name, column);
        return fill === undefined ? [] : [[column.name, fill]];
      });
      const fill = fills.length === 0 ? {} : { fill: Object.fromEntries(fills) };
      const { hasDays = false, watches = [] } = this.#origins.tables.get(table.name) ?? {};
      const isMaintained = this.#older.size > 0 && (hasDays || watches.some((name) => this.#older.has(name)));
      this.#emit({
        ...{ do: 'createTable', table: this.#withRows(table) },
        ...(was !== undefined && { was }),
        ...fill,
        ...(isMaintained && { maintained: true }),
      });
      // Two groups may refer to each other: such a key follows when both are there.
      for (const { name, references } of table.columns) {
        if (references !== undefined && findTable(this.#now, references) === undefined)
          later.push({ do: 'addForeignKey', table: table.name, column: name, references });
      }
    }
    for (const step of later) this.#emit(step);
  }

  /** A list of records that are there already has yet to be filled. */
  #withRows(table: SchemaTable): SchemaTable {
    const { formula, ...rest } = table;
    const owner = findColumn(table, 'owner_id')?.references;
    return formula === undefined || owner === undefined || !this.#older.has(owner) ? table : rest;
  }

  #dropForeignKeys(to: SchemaTable): void {
    for (const { name, references } of this.#before(to).columns) {
      if (references !== undefined && findColumn(to, name)?.references !== references)
        this.#emit({ do: 'dropForeignKey', table: to.name, column: name });
    }
  }

  #changeTable(to: SchemaTable): void {
    const table = to.name;
    // An index that changes under its name, and one over a column that cannot keep its values, is made anew. A key that goes
    // is not asked when what was null is filled.
    for (const index of this.#before(to).indexes) {
      const wanted = findIndex(to, index.name);
      const isReplaced = index.columns.some((column) => this.#isReplaced(to, column));
      const isGone =
        wanted === undefined && index.unique === true && index.columns.some((column) => this.#isFilled(to, column));
      if ((wanted !== undefined && !isSame(wanted, index)) || isReplaced || isGone)
        this.#emit({ do: 'dropIndex', table, index: index.name });
    }
    this.#changeColumns(to);
    for (const index of to.indexes) {
      if (findIndex(this.#before(to), index.name) === undefined) this.#emit({ do: 'addIndex', table, index });
    }
    for (const { name, references } of to.columns) {
      const before = findColumn(this.#before(to), name);
      if (references !== undefined && before !== undefined && this.#needsKey(table, name, references))
        this.#emit({ do: 'addForeignKey', table, column: name, references });
    }
    // After the new ones: a foreign key always needs an index.
    for (const { name } of this.#before(to).indexes)
      if (findIndex(to, name) === undefined) this.#emit({ do: 'dropIndex', table, index: name });
    if (!isSame(this.#before(to).limits, to.limits)) this.#emit({ do: 'changeLimits', table, limits: to.limits ?? {} });
  }

  /** A column that formulas of fills may name stays until all of them are done, and its successor has a passing name. */
  #changeColumns(to: SchemaTable): void {
    const table = to.name;
    const isRead = to.columns.some((column) => this.#fillFormula(table, column) !== undefined);
    const replaced = this.#before(to).columns.filter(({ name }) => this.#isReplaced(to, name));
    const waiting = new Set(
      isRead ? replaced.filter(({ madeFrom }) => madeFrom === undefined).map(({ name }) => name) : [],
    );
    for (const { name } of replaced.toReversed()) if (!waiting.has(name)) this.#dropColumn(table, name);
    for (const column of to.columns) {
      const { name, madeFrom = '' } = column;
      if (waiting.has(madeFrom)) continue;
      if (waiting.has(name)) this.#addColumn(table, column, passingName(name));
      else if (findColumn(this.#before(to), name) === undefined) this.#addColumn(table, column);
      else this.#changeColumn(table, column);
    }
    for (const name of [...waiting].toReversed()) {
      this.#dropColumn(table, name);
      this.#emit({ do: 'renameColumn', table, column: passingName(name), to: name });
    }
    for (const column of to.columns) if (waiting.has(column.madeFrom ?? '')) this.#addColumn(table, column);
  }

  readonly #keyless = new Set<string>();

  #needsKey(table: string, column: string, references: string): boolean {
    return (
      findColumn(findTable(this.#now, table), column)?.references !== references ||
      this.#keyless.has(`${table}.${column}`)
    );
  }

  /** @param passing the name that it is added under, where another column still has its own */
  #addColumn(table: string, column: SchemaColumn, passing?: string): void {
    const [was] = passing === undefined ? (this.#origin(table, column.name)?.earlier ?? []) : [];
    const fill = column.madeFrom === undefined ? this.#fill(table, column) : {};
    const added = { ...this.#unfilled(table, column), ...(passing !== undefined && { name: passing }) };
    const formula = this.#fillFormula(table, column);
    this.#added.add(`${table}.${column.name}`);
    this.#emit({
      do: 'addColumn',
      table,
      column: formula === undefined ? added : { ...added, nullable: true },
      ...fill,
      ...(was !== undefined && { was }),
      ...(this.#older.has(table) && isFilled(column, this.#origin(table, column.name)) && { filledByWrites: true }),
    });
    if (formula !== undefined) {
      this.#emit({ do: 'fillColumn', table, column: added, formula });
      if (added.nullable !== true) this.#emit({ do: 'changeColumn', table, column: added });
    }
    if (column.references !== undefined) this.#keyless.add(`${table}.${column.name}`);
    if (column.madeFrom !== undefined) this.#emit({ do: 'computeColumn', table, column: column.name });
  }

  #changeColumn(table: string, to: SchemaColumn): void {
    const column = (): SchemaColumn => findColumn(findTable(this.#now, table), to.name) ?? to;
    const { references: _later, formula: _last, becomes: _next, ...wanted } = to;
    const target = (): SchemaColumn => {
      const { references: kept, formula, unfilled, becomes, type } = column();
      // Values of another type are rounded otherwise.
      const isSameFigure = formula !== undefined && to.formula !== undefined && type === to.type;
      return {
        ...wanted,
        ...(kept !== undefined && { references: kept }),
        ...(isSameFigure && { formula }),
        ...(unfilled && { unfilled }),
        ...(becomes !== undefined && to.becomes !== undefined && { becomes }),
      };
    };
    const renamed = heirsOf(column(), to, this.#origin(table, to.name)?.renamedValues ?? {});
    if (Object.keys(renamed).length > 0) {
      if (isLonger(column(), to)) this.#emit({ do: 'changeColumn', table, column: widened(column(), to) });
      this.#emit({ do: 'renameValues', table, column: to.name, values: renamed });
    }
    const made = findTable(this.#now, table)?.columns.filter(({ madeFrom }) => madeFrom === to.name) ?? [];
    if (isSame(column(), target())) return;
    const rowFill = this.#findFill(table, to.name);
    if (rowFill !== undefined && needsReplacing(tightened(column(), target()), rowFill.value !== undefined)) {
      this.#replaceUnfit(table, { from: column(), to: target(), formula: rowFill.formula });
      for (const { name } of made) this.#emit({ do: 'computeColumn', table, column: name });
      return;
    }
    const isFilled = column().nullable === true && to.nullable !== true;
    const formula = isFilled ? this.#fillFormula(table, to) : undefined;
    if (formula !== undefined) {
      // What a formula gives is kept as the new type keeps it, so that this goes first.
      if (column().type !== to.type) this.#emit({ do: 'changeColumn', table, column: { ...target(), nullable: true } });
      this.#emit({ do: 'fillColumn', table, column: target(), formula });
    }
    this.#emit({ do: 'changeColumn', table, column: target(), ...(isFilled && this.#fill(table, to)) });
    // Values that came in place of nulls have their own folded forms.
    if (isFilled) for (const { name } of made) this.#emit({ do: 'computeColumn', table, column: name });
  }

  /** Replaces values that a column no longer allows: in the new type, unless that holds less than the one before. */
  #replaceUnfit(table: string, { from, to, formula }: { from: SchemaColumn; to: SchemaColumn; formula: string }): void {
    const isNarrower = tightened(from, { ...from, type: to.type }).length > 0;
    if (from.type !== to.type && !isNarrower)
      this.#emit({ do: 'changeColumn', table, column: { ...from, type: to.type } });
    this.#emit({ do: 'fillColumn', table, column: to, formula, unfit: true });
    this.#emit({ do: 'changeColumn', table, column: to });
  }

  /** Whether a column stays by name only: its values cannot become what the field is now. */
  #isReplaced(to: SchemaTable, name: string): boolean {
    const before = findColumn(this.#before(to), name);
    const wanted = findColumn(to, name);
    if (before === undefined || wanted === undefined) return false;
    return pointShift(before.type, wanted.type) === undefined || !isSame(before.madeFrom, wanted.madeFrom);
  }

  /** Whether a column, or the one that it is made from, has values in place of nulls from now on. */
  #isFilled(to: SchemaTable, name: string): boolean {
    const source = findColumn(this.#before(to), name)?.madeFrom ?? name;
    return findColumn(this.#before(to), source)?.nullable === true && findColumn(to, source)?.nullable !== true;
  }

  #dropColumn(table: string, column: string): void {
    const made = findTable(this.#now, table)?.columns.filter(({ madeFrom }) => madeFrom === column) ?? [];
    for (const { name } of made) {
      for (const index of findTable(this.#now, table)?.indexes ?? [])
        if (index.columns.includes(name)) this.#emit({ do: 'dropIndex', table, index: index.name });
      this.#emit({ do: 'dropColumn', table, column: name });
    }
    if (findColumn(findTable(this.#now, table), column) !== undefined) this.#emit({ do: 'dropColumn', table, column });
  }

  #dropColumns(to: SchemaTable): void {
    // What is made from others goes before them.
    const gone = this.#before(to).columns.filter(({ name }) => findColumn(to, name) === undefined);
    for (const { name } of gone) this.#dropColumn(to.name, name);
  }

  /** Takes the keys of other tables away that refer to one. */
  #unlink(target: string): void {
    for (const table of this.#now.tables) {
      if (table.name === target) continue;
      for (const { name, references } of table.columns)
        if (references === target) this.#emit({ do: 'dropForeignKey', table: table.name, column: name });
    }
  }

  #dropTables(): void {
    const gone = this.#now.tables.filter(({ name }) => findTable(this.#to, name) === undefined);
    // Later ones refer to earlier ones.
    for (const { name, primaryKey } of gone.toReversed()) {
      const isGroup = isSame(primaryKey, ['id']);
      this.#emit({ do: 'dropTable', table: name, ...(isGroup && { group: name.replaceAll('_', '-') }) });
    }
  }
}
