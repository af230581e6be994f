// Fills: formulas over the rows of a table that give a column its values where it has none.
import { compileFormula } from '../../formulas/compile/compile.ts';
import type { Scope } from '../../formulas/compile/scope.ts';
import { evaluate } from '../../formulas/evaluate/evaluate.ts';
import { atHand, recordValue } from '../../formulas/evaluate/facts.ts';
import { FormulaFault } from '../../formulas/language/fault.ts';
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Member, Shape, Tree, Type } from '../../formulas/language/tree.ts';
import { typeWords } from '../../formulas/language/types.ts';
import type { Value } from '../../registry/model/model.ts';
import type { ColumnType } from '../../storage/schema/column-types.ts';
import { unreachable } from '../../unreachable.ts';
import { typeOf } from './column-type.ts';
import { fillValue } from './fill-value.ts';
import { isPassing, settledName } from './passing-name.ts';
import { findColumn, type SchemaColumn, type SchemaTable } from './schema.ts';
import type { FillValue } from './steps.ts';

/** What a fill gives for a row. `unfit`: what the column cannot hold, as a text. */
type Filled = { readonly value: FillValue | null } | { readonly unfit: string };

export interface Fill {
  /** Names of the columns that it reads. */
  readonly reads: readonly string[];
  /** @param values Those of the columns that it reads, in their order. */
  valueOf(values: readonly Value[]): Filled;
}

/**
 * Compiles a fill. It may name the columns of its table, in camel case.
 * @param column What the column is to hold: null too, where it says so.
 * @throws FormulaFault
 */
export function compileFill(source: string, table: SchemaTable | undefined, column: SchemaColumn): Fill {
  // A value that is replaced before its column changes has to fit both.
  const stored = findColumn(table, column.name);
  const columns = (table?.columns ?? []).filter((one) => typesOf(one) !== undefined && !isPassing(one.name));
  const tree = compileFormula(source, scopeOf(columns));
  const known = find(tree, ({ op }) => op === 'known');
  if (known !== undefined)
    throw new FormulaFault('reads other records; a fill formula can read only its own row', known.start);
  const { kind } = typeOf(column);
  if (tree.type.kind !== 'null' && !(takes[kind] ?? []).includes(tree.type.kind))
    throw new FormulaFault(
      `gives ${typeWords(tree.type)}, which "${settledName(column.name)}" (${column.type}) cannot store`,
      0,
    );
  const read = columns.filter(({ name }) => find(tree, (part) => isField(part, keyOf(name))) !== undefined);
  return {
    reads: read.map(({ name }) => name),
    valueOf: (values) => {
      const row = Object.fromEntries(read.map(({ name }, place) => [keyOf(name), values[place] ?? null]));
      const { value, overlong } = evaluate(tree, recordValue(row), atHand);
      if (overlong !== undefined) return { unfit: 'a value that is too long' };
      if (value === null) return column.nullable === true ? { value: null } : { unfit: 'nothing' };
      if (typeof value !== 'string' && typeof value !== 'boolean') return unreachable('a fill gives a plain value');
      const found = fillValue(value, column);
      const isHeld =
        found !== undefined &&
        (stored === undefined || fillValue(value, { ...column, type: stored.type }) !== undefined);
      return isHeld ? { value: found } : { unfit: JSON.stringify(value) };
    },
  };
}

/** `due_on` → `dueOn` */
const keyOf = (column: string): string =>
  column.replaceAll(/_([a-z0-9])/g, (_sign, letter: string) => letter.toUpperCase());

/** What formulas may give for each type of column. What has no name of its own in them is given as text. */
const takes: Partial<Record<ColumnType['kind'], readonly Type['kind'][]>> = {
  boolean: ['bool'],
  integer: ['number'],
  decimal: ['number'],
  text: ['text', 'id'],
  word: ['text', 'time'],
  id: ['id', 'text'],
  date: ['date', 'text'],
  dateTime: ['instant', 'text'],
};

/** Whether a formula can give a column its values. */
export const isFillable = (column: SchemaColumn): boolean => takes[typeOf(column).kind] !== undefined;

/** Whether formulas can read a column. */
export const isReadable = (column: SchemaColumn): boolean => typesOf(column) !== undefined;

/** Whether a word is the name of a column of a table, as formulas have it. */
export const isNamed = (word: string, table: SchemaTable | undefined): boolean =>
  table?.columns.some(({ name }) => keyOf(name) === word) === true;

/** What a column is in formulas; undefined for one that they do not read. */
function typesOf({ madeFrom, format, ...column }: SchemaColumn): Type | undefined {
  if (madeFrom !== undefined) return undefined;
  const type = typeOf(column);
  switch (type.kind) {
    case 'boolean':
      return { kind: 'bool' };
    case 'integer':
      return { kind: 'number', scale: 0 };
    case 'decimal':
      return { kind: 'number', scale: type.scale };
    case 'text':
    case 'word':
      return format === 'time' ? { kind: 'time' } : { kind: 'text' };
    case 'id':
      return { kind: 'id', group: undefined };
    case 'date':
      return { kind: 'date' };
    case 'dateTime':
      return { kind: 'instant' };
    default:
      return undefined;
  }
}

/** The names of a row of a table, and no others. */
function scopeOf(columns: readonly SchemaColumn[]): Scope {
  const members = new Map(
    columns.map((column): [string, Member] => {
      const [key, type] = [keyOf(column.name), typesOf(column) ?? unreachable('a column that formulas read')];
      return [key, { kind: 'value', name: key, key, type, nullable: column.nullable === true, isSought: false }];
    }),
  );
  const record: Shape = {
    group: '',
    words: 'the row',
    kind: 'object',
    lists: [],
    member: (name) => members.get(name),
    names: () => [...members.keys()],
    owner: undefined,
  };
  return {
    record,
    collection: () => undefined,
    collectionNames: () => [],
    workspace: undefined,
    actors: undefined,
  };
}

const isField = (tree: Tree, key: string): boolean =>
  tree.op === 'field' && tree.member.kind === 'value' && tree.member.key === key;

const find = (tree: Tree, isIt: (part: Tree) => boolean): Tree | undefined =>
  isIt(tree)
    ? tree
    : partsOf(tree)
        .map((part) => find(part, isIt))
        .find((found) => found !== undefined);
