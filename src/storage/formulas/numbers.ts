// Numbers in SQL, computed exactly: how many digits each part can have decides whether an engine can do it.
import { sql } from 'kysely';
import type { Tree, TreeOf } from '../../formulas/language/tree.ts';
import { currencyCodes, minorUnits } from '../../values/currency.ts';
import { exactly, quotient } from '../../values/decimal.ts';
import { textToScaled } from '../../values/scaled.ts';
import type { ColumnType } from '../schema/column-types.ts';
import type { Extent } from '../schema/formula-spelling.ts';
import { words } from '../schema/sql.ts';
import { type AnyPart, argumentPart, type NumberPart, nothing, sized, Unsayable, type Writer } from './parts.ts';

/** So many digits keeps a division of the evaluator. */
const quotientDigits = 40;

export const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent);
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** A part that is a number. */
export function numberPart(writer: Writer, tree: Tree): NumberPart {
  return asNumber(writer, writer.part(tree));
}

/** Null is a number too. */
export function asNumber(writer: Writer, part: AnyPart): NumberPart {
  if (part.kind === 'number') return part;
  if (part.kind !== 'null') throw new Unsayable();
  const extent = countedTo(0n);
  // Beside a null without a type some engines compute with floats.
  return { kind: 'number', sql: writer.says.column(part.sql, extent), size: part.size, ...extent };
}

/** A number that the engine computes exactly. */
export function checked(writer: Writer, part: Omit<NumberPart, 'kind'>): NumberPart {
  if (!writer.says.fits(part)) throw new Unsayable();
  return { ...part, kind: 'number' };
}

/** The extent of what is counted. */
export function countedTo(most: bigint): Extent {
  return { scale: 0, precision: String(most).length, most };
}

/** A number as it is written. */
export function decimalPart(writer: Writer, text: string): NumberPart {
  const scale = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
  const units = textToScaled(text, scale);
  const most = units < 0n ? -units : units;
  const extent = { scale, precision: Math.max(String(most).length, scale), most };
  if (!writer.says.fits(extent)) throw new Unsayable();
  return { kind: 'number', sql: writer.says.number(units, extent), size: 1, ...extent };
}

export const widenedBy = ({ scale, precision, most }: Extent, more: number): Extent => ({
  scale: scale + more,
  precision: precision + more,
  most: most * tenTo(more),
});

/** The extent that holds all of some numbers. */
export function widest(extents: readonly Extent[]): Extent {
  let [scale, whole, most] = [0, 0, 0n];
  for (const extent of extents) {
    scale = Math.max(scale, extent.scale);
    whole = Math.max(whole, extent.precision - extent.scale);
    most = greater(most, extent.most);
  }
  return { scale, precision: whole + scale, most };
}

/** @param most the greatest that the field can be; of other numbers the greatest that their column holds */
export function extentOf(type: ColumnType, most: string | undefined): Extent {
  if (type.kind !== 'integer' && type.kind !== 'decimal') throw new Unsayable();
  const [scale, precision] = type.kind === 'decimal' ? [type.scale, type.precision] : [0, 16];
  return { scale, precision, most: most === undefined ? tenTo(precision) - 1n : textToScaled(most, scale) };
}

/** Numbers with as many digits behind the point. */
export function aligned(writer: Writer, parts: readonly NumberPart[]): readonly NumberPart[] {
  const { scale } = widest(parts);
  return parts.map((part) => {
    const more = scale - part.scale;
    if (more === 0) return part;
    const widened = writer.says.widened(part.sql, part.scale, scale);
    return checked(writer, { sql: widened, size: part.size, ...widenedBy(part, more) });
  });
}

/** `+ - * /` */
export function arithmetic(writer: Writer, { left, right, sign }: TreeOf<'arithmetic'>): AnyPart {
  if (sign === '/') return divided(writer, numberPart(writer, left), right);
  const [a, b] = [numberPart(writer, left), numberPart(writer, right)];
  if (sign === '*') return productOf(writer, a, b);
  const [first = a, second = b] = aligned(writer, [a, b]);
  const { scale, precision } = widest([first, second]);
  return checked(writer, {
    sql: sql`(${first.sql} ${words(sign)} ${second.sql})`,
    size: sized([first, second]),
    scale,
    precision: precision + 1,
    most: first.most + second.most,
  });
}

function productOf(writer: Writer, a: NumberPart, b: NumberPart): NumberPart {
  return checked(writer, {
    sql: sql`(${a.sql} * ${b.sql})`,
    size: sized([a, b]),
    scale: a.scale + b.scale,
    precision: a.precision + b.precision,
    most: a.most * b.most,
  });
}

/** No engine divides exactly; by a literal it multiplies, where that has an end (by 100, by 8). */
function divided(writer: Writer, a: NumberPart, divisor: Tree): AnyPart {
  if (divisor.op !== 'literal' || divisor.literal.kind !== 'number') throw new Unsayable();
  const inverse = quotient('1', divisor.literal.value);
  if (inverse === null) return nothing;
  if (exactly['*'](inverse, divisor.literal.value) !== '1') throw new Unsayable();
  const product = productOf(writer, a, decimalPart(writer, inverse));
  if (String(product.most).length > quotientDigits) throw new Unsayable();
  return product;
}

/** `round(x, 2)`, `round(x, currency)` */
export function rounded(writer: Writer, of: Tree | undefined, digits: Tree | undefined): AnyPart {
  const part = asNumber(writer, argumentPart(writer, of));
  if (digits?.op === 'literal') {
    const { kind, value } = digits.literal;
    if (kind === 'null') return nothing;
    return round(writer, part, kind === 'text' ? minorUnits(value) : Number(value));
  }
  if (digits?.type.kind !== 'text') throw new Unsayable();
  return roundToCurrency(writer, part, writer.part(digits));
}

function round(writer: Writer, part: NumberPart, digits: number): NumberPart {
  const less = part.scale - digits;
  if (less <= 0) return part;
  // What it is divided by must fit too.
  if (!writer.says.fits({ ...part, most: tenTo(less) })) throw new Unsayable();
  const scale = Math.max(digits, 0);
  const before = Math.max(part.precision - part.scale, 0) + 1;
  return checked(writer, {
    sql: writer.says.round(part.sql, part.scale, digits),
    size: sized([part], 2),
    scale,
    precision: Math.max(before, scale - digits + 1) + scale,
    most: (part.most / tenTo(less) + 1n) * tenTo(scale - digits),
  });
}

function roundToCurrency(writer: Writer, part: NumberPart, currency: AnyPart): NumberPart {
  const digits = [...new Set(currencyCodes.map(minorUnits))];
  const results = aligned(
    writer,
    digits.map((one) => round(writer, part, one)),
  );
  const branches = results.map((result, index) => {
    const codes = currencyCodes.filter((code) => minorUnits(code) === digits[index]);
    const quoted = codes.map((code) => writer.says.text(words(writer.dialect.quoteText(code))));
    return sql`when ${currency.sql} in (${sql.join(quoted)}) then ${result.sql}`;
  });
  return checked(writer, {
    ...widest(results),
    sql: sql`(case ${sql.join(branches, words(' '))} end)`,
    size: sized([...results, currency, currency, currency]),
  });
}

/** `floor(x)`, `ceil(x)` */
export function cut(writer: Writer, of: Tree | undefined, side: 'floor' | 'ceil'): NumberPart {
  const part = asNumber(writer, argumentPart(writer, of));
  return part.scale === 0 ? part : cutBy(writer, part, part.scale)(side);
}

/** A number without some of its digits behind the point, in units of the last one that is left. */
export function cutBy(writer: Writer, part: NumberPart, digits: number): (side: 'floor' | 'ceil') => NumberPart {
  if (!writer.says.fits({ ...part, most: tenTo(digits) })) throw new Unsayable();
  const scale = part.scale - digits;
  const precision = Math.max(part.precision - part.scale, 0) + 1 + scale;
  const gives = { scale, precision, most: part.most / tenTo(digits) + 1n };
  const size = sized([part], 2);
  return (side) => checked(writer, { sql: writer.says[side](part.sql, digits, gives), size, ...gives });
}
