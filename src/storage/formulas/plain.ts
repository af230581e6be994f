// Literals and columns in SQL, and parts of one kind beside each other.
import type { Literal } from '../../formulas/language/syntax.ts';
import type { Tree, TreeOf, Type } from '../../formulas/language/tree.ts';
import { encode } from '../schema/columns.ts';
import { type Sql, words } from '../schema/sql.ts';
import { aligned, asNumber, checked, decimalPart, extentOf, widest } from './numbers.ts';
import { type AnyPart, kindOf, nothing, type Part, type PlainPart, Unsayable, type Writer } from './parts.ts';

/** A literal that any column can hold, in any engine's statement. */
const isSayable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/** A value as it is written in the formula. */
export function literalPart(writer: Writer, { kind, value }: Literal, type: Type): AnyPart {
  if (kind === 'null') return nothing;
  if (kind === 'bool') return { kind: 'bool', sql: words(value ? '1' : '0'), size: 1, isSure: true };
  if (kind === 'number') return decimalPart(writer, value);
  if (!isSayable(value)) throw new Unsayable();
  const quoted = (text: string): Sql => words(writer.dialect.quoteText(text));
  const found = kindOf(type);
  if (found !== 'date' && found !== 'instant')
    return { kind: 'text', sql: writer.says.text(quoted(value)), size: 1, isSure: true };
  const column = found === 'date' ? 'date' : 'dateTime';
  const kept = encode(value, { kind: column }, writer.dialect);
  return { kind: found, sql: writer.says.moment(column, quoted(String(kept))), size: 1, isSure: true };
}

/** The column of a field. */
export function fieldPart(writer: Writer, { of, member, type }: TreeOf<'field'>): AnyPart {
  if (of.op !== 'self' || member.kind !== 'value') throw new Unsayable();
  const column = writer.columns(member.key, of.up);
  if (column === undefined) throw new Unsayable();
  if (type.kind === 'number') {
    const extent = extentOf(column.type, type.most);
    return checked(writer, { sql: writer.says.column(column.sql, extent), size: 1, ...extent });
  }
  const kind = kindOf(type);
  const text = kind === 'text' ? writer.says.text(column.sql) : column.sql;
  return { kind, sql: text, size: 1, isSure: false };
}

/** Types whose values are in the same order in every database and in JavaScript. Texts are compared by code points. */
const orderedKinds: ReadonlySet<Type['kind']> = new Set(['time', 'date', 'instant', 'null', 'id', 'text']);

/** Reports whether the database orders the values of a part as the evaluator does. */
export const isPlainlyOrdered = ({ type }: Tree): boolean => orderedKinds.has(type.kind);

/** Parts of one kind, numbers with as many digits behind the point. */
export function alike(writer: Writer, parts: readonly AnyPart[]): readonly AnyPart[] {
  const kind = parts.find((part) => part.kind !== 'null')?.kind;
  if (kind === 'number')
    return aligned(
      writer,
      parts.map((part) => asNumber(writer, part)),
    );
  if (parts.some((part) => part.kind !== 'null' && part.kind !== kind)) throw new Unsayable();
  if (kind !== 'date' && kind !== 'instant') return parts;
  const typed = writer.says.moment(kind === 'date' ? 'date' : 'dateTime', nothing.sql);
  return parts.map((part) => (part.kind === 'null' ? { ...part, kind, sql: typed } : part));
}

/** What is chosen among parts that are alike. */
export function like(writer: Writer, parts: readonly AnyPart[], made: Part & { readonly isSure: boolean }): AnyPart {
  const numbers = parts.filter((part) => part.kind === 'number');
  if (numbers.length > 0) return checked(writer, { ...widest(numbers), sql: made.sql, size: made.size });
  const kind = parts.find((part): part is PlainPart => part.kind !== 'null' && part.kind !== 'number')?.kind;
  return { kind: kind ?? 'null', ...made };
}
