// Formulas that fields equal.
import { compileFormula, type Scope } from '../formulas/compile.ts';
import { FormulaFault, Unresolved } from '../formulas/fault.ts';
import { looksOf } from '../formulas/looks.ts';
import type { Shape } from '../formulas/types.ts';
import { excerpt } from '../text/excerpt.ts';
import type { Figure } from './model.ts';
import type { RawField } from './vocabulary.ts';

/** What says a formula: a field, or a source of its default. */
export type RawFormula = Pick<RawField, 'formula' | 'taken' | 'again'>;

/** A long formula is a list of lines. */
const formulaText = ({ formula = '' }: RawFormula): string => [formula].flat().join('\n');

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');

/** Whether a source of a default is a formula, well written. What is taken on create is taken again as `again` says. */
export function isFormulaSource(source: unknown): source is RawFormula {
  if (typeof source !== 'object' || source === null) return false;
  const { formula, again } = source as Readonly<Record<string, unknown>>;
  return (typeof formula === 'string' || isTexts(formula)) && (again === undefined || isTexts(again));
}

/** Checks and normalisation compile the same formulas over the same names. */
const known = new WeakMap<Scope, WeakMap<RawFormula, Figure | string>>();

/**
 * Compiles the formula of a field, or of its default, over the names of its record.
 * @param usual When it is taken where that is not said: defaults on create.
 * @returns the figure, or the text of what is wrong with it; undefined where that cannot be told, because it leads to a
 * group whose descriptor has faults.
 */
export function compileFigure(
  field: RawFormula,
  scope: Scope,
  usual: Figure['taken'] = 'always',
): Figure | string | undefined {
  const compiled = known.get(scope) ?? new WeakMap<RawFormula, Figure | string>();
  known.set(scope, compiled);
  const figure = compiled.get(field) ?? compile(field, scope, usual);
  if (figure !== undefined) compiled.set(field, figure);
  return figure;
}

function compile(field: RawFormula, scope: Scope, usual: Figure['taken']): Figure | string | undefined {
  const source = formulaText(field);
  try {
    const taken = field.taken ?? usual;
    const tree = compileFormula(source, { ...scope, hasOld: taken !== 'always' && scope.record.kind === 'record' });
    const { reads, beyond } = looksOf(tree);
    const root = rootOf(scope.record);
    const keys = new Set(reads.flatMap(({ shape, key, isOwn }) => (isOwn && shape === root ? [key] : [])));
    return Object.freeze({
      source,
      tree,
      taken,
      again: (field.again ?? []).map((name) => keyOf(name, scope)),
      on: scope.record,
      reads: reads.filter(({ isOwn }) => isOwn),
      alike: reads.filter(({ isOwn, shape }) => !isOwn && rootOf(shape) === root),
      keys: [...keys],
      isLocal: beyond.every(({ what }) => what === 'around'),
    });
  } catch (error) {
    if (error instanceof Unresolved) return undefined;
    if (error instanceof FormulaFault) return error.in(source);
    throw error;
  }
}

/** The key of a field that is called by its name. */
function keyOf(name: string, { record }: Scope): string {
  const member = record.member(name);
  return member === undefined || member.kind === 'formula' ? name : member.key;
}

/** The record that an object or an item is part of. */
const rootOf = (shape: Shape): Shape => (shape.owner === undefined ? shape : rootOf(shape.owner));

/** What a figure that is always true looks at that it cannot, in words with its place; undefined for none. */
export function beyondFigure({ source, tree, taken }: Figure): string | undefined {
  // The record around an item is at hand.
  const beyond = taken === 'always' ? looksOf(tree).beyond.find(({ what }) => what !== 'around') : undefined;
  if (beyond === undefined) return undefined;
  const text = `looks at "${beyond.words}", which changes without a write of this record; say when it is taken ("taken": "atWrite", "onCreate")`;
  return text + excerpt(source, beyond.offset);
}
