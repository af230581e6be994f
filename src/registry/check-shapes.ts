// How big a value may be: texts, numbers, and what lists hold.
import type { JSONPath } from 'jsonc-parser';
import { digitsFault } from './check-values.ts';
import { didYouMean, type Report } from './faults.ts';
import { leastOf } from './sizes.ts';
import { itemKeywords, keywordShapes, own, type RawField, type Shape, shapeOf, shapeWords } from './vocabulary.ts';

const fixedFormats: ReadonlySet<string> = new Set(['date', 'date-time', 'uuid', 'currency', 'time', 'time-zone']);

/** Length of a text, digits of a number. */
export function checkSize(field: RawField, shape: Shape, path: JSONPath, report: Report): void {
  const { format } = field;
  if (shape === 'text') {
    if (field.maxLength === undefined && field.enum === undefined && format === undefined)
      report(path, 'has no "maxLength" (characters)', 'key');
    if (format === 'money' || format === 'decimal')
      report([...path, 'format'], `format "${format}" needs "type": "number"`);
    if (field.enum !== undefined && format !== undefined)
      report([...path, 'format'], 'means nothing beside "enum"', 'key');
    const sized = field.enum === undefined ? format : 'enum';
    if (field.maxLength !== undefined && (sized === 'enum' || fixedFormats.has(sized ?? '')))
      report([...path, 'maxLength'], `means nothing beside "${sized === 'enum' ? 'enum' : 'format'}"`, 'key');
  }
  if (shape !== 'number') return;
  if (format === undefined) report(path, 'has no "format"; "money" or "decimal" say how many digits it has', 'key');
  else if (format !== 'money' && format !== 'decimal')
    report([...path, 'format'], `format "${format}" needs "type": "string"`);
  if (format === 'decimal' && (field.precision === undefined || field.scale === undefined))
    report(path, 'a decimal needs "precision" and "scale"', 'key');
  if (format === 'money') {
    for (const keyword of ['precision', 'scale'] as const)
      if (field[keyword] !== undefined) report([...path, keyword], 'means nothing beside "money"', 'key');
  } else if (field.precision !== undefined && field.precision < (field.scale ?? 0))
    report([...path, 'scale'], `is more than "precision" (${field.precision})`);
}

/** Bounds of numbers and lists, as far as they leave something and can be kept. */
export function checkBounds(field: RawField, shape: Shape, path: JSONPath, report: Report): void {
  const { minimum, maximum, exclusiveMinimum, minItems, maxItems } = field;
  if (minimum !== undefined && exclusiveMinimum !== undefined)
    report([...path, 'exclusiveMinimum'], 'stands beside "minimum"; say one of them', 'key');
  const least = minimum ?? (shape === 'integer' || shape === 'number' ? leastOf(field) : undefined);
  if (maximum !== undefined && least !== undefined && least > maximum) {
    if (minimum !== undefined) report([...path, 'minimum'], `is more than "maximum" (${maximum})`);
    else report([...path, 'maximum'], 'is less than 0, the least value without "minimum" or "signed"');
  }
  if (maximum !== undefined && exclusiveMinimum !== undefined && exclusiveMinimum >= maximum)
    report([...path, 'exclusiveMinimum'], `leaves nothing below "maximum" (${maximum})`);
  if (minItems !== undefined && maxItems !== undefined && minItems > maxItems)
    report([...path, 'minItems'], `is more than "maxItems" (${maxItems})`);
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum'] as const) {
    const bound = field[keyword];
    if (bound === undefined) continue;
    if (shape === 'integer' && !Number.isSafeInteger(bound)) report([...path, keyword], `is ${bound}, not an integer`);
    const wrong = shape === 'number' ? digitsFault(field, bound) : undefined;
    if (wrong !== undefined) report([...path, keyword], wrong);
  }
}

/** The items of a list of plain values. */
export function checkItem(field: RawField, path: JSONPath, report: Report): void {
  const place = [...path, 'items'];
  const items = field.items;
  const shape = items === undefined ? undefined : shapeOf(items);
  if (items === undefined || (shape !== 'text' && shape !== 'integer' && shape !== 'number' && shape !== 'boolean')) {
    report(items === undefined ? path : place, 'has no "items" that are plain values or objects', 'key');
    return;
  }
  for (const keyword of Object.keys(items) as (keyof RawField)[]) {
    const shapes: readonly Shape[] = keywordShapes[keyword];
    if (!shapes.includes(shape))
      report([...place, keyword], `"${keyword}" does not fit items of which each is ${shapeWords[shape]}`, 'key');
    else if (!itemKeywords.has(keyword)) report([...place, keyword], `"${keyword}" means nothing for items`, 'key');
  }
  if (Array.isArray(items.type)) report([...place, 'type'], 'items are never null');
  checkSize(items, shape, place, report);
  checkBounds(items, shape, place, report);
}

/** What stands beside the fields of the items of an owned list. */
export function checkObjectItems(field: RawField, path: JSONPath, report: Report): void {
  const place = [...path, 'items'];
  const { items = {}, distinct } = field;
  if (items.properties === undefined) report(place, 'has no "properties"', 'key');
  if (Array.isArray(items.type)) report([...place, 'type'], 'items are never null');
  for (const keyword of Object.keys(items)) {
    if (!['type', 'description', 'properties', 'required'].includes(keyword))
      report([...place, keyword], `"${keyword}" means nothing for items`, 'key');
  }
  const properties = items.properties ?? {};
  if (distinct === undefined) return;
  const named = own(properties, distinct);
  const shape = named && shapeOf(named);
  if (named === undefined)
    report(
      [...path, 'distinct'],
      `"${distinct}" is not a field of the items${didYouMean(distinct, Object.keys(properties))}`,
    );
  else if (shape === 'list' || shape === 'object' || shape === 'objects' || shape === 'references')
    report([...path, 'distinct'], `${shapeWords[shape]} cannot be told apart`);
}

/** An id of one of several groups: each value of the enum beside it has its group. */
export function checkChoice(
  { referenceBy = '', groups = {} }: RawField,
  fields: Readonly<Record<string, RawField | true>>,
  path: JSONPath,
  report: Report,
): void {
  const by = own(fields, referenceBy);
  const values = typeof by === 'object' && by.type === 'string' ? by.enum : undefined;
  if (values === undefined) {
    const enums = Object.keys(fields).filter((name) => (own(fields, name) as RawField).enum !== undefined);
    report(
      [...path, 'referenceBy'],
      `"${referenceBy}" is no enum beside it that is never null${didYouMean(referenceBy, enums)}`,
    );
  }
  for (const value of values ?? [])
    if (own(groups, value) === undefined)
      report([...path, 'groups'], `lacks "${value}", a value of "${referenceBy}"`, 'key');
  const seen = new Set<string>();
  for (const [value, group] of Object.entries(groups)) {
    const place = [...path, 'groups', value];
    if (values !== undefined && !values.includes(value))
      report(place, `"${value}" is no value of "${referenceBy}"${didYouMean(value, values)}`, 'key');
    // Each group has its column.
    if (seen.has(group)) report(place, `"${group}" stands here already`);
    seen.add(group);
  }
}

/** What means nothing in a list of objects that are records of another group, and what only such a list has. */
export function checkShownItems(field: RawField, path: JSONPath, report: Report): void {
  if (field.via === undefined) {
    if (field.sortedBy !== undefined)
      report([...path, 'sortedBy'], 'means nothing without "via"; callers give the list its order', 'key');
    return;
  }
  for (const keyword of ['minItems', 'maxItems', 'distinct', 'default', 'derived', 'onlyWhen'] as const)
    if (field[keyword] !== undefined) report([...path, keyword], 'means nothing beside "via"', 'key');
  for (const [name, item] of Object.entries(field.items?.properties ?? {})) {
    for (const keyword of Object.keys(item) as (keyof RawField)[])
      if (!itemKeywords.has(keyword) && keyword !== 'examples' && keyword !== 'deprecated')
        report(
          [...path, 'items', 'properties', name, keyword],
          'means nothing beside "via"; the field there says it',
          'key',
        );
  }
}
