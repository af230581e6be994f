// Formulas over one row as SQL, where an engine can say exactly what the evaluator gives; where it cannot, nothing is said,
// and the rows are computed outside.
import { sql } from 'kysely';
import type { FunctionName } from '../formulas/language/names.ts';
import type { Literal } from '../formulas/language/syntax.ts';
import type { Tree, TreeOf, Type } from '../formulas/language/tree.ts';
import { isCode } from '../formulas/language/types.ts';
import { currencyCodes, minorUnits } from '../values/currency.ts';
import { exactly, quotient } from '../values/decimal.ts';
import { textToScaled } from '../values/scaled.ts';
import { type ColumnType, encode } from './columns.ts';
import type { Dialect } from './dialect.ts';
import { type Sql, words } from './filter-sql.ts';
import type { Extent } from './formula-spelling.ts';

/** A formula in SQL, and the column that its values are like: how they are selected and read. */
export interface FormulaSql {
  readonly sql: Sql;
  readonly type: ColumnType;
  /** Whether it is a column of the table, which an index may hold. */
  readonly isColumn?: boolean;
}

/** The column of a record's own field, or of what it stands in `up` steps above, by its key; undefined where it has none. */
export type ColumnsOf = (key: string, up: number) => FormulaSql | undefined;

/** @returns undefined where SQL cannot say it, or not exactly */
export function formulaSql(tree: Tree, columns: ColumnsOf, dialect: Dialect): FormulaSql | undefined {
  try {
    const part = new Writer(columns, dialect).part(tree);
    return { sql: part.sql, type: columnTypeOf(part) };
  } catch (error) {
    if (error instanceof Unsayable) return undefined;
    throw error;
  }
}

/** A formula as a condition of a select, spelt so that indexes serve it. @returns undefined where SQL cannot say it */
export function conditionSql(tree: Tree, columns: ColumnsOf, dialect: Dialect): Sql | undefined {
  try {
    return new Writer(columns, dialect).condition(tree);
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

/** What a formula is that is only the column of a field. */
function columnIn(tree: Tree, columns: ColumnsOf): FormulaSql | undefined {
  if (tree.op !== 'field' || tree.of.op !== 'self' || tree.member.kind !== 'value') return undefined;
  const column = columns(tree.member.key, tree.of.up);
  return column?.isColumn === true ? column : undefined;
}

class Unsayable extends Error {}

/** Some spellings say a part twice or more, so that a few dozen functions in each other would fill megabytes. */
const mostParts = 2000;
/** So many days lie between the first date and the last one, and so many months. */
const mostDays = 3_287_181n;
const mostMonths = 108_000n;
/** So many digits keeps a division of the evaluator. */
const quotientDigits = 40;

interface Part {
  readonly sql: Sql;
  /** How many columns and literals it holds. */
  readonly size: number;
}
type NumberPart = Part & Extent & { readonly kind: 'number' };
type PlainPart = Part & {
  readonly kind: 'text' | 'bool' | 'date' | 'instant' | 'null';
  /** Whether it is never null. */
  readonly isSure: boolean;
};
type AnyPart = NumberPart | PlainPart;

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

/** Times and ids are texts in every engine. */
const kindOf = ({ kind }: Type): PlainPart['kind'] => {
  if (kind === 'time' || kind === 'id') return 'text';
  if (kind === 'text' || kind === 'bool' || kind === 'date' || kind === 'instant' || kind === 'null') return kind;
  throw new Unsayable();
};

const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent);
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Puts parts together. @param times how often the SQL says them */
function sized(parts: readonly Part[], times = 1): number {
  const size = parts.reduce((sum, part) => sum + part.size * times, 1);
  if (size > mostParts) throw new Unsayable();
  return size;
}

const nothing: PlainPart = { kind: 'null', sql: words('null'), size: 1, isSure: false };
const bool = (text: Sql, parts: readonly Part[], isSure = true): PlainPart => ({
  kind: 'bool',
  sql: text,
  size: sized(parts),
  isSure,
});

/** A literal that any column can hold, in any engine's statement. */
const isSayable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

const isPlain = (tree: Tree): boolean =>
  tree.op === 'literal' && tree.literal.kind === 'text' && /^[ -~]*$/.test(tree.literal.value);

/** Texts of letters and signs of ASCII alone are in the same order everywhere; others go by code units only outside. */
const isPlainlyOrdered = ({ type }: Tree): boolean => {
  if (type.kind === 'time' || type.kind === 'date' || type.kind === 'instant' || type.kind === 'null') return true;
  return type.kind === 'text' && type.values?.every((value) => /^[ -~]*$/.test(value)) === true;
};

const signs = { '<': words('<'), '<=': words('<='), '>': words('>'), '>=': words('>=') } as const;

type Say<Op extends Tree['op']> = (tree: TreeOf<Op>, writer: Writer) => AnyPart;
const unsayable = (): never => {
  throw new Unsayable();
};

/** What each part of a formula is in SQL. */
const sayings: { readonly [Op in Tree['op']]: Say<Op> } = {
  literal: ({ literal, type }, writer) => writer.literal(literal, type),
  field: (tree, writer) => writer.field(tree),
  named: ({ of, args, formula }, writer) =>
    of.op === 'self' && of.up === 0 && args.length === 0 ? writer.part(formula.tree()) : unsayable(),
  not: ({ of }, writer) => {
    const part = writer.part(of);
    return bool(sql`(not ${writer.truth(part)})`, [part]);
  },
  negate: ({ of }, writer) => {
    const part = writer.number(of);
    return { ...part, sql: sql`(-${part.sql})` };
  },
  and: (tree, writer) => writer.joined(tree, words('and')),
  or: (tree, writer) => writer.joined(tree, words('or')),
  equal: ({ left, right, isNot }, writer) => {
    const equal = writer.equal(writer.part(left), writer.part(right));
    return isNot ? bool(sql`(not ${equal.sql})`, [equal]) : equal;
  },
  compare: (tree, writer) => writer.compare(tree),
  in: (tree, writer) => writer.among(tree),
  arithmetic: (tree, writer) => writer.arithmetic(tree),
  join: ({ left, right }, writer) => {
    const [a, b] = [writer.part(left), writer.part(right)];
    if (a.kind === 'null' || b.kind === 'null') return nothing;
    return { kind: 'text', sql: writer.says.join(a.sql, b.sql), size: sized([a, b]), isSure: false };
  },
  shift: ({ left, right, sign }, writer) => {
    const days = writer.number(right);
    return writer.shifted(writer.part(left), sign === '+' ? days : { ...days, sql: sql`(-${days.sql})` }, 'addDays');
  },
  between: ({ left, right, unit }, writer) => {
    const [to, from] = [writer.part(left), writer.part(right)];
    const size = sized([to, from], 2);
    if (unit === 'days')
      return writer.checked({ sql: writer.says.daysBetween(from.sql, to.sql), size, ...writer.count(mostDays) });
    const minutes = sql`(${writer.says.minutes(to.sql)} - ${writer.says.minutes(from.sql)})`;
    return writer.checked({ sql: minutes, size, ...writer.count(1439n) });
  },
  if: ({ test, yes, no }, writer) => {
    const asked = writer.part(test);
    const sides = writer.alike([writer.part(yes), writer.part(no)]);
    const [first, second] = sides.map((side) => side.sql);
    const isSure = sides.every((side) => 'isSure' in side && side.isSure);
    return writer.like(sides, {
      sql: sql`(case when ${writer.truth(asked)} then ${first} else ${second} end)`,
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
  gather: unsayable,
  index: unsayable,
  macro: unsayable,
};

type Call = (args: readonly Tree[], writer: Writer) => AnyPart;

/** A function of one date that gives another one. */
const ofDate =
  (say: 'firstOfMonth' | 'lastOfMonth' | 'monday'): Call =>
  ([of], writer) => {
    const date = writer.argument(of);
    return { kind: 'date', sql: writer.says[say](date.sql), size: sized([date], 2), isSure: false };
  };

const functions: Readonly<Record<FunctionName, Call>> = {
  coalesce: (args, writer) => {
    const parts = writer.alike(args.map((arg) => writer.part(arg)));
    const isSure = parts.some((part) => 'isSure' in part && part.isSure);
    const texts = parts.map((part) => part.sql);
    // Of one value alone not every engine takes the first.
    const found = texts.length === 1 ? sql`${texts[0]}` : sql`coalesce(${sql.join(texts)})`;
    return writer.like(parts, { sql: found, size: sized(parts), isSure });
  },
  round: ([of, digits], writer) => writer.rounded(of, digits),
  floor: ([of], writer) => writer.cut(of, 'floor'),
  ceil: ([of], writer) => writer.cut(of, 'ceil'),
  abs: ([of], writer) => {
    const part = writer.asNumber(writer.argument(of));
    return { ...part, sql: sql`abs(${part.sql})` };
  },
  min: (args, writer) => writer.extreme(args, 'least'),
  max: (args, writer) => writer.extreme(args, 'greatest'),
  weekday: ([of], writer) => {
    const date = writer.argument(of);
    return writer.checked({ sql: writer.says.weekday(date.sql), size: sized([date]), ...writer.count(7n) });
  },
  firstOfMonth: ofDate('firstOfMonth'),
  lastOfMonth: ofDate('lastOfMonth'),
  addMonths: ([of, months], writer) =>
    writer.shifted(writer.argument(of), writer.asNumber(writer.argument(months)), 'addMonths'),
  startOfWeek: (args, writer) => {
    const part = ofDate('monday')(args, writer);
    return { ...part, sql: writer.says.sinceFirst(part.sql) };
  },
  days: unsayable,
  // White space, letters and characters are counted and turned otherwise in every engine.
  trim: unsayable,
  lower: unsayable,
  startsWith: unsayable,
  cut: unsayable,
  size: unsayable,
};

class Writer {
  readonly #columns: ColumnsOf;
  readonly #dialect: Dialect;

  constructor(columns: ColumnsOf, dialect: Dialect) {
    this.#columns = columns;
    this.#dialect = dialect;
  }

  get says(): Dialect['formulas'] {
    return this.#dialect.formulas;
  }

  part(tree: Tree): AnyPart {
    return (sayings[tree.op] as (tree: Tree, writer: Writer) => AnyPart)(tree, this);
  }

  argument(tree: Tree | undefined): AnyPart {
    return tree === undefined ? unsayable() : this.part(tree);
  }

  number(tree: Tree): NumberPart {
    return this.asNumber(this.part(tree));
  }

  /** Null is a number too. */
  asNumber(part: AnyPart): NumberPart {
    if (part.kind === 'number') return part;
    if (part.kind !== 'null') throw new Unsayable();
    const extent = this.count(0n);
    // Beside a null without a type some engines compute with floats.
    return { kind: 'number', sql: this.says.column(part.sql, extent), size: part.size, ...extent };
  }

  /** A number that the engine computes exactly. */
  checked(part: Omit<NumberPart, 'kind'>): NumberPart {
    if (!this.says.fits(part)) throw new Unsayable();
    return { ...part, kind: 'number' };
  }

  /** The extent of what is counted. */
  count(most: bigint): Extent {
    return { scale: 0, precision: String(most).length, most };
  }

  // --- Literals and columns

  literal({ kind, value }: Literal, type: Type): AnyPart {
    if (kind === 'null') return nothing;
    if (kind === 'bool') return { kind: 'bool', sql: words(value ? '1' : '0'), size: 1, isSure: true };
    if (kind === 'number') return this.#decimal(value);
    if (!isSayable(value)) throw new Unsayable();
    const quoted = (text: string): Sql => words(this.#dialect.quoteText(text));
    const found = kindOf(type);
    if (found !== 'date' && found !== 'instant')
      return { kind: 'text', sql: this.says.text(quoted(value)), size: 1, isSure: true };
    const column = found === 'date' ? 'date' : 'dateTime';
    const kept = encode(value, { kind: column }, this.#dialect);
    return { kind: found, sql: this.says.moment(column, quoted(String(kept))), size: 1, isSure: true };
  }

  #decimal(text: string): NumberPart {
    const scale = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
    const units = textToScaled(text, scale);
    const most = units < 0n ? -units : units;
    const extent = { scale, precision: Math.max(String(most).length, scale), most };
    if (!this.says.fits(extent)) throw new Unsayable();
    return { kind: 'number', sql: this.says.number(units, extent), size: 1, ...extent };
  }

  field({ of, member, type }: TreeOf<'field'>): AnyPart {
    if (of.op !== 'self' || member.kind !== 'value') throw new Unsayable();
    const column = this.#columns(member.key, of.up);
    if (column === undefined) throw new Unsayable();
    if (type.kind === 'number') {
      const extent = extentOf(column.type, type.most);
      return this.checked({ sql: this.says.column(column.sql, extent), size: 1, ...extent });
    }
    const kind = kindOf(type);
    const text = kind === 'text' ? this.says.text(column.sql) : column.sql;
    return { kind, sql: text, size: 1, isSure: false };
  }

  // --- Truth

  /** A part as a condition: null counts as false. */
  truth(part: AnyPart): Sql {
    return 'isSure' in part && part.isSure ? part.sql : sql`coalesce(${part.sql}, 0)`;
  }

  /** The same where a row that gives null is left out. */
  condition(tree: Tree): Sql {
    if (tree.op === 'and') return sql`${this.condition(tree.left)} and ${this.condition(tree.right)}`;
    if (tree.op === 'equal' && !tree.isNot) return this.#sought(tree);
    const flag = tree.op === 'not' ? tree.of : tree;
    const column = flag.type.kind === 'bool' && !(tree.op === 'not' && flag.nullable) && columnIn(flag, this.#columns);
    if (column) return sql`${column.sql} = ${words(tree.op === 'not' ? '0' : '1')}`;
    return tree.op === 'compare' ? this.#compared(tree).sql : this.part(tree).sql;
  }

  /** Equal to what a column holds: some engines look only for the column as it stands. */
  #sought({ left, right }: TreeOf<'equal'>): Sql {
    const exact = this.equal(this.#asColumn(left), this.#asColumn(right)).sql;
    const [column, other] = columnIn(left, this.#columns) === undefined ? [right, left] : [left, right];
    const found = columnIn(column, this.#columns);
    const given = this.#asGiven(other);
    if (this.says.hasUnits || found === undefined || given === undefined) return exact;
    // A column of ASCII is compared with nothing else; nor is one that holds neither texts nor ids.
    const isSayable = found.type.kind === 'text' || (isCode(column.type) && (isCode(other.type) || isPlain(other)));
    if (!isSayable) return exact;
    // It may ignore spaces at the end, and finds at least what is equal.
    return sql`${found.sql} ${words(this.#dialect.nullSafeEqual)} ${given} and ${exact}`;
  }

  /** A text that is known before any row is read, as it stands. */
  #asGiven(tree: Tree): Sql | undefined {
    if (tree.op === 'literal')
      return tree.literal.kind === 'text' ? words(this.#dialect.quoteText(tree.literal.value)) : undefined;
    if (tree.op !== 'field' || tree.of.op !== 'self' || tree.member.kind !== 'value') return undefined;
    const given = this.#columns(tree.member.key, tree.of.up);
    return given?.isColumn === true ? undefined : given?.sql;
  }

  /** A number as its column has it, where that is not computed with. */
  #asColumn(tree: Tree): AnyPart {
    const part = this.part(tree);
    const column = part.kind === 'number' ? columnIn(tree, this.#columns) : undefined;
    return column === undefined ? part : { ...part, sql: column.sql };
  }

  joined({ left, right }: { readonly left: Tree; readonly right: Tree }, sign: Sql): PlainPart {
    const [a, b] = [this.part(left), this.part(right)];
    return bool(sql`(${this.truth(a)} ${sign} ${this.truth(b)})`, [a, b]);
  }

  /** Two nulls are equal. */
  equal(left: AnyPart, right: AnyPart): PlainPart {
    if (left.kind === 'null' || right.kind === 'null') {
      const other = left.kind === 'null' ? right : left;
      return bool(sql`(${other.sql} is null)`, [other]);
    }
    const same = words(this.#dialect.nullSafeEqual);
    const apart = this.#apart(left, right);
    if (apart !== undefined) {
      const { coarse, floor, ceil } = apart;
      return bool(sql`(${coarse} ${same} ${floor} and ${floor} ${same} ${ceil})`, [left, right, right, right]);
    }
    const [a = left, b = right] = this.alike([left, right]);
    return bool(sql`(${a.sql} ${same} ${b.sql})`, [a, b]);
  }

  compare(tree: TreeOf<'compare'>): PlainPart {
    const { sql: compared, size } = this.#compared(tree);
    return { kind: 'bool', sql: sql`coalesce(${compared}, 0)`, size, isSure: true };
  }

  /** Null where one of the sides is. */
  #compared({ left, right, sign }: TreeOf<'compare'>): Part {
    const [one, other] = [this.#asColumn(left), this.#asColumn(right)];
    const apart = this.#apart(one, other);
    if (apart !== undefined) {
      const { coarse, floor, ceil, isTurned } = apart;
      // a < 1.5 is a < 2, and a <= 1.5 is a <= 1.
      const bound = sign === '<' || sign === '>=' ? (isTurned ? floor : ceil) : isTurned ? ceil : floor;
      const [a, b] = isTurned ? [bound, coarse] : [coarse, bound];
      return { sql: sql`${a} ${signs[sign]} ${b}`, size: sized([one, other, other]) };
    }
    const [a = one, b = other] = this.alike([one, other]);
    if (a.kind !== 'number' && !(isPlainlyOrdered(left) && isPlainlyOrdered(right))) throw new Unsayable();
    return { sql: sql`${a.sql} ${signs[sign]} ${b.sql}`, size: sized([a, b]) };
  }

  /**
   * Two numbers that do not fit with as many digits behind the point: the one with fewer of them, and the whole numbers of
   * its last digit below and above the other. Undefined where they fit.
   */
  #apart(left: AnyPart, right: AnyPart): { coarse: Sql; floor: Sql; ceil: Sql; isTurned: boolean } | undefined {
    if (left.kind !== 'number' || right.kind !== 'number') return undefined;
    const isTurned = left.scale > right.scale;
    const [coarse, fine] = isTurned ? [right, left] : [left, right];
    const more = fine.scale - coarse.scale;
    if (!this.says.hasUnits || this.says.fits(widenedBy(coarse, more))) return undefined;
    const cut = this.#cutBy(fine, more);
    return { coarse: coarse.sql, floor: cut('floor').sql, ceil: cut('ceil').sql, isTurned };
  }

  among({ left, right }: TreeOf<'in'>): PlainPart {
    if (right.op !== 'list') throw new Unsayable();
    const part = this.part(left);
    const items = right.items.map((item) => this.equal(part, this.part(item)));
    if (items.length === 0) return bool(words('0'), []);
    return bool(sql`(${sql.join([...items.map((item) => item.sql)], words(' or '))})`, items);
  }

  // --- Parts of one kind

  /** Parts of one kind, numbers with as many digits behind the point. */
  alike(parts: readonly AnyPart[]): readonly AnyPart[] {
    const kind = parts.find((part) => part.kind !== 'null')?.kind;
    if (kind === 'number') return this.#aligned(parts.map((part) => this.asNumber(part)));
    if (parts.some((part) => part.kind !== 'null' && part.kind !== kind)) throw new Unsayable();
    if (kind !== 'date' && kind !== 'instant') return parts;
    const typed = this.says.moment(kind === 'date' ? 'date' : 'dateTime', nothing.sql);
    return parts.map((part) => (part.kind === 'null' ? { ...part, kind, sql: typed } : part));
  }

  /** What is chosen among parts that are alike. */
  like(parts: readonly AnyPart[], made: Part & { readonly isSure: boolean }): AnyPart {
    const numbers = parts.filter((part) => part.kind === 'number');
    if (numbers.length > 0) return this.checked({ ...widest(numbers), sql: made.sql, size: made.size });
    const kind = parts.find((part): part is PlainPart => part.kind !== 'null' && part.kind !== 'number')?.kind;
    return { kind: kind ?? 'null', ...made };
  }

  #aligned(parts: readonly NumberPart[]): readonly NumberPart[] {
    const { scale } = widest(parts);
    return parts.map((part) => {
      const more = scale - part.scale;
      if (more === 0) return part;
      const widened = this.says.widened(part.sql, part.scale, scale);
      return this.checked({ sql: widened, size: part.size, ...widenedBy(part, more) });
    });
  }

  // --- Numbers

  arithmetic({ left, right, sign }: TreeOf<'arithmetic'>): AnyPart {
    if (sign === '/') return this.#divided(this.number(left), right);
    const [a, b] = [this.number(left), this.number(right)];
    if (sign === '*') return this.#product(a, b);
    const [first = a, second = b] = this.#aligned([a, b]);
    const { scale, precision } = widest([first, second]);
    return this.checked({
      sql: sql`(${first.sql} ${words(sign)} ${second.sql})`,
      size: sized([first, second]),
      scale,
      precision: precision + 1,
      most: first.most + second.most,
    });
  }

  #product(a: NumberPart, b: NumberPart): NumberPart {
    return this.checked({
      sql: sql`(${a.sql} * ${b.sql})`,
      size: sized([a, b]),
      scale: a.scale + b.scale,
      precision: a.precision + b.precision,
      most: a.most * b.most,
    });
  }

  /** No engine divides exactly; by a literal it multiplies, where that has an end (by 100, by 8). */
  #divided(a: NumberPart, divisor: Tree): AnyPart {
    if (divisor.op !== 'literal' || divisor.literal.kind !== 'number') throw new Unsayable();
    const inverse = quotient('1', divisor.literal.value);
    if (inverse === null) return nothing;
    if (exactly['*'](inverse, divisor.literal.value) !== '1') throw new Unsayable();
    const product = this.#product(a, this.#decimal(inverse));
    if (String(product.most).length > quotientDigits) throw new Unsayable();
    return product;
  }

  rounded(of: Tree | undefined, digits: Tree | undefined): AnyPart {
    const part = this.asNumber(this.argument(of));
    if (digits?.op === 'literal') {
      const { kind, value } = digits.literal;
      if (kind === 'null') return nothing;
      return this.#round(part, kind === 'text' ? minorUnits(value) : Number(value));
    }
    if (digits?.type.kind !== 'text') throw new Unsayable();
    return this.#roundToCurrency(part, this.part(digits));
  }

  #round(part: NumberPart, digits: number): NumberPart {
    const less = part.scale - digits;
    if (less <= 0) return part;
    // What it is divided by must fit too.
    if (!this.says.fits({ ...part, most: tenTo(less) })) throw new Unsayable();
    const scale = Math.max(digits, 0);
    const before = Math.max(part.precision - part.scale, 0) + 1;
    return this.checked({
      sql: this.says.round(part.sql, part.scale, digits),
      size: sized([part], 2),
      scale,
      precision: Math.max(before, scale - digits + 1) + scale,
      most: (part.most / tenTo(less) + 1n) * tenTo(scale - digits),
    });
  }

  #roundToCurrency(part: NumberPart, currency: AnyPart): NumberPart {
    const digits = [...new Set(currencyCodes.map(minorUnits))];
    const results = this.#aligned(digits.map((one) => this.#round(part, one)));
    const branches = results.map((result, index) => {
      const codes = currencyCodes.filter((code) => minorUnits(code) === digits[index]);
      const quoted = codes.map((code) => this.literal({ kind: 'text', value: code }, { kind: 'text' }).sql);
      return sql`when ${currency.sql} in (${sql.join(quoted)}) then ${result.sql}`;
    });
    return this.checked({
      ...widest(results),
      sql: sql`(case ${sql.join(branches, words(' '))} end)`,
      size: sized([...results, currency, currency, currency]),
    });
  }

  cut(of: Tree | undefined, side: 'floor' | 'ceil'): NumberPart {
    const part = this.asNumber(this.argument(of));
    return part.scale === 0 ? part : this.#cutBy(part, part.scale)(side);
  }

  /** A number without some of its digits behind the point, in units of the last one that is left. */
  #cutBy(part: NumberPart, digits: number): (side: 'floor' | 'ceil') => NumberPart {
    if (!this.says.fits({ ...part, most: tenTo(digits) })) throw new Unsayable();
    const scale = part.scale - digits;
    const precision = Math.max(part.precision - part.scale, 0) + 1 + scale;
    const gives = { scale, precision, most: part.most / tenTo(digits) + 1n };
    const size = sized([part], 2);
    return (side) => this.checked({ sql: this.says[side](part.sql, digits, gives), size, ...gives });
  }

  /** The least or the greatest that is not null. */
  extreme(args: readonly Tree[], side: 'least' | 'greatest'): AnyPart {
    const parts = this.alike(args.map((arg) => this.part(arg)));
    if (parts.every((part) => part.kind !== 'number') && !args.every(isPlainlyOrdered)) throw new Unsayable();
    const found = parts.filter((part) => part.kind !== 'null');
    const [first] = found;
    if (first === undefined) return nothing;
    const best = found.slice(1).reduce<Part>(
      (a, b) => ({
        sql: sql`coalesce(${this.says[side](a.sql, b.sql)}, ${a.sql}, ${b.sql})`,
        size: sized([a, b], 2),
      }),
      first,
    );
    return this.like(found, { ...best, isSure: false });
  }

  // --- Dates

  shifted(date: AnyPart, by: NumberPart, say: 'addDays' | 'addMonths'): AnyPart {
    const whole = by.scale === 0 ? by.sql : this.says.whole(by.sql, by.scale);
    if (by.scale > 0 && !this.says.fits({ ...by, most: tenTo(by.scale) })) throw new Unsayable();
    // Whatever goes further gives null, and an engine might not count so far.
    const most = this.count((say === 'addDays' ? mostDays : mostMonths) + 1n);
    const [least, greatest] = [this.says.number(-most.most, most), this.says.number(most.most, most)];
    const bounded = this.says.least(this.says.greatest(whole, least), greatest);
    const size = sized([date, by], 2);
    return { kind: 'date', sql: this.says.sinceFirst(this.says[say](date.sql, bounded)), size, isSure: false };
  }
}

const widenedBy = ({ scale, precision, most }: Extent, more: number): Extent => ({
  scale: scale + more,
  precision: precision + more,
  most: most * tenTo(more),
});

/** The extent that holds all of some numbers. */
function widest(extents: readonly Extent[]): Extent {
  let [scale, whole, most] = [0, 0, 0n];
  for (const extent of extents) {
    scale = Math.max(scale, extent.scale);
    whole = Math.max(whole, extent.precision - extent.scale);
    most = greater(most, extent.most);
  }
  return { scale, precision: whole + scale, most };
}

/** @param most the greatest that the field can be; of other numbers the greatest that their column holds */
function extentOf(type: ColumnType, most: string | undefined): Extent {
  if (type.kind !== 'integer' && type.kind !== 'decimal') throw new Unsayable();
  const [scale, precision] = type.kind === 'decimal' ? [type.scale, type.precision] : [0, 16];
  return { scale, precision, most: most === undefined ? tenTo(precision) - 1n : textToScaled(most, scale) };
}
