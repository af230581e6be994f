// Checks computed fields: the formula must fit the field.
import type { Type } from '../../../formulas/language/tree.ts';
import { typeWords } from '../../../formulas/language/types.ts';
import { excerpt } from '../../../text/excerpt.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { compileCondition, fleetingIn } from '../../formulas/conditions.ts';
import { beyondFigure, compileFigure, type RawFormula } from '../../formulas/figures.ts';
import { isScalarKind, kindOf, kinds, rowOf } from '../../model/kinds.ts';
import type { Figure } from '../../model/model.ts';
import { own, type RawField } from '../../model/vocabulary.ts';
import type { FieldCase } from './field-case.ts';

/** Checks `formula`, with `compute` and `recomputeIfChanged` beside it. */
export function checkFigure(each: FieldCase): void {
  const { field, path, report } = each;
  const { formula, compute, recomputeIfChanged = [] } = field;
  // The media types of a field that holds a file have become a condition.
  if (field.mediaTypes !== undefined) report([...path, 'mediaTypes'], 'has no effect without "format": "file"', 'key');
  if (formula === undefined) {
    for (const keyword of ['compute', 'recomputeIfChanged', 'when', 'acceptIfEqual'] as const)
      if (field[keyword] !== undefined) report([...path, keyword], 'has no effect without "formula"', 'key');
    return;
  }
  for (const keyword of ['computedBy', 'lookup', 'inherits', 'onlyWhen', 'transient'] as const)
    if (field[keyword] !== undefined) report([...path, keyword], 'has no effect with "formula"', 'key');
  if (compute === 'onRead') checkAtRead(each);
  else if (field.when !== undefined) reportWhen(field.when, each);
  if (field.acceptIfEqual === true) checkAcceptIfEqual(each);
  if (recomputeIfChanged.length > 0 && compute !== 'onCreate')
    report(
      [...path, 'recomputeIfChanged'],
      'needs "compute": "onCreate"; other formulas are computed at each write',
      'key',
    );
  checkRecomputeIfChanged(recomputeIfChanged, each);
  const figure = checkFormula(field, each);
  const wrong = figure && rowOf(field)?.isMany === false ? nullFault(field, figure.tree.nullable) : undefined;
  if (wrong !== undefined) report([...path, 'formula'], wrong);
}

function reportWhen(source: string, { field, scope, path, report }: FieldCase): void {
  const condition = compileCondition(source, scope);
  if (typeof condition === 'string') report([...path, 'when'], condition);
  if (typeof condition !== 'object' || (field.compute ?? 'always') !== 'always') return;
  const fleeting = fleetingIn(condition.tree);
  if (fleeting !== undefined) report([...path, 'when'], `${fleeting.text}${excerpt(source, fleeting.offset)}`);
}

/** A body may hold what is right: so there is a right value at each write, and it is shown. */
function checkAcceptIfEqual({ field, home, path, report }: FieldCase): void {
  for (const keyword of ['readOnly', 'hidden'] as const)
    if (field[keyword] === true) report([...path, 'acceptIfEqual'], `has no effect with "${keyword}"`, 'key');
  if (home !== 'record' && field.compute === 'onCreate')
    report([...path, 'acceptIfEqual'], 'has no effect with "compute": "onCreate" inside an object or a list', 'key');
}

/** What is taken when it is read is never written, and nothing of it is kept. */
function checkAtRead({ field, home, path, report }: FieldCase): void {
  if (home === 'items' || home === 'inner')
    report(
      [...path, 'compute'],
      '"onRead" has no effect inside a list; let a formula of the record compute the whole list',
    );
  const nothing = [
    'when',
    'acceptIfEqual',
    'hidden',
    'writeOnly',
    'becomes',
    'must',
    'transitions',
    'onDelete',
  ] as const;
  for (const keyword of [...nothing, 'minItems', 'maxItems', 'uniqueBy', 'renamedFrom', 'renamedValues'] as const)
    if (field[keyword] !== undefined) report([...path, keyword], 'has no effect with "compute": "onRead"', 'key');
  for (const [name, item] of Object.entries(field.items?.properties ?? {})) {
    const here = [...path, 'items', 'properties', name];
    const kind = kindOf(item);
    if (kind !== undefined && !isScalarKind(kind) && kind !== 'reference' && kind !== 'list')
      report(here, `${kinds[kind].words} is not allowed in a list that a formula computes`, 'key');
    for (const keyword of neverGiven)
      if (item[keyword] !== undefined)
        report([...here, keyword], 'has no effect in a list that a formula computes', 'key');
  }
}

/** What says of the fields of items where their values come from, or what is kept of them. */
const neverGiven = [
  'default',
  'defaultFrom',
  'computedBy',
  'formula',
  'lookup',
  'onlyWhen',
  'requiredWhen',
  'onDelete',
  'filter',
] as const satisfies readonly (keyof RawField)[];

/** Checks a formula that gives the default of a field. */
export function checkDefaultFormula(source: RawFormula, each: FieldCase): void {
  const { home, path, report } = each;
  if (home !== 'record' && home !== 'items') {
    report([...path, 'formula'], 'has no effect inside an object, or a list inside a list', 'key');
    return;
  }
  if (home === 'items' && source.recomputeIfChanged !== undefined)
    report(
      [...path, 'recomputeIfChanged'],
      'has no effect inside a list, because each body contains complete items',
      'key',
    );
  else checkRecomputeIfChanged(source.recomputeIfChanged ?? [], each);
  checkFormula(source, each);
}

function checkRecomputeIfChanged(names: readonly string[], { fields, path, report }: FieldCase): void {
  for (const [index, name] of names.entries())
    if (own(fields, name) === undefined || name === 'createdAt')
      report(
        [...path, 'recomputeIfChanged', index],
        `"${name}" is not a field${didYouMean(name, Object.keys(fields))}`,
      );
}

/** Whether a formula looks only at what it can, and gives what the field can hold. @returns it where it does */
function checkFormula(raw: RawFormula, { field, scope, path, report }: FieldCase): Figure | undefined {
  const figure = compileFigure(raw, scope, raw === field ? 'always' : 'onCreate');
  if (figure === undefined) return undefined;
  const isSound = typeof figure === 'object';
  const wrong = isSound ? (beyondFigure(figure, raw.compute === 'always') ?? misfit(field, figure.tree.type)) : figure;
  if (wrong !== undefined) report([...path, 'formula'], wrong);
  return isSound && wrong === undefined ? figure : undefined;
}

/** The group of a record, or of an id. */
const groupOf = (given: Type): string | undefined =>
  given.kind === 'record' ? given.shape.group : given.kind === 'id' ? given.group : undefined;

/** Why values of a type are none of the field, or undefined. */
export function misfit(field: RawField, given: Type): string | undefined {
  const kind = kindOf(field);
  if (kind === undefined || given.kind === 'null') return undefined;
  if (field.reference !== undefined)
    return groupOf(given) === field.reference
      ? undefined
      : `gives ${typeWords(given)}, but this field refers to a "${field.reference}"`;
  if (field.references !== undefined) {
    if (given.kind !== 'list') return `gives ${typeWords(given)}, but this field is a list of references`;
    return groupOf(given.item) === field.references
      ? undefined
      : `gives a list with ${typeWords(given.item)}, but this field refers to a "${field.references}"`;
  }
  if (!isScalarKind(kind)) return listMisfit(field, given);
  const wanted = kinds[kind].type(field);
  if (wanted?.kind !== given.kind) {
    // A time of day is kept as a text, and is none to a formula.
    const words = wanted?.kind === 'time' ? typeWords(wanted) : kinds[kind].words;
    return `gives ${typeWords(given)}, but this field is ${words}`;
  }
  if (field.enum === undefined) return undefined;
  const strange = ('values' in given ? given.values : undefined)?.find((value) => !field.enum?.includes(value));
  if (!('values' in given) || given.values === undefined) return 'can give any text, but this field is an enum';
  return strange === undefined ? undefined : `can give '${strange}', which is not in "enum"`;
}

/** The same of a list. */
function listMisfit(field: RawField, given: Type): string | undefined {
  if (given.kind !== 'list') return `gives ${typeWords(given)}, but this field is a list`;
  const { item } = given;
  if (item.kind === 'null') return undefined;
  if (field.items?.properties === undefined) return field.items && inList(misfit(field.items, item));
  if (item.kind !== 'map') return `gives a list of ${typeWords(item)}; give its fields: .map(x, {'id': x.id})`;
  return itemMisfit(field.items.properties, item.entries);
}

const inList = (wrong: string | undefined): string | undefined => wrong && `as an item ${wrong}`;

/** Why an object that a formula makes is no item of these fields, or undefined. */
function itemMisfit(
  fields: Readonly<Record<string, RawField>>,
  entries: Readonly<Record<string, Type>>,
): string | undefined {
  const strange = Object.keys(entries).find((key) => !Object.keys(fields).some((name) => name === key));
  if (strange !== undefined)
    return `gives items "${strange}", which they do not have${didYouMean(strange, Object.keys(fields))}`;
  for (const [name, field] of Object.entries(fields)) {
    const given = own(entries, name);
    // A figure of the items is taken when they are there.
    if (given === undefined && field.formula !== undefined) continue;
    if (given === undefined) return `does not give "${name}" of the items`;
    const wrong = misfit(field, given);
    if (wrong !== undefined) return `as "${name}" of an item ${wrong}`;
  }
  return undefined;
}

/** A switch is off where its formula gives null. */
function nullFault(field: RawField, canBeNull: boolean): string | undefined {
  const mayBe = Array.isArray(field.type) || field.nullable === true || field.default !== undefined;
  return canBeNull && !mayBe && field.type !== 'boolean'
    ? `can give null, but this field cannot be null; ${nullMend(field)}`
    : undefined;
}

function nullMend(field: RawField): string {
  const kind = kindOf(field);
  if (kind === undefined || !isScalarKind(kind))
    return field.reference === undefined ? orDefault : 'say "nullable": true';
  const nullable = `"type": ["${String(field.type)}", "null"]`;
  return kinds[kind].isNumber ? `${orDefault}, use coalesce(…, 0), or ${nullable}` : `${orDefault}, or ${nullable}`;
}

const orDefault = 'give it a "default"';
