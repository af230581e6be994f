// The names of all functions and macros; `functions.ts` says what each does.

export const functionNames = [
  'coalesce',
  'round',
  'floor',
  'ceil',
  'abs',
  'min',
  'max',
  'days',
  'weekday',
  'firstOfMonth',
  'lastOfMonth',
  'addMonths',
  'startOfWeek',
  'trim',
  'lower',
  'startsWith',
  'cut',
  'size',
] as const;
export type FunctionName = (typeof functionNames)[number];

/** Functions of a list: `list.sum(x, x.amount)`. */
export const macroNames = [
  'filter',
  'map',
  'exists',
  'all',
  'sum',
  'min',
  'max',
  'count',
  'first',
  'last',
  'sorted',
  'distinct',
] as const;
export type MacroName = (typeof macroNames)[number];
