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
  'year',
  'month',
  'day',
  'quarter',
  'date',
  'isoWeek',
  'isoYear',
  'dateOf',
  'timeOf',
  'minutesBetween',
  'addMinutes',
  'remainder',
  'pow',
  'significant',
  'range',
  'trim',
  'lower',
  'upper',
  'startsWith',
  'endsWith',
  'contains',
  'matches',
  'cut',
  'substring',
  'split',
  'join',
  'text',
  'number',
  'take',
  'flatten',
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

/** Functions that hang on the time zone of the workspace. */
export const isZoned = (name: string): boolean => name === 'dateOf' || name === 'timeOf';

// What is written like a function, by itself or of a list, and is made of others when a formula is compiled.
export const madeNames = ['with', 'before', 'convert'] as const;
export const madeOfLists = ['avg', 'previous'] as const;
export const averageUsage = '.avg(), .avg(x, …): the average of the values that are not null; null for an empty list';
export const previousUsage =
  '.previous(x, x.day), .previous(x, [x.day, x.id]): the previous record in that order, then in the order of creation';
export const beforeUsage = 'before(…): the value of the formula before the write; in conditions and effects';
export const convertUsage =
  'convert(amount, from, to, day): the amount in another currency, at the rate of that day; not rounded';
export const withUsage = 'with(a, x, …): the formula, in which x is the value of a';

/** Whether a group may have a formula of the name of a function, which goes first then: these are younger than descriptors. */
export const isYielding = (name: string): boolean => yielding.has(name);
const yielding: ReadonlySet<string> = new Set<FunctionName>([
  ...(['year', 'month', 'day', 'quarter', 'date', 'isoWeek', 'isoYear', 'dateOf', 'timeOf', 'minutesBetween'] as const),
  ...([
    'addMinutes',
    'remainder',
    'pow',
    'significant',
    'range',
    'upper',
    'endsWith',
    'contains',
    'matches',
    'substring',
  ] as const),
  ...(['split', 'join', 'text', 'number', 'take', 'flatten'] as const),
]);
