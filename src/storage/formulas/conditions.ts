// Truth in SQL: conditions of selects that indexes serve, comparisons, equality.
import { sql } from 'kysely';
import type { Tree, TreeOf } from '../../formulas/language/tree.ts';
import { isCode } from '../../formulas/language/types.ts';
import { type Sql, words } from '../schema/sql.ts';
import { cutBy, widenedBy } from './numbers.ts';
import { type AnyPart, bool, columnIn, type Part, type PlainPart, sized, Unsayable, type Writer } from './parts.ts';
import { alike, isPlainlyOrdered } from './plain.ts';

const isPlain = (tree: Tree): boolean =>
  tree.op === 'literal' && tree.literal.kind === 'text' && /^[ -~]*$/.test(tree.literal.value);

const signs = { '<': words('<'), '<=': words('<='), '>': words('>'), '>=': words('>=') } as const;

/** A part as a condition: null counts as false. */
export function truth(part: AnyPart): Sql {
  return 'isSure' in part && part.isSure ? part.sql : sql`coalesce(${part.sql}, 0)`;
}

/** The same where a row that gives null is left out. */
export function condition(writer: Writer, tree: Tree): Sql {
  if (tree.op === 'and') return sql`${condition(writer, tree.left)} and ${condition(writer, tree.right)}`;
  if (tree.op === 'equal' && !tree.isNot) return sought(writer, tree);
  const flag = tree.op === 'not' ? tree.of : tree;
  const column = flag.type.kind === 'bool' && !(tree.op === 'not' && flag.nullable) && columnIn(flag, writer.columns);
  if (column) return sql`${column.sql} = ${words(tree.op === 'not' ? '0' : '1')}`;
  return tree.op === 'compare' ? comparison(writer, tree).sql : writer.part(tree).sql;
}

/** Equal to what a column holds: some engines look only for the column as it stands. */
function sought(writer: Writer, { left, right }: TreeOf<'equal'>): Sql {
  const exact = equalParts(writer, asColumn(writer, left), asColumn(writer, right)).sql;
  const [column, other] = columnIn(left, writer.columns) === undefined ? [right, left] : [left, right];
  const found = columnIn(column, writer.columns);
  const given = asGiven(writer, other);
  if (writer.says.hasUnits || found === undefined || given === undefined) return exact;
  // A column of ASCII is compared with nothing else; nor is one that holds neither texts nor ids.
  const isSayable = found.type.kind === 'text' || (isCode(column.type) && (isCode(other.type) || isPlain(other)));
  if (!isSayable) return exact;
  // It may ignore spaces at the end, and finds at least what is equal.
  return sql`${found.sql} ${words(writer.dialect.nullSafeEqual)} ${given} and ${exact}`;
}

/** A text that is known before any row is read, as it stands. */
function asGiven(writer: Writer, tree: Tree): Sql | undefined {
  if (tree.op === 'literal')
    return tree.literal.kind === 'text' ? words(writer.dialect.quoteText(tree.literal.value)) : undefined;
  if (tree.op !== 'field' || tree.of.op !== 'self' || tree.member.kind !== 'value') return undefined;
  const given = writer.columns(tree.member.key, tree.of.up);
  return given?.isColumn === true ? undefined : given?.sql;
}

/** A number as its column has it, where that is not computed with. */
function asColumn(writer: Writer, tree: Tree): AnyPart {
  const part = writer.part(tree);
  const column = part.kind === 'number' ? columnIn(tree, writer.columns) : undefined;
  return column === undefined ? part : { ...part, sql: column.sql };
}

/** `&&` and `||` */
export function joined(
  writer: Writer,
  { left, right }: { readonly left: Tree; readonly right: Tree },
  sign: Sql,
): PlainPart {
  const [a, b] = [writer.part(left), writer.part(right)];
  return bool(sql`(${truth(a)} ${sign} ${truth(b)})`, [a, b]);
}

/** Two nulls are equal. */
export function equalParts(writer: Writer, left: AnyPart, right: AnyPart): PlainPart {
  if (left.kind === 'null' || right.kind === 'null') {
    const other = left.kind === 'null' ? right : left;
    return bool(sql`(${other.sql} is null)`, [other]);
  }
  const same = words(writer.dialect.nullSafeEqual);
  const apart = coarseAndFine(writer, left, right);
  if (apart !== undefined) {
    const { coarse, floor, ceil } = apart;
    return bool(sql`(${coarse} ${same} ${floor} and ${floor} ${same} ${ceil})`, [left, right, right, right]);
  }
  const [a = left, b = right] = alike(writer, [left, right]);
  return bool(sql`(${a.sql} ${same} ${b.sql})`, [a, b]);
}

/** `<` and the like: false where one of the sides is null. */
export function compare(writer: Writer, tree: TreeOf<'compare'>): PlainPart {
  const { sql: compared, size } = comparison(writer, tree);
  return { kind: 'bool', sql: sql`coalesce(${compared}, 0)`, size, isSure: true };
}

/** Null where one of the sides is. */
function comparison(writer: Writer, { left, right, sign }: TreeOf<'compare'>): Part {
  const [one, other] = [asColumn(writer, left), asColumn(writer, right)];
  const apart = coarseAndFine(writer, one, other);
  if (apart !== undefined) {
    const { coarse, floor, ceil, isTurned } = apart;
    // a < 1.5 is a < 2, and a <= 1.5 is a <= 1.
    const bound = sign === '<' || sign === '>=' ? (isTurned ? floor : ceil) : isTurned ? ceil : floor;
    const [a, b] = isTurned ? [bound, coarse] : [coarse, bound];
    return { sql: sql`${a} ${signs[sign]} ${b}`, size: sized([one, other, other]) };
  }
  const [a = one, b = other] = alike(writer, [one, other]);
  if (a.kind !== 'number' && !(isPlainlyOrdered(left) && isPlainlyOrdered(right))) throw new Unsayable();
  return { sql: sql`${a.sql} ${signs[sign]} ${b.sql}`, size: sized([a, b]) };
}

/**
 * Two numbers that do not fit with as many digits behind the point: the one with fewer of them, and the whole numbers of
 * its last digit below and above the other. Undefined where they fit.
 */
function coarseAndFine(
  writer: Writer,
  left: AnyPart,
  right: AnyPart,
): { coarse: Sql; floor: Sql; ceil: Sql; isTurned: boolean } | undefined {
  if (left.kind !== 'number' || right.kind !== 'number') return undefined;
  const isTurned = left.scale > right.scale;
  const [coarse, fine] = isTurned ? [right, left] : [left, right];
  const more = fine.scale - coarse.scale;
  if (!writer.says.hasUnits || writer.says.fits(widenedBy(coarse, more))) return undefined;
  const cut = cutBy(writer, fine, more);
  return { coarse: coarse.sql, floor: cut('floor').sql, ceil: cut('ceil').sql, isTurned };
}

/** `in` a list that is written in the formula. */
export function among(writer: Writer, { left, right }: TreeOf<'in'>): PlainPart {
  if (right.op !== 'list') throw new Unsayable();
  const part = writer.part(left);
  const items = right.items.map((item) => equalParts(writer, part, writer.part(item)));
  if (items.length === 0) return bool(words('0'), []);
  return bool(sql`(${sql.join([...items.map((item) => item.sql)], words(' or '))})`, items);
}
