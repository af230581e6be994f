// One column of a foreign table → one field of a descriptor.
import { rowOf, valueFault } from '../registry/model/kinds.ts';
import type { RawField } from '../registry/model/vocabulary.ts';
import { wordsIn } from '../text/words-in.ts';
import type { ForeignColumn } from './read.ts';

/** What a column becomes; `note` says what a reader should look at. Undefined field: nothing of ours holds such values. */
export interface DraftedField {
  readonly field: RawField | undefined;
  readonly note?: string;
}

type Shape = Pick<RawField, 'type' | 'format' | 'enum' | 'maxLength' | 'precision' | 'scale' | 'signed'> & {
  readonly type: string;
};

const longText = 5000;
const mostDigits = 18;

/** @param canBeFiltered An index of the table begins with the column. */
export function draftField(column: ForeignColumn, canBeFiltered: boolean): DraftedField {
  const { shape, note } = shapeOf(column.type);
  if (shape === undefined)
    return { field: undefined, note: `has the type ${column.type || 'of any value'}, which no field has` };
  const { type, ...size } = shape;
  const plain: RawField = {
    type: column.nullable ? [type, 'null'] : type,
    ...size,
    description: column.comment === '' ? wordsOf(column.name) : column.comment,
  };
  const filter = canBeFiltered ? filterOf(plain) : undefined;
  const drafted = filter === undefined ? plain : { ...plain, filter };
  const value = defaultOf(column.default, type);
  const fits =
    value !== undefined &&
    value !== null &&
    valueFault(plain, value) === undefined &&
    !(value === '' && column.nullable);
  return { field: fits ? { ...drafted, default: value } : drafted, ...(note === undefined ? {} : { note }) };
}

/** What a list is narrowed by, where it is known that somebody asks for the column. */
function filterOf(field: RawField): RawField['filter'] {
  const row = rowOf(field);
  if (row === undefined || row.isNumber) return undefined;
  const fitting = row.filters(field, 'record');
  return fitting.includes('range') ? 'range' : fitting.find((filter) => filter === 'exact');
}

/** `first_name` → `First name`. */
export function wordsOf(name: string): string {
  const words = wordsIn(name).join(' ').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The literal of a column as a value; expressions are none. */
function defaultOf(literal: string | undefined, type: string): string | number | boolean | undefined {
  if (literal === undefined) return undefined;
  const quoted = /^'((?:[^']|'')*)'$/.exec(literal)?.[1]?.replaceAll("''", "'");
  if (type === 'boolean') return /^(?:0|1|true|false)$/i.test(literal) ? /^(?:1|true)$/i.test(literal) : undefined;
  if (type === 'string') return quoted ?? (/^\w+\(|^null$|^current_/i.test(literal) ? undefined : literal);
  const number = Number(quoted ?? literal);
  return literal.trim() !== '' && Number.isFinite(number) ? number : undefined;
}

/** What a type is, by its whole name: a part of a word would take `point` and `interval` for integers. */
const families = {
  boolean: ['bool', 'boolean'],
  enum: ['enum'],
  date: ['date'],
  time: ['datetime', 'timestamp', 'timestamptz'],
  uuid: ['uuid'],
  decimal: ['dec', 'decimal', 'fixed', 'numeric'],
  integer: [
    ...['int', 'integer', 'tinyint', 'smallint', 'mediumint', 'middleint', 'bigint', 'big int', 'year'],
    ...['int1', 'int2', 'int3', 'int4', 'int8', 'serial', 'bigserial'],
  ],
  text: [
    ...['char', 'character', 'nchar', 'national char', 'national character', 'native character'],
    ...['varchar', 'nvarchar', 'character varying', 'varying character', 'char varying', 'national varchar'],
    ...['national character varying', 'national char varying', 'nchar varying', 'nchar varchar'],
    ...['text', 'tinytext', 'mediumtext', 'longtext', 'clob', 'nclob'],
  ],
  float: ['real', 'float', 'float4', 'float8', 'double', 'double precision'],
} as const satisfies Record<string, readonly string[]>;
type Family = keyof typeof families;
const familyOf: ReadonlyMap<string, Family> = new Map(
  Object.entries(families).flatMap(([family, names]) => names.map((name) => [name, family as Family] as const)),
);

/** `varchar(20) character set utf8` → its name, its digits, and whether it goes without a sign. */
function partsOf(type: string): { name: string; inside: string; isUnsigned: boolean } {
  const [, before = '', inside = '', behind = ''] = /^([^(]*)(?:\(([^)]*)\))?(.*)$/s.exec(type) ?? [];
  const name = before
    .replaceAll(/\b(?:unsigned|signed|zerofill|with(?:out)? time zone|character set \S+|collate \S+)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { name, inside, isUnsigned: /\bunsigned\b/.test(before + behind) };
}

/** Types as SQLite and MySQL write them, in lower case. */
function shapeOf(type: string): { shape: Shape | undefined; note?: string } {
  const { name, inside, isUnsigned } = partsOf(type);
  const [first = Number.NaN, second] = inside.split(',').map((part) => Number(part));
  if (type.startsWith('tinyint(1)') || type === 'bit(1)') return { shape: { type: 'boolean' } };
  if (type === 'char(36)') return { shape: { type: 'string', format: 'uuid' } };
  switch (familyOf.get(name)) {
    case 'boolean':
      return { shape: { type: 'boolean' } };
    case 'enum':
      return enumShape(type);
    case 'date':
      return { shape: { type: 'string', format: 'date' } };
    case 'time':
      return {
        shape: { type: 'string', format: 'date-time' },
        note: 'holds times; callers send them in UTC, as 2026-03-02T09:30:00Z',
      };
    case 'uuid':
      return { shape: { type: 'string', format: 'uuid' } };
    case 'decimal':
      return decimalShape(first, second);
    case 'integer':
      return { shape: { type: 'integer', ...(isUnsigned || name === 'year' ? {} : { signed: true }) } };
    case 'text':
      return textShape(name, first);
    case 'float':
      return {
        shape: { type: 'number', format: 'decimal', precision: mostDigits, scale: 6, signed: true },
        note: `holds inexact numbers (${type}); say how many digits it needs`,
      };
    case undefined:
      return { shape: undefined };
  }
}

function enumShape(type: string): { shape: Shape | undefined; note?: string } {
  const values = [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) => value.replaceAll("''", "'"));
  const longest = Math.max(...values.map((value) => value.length));
  return values.every((value) => /^[A-Za-z0-9][\w .-]*$/.test(value))
    ? { shape: { type: 'string', enum: values } }
    : {
        shape: { type: 'string', maxLength: longest },
        note: `is an enum with values that are no plain words (${type})`,
      };
}

function decimalShape(digits: number, scale = 0): { shape: Shape; note?: string } {
  const precision = Number.isNaN(digits) ? mostDigits : Math.min(digits, mostDigits);
  if (scale === 0 && precision <= 15) return { shape: { type: 'integer', signed: true } };
  const shape: Shape = {
    type: 'number',
    format: 'decimal',
    precision,
    scale: Math.min(scale, precision),
    signed: true,
  };
  return digits > mostDigits ? { shape, note: `has ${digits} digits; a field has at most ${mostDigits}` } : { shape };
}

function textShape(word: string, length: number): { shape: Shape; note?: string } {
  if (!Number.isNaN(length) && length > 0) return { shape: { type: 'string', maxLength: length } };
  const note = `has no length (${word}); ${longText} is a guess`;
  return { shape: { type: 'string', maxLength: word === 'tinytext' ? 255 : longText }, note };
}
