// Checks bounds: lengths of texts, ranges of numbers, sizes of lists.
import type { JSONPath } from 'jsonc-parser';
import { didYouMean } from '../../../text/nearest.ts';
import type { Report, ReportedPlace } from '../../model/faults.ts';
import { type KindRow, rowOf, scalarKindOf, scalarRow, valueFault } from '../../model/kinds.ts';
import { leastOf } from '../../model/numbers.ts';
import {
  fitsShape,
  formatShapes,
  keywordsOf,
  meansSomething,
  own,
  type RawField,
  shapeWords,
} from '../../model/vocabulary.ts';

/** A field, or the items of a list, of a known kind. */
interface Sized extends ReportedPlace {
  readonly field: RawField;
  readonly row: KindRow;
}

const typesOfFormats = { text: 'string', number: 'number', object: 'object' } as const satisfies Record<
  (typeof formatShapes)[keyof typeof formatShapes],
  string
>;

/** Length of a text, digits of a number. */
export function checkSize(sized: Sized): void {
  const { field, row, path, report } = sized;
  const { format } = field;
  const wanted = format && formatShapes[format];
  if (wanted !== undefined && wanted !== row.shape && fitsShape('format', row.shape))
    report([...path, 'format'], `format "${format}" needs "type": "${typesOfFormats[wanted]}"`);
  if (row.shape === 'text') checkText(sized);
  if (row.shape === 'number') checkDigits(sized);
}

function checkText({ field, path, report }: Sized): void {
  const { format, maxLength } = field;
  if (maxLength === undefined && field.enum === undefined && format === undefined)
    report(path, 'has no "maxLength" (characters)', 'key');
  if (field.enum !== undefined && format !== undefined) report([...path, 'format'], 'has no effect with "enum"', 'key');
  const kind = scalarKindOf(field);
  if (maxLength !== undefined && kind !== undefined && !scalarRow(kind).isSized(field))
    report([...path, 'maxLength'], `has no effect with "${field.enum === undefined ? 'format' : 'enum'}"`, 'key');
}

function checkDigits({ field, path, report }: Sized): void {
  const { format } = field;
  if (format === undefined) report(path, 'has no "format"; "money" or "decimal" defines the number of digits', 'key');
  if (format === 'decimal' && (field.precision === undefined || field.scale === undefined))
    report(path, 'a decimal needs "precision" and "scale"', 'key');
  if (format === 'money') {
    for (const keyword of ['precision', 'scale'] as const)
      if (field[keyword] !== undefined) report([...path, keyword], 'has no effect with "money"', 'key');
  } else if (field.precision !== undefined && field.precision < (field.scale ?? 0))
    report([...path, 'scale'], `is more than "precision" (${field.precision})`);
}

/** Bounds of numbers and lists, as far as they leave something and can be kept. */
export function checkBounds({ field, row, path, report }: Sized): void {
  const { minimum, maximum, exclusiveMinimum, minItems, maxItems } = field;
  if (minimum !== undefined && exclusiveMinimum !== undefined)
    report([...path, 'exclusiveMinimum'], 'has no effect with "minimum"; keep one of them', 'key');
  const least = minimum ?? (row.isNumber ? leastOf(field) : undefined);
  if (maximum !== undefined && least !== undefined && least > maximum) {
    if (minimum !== undefined) report([...path, 'minimum'], `is more than "maximum" (${maximum})`);
    else report([...path, 'maximum'], 'is less than 0, the minimum without "minimum" or "signed"');
  }
  if (maximum !== undefined && exclusiveMinimum !== undefined && exclusiveMinimum >= maximum)
    report([...path, 'exclusiveMinimum'], `leaves no value below "maximum" (${maximum})`);
  if (minItems !== undefined && maxItems !== undefined && minItems > maxItems)
    report([...path, 'minItems'], `is more than "maxItems" (${maxItems})`);
  if (!row.isNumber) return;
  const { minimum: _least, maximum: _most, exclusiveMinimum: _above, ...boundless } = field;
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum'] as const) {
    const bound = field[keyword];
    // A bound is a value that the field could have if it had none.
    const wrong = bound === undefined ? undefined : valueFault({ ...boundless, signed: true }, bound);
    if (wrong !== undefined) report([...path, keyword], wrong);
  }
}

/** The items of a list of plain values. */
export function checkItem(field: RawField, path: JSONPath, report: Report): void {
  const place = [...path, 'items'];
  const { items } = field;
  const kind = items && scalarKindOf(items);
  if (items === undefined || kind === undefined) {
    report(items === undefined ? path : place, 'has no "items" that are plain values or objects', 'key');
    return;
  }
  const row = scalarRow(kind);
  for (const keyword of keywordsOf(items)) {
    if (!fitsShape(keyword, row.shape))
      report([...place, keyword], `"${keyword}" does not fit items that are each ${shapeWords[row.shape]}`, 'key');
    else if (!meansSomething(keyword, 'value'))
      report([...place, keyword], `"${keyword}" has no effect on items`, 'key');
  }
  if (Array.isArray(items.type)) report([...place, 'type'], 'items are never null');
  const sized: Sized = { field: items, row, path: place, report };
  checkSize(sized);
  checkBounds(sized);
}

/** What stands beside the fields of the items of an owned list. */
export function checkObjectItems(field: RawField, path: JSONPath, report: Report): void {
  const place = [...path, 'items'];
  const { items = {}, uniqueBy } = field;
  if (items.properties === undefined) report(place, 'has no "properties"', 'key');
  if (Array.isArray(items.type)) report([...place, 'type'], 'items are never null');
  for (const keyword of keywordsOf(items))
    if (!meansSomething(keyword, 'item')) report([...place, keyword], `"${keyword}" has no effect on items`, 'key');
  const properties = items.properties ?? {};
  if (uniqueBy === undefined) return;
  const named = own(properties, uniqueBy);
  const row = named && rowOf(named);
  if (named === undefined)
    report(
      [...path, 'uniqueBy'],
      `"${uniqueBy}" is not a field of the items${didYouMean(uniqueBy, Object.keys(properties))}`,
    );
  else if (row?.isSingle === false) report([...path, 'uniqueBy'], `${row.words} cannot be compared for "uniqueBy"`);
}

/** An id of one of several groups, among its record's fields. */
interface Chosen extends ReportedPlace {
  readonly field: RawField;
  readonly fields: Readonly<Record<string, RawField | true>>;
}

/** An id of one of several groups: each value of the enum beside it has its group. */
export function checkChoice({ field, fields, path, report }: Chosen): void {
  const { referenceBy = '', groups = {} } = field;
  const by = own(fields, referenceBy);
  const values = typeof by === 'object' && by.type === 'string' ? by.enum : undefined;
  if (values === undefined) {
    const enums = Object.keys(fields).filter((name) => (own(fields, name) as RawField).enum !== undefined);
    report(
      [...path, 'referenceBy'],
      `"${referenceBy}" is not a required enum field next to it${didYouMean(referenceBy, enums)}`,
    );
  }
  for (const value of values ?? [])
    if (own(groups, value) === undefined)
      report([...path, 'groups'], `lacks "${value}", a value of "${referenceBy}"`, 'key');
  const seen = new Set<string>();
  for (const [value, group] of Object.entries(groups)) {
    const place = [...path, 'groups', value];
    if (values !== undefined && !values.includes(value))
      report(place, `"${value}" is not a value of "${referenceBy}"${didYouMean(value, values)}`, 'key');
    // Each group has its column.
    if (seen.has(group)) report(place, `"${group}" is listed twice`);
    seen.add(group);
  }
}

/** What means nothing in a list of objects that are records of another group, and what only such a list has. */
export function checkShownItems(field: RawField, path: JSONPath, report: Report): void {
  if (field.via === undefined) {
    if (field.orderBy !== undefined)
      report([...path, 'orderBy'], 'has no effect without "via"; callers give the list its order', 'key');
    return;
  }
  for (const keyword of ['minItems', 'maxItems', 'uniqueBy', 'default', 'computedBy', 'formula', 'onlyWhen'] as const)
    if (field[keyword] !== undefined) report([...path, keyword], 'has no effect with "via"', 'key');
  for (const [name, item] of Object.entries(field.items?.properties ?? {})) {
    for (const keyword of keywordsOf(item))
      if (!meansSomething(keyword, 'shown'))
        report(
          [...path, 'items', 'properties', name, keyword],
          'has no effect with "via"; set it on the field that "via" names',
          'key',
        );
  }
}
