// Types operators, and turns literals beside a date, time or id into one.

import { didYouMean } from '../../text/nearest.ts';
import { isDate, isTime } from '../../values/date.ts';
import { isUuid } from '../../values/format.ts';
import { FormulaFault } from '../language/fault.ts';
import { isOrdered } from '../language/function-row.ts';
import { functionRow } from '../language/functions.ts';
import type { FunctionName } from '../language/names.ts';
import type { Sign, Span } from '../language/syntax.ts';
import type { Comparison, Tree, Type } from '../language/tree.ts';
import { bool, common, date, listOf, number, text, typeWords } from '../language/types.ts';
import { isWhole } from '../language/whole.ts';
import { literalTree, memberTree } from './parts.ts';

interface Pair {
  readonly left: Tree;
  readonly right: Tree;
}

export const isNumber = ({ type }: Tree): boolean => type.kind === 'number' || type.kind === 'null';

/** A literal text beside a date, a time or an id is one. */
export function literalsBeside(left: Tree, right: Tree): readonly [Tree, Tree] {
  return [literalAs(left, right.type), literalAs(right, left.type)];
}

const moments: ReadonlySet<Type['kind']> = new Set(['date', 'time', 'instant']);

/** Of values of one type, a literal text among dates, times or instants is one. */
export function literalsAlike(trees: readonly Tree[]): readonly Tree[] {
  const moment = trees.find(({ type }) => moments.has(type.kind));
  return moment === undefined ? trees : trees.map((tree) => literalAs(tree, moment.type));
}

const anInstant = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** The text of a literal as values of the type are kept; undefined where it is none. */
const readAs: Partial<Record<Type['kind'], (text: string) => string | undefined>> = {
  date: (value) => (isDate(value) ? value : undefined),
  time: (value) => (isTime(value) ? value : undefined),
  instant: (value) => {
    // Without a zone it would be a moment of the machine's own.
    const isSound = anInstant.test(value) && isDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value));
    return isSound ? new Date(value).toISOString() : undefined;
  },
  id: (value) => (value === '' || isUuid(value) ? value.toLowerCase() : undefined),
};

export function literalAs(tree: Tree, beside: Type): Tree {
  const type = beside.kind === 'list' ? beside.item : beside;
  if (tree.op === 'list') {
    const items = tree.items.map((item) => literalAs(item, beside));
    let item: Type | undefined = { kind: 'null' };
    for (const one of items) item = item && common(item, one.type);
    return { ...tree, items, type: item === undefined ? tree.type : listOf(item) };
  }
  if (tree.op !== 'literal' || tree.literal.kind !== 'text') return tree;
  const read = readAs[type.kind];
  if (read === undefined) return tree;
  const value = read(tree.literal.value);
  if (value === undefined)
    throw new FormulaFault(`compares ${typeWords(type)} with '${tree.literal.value}', which is not valid`, tree.start);
  return { ...tree, literal: { kind: 'text', value }, type };
}

/** `"state", a text,` */
function said(tree: Tree): string {
  const words = typeWords(tree.type);
  const path = pathText(tree);
  if (path !== undefined) return `"${path}", ${words},`;
  if (tree.op !== 'literal') return words;
  const { kind, value } = tree.literal;
  if (kind === 'null') return 'null';
  return `${kind === 'text' ? `'${value}'` : String(value)}, ${words},`;
}

/** `project.client.name`, as it is written. */
function pathText(tree: Tree): string | undefined {
  if (tree.op === 'variable') return tree.name;
  if (tree.op === 'known') return tree.name;
  if (tree.op === 'sent') return `sent.${tree.name}`;
  if (tree.op !== 'field') return undefined;
  const { of, member } = tree;
  if (of.op === 'self' && of.start === tree.start) return member.name;
  const before = pathText(of);
  return before === undefined ? undefined : `${before}.${member.name}`;
}

const compares = ({ left, right }: Pair): FormulaFault =>
  new FormulaFault(
    `compares ${said(left)} with ${said(right)}`.replace(/,$/, '') + alikeWords({ left, right }),
    right.start,
  );

/** How the two would be of one type, where that is plain. */
function alikeWords({ left, right }: Pair): string {
  const sides = [left, right];
  const path = sides.filter(({ type }) => type.kind === 'record').map(pathText)[0];
  if (path !== undefined && sides.some(({ type }) => type.kind === 'id')) return `; did you mean "${path}Id"?`;
  const isDay = sides.some(({ type }) => type.kind === 'date') && sides.some(({ type }) => type.kind === 'number');
  return isDay ? "; a day is written as a text: '2026-03-02'" : '';
}

export function equalTree({ left, right }: Pair, isNot: boolean, { start, end }: Span): Tree {
  if (common(left.type, right.type) === undefined) throw compares({ left, right });
  checkValues(left, right);
  const truth = { type: bool, nullable: false, start, end } as const;
  const branch = branchTree(left, right) ?? branchTree(right, left);
  if (branch === undefined) return { op: 'equal', isNot, left, right, ...truth };
  const equal: Tree = { op: 'equal', isNot: false, left, right, ...truth };
  const both: Tree = { op: 'and', left: branch, right: equal, ...truth };
  return isNot ? { op: 'not', of: both, ...truth } : both;
}

/** Whether the enum beside an id of one of several groups says the group that the other id is of. */
function branchTree(id: Tree, other: Tree): Tree | undefined {
  if (id.op !== 'field' || id.member.kind !== 'value' || id.member.branches === undefined) return undefined;
  const type = other.type.kind === 'list' ? other.type.item : other.type;
  if (type.kind !== 'id' || type.group === undefined) return undefined;
  const { by, groups } = id.member.branches;
  const found = Object.entries(groups).find(([, group]) => group === type.group);
  if (found === undefined) throw compares({ left: id, right: other });
  const { start, end } = id;
  const left = memberTree(id.of, by, { start, end });
  const right = literalTree({ kind: 'text', value: found[0] }, { start, end });
  return left && { op: 'equal', isNot: false, left, right, type: bool, nullable: false, start, end };
}

export function compareTree({ left, right }: Pair, sign: Comparison, { start, end }: Span): Tree {
  const nothing = [left, right].find(({ type }) => type.kind === 'null');
  if (nothing !== undefined)
    throw new FormulaFault(`"${sign}" cannot compare with null; only "==" and "!=" do`, nothing.start);
  if (common(left.type, right.type) === undefined) throw compares({ left, right });
  const unordered = [left, right].find(({ type }) => !isOrdered(type));
  if (unordered !== undefined)
    throw new FormulaFault(
      `"${sign}" compares numbers, texts and dates, but this is ${typeWords(unordered.type)}`,
      unordered.start,
    );
  return { op: 'compare', sign, left, right, type: bool, nullable: false, start, end };
}

export function inTree({ left, right }: Pair, { start, end }: Span): Tree {
  if (right.type.kind !== 'list')
    throw new FormulaFault(`"in" needs a list, but this is ${typeWords(right.type)}`, right.start);
  if (common(left.type, right.type.item) === undefined)
    throw new FormulaFault(`looks for ${said(left)} in a list of another type`, right.start);
  for (const item of right.op === 'list' ? right.items : []) checkValues(left, item);
  if (right.op !== 'list') checkValues(left, right);
  const truth = { type: bool, nullable: false, start, end } as const;
  const found: Tree = { op: 'in', left, right, ...truth };
  const branch = branchTree(left, right);
  return branch === undefined ? found : { op: 'and', left: branch, right: found, ...truth };
}

/** A text that an enum beside it does not have. */
function checkValues(left: Tree, right: Tree): void {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    // A literal next to another one may have any value.
    if (other.op !== 'literal' || other.literal.kind !== 'text' || one.op === 'literal') continue;
    const type = one.type.kind === 'list' ? one.type.item : one.type;
    const values = 'values' in type ? type.values : undefined;
    const { value } = other.literal;
    if (values === undefined || values.length === 0 || values.includes(value)) continue;
    const hint = didYouMean(value, values) || `; allowed: ${values.map((each) => `'${each}'`).join(', ')}`;
    throw new FormulaFault(
      `compares "${pathText(one) ?? 'this'}" with '${value}', which is not one of its values${hint}`,
      other.start,
    );
  }
}

/** What `+` and `-` put together besides numbers. */
export function arithmeticTree(
  { left, right }: Pair,
  sign: Sign & ('+' | '-' | '*' | '/' | '%'),
  { start, end }: Span,
): Tree {
  const nullable = left.nullable || right.nullable;
  const [a, b] = [left.type.kind, right.type.kind];
  const place = { nullable, start, end };
  const calls = (name: FunctionName, args: readonly Tree[]): Tree => {
    const typed = functionRow(name).typed(args);
    if ('fault' in typed) throw new FormulaFault(`"${sign}" ${typed.fault}`, args[typed.argument]?.start ?? start);
    return { op: 'call', name, args, ...typed, start, end };
  };
  if (sign === '%') return calls('remainder', [left, right]);
  if (isNumber(left) && isNumber(right))
    return {
      op: 'arithmetic',
      sign,
      left,
      right,
      type: number,
      ...place,
      nullable: nullable || (sign === '/' && !isNonZero(right)),
    };
  if (sign === '+' && isTextual(left) && isTextual(right)) return { op: 'join', left, right, type: text, ...place };
  if ((sign === '+' || sign === '-') && a === 'date' && isNumber(right))
    // Outside of the years 1000 to 9999 there is no date: the write is refused then.
    return { op: 'shift', sign, left, right, type: date, ...place, nullable: nullable || !isWhole(right) };
  if (sign === '-' && a === b && (a === 'date' || a === 'time'))
    return { op: 'between', unit: a === 'date' ? 'days' : 'minutes', left, right, type: number, ...place };
  if (sign === '-' && a === 'instant' && b === 'instant') return calls('minutesBetween', [right, left]);
  if ((sign === '+' || sign === '-') && a === 'instant' && isNumber(right)) {
    const minutes: Tree = { op: 'negate', of: right, type: number, nullable: right.nullable, start, end };
    return calls('addMinutes', [left, sign === '+' ? right : minutes]);
  }
  const wrong = isNumber(left) ? right : left;
  const does =
    sign === '+'
      ? 'adds numbers, texts, days to a date, or minutes to a moment'
      : sign === '-'
        ? 'takes away numbers, or days, dates, times and moments from each other'
        : sign === '*'
          ? 'multiplies numbers'
          : 'divides numbers';
  const other = wrong === left ? right : left;
  throw new FormulaFault(
    `"${sign}" ${does}, but this is ${typeWords(wrong.type)} with ${typeWords(other.type)}`,
    wrong.start,
  );
}

const isTextual = ({ type }: Tree): boolean => type.kind === 'text' || type.kind === 'null';
const isNonZero = (tree: Tree): boolean => tree.op === 'literal' && tree.literal.value !== '0';
