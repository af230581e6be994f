// Formulas over one row as SQL, where an engine can give exactly what the evaluator gives; otherwise nothing is translated, and
// the rows are computed outside the database.
import { sql } from 'kysely';
import type { Tree, TreeOf } from '../../formulas/language/tree.ts';
import type { ColumnType } from '../schema/column-types.ts';
import type { Dialect } from '../schema/dialect.ts';
import { type Sql, words } from '../schema/sql.ts';
import { among, compare, condition, equalParts, joined, truth } from './conditions.ts';
import { functions, mostDays, shifted } from './functions.ts';
import { arithmetic, checked, countedTo, numberPart } from './numbers.ts';
import {
  type AnyPart,
  bool,
  type ColumnsOf,
  columnIn,
  type FormulaSql,
  nothing,
  sized,
  Unsayable,
  unsayable,
  type Writer,
} from './parts.ts';
import { alike, fieldPart, like, literalPart } from './plain.ts';

/** @returns undefined where SQL cannot say it, or not exactly */
export function formulaSql(tree: Tree, columns: ColumnsOf, dialect: Dialect): FormulaSql | undefined {
  try {
    const part = writerOf(columns, dialect).part(tree);
    return { sql: part.sql, type: columnTypeOf(part) };
  } catch (error) {
    if (error instanceof Unsayable) return undefined;
    throw error;
  }
}

/** A formula as a condition of a select, spelt so that indexes serve it. @returns undefined where SQL cannot say it */
export function conditionSql(tree: Tree, columns: ColumnsOf, dialect: Dialect): Sql | undefined {
  try {
    return condition(writerOf(columns, dialect), tree);
  } catch (error) {
    if (error instanceof Unsayable) return undefined;
    throw error;
  }
}

/** A formula that is a column of the table, as it stands there, so that an index has it in order; else like any formula. */
export function orderedSql(tree: Tree, columns: ColumnsOf, dialect: Dialect): FormulaSql | undefined {
  const spelt = formulaSql(tree, columns, dialect);
  return spelt && { ...spelt, sql: columnIn(tree, columns)?.sql ?? spelt.sql };
}

/** Levels of a formula that SQL is written for: each is a few levels of SQL, of which SQLite takes 1,000. */
const deepestTree = 250;

/** What a writer says of parts that lie beyond one row; undefined: what is said of them anyway. */
export type Beyond = (tree: Tree, writer: Writer) => AnyPart | undefined;

function columnTypeOf(part: AnyPart): ColumnType {
  switch (part.kind) {
    case 'number':
      return { kind: 'decimal', precision: part.precision, scale: part.scale };
    case 'bool':
      return { kind: 'boolean' };
    case 'date':
      return { kind: 'date' };
    case 'instant':
      return { kind: 'dateTime' };
    default:
      return { kind: 'text', length: 255 };
  }
}

/** What writes formulas over one row, and over what lies beyond it as far as `beyond` can say it. */
export function writerOf(columns: ColumnsOf, dialect: Dialect, beyond?: Beyond): Writer {
  let depth = 0;
  const writer: Writer = {
    columns,
    dialect,
    says: dialect.formulas,
    part: (tree) => {
      if (depth === deepestTree) throw new Unsayable();
      depth += 1;
      const part =
        beyond?.(tree, writer) ?? (sayings[tree.op] as (tree: Tree, writer: Writer) => AnyPart)(tree, writer);
      depth -= 1;
      return part;
    },
  };
  return writer;
}

type Say<Op extends Tree['op']> = (tree: TreeOf<Op>, writer: Writer) => AnyPart;

/** What each part of a formula is in SQL. */
const sayings: { readonly [Op in Tree['op']]: Say<Op> } = {
  literal: ({ literal, type }, writer) => literalPart(writer, literal, type),
  field: (tree, writer) => fieldPart(writer, tree),
  named: ({ of, args, formula }, writer) =>
    of.op === 'self' && of.up === 0 && args.length === 0 ? writer.part(formula.tree()) : unsayable(),
  not: ({ of }, writer) => {
    const part = writer.part(of);
    return bool(sql`(not ${truth(part)})`, [part]);
  },
  negate: ({ of }, writer) => {
    const part = numberPart(writer, of);
    return { ...part, sql: sql`(-${part.sql})` };
  },
  and: (tree, writer) => joined(writer, tree, words('and')),
  or: (tree, writer) => joined(writer, tree, words('or')),
  equal: ({ left, right, isNot }, writer) => {
    const equal = equalParts(writer, writer.part(left), writer.part(right));
    return isNot ? bool(sql`(not ${equal.sql})`, [equal]) : equal;
  },
  compare: (tree, writer) => compare(writer, tree),
  in: (tree, writer) => among(writer, tree),
  arithmetic: (tree, writer) => arithmetic(writer, tree),
  join: ({ left, right }, writer) => {
    const [a, b] = [writer.part(left), writer.part(right)];
    if (a.kind === 'null' || b.kind === 'null') return nothing;
    return { kind: 'text', sql: writer.says.join(a.sql, b.sql), size: sized([a, b]), isSure: false };
  },
  shift: ({ left, right, sign }, writer) => {
    const days = numberPart(writer, right);
    const by = sign === '+' ? days : { ...days, sql: sql`(-${days.sql})` };
    return shifted(writer, { date: writer.part(left), by }, 'addDays');
  },
  between: ({ left, right, unit }, writer) => {
    const [to, from] = [writer.part(left), writer.part(right)];
    const size = sized([to, from], 2);
    if (unit === 'days')
      return checked(writer, { sql: writer.says.daysBetween(from.sql, to.sql), size, ...countedTo(mostDays) });
    const minutes = sql`(${writer.says.minutes(to.sql)} - ${writer.says.minutes(from.sql)})`;
    return checked(writer, { sql: minutes, size, ...countedTo(1439n) });
  },
  if: ({ test, yes, no }, writer) => {
    const asked = writer.part(test);
    const sides = alike(writer, [writer.part(yes), writer.part(no)]);
    const [first, second] = sides.map((side) => side.sql);
    const isSure = sides.every((side) => 'isSure' in side && side.isSure);
    return like(writer, sides, {
      sql: sql`(case when ${truth(asked)} then ${first} else ${second} end)`,
      size: sized([asked, ...sides]),
      isSure,
    });
  },
  call: ({ name, args }, writer) => functions[name](args, writer),
  // What is beyond one row, or is no plain value.
  list: unsayable,
  map: unsayable,
  variable: unsayable,
  self: unsayable,
  owner: unsayable,
  place: unsayable,
  known: unsayable,
  sent: unsayable,
  before: unsayable,
  gather: unsayable,
  unite: unsayable,
  index: unsayable,
  macro: unsayable,
};
