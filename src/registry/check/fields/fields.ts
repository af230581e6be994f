// Checks each field by itself. A check is a sentence and a function; the sentence is shown with the fault.
import { excerpt } from '../../../text/excerpt.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { patternFault } from '../../../text/pattern.ts';
import { beyondRecord, compileCondition, simpleCondition } from '../../formulas/conditions.ts';
import { isFormulaSource } from '../../formulas/figures.ts';
import { defaultSources } from '../../link/normalise-fields.ts';
import { rowOf, valueFault } from '../../model/kinds.ts';
import {
  fitsShape,
  type Home,
  isKept,
  isReadOnly,
  isTakenAtRead,
  keywordsOf,
  meansSomething,
  own,
  shapeWords,
} from '../../model/vocabulary.ts';
import { renamedHint } from '../../upgrade/renames.ts';
import type { FieldCase, Fields } from './field-case.ts';
import { checkDefaultFormula, checkFigure } from './figures.ts';
import { checkRenamedValues } from './renames.ts';
import { checkBounds, checkChoice, checkItem, checkObjectItems, checkShownItems, checkSize } from './sizes.ts';
import { checkInitialStates, checkStates, checkTransitions } from './states.ts';

const homeWords = {
  record: 'the record itself',
  object: 'an object',
  items: 'a list',
  inner: 'a list inside a list',
} as const satisfies Record<Home, string>;

/** Each rule looks at one field whose kind is known. */
export const fieldRules: Record<string, (field: FieldCase) => void> = {
  'a keyword stands only where it means something': ({ field, row, home, path, report }) => {
    for (const keyword of keywordsOf(field)) {
      const place = [...path, keyword];
      if (keyword === 'maxBytes') report(place, 'has no effect without "format": "file"', 'key');
      else if (!fitsShape(keyword, row.shape))
        report(place, `"${keyword}" does not fit ${shapeWords[row.shape]}`, 'key');
      else if (home !== 'record' && row.homes.includes(home) && !meansSomething(keyword, home))
        report(place, `"${keyword}" has no effect inside ${homeWords[home]}`, 'key');
    }
  },
  'a field says what it means': ({ field, path, report }) => {
    if (field.description === undefined) report(path, 'has no "description"', 'key');
  },
  'a plain value has its size': checkSize,
  'a pattern means the same everywhere, and takes no time': ({ field, row: { shape }, path, report }) => {
    const { pattern, format, enum: values, examples = [] } = field;
    if (pattern === undefined || shape !== 'text') return;
    const place = [...path, 'pattern'];
    const wrong = patternFault(pattern);
    if (wrong !== undefined) report(place, `${wrong.text}${excerpt(pattern, wrong.offset)}`);
    const other = format === undefined ? (values === undefined ? undefined : 'enum') : 'format';
    if (other !== undefined) report(place, `has no effect with "${other}", which defines the form`, 'key');
    else if (isReadOnly(field)) report(place, 'has no effect on a field that is read-only', 'key');
    else if (examples.length === 0 || examples[0] === '')
      report(place, 'needs "examples": messages show the first of them, for people', 'key');
  },
  'bounds leave something between them': checkBounds,
  'every list has an end': ({ field, row: { shape }, path, report }) => {
    // The other side of a reference has as many as there are, and so has what a formula finds.
    if (fitsShape('items', shape) && field.maxItems === undefined && field.via === undefined && !isTakenAtRead(field)) {
      report(path, 'has no "maxItems"; a list without an end lets one request fill the memory', 'key');
    }
    if (shape === 'list') checkItem(field, path, report);
    if (shape === 'objects') checkObjectItems(field, path, report);
  },
  'only money is in a currency': ({ field, row: { shape }, path, report }) => {
    if (field.currency !== undefined && shape === 'number' && field.format !== 'money')
      report([...path, 'currency'], 'has no effect without "format": "money"', 'key');
  },
  'only an amount in a currency is per unit': ({ field, path, report }) => {
    if (field.perUnit !== undefined && field.currency === undefined)
      report([...path, 'perUnit'], 'has no effect without "currency"', 'key');
  },
  'an old value is not in use': ({ field, row: { shape }, path, report }) => {
    if (shape === 'text' || shape === 'list') checkRenamedValues(field, path, report);
  },
  'an object has properties': ({ field, row: { shape }, path, report }) => {
    if (shape !== 'object') return;
    if (field.format !== 'json') {
      if (field.properties === undefined)
        report(path, 'has no "properties"; with "format": "json" it is an object of any form', 'key');
      return;
    }
    for (const keyword of ['properties', 'required'] as const)
      if (field[keyword] !== undefined)
        report([...path, keyword], 'has no effect with "format": "json", an object of any form', 'key');
  },
  'nesting ends at lists and objects of the record': ({ row, home, path, report }) => {
    if (!row.homes.includes(home))
      report(path, `${shapeWords[row.shape]} is not allowed inside ${homeWords[home]}`, 'key');
  },
  'defaults and examples are values that the field may have': ({ field, path, report }) => {
    if (field.default !== undefined) {
      const wrong = valueFault(field, field.default);
      if (wrong !== undefined) report([...path, 'default'], wrong);
      if (field.default === '' && Array.isArray(field.type))
        report(
          [...path, 'default'],
          'is the empty text, but an unset value of this field is null; leave one of the two',
        );
    }
    for (const [index, example] of (field.examples ?? []).entries()) {
      const wrong = valueFault(field, example);
      if (wrong !== undefined) report([...path, 'examples', index], wrong);
    }
  },
  'a missing value comes from one place': (each) => {
    const { field, row, path, report } = each;
    const elsewhere = (['computedBy', 'lookup', 'via', 'formula'] as const).find(
      (keyword) => field[keyword] !== undefined,
    );
    for (const keyword of ['default', 'defaultFrom'] as const) {
      // The value where a formula gives none; and where it is not computed, that of a field like any other.
      if (elsewhere === 'formula' && (keyword === 'default' || field.when !== undefined)) continue;
      if (field[keyword] !== undefined && elsewhere !== undefined && row.shape !== 'objects')
        report([...path, keyword], `has no effect with "${elsewhere}"`, 'key');
    }
    if (field.default !== undefined && field.defaultFrom !== undefined)
      report([...path, 'defaultFrom'], 'has no effect with "default", which always has a value', 'key');
    for (const [index, source] of defaultSources(field.defaultFrom).entries()) {
      const place = Array.isArray(field.defaultFrom) ? [...path, 'defaultFrom', index] : [...path, 'defaultFrom'];
      checkSource(source, { ...each, path: place });
    }
  },
  'a filter fits its field': ({ field, row, home, path, report }) => {
    if (field.filter === undefined) return;
    const allowed = row.filters(field, home);
    if (!allowed.includes(field.filter)) {
      const may =
        allowed.length === 0 ? 'it cannot be filtered' : `allowed: ${allowed.map((word) => `"${word}"`).join(', ')}`;
      report([...path, 'filter'], `"${field.filter}" does not fit this field; ${may}`);
    }
    if (field.transient === true || field.via !== undefined || isTakenAtRead(field))
      report([...path, 'filter'], 'the field is not stored, so it cannot be filtered');
    if (home !== 'record' && field.lookup !== undefined)
      report([...path, 'filter'], 'the field is not stored, so it cannot be filtered');
  },
  'a list is sorted by what its records keep and show': ({ field, row, path, report }) => {
    if (field.sort !== true) return;
    const place = [...path, 'sort'];
    if (fitsShape('sort', row.shape) && !row.canSort(field))
      report(place, 'only texts of at most 255 characters, dates, times and numbers can sort a list', 'key');
    if (!isKept(field)) report(place, 'the field is not stored, so it cannot sort a list', 'key');
    if (field.inherits !== undefined)
      report(place, 'the field shows values of other records, which cannot sort a list', 'key');
    for (const keyword of ['writeOnly', 'hidden'] as const)
      if (field[keyword] === true) report(place, `would reveal values that "${keyword}" hides`, 'key');
  },
  'minutes are shown in hours, ratios in percent': ({ field, row, path, report }) => {
    if (field.displayAs === undefined || !fitsShape('displayAs', row.shape)) return;
    if (field.displayAs === 'hours' && row.shape !== 'integer')
      report([...path, 'displayAs'], '"hours" is for integers, which count minutes');
    if (field.displayAs === 'percent' && row.shape !== 'number')
      report([...path, 'displayAs'], '"percent" is for numbers, of which 1 is 100 %');
    if (field.format === 'money') report([...path, 'displayAs'], 'an amount is shown in its currency');
  },
  'only a reference that may be null can be cleared': ({ field, row: { shape }, home, path, report }) => {
    // In a list the item goes instead.
    if (home === 'record' && shape === 'reference' && field.onDelete === 'clear' && field.nullable !== true) {
      report([...path, 'onDelete'], '"clear" needs "nullable": true');
    }
    if (shape === 'references' && field.onDelete === 'cascade')
      report([...path, 'onDelete'], 'a list can only "restrict" or "clear"');
    if (field.referenceFormat === 'id' && field.include !== undefined)
      report([...path, 'include'], 'has no effect with "referenceFormat": "id", which shows only the id', 'key');
    if (field.via !== undefined && field.onDelete !== undefined)
      report([...path, 'onDelete'], 'has no effect with "via"; set it on the field that "via" names', 'key');
  },
  'a field is written in one way': ({ field, path, report }) => {
    if (isReadOnly(field) && (field.immutable === true || field.updateOnly === true))
      report(path, 'is read-only, so "immutable" and "updateOnly" have no effect', 'key');
    if (isReadOnly(field) && field.requiredWhen !== undefined)
      report([...path, 'requiredWhen'], 'has no effect on a field that is read-only', 'key');
    if (field.immutable === true && field.updateOnly === true)
      report(path, 'is both "immutable" and "updateOnly", so nothing can set it', 'key');
    if (field.transient === true && field.writeOnly !== true)
      report([...path, 'transient'], 'needs "writeOnly": true, because no value is stored to show', 'key');
    if (isReadOnly(field) && field.writeOnly === true)
      report([...path, 'writeOnly'], 'is also "readOnly", so the field has no use; remove one of the two', 'key');
  },
  'what is hidden is there for a filter or a formula': ({ field, path, report }) => {
    if (field.hidden !== true) return;
    if (field.computedBy === undefined && field.formula === undefined)
      report([...path, 'hidden'], 'needs "formula" or "computedBy"', 'key');
    // A figure may be kept for other figures.
    if (field.filter === undefined && field.formula === undefined) report([...path, 'hidden'], 'needs "filter"', 'key');
    for (const keyword of ['readOnly', 'writeOnly'] as const)
      if (field[keyword] === true) report([...path, keyword], 'has no effect with "hidden"', 'key');
  },
  'an id of one of several groups says of which': (each) => {
    if (each.row.shape === 'choice') checkChoice(each);
  },
  'the other side of a reference is only shown': ({ field, row: { shape }, path, report }) => {
    if (shape === 'objects') checkShownItems(field, path, report);
  },
  'a figure is a formula of its type': checkFigure,
  'states that follow are values of the field': checkStates,
  'transitions name values of the enum': checkTransitions,
  'transitions say with which states a record begins': checkInitialStates,
  'conditions are expressions over the record': ({ field, home, scope, path, report }) => {
    for (const keyword of ['onlyWhen', 'requiredWhen'] as const) {
      const source = field[keyword];
      const isOverOthers = keyword === 'onlyWhen' && home === 'record';
      if (source !== undefined) reportCondition(source, { scope, path: [...path, keyword], report, isOverOthers });
    }
  },
  'what is inherited can be said in SQL': ({ field, fields, scope, path, report }) => {
    for (const [index, { when }] of (field.inherits ?? []).entries()) {
      const place = [...path, 'inherits', index, 'when'];
      const simple = simpleCondition(when, scope);
      if (typeof simple === 'string') report(place, simple);
      else if (simple !== undefined && !isColumn(simple.key, fields))
        report(place, `"${simple.key}" is not a plain stored value, so SQL cannot compare it`);
    }
  },
};

/** Whether a name of conditions is one column of the record's table. */
function isColumn(key: string, fields: Fields): boolean {
  const field = own(fields, key) ?? own(fields, key.replace(/Id$/, ''));
  if (field === undefined || field === true || !isKept(field)) return false;
  return rowOf(field)?.isSingle === true;
}

/** Where a condition over one record stands. */
interface ConditionPlace extends Pick<FieldCase, 'scope' | 'path' | 'report'> {
  /** The record's fields, where the condition is about the stored record. */
  readonly stored?: Fields;
  /** Whether it may look at other records too. */
  readonly isOverOthers?: boolean;
}

/** Reports what is wrong with a condition over one record, and over others where it may look at them. */
export function reportCondition(source: string, { scope, path, report, stored, isOverOthers }: ConditionPlace): void {
  const compiled = compileCondition(source, scope);
  if (typeof compiled !== 'object') {
    if (compiled !== undefined) report(path, compiled);
    return;
  }
  const marked = (word: string): string => excerpt(source, Math.max(0, source.indexOf(word)));
  const beyond = isOverOthers === true ? undefined : beyondRecord(compiled);
  if (beyond !== undefined) report(path, beyond);
  for (const key of stored === undefined ? [] : compiled.keys) {
    const field = own(stored ?? {}, key) ?? own(stored ?? {}, key.replace(/Id$/, ''));
    if (field !== undefined && field !== true && field.transient === true)
      report(path, `names "${key}", which is "transient": the stored record does not have it${marked(key)}`);
  }
}

/** What a source of a default may say besides its first word. */
const sourceWords = {
  find: ['find', 'where'],
  formula: ['formula', 'recomputeIfChanged'],
  value: ['value', 'when'],
} as const;

function checkSource(source: unknown, each: FieldCase): void {
  const { field, row, scope, path, report } = each;
  if (row.shape === 'references' && !isFormulaSource(source)) {
    report(path, 'must be {"formula"}, because only a formula returns a list of references');
    return;
  }
  if (typeof source === 'string') return;
  if (typeof source !== 'object' || source === null || Array.isArray(source)) {
    report(path, 'must be a path, "today", "actingMember", {"find"}, {"value"} or {"formula"}');
    return;
  }
  const [kind = 'value'] = Object.keys(sourceWords).filter((word) => word in source);
  const known: readonly string[] = sourceWords[kind as keyof typeof sourceWords];
  if (!(kind in source)) report(path, 'has neither "find" nor "value" nor "formula"');
  for (const word of Object.keys(source)) {
    if (!known.includes(word))
      report([...path, word], `unknown word "${word}"${renamedHint(word, known) || didYouMean(word, known)}`, 'key');
  }
  if ('formula' in source && kind === 'formula') {
    if (isFormulaSource(source)) checkDefaultFormula(source, each);
    else report(path, '"formula" must be a string or a list of strings, and "recomputeIfChanged" a list of names');
  }
  if ('value' in source && kind === 'value') {
    const wrong = valueFault(field, source.value);
    if (wrong !== undefined) report([...path, 'value'], wrong);
    if ('when' in source) {
      // A default may depend on other records: it is asked for once, when the record is made.
      const compiled =
        typeof source.when === 'string' ? compileCondition(source.when, scope) : 'must be a CEL expression';
      if (typeof compiled === 'string') report([...path, 'when'], compiled);
    }
  }
}
