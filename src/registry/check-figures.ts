// Whether a formula fits the field that equals it.
import type { Type } from '../formulas/types.ts';
import { typeWords } from '../formulas/types.ts';
import { didYouMean } from '../text/nearest.ts';
import type { FieldCase } from './check-fields.ts';
import { compileCondition } from './conditions.ts';
import { beyondFigure, compileFigure, type RawFormula } from './figures.ts';
import { isScalarKind, kindOf, kinds } from './kinds.ts';
import type { Figure } from './model.ts';
import { own, type RawField } from './vocabulary.ts';

/** Checks `formula`, with `taken` and `again` beside it. */
export function checkFigure(each: FieldCase): void {
  const { field, path, report } = each;
  const { formula, taken, again = [] } = field;
  if (formula === undefined) {
    for (const keyword of ['taken', 'again', 'when', 'accepts'] as const)
      if (field[keyword] !== undefined) report([...path, keyword], 'means nothing without "formula"', 'key');
    return;
  }
  for (const keyword of ['derived', 'from', 'inherits', 'onlyWhen', 'transient'] as const)
    if (field[keyword] !== undefined) report([...path, keyword], 'means nothing beside "formula"', 'key');
  if (field.when !== undefined) reportWhen(field.when, each);
  if (field.accepts !== undefined) checkAccepts(each);
  if (again.length > 0 && taken !== 'onCreate')
    report([...path, 'again'], 'needs "taken": "onCreate"; all others are taken at each write', 'key');
  checkAgain(again, each);
  const figure = checkFormula(field, each);
  const wrong = figure && nullFault(field, figure.tree.nullable);
  if (wrong !== undefined) report([...path, 'formula'], wrong);
}

function reportWhen(source: string, { scope, path, report }: FieldCase): void {
  const condition = compileCondition(source, scope);
  if (typeof condition === 'string') report([...path, 'when'], condition);
}

/** A body may hold what is right: so there is a right value at each write, and it is shown. */
function checkAccepts({ field, home, path, report }: FieldCase): void {
  for (const keyword of ['readOnly', 'hidden'] as const)
    if (field[keyword] === true) report([...path, 'accepts'], `means nothing beside "${keyword}"`, 'key');
  if (home !== 'record' && field.taken === 'onCreate')
    report([...path, 'accepts'], 'means nothing beside "taken": "onCreate" inside an object or a list', 'key');
}

/** Checks a formula that gives the default of a field. */
export function checkDefaultFormula(source: RawFormula, each: FieldCase): void {
  const { home, path, report } = each;
  if (home !== 'record' && home !== 'items') {
    report([...path, 'formula'], 'means nothing inside an object, or a list inside a list', 'key');
    return;
  }
  if (home === 'items' && source.again !== undefined)
    report([...path, 'again'], 'means nothing inside a list, whose items are whole in each body', 'key');
  else checkAgain(source.again ?? [], each);
  checkFormula(source, each);
}

function checkAgain(again: readonly string[], { fields, path, report }: FieldCase): void {
  for (const [index, name] of again.entries())
    if (own(fields, name) === undefined || name === 'createdAt')
      report([...path, 'again', index], `"${name}" is not a field${didYouMean(name, Object.keys(fields))}`);
}

/** Whether a formula looks only at what it can, and gives what the field can hold. @returns it where it does */
function checkFormula(raw: RawFormula, { field, scope, path, report }: FieldCase): Figure | undefined {
  const figure = compileFigure(raw, scope, raw === field ? 'always' : 'onCreate');
  if (figure === undefined) return undefined;
  const isSound = typeof figure === 'object';
  const wrong = isSound ? (beyondFigure(figure, raw.taken === 'always') ?? misfit(field, figure.tree.type)) : figure;
  if (wrong !== undefined) report([...path, 'formula'], wrong);
  return isSound && wrong === undefined ? figure : undefined;
}

/** Why values of a type are none of the field, or undefined. */
export function misfit(field: RawField, given: Type): string | undefined {
  const kind = kindOf(field);
  if (kind === undefined || given.kind === 'null') return undefined;
  if (field.reference !== undefined) {
    const group = given.kind === 'record' ? given.shape.group : given.kind === 'id' ? given.group : undefined;
    return group === field.reference
      ? undefined
      : `gives ${typeWords(given)}, and this field refers to a "${field.reference}"`;
  }
  if (!isScalarKind(kind)) return undefined;
  const wanted = kinds[kind].type(field);
  if (wanted.kind !== given.kind) return `gives ${typeWords(given)}, and this field is ${kinds[kind].words}`;
  if (field.enum === undefined) return undefined;
  const strange = ('values' in given ? given.values : undefined)?.find((value) => !field.enum?.includes(value));
  if (!('values' in given) || given.values === undefined) return 'can give any text, and this field is an enum';
  return strange === undefined ? undefined : `can give '${strange}', which is not in "enum"`;
}

/** A switch is off where its formula gives null. */
function nullFault(field: RawField, canBeNull: boolean): string | undefined {
  const mayBe = Array.isArray(field.type) || field.nullable === true || field.default !== undefined;
  return canBeNull && !mayBe && field.type !== 'boolean'
    ? 'can give null, and this field cannot be null; give it a "default", or say coalesce(…, 0)'
    : undefined;
}
