// Hints for those who write formulas with the words or operators of another language: which ones are meant here.

const own = (table: Readonly<Record<string, string>>, word: string): string | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

const signs: Readonly<Record<string, string>> = {
  '=': '==',
  '===': '==',
  '!==': '!=',
  '<>': '!=',
  '=<': '<=',
  '=>': '>=',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  '&': '&&',
  '|': '||',
  '×': '*',
  '·': '*',
  '÷': '/',
  '−': '-',
  '–': '-',
  '—': '-',
  and: '&&',
  or: '||',
  not: '!',
  is: '==',
};

const quotes = 'put a text between \' and \', or " and "';
const choice = 'a choice is written a ? b : c';
const firstOf = 'the first of several values that is not null is coalesce(a, b)';

const forms: ReadonlyMap<string, string> = new Map([
  ...['if', 'then', 'else'].map((word) => [word, choice] as const),
  ...['“', '”', '„', '‘', '’', '`'].map((sign) => [sign, quotes] as const),
  ...['??', '?:'].map((sign) => [sign, firstOf] as const),
  ['return', 'a formula is only its value, without "return"'],
  ['like', 'test the beginning of a text with startsWith(text, beginning)'],
  ['between', 'bounds are written x >= a && x <= b'],
  ['^', 'there are no powers; multiply'],
]);

/** What a word or a sign at a place of a formula that cannot be read was meant to be, and where it begins. */
export function meantSign(
  source: string,
  offset: number,
): { readonly words: string; readonly offset: number } | undefined {
  const rest = source.slice(offset);
  const before = source.slice(0, offset);
  const [run = ''] = /^[=!<>&|?:]+/.exec(rest) ?? [];
  const start = offset - (run === '' ? 0 : (/[=!<>&|?:]*$/.exec(before)?.[0].length ?? 0));
  const here = run === '' ? (/^(?:\w+|[^\w\s])/u.exec(rest)?.[0] ?? '') : source.slice(start, offset) + run;
  const [word = ''] = /\b[A-Za-z]+(?=\s+$)/.exec(before) ?? [];
  if (rest.startsWith('.') && before.endsWith('?'))
    return { words: 'a path that leads through null is null without "?": a.b', offset: offset - 1 };
  const candidates = [
    [here, start],
    // `not x`, `if x then …`: the word was read as a name, and what follows it is in the way.
    [word, before.trimEnd().length - word.length],
    [rest[0] ?? '', offset],
  ] as const;
  for (const [found, at] of candidates) {
    if (found === '=>' && /\(\s*\w+\s*=?$/.test(before))
      return { words: 'put a comma after the name of an item: .sum(x, x.amount)', offset: at };
    const sign = own(signs, found.toLowerCase());
    if (sign !== undefined) return { words: `"${found}" is not an operator; did you mean "${sign}"?`, offset: at };
    const form = forms.get(found.toLowerCase());
    if (form !== undefined) return { words: form, offset: at };
  }
  return undefined;
}

const functions: Readonly<Record<string, string>> = {
  length: 'size(x)',
  len: 'size(x)',
  count: '.count()',
  concat: 'a + b',
  if: 'a ? b : c',
  iif: 'a ? b : c',
  now: 'today',
  currentdate: 'today',
  adddays: 'date + n',
  dateadd: 'date + n',
  datediff: 'end - start',
  daysbetween: 'end - start',
  ifnull: 'coalesce(a, b)',
  isnull: 'x == null',
  tolowercase: 'lower(x)',
  lowercase: 'lower(x)',
  touppercase: 'upper(x)',
  uppercase: 'upper(x)',
  substr: 'substring(t, from, to)',
  mod: 'a % b',
  power: 'pow(x, n)',
  tostring: 'text(n)',
  tonumber: 'number(t)',
  parseint: 'number(t)',
  includes: 'contains(t, part), or x in list',
  average: '.avg(x, …)',
  mean: '.avg(x, …)',
  lag: '.previous(x, key)',
  // Functions of CEL.
  has: 'x != null',
  int: 'floor(x), or number(t) for a text',
  uint: 'floor(x), or number(t) for a text',
  double: 'number(t)',
  float: 'number(t)',
  string: 'text(n)',
  bool: "t == 'true'",
  dyn: 'x',
  timestamp: "at < '2026-03-02T10:00Z'",
  duration: 'at + 90, in minutes',
};

/** Methods that other languages have of values other than lists. */
const methods: Readonly<Record<string, string>> = {
  getfullyear: 'year(d)',
  getmonth: 'month(d)',
  getdate: 'day(d)',
  getdayofmonth: 'day(d)',
  getday: 'weekday(d)',
  getdayofweek: 'weekday(d)',
  gethours: 'timeOf(m)',
  getminutes: 'timeOf(m)',
  lowerascii: 'lower(t)',
  tolowercase: 'lower(t)',
  upperascii: 'upper(t)',
  touppercase: 'upper(t)',
  length: 'size(t)',
  substr: 'substring(t, from, to)',
  charat: 'substring(t, from, to)',
  includes: 'contains(t, part)',
  indexof: 'contains(t, part)',
  tostring: 'text(n)',
  orvalue: 'coalesce(a, b)',
};

const ofLists: Readonly<Record<string, string>> = {
  length: '.count()',
  len: '.count()',
  where: '.filter(x, …)',
  find: '.filter(x, …).first()',
  any: '.exists(x, …)',
  some: '.exists(x, …)',
  every: '.all(x, …)',
  contains: 'x in list',
  includes: 'x in list',
  average: '.avg(x, …)',
  mean: '.avg(x, …)',
  lag: '.previous(x, key)',
  reduce: '.sum(x, …)',
  order: '.sorted(x, key)',
  sort: '.sorted(x, key)',
  orderby: '.sorted(x, key)',
  unique: '.distinct()',
  exists_one: '.count(x, …) == 1',
  existsone: '.count(x, …) == 1',
};

const names: Readonly<Record<string, string>> = {
  now: 'today',
  undefined: 'null',
  nil: 'null',
  none: 'null',
  math: 'abs(x), min(a, b), max(a, b), round(x, digits)',
  optional: 'coalesce(a, b)',
  cel: 'with(a, x, …)',
};

const hint = (right: string | undefined): string => (right === undefined ? '' : `; written here: ${right}`);

/** `; written here: a + b` for a function that others have, else ''. */
export const meantFunction = (name: string): string => hint(own(functions, name.toLowerCase()));

/** The same for what is asked of a list. */
export const meantOfList = (name: string): string => hint(own(ofLists, name.toLowerCase()));

/** Returns the hint for a method of a value other than a list. */
export const suggestMethod = (name: string): string => hint(own(methods, name.toLowerCase()));

/** The same for a name. */
export function meantName(name: string): string {
  if (name === 'this' || name === 'self') return '; write only the names of fields of the record';
  if (name === 'record' || name === 'index') return `; "${name}" is known only in the items of a list`;
  return hint(own(names, name.toLowerCase()));
}
