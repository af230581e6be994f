// What a function of formulas is, and what its rows are made of.
import { exactly } from '../../values/decimal.ts';
import { compareStrings } from '../../values/format.ts';
import type { Tree, Type } from './tree.ts';
import { common, typeWords } from './types.ts';
import type { Known } from './value.ts';

/** What a function gives for its arguments; or what is wrong with one of them, by its place. */
export type Typed =
  | { readonly type: Type; readonly nullable: boolean }
  | { readonly fault: string; readonly argument: number };

/** Below, at or above 0 as the first is less, equal or greater. */
export type Compare = (a: string, b: string) => number;

/** A formula over fields with these values, and what it gives, as formulas write it. */
export interface FormulaExample {
  readonly formula: string;
  /** Texts such as `2026-03-31` are dates, such as `2026-03-31T09:30:00.000Z` moments. */
  readonly over?: Readonly<Record<string, string | number>>;
  readonly gives: string;
}

/** What people are told of a function, a macro or an operator; a test evaluates the example. */
export interface Guided {
  /** How it is written, and what for: for those who write formulas. */
  readonly usage: string;
  /** What each of the names in its usage stands for. */
  readonly takes: Readonly<Record<string, string>>;
  readonly gives: string;
  readonly example: FormulaExample;
}

export interface FunctionRow extends Guided {
  readonly least: number;
  readonly most: number;
  typed(args: readonly Tree[]): Typed;
  /** Whether it is called with nulls; else null is all that it gives for one. */
  readonly takesNull: boolean;
  /** @param compare Compares two values of the type that it gives. */
  call(args: readonly Known[], compare: Compare): Known;
  /** What a field must not come from, in words, where the value has become too long. */
  readonly tooLong?: (value: Known) => string | undefined;
  /** Whether it may be asked of a list, as `list.take(2)`; else of any other value. */
  readonly ofList?: true;
  /** In words; `{0}`, `{1}` stand for its arguments, `{…}` for all of them. */
  readonly says: string;
}

const ordered: ReadonlySet<Type['kind']> = new Set(['number', 'text', 'date', 'instant', 'time']);
export const isOrdered = ({ kind }: Type): boolean => ordered.has(kind);

export const asText = (value: Known | undefined): string => (typeof value === 'string' ? value : '');

/** All arguments are of these types; null is of every type. */
export function taking(kinds: readonly Type['kind'][], gives: Type): (args: readonly Tree[]) => Typed {
  return (args) => {
    const wrong = args.findIndex(({ type }, index) => type.kind !== 'null' && type.kind !== kinds[index]);
    const arg = args[wrong];
    if (arg === undefined) return { type: gives, nullable: args.some(({ nullable }) => nullable) };
    const wanted = typeWords({ kind: kinds[wrong] ?? 'null' } as Type);
    return { fault: `takes ${wanted} here, and this is ${typeWords(arg.type)}`, argument: wrong };
  };
}

export function commonOf(args: readonly Tree[]): Typed {
  let type: Type = { kind: 'null' };
  for (const [index, arg] of args.entries()) {
    const both = common(type, arg.type);
    if (both === undefined)
      return { fault: `takes values of one type, and this is ${typeWords(arg.type)}`, argument: index };
    type = both;
  }
  return { type, nullable: args.every(({ nullable }) => nullable) };
}

export function extremeOf(args: readonly Tree[]): Typed {
  const typed = commonOf(args);
  if ('fault' in typed || isOrdered(typed.type) || typed.type.kind === 'null') return typed;
  return { fault: `compares numbers, texts and dates, and this is ${typeWords(typed.type)}`, argument: 0 };
}

/** Compares values of one type that is ordered. */
export const comparing = (type: Type): Compare => (type.kind === 'number' ? exactly.compare : compareStrings);

/** @param side 1 for the greatest, -1 for the least. Nulls are passed over. */
export function extreme(values: readonly Known[], compare: Compare, side: 1 | -1): Known {
  let best: string | null = null;
  for (const value of values)
    if (typeof value === 'string' && (best === null || compare(value, best) * side > 0)) best = value;
  return best;
}
