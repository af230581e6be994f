// Compiles the formulas of computed fields.

import { dayReads } from '../../formulas/analyse/day-bounds.ts';
import { dependenciesOf, type Read } from '../../formulas/analyse/dependencies.ts';
import {
  type ReverseDependencies,
  reverseDependencies,
  type Watch,
} from '../../formulas/analyse/reverse-dependencies.ts';
import { findReadWhole } from '../../formulas/analyse/tally.ts';
import { compileFormula } from '../../formulas/compile/compile.ts';
import { nonNullWhere } from '../../formulas/compile/non-null.ts';
import type { Scope } from '../../formulas/compile/scope.ts';
import { FormulaFault } from '../../formulas/language/fault.ts';
import { ordersIn } from '../../formulas/language/index-keys.ts';
import type { Shape, Tree } from '../../formulas/language/tree.ts';
import { excerpt } from '../../text/excerpt.ts';
import type { Condition, Figure, Watched } from '../model/model.ts';
import type { RawField } from '../model/vocabulary.ts';
import { compileCondition, fleetingIn } from './conditions.ts';
import { orInWords } from './in-words.ts';

/** What says a formula: a field, or a source of its default. */
export type RawFormula = Pick<RawField, 'formula' | 'compute' | 'recomputeIfChanged' | 'when'>;

/** A long formula is a list of lines. */
export const formulaText = ({ formula = '' }: Pick<RawFormula, 'formula'>): string => [formula].flat().join('\n');

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');

/** Whether a source of a default is a formula, well written. It is computed on create, and when a field of `recomputeIfChanged` changes. */
export function isFormulaSource(source: unknown): source is RawFormula {
  if (typeof source !== 'object' || source === null) return false;
  const { formula, recomputeIfChanged: names } = source as Readonly<Record<string, unknown>>;
  return (typeof formula === 'string' || isTexts(formula)) && (names === undefined || isTexts(names));
}

/** Times of computation in the model, by the value of `compute`. */
const takenByCompute = {
  always: 'always',
  onWrite: 'atWrite',
  onCreate: 'onCreate',
  onRead: 'atRead',
} as const satisfies Record<NonNullable<RawField['compute']>, Figure['taken']>;

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
  return orInWords(source, () => {
    const taken = field.compute === undefined ? usual : takenByCompute[field.compute];
    const hasOld = (taken === 'atWrite' || taken === 'onCreate') && scope.record.kind === 'record';
    const when = conditionOf(field.when, scope);
    // It is evaluated nowhere else than where its condition holds.
    const nonNull = when && nonNullWhere(when.tree);
    // With "onWrite" or "onCreate", each write of the record would read all others.
    const hasWholeCollections = taken === 'always' || taken === 'atRead';
    const tree = compileFormula(source, { ...scope, hasOld, hasWholeCollections, ...(nonNull && { nonNull }) });
    const readWhole = findReadWhole(tree);
    if (readWhole !== undefined)
      throw new FormulaFault(
        'aggregates all records by more than their own fields, so that all of them would be read; aggregate a computed field of these records instead, or narrow them: .filter(x, x.projectId == id)',
        readWhole.start,
      );
    const { reads, beyond } = dependenciesOf(tree);
    const root = rootOf(scope.record);
    const isAlways = taken === 'always';
    const asked = conditionReads({ when });
    return Object.freeze({
      source,
      tree,
      taken,
      again: (field.recomputeIfChanged ?? []).map((name) => keyOf(name, scope)),
      on: scope.record,
      reads,
      alike: [...reads, ...asked].filter(({ isOwn, shape }) => !isOwn && rootOf(shape) === root),
      keys: keysOf(root, reads),
      isLocal: beyond.every(({ what }) => what === 'around'),
      when,
      whenKeys: keysOf(root, asked),
      watches: isAlways
        ? [...watchesIn(tree, scope, reads), ...(when === undefined ? [] : watchesIn(when.tree, scope, asked))]
        : [],
      days: isAlways ? [tree, ...(when === undefined ? [] : [when.tree])].flatMap((each) => dayReads(each).bounds) : [],
    });
  });
}

/** What the condition of a figure looks at. */
export const conditionReads = ({ when }: Pick<Figure, 'when'>): readonly Read[] =>
  when === undefined ? [] : dependenciesOf(when.tree).reads;

/** What a figure hangs on: what its formula looks at, and its condition. */
export const readsBehind = (figure: Figure): readonly Read[] => [...figure.reads, ...conditionReads(figure)];

/** Keys of the fields of the record itself among what is read. */
const keysOf = (root: Shape, reads: readonly Read[]): readonly string[] => [
  ...new Set(reads.flatMap(({ shape, key, isOwn }) => (isOwn && shape === root ? [key] : []))),
];

/** The condition of a figure; one with faults is told where it stands. */
function conditionOf(source: string | undefined, scope: Scope): Condition | undefined {
  const found = source === undefined ? undefined : compileCondition(source, scope);
  return typeof found === 'object' ? found : undefined;
}

/** Where the condition of a state looks at records of others that come, go and change. */
export const watchesOf = ({ tree }: Condition, scope: Scope): readonly Watched[] =>
  watchesIn(tree, scope, dependenciesOf(tree).reads).filter(({ isFound }) => isFound);

/** Where a formula looks at other records that may change, come or go. */
const watchesIn = (tree: Tree, scope: Scope, reads: readonly Read[]): readonly Watched[] =>
  seenBackwards(tree, scope)
    .watches.map((watch) => watched(watch, reads))
    .filter(({ isFound, keys }) => isFound || keys.size > 0);

const seen = new WeakMap<Tree, ReverseDependencies>();

/** Whom a change of what a formula looks at concerns. */
function seenBackwards(tree: Tree, { record }: Pick<Scope, 'record'>): ReverseDependencies {
  const found = seen.get(tree) ?? reverseDependencies(tree, record.lists);
  seen.set(tree, found);
  return found;
}

/** With the keys of that group which the formula reads anywhere. */
function watched(watch: Watch, reads: readonly Read[]): Watched {
  const isOfThese = ({ shape, key, isOwn }: Read): boolean =>
    !isOwn && shape.kind === 'record' && shape.group === watch.group && shape.member(key)?.isFixed !== true;
  const keys = reads.filter(isOfThese).map(({ key }) => key);
  const narrowing = watch.ways.flatMap(([first]) => first?.pairs.map(({ from }) => from.lists[0] ?? from.key) ?? []);
  const { at } = watch;
  // An item that comes or goes counts, even if none of its fields is read.
  const lists = at.op === 'gather' && at.extent === 'whole' ? at.collection.lists.slice(0, 1) : [];
  return Object.freeze({ ...watch, keys: new Set([...keys, ...lists, ...narrowing.filter((key) => key !== 'id')]) });
}

/** The key of a field that is called by its name. */
function keyOf(name: string, { record }: Scope): string {
  const member = record.member(name);
  return member === undefined || member.kind === 'formula' ? name : member.key;
}

/** The record that an object or an item is part of. */
const rootOf = (shape: Shape): Shape => (shape.owner === undefined ? shape : rootOf(shape.owner));

/** Why nobody could keep a figure true at all times, in words with its place; undefined where it can be. */
function unkeepable({ source, tree, on }: Figure, isMeant: boolean): string | undefined {
  const marked = (text: string, offset: number): string => `${text}${excerpt(source, offset)}`;
  const fleeting = fleetingIn(tree);
  const instead = 'set when it is computed ("compute": "onWrite", "onCreate", "onRead")';
  if (fleeting !== undefined) return marked(`${fleeting.text}; ${instead}`, fleeting.offset);
  if (ordersIn(tree).some(({ isEven }) => !isEven))
    return marked(
      'searches the previous record by more than equal fields, so the successor of a record is unknown; narrow it only by equal fields: .filter(m, m.partId == partId).previous(m, m.day)',
      0,
    );
  const { changeable, lost } = seenBackwards(tree, { record: on });
  const [one] = changeable;
  if (one !== undefined && !isMeant)
    return marked(
      `reads "${one.words}" through a reference, so one change can affect many records; ${instead}, or "always" if that is intended`,
      one.offset,
    );
  const place = lost.find(({ isWide }) => !isWide || !isMeant);
  if (place === undefined) return undefined;
  return marked(
    `reads "${place.words}" so that a change there may concern any record; narrow it by "id" or a field of this record${place.isWide ? ', or say "compute": "onRead" to compute it when it is read, or "always" to compute it at each write there' : ''}`,
    place.offset,
  );
}

/**
 * What a figure looks at that it cannot, in words with its place; undefined for none.
 * @param isMeant Whether it says itself that it is always true, however many records a change may concern.
 */
export function beyondFigure(figure: Figure, isMeant: boolean): string | undefined {
  if (figure.taken === 'atRead') return beyondReading(figure);
  return figure.taken === 'always' ? unkeepable(figure, isMeant) : undefined;
}

/** Nobody writes when a figure is read. */
function beyondReading({ source, tree }: Figure): string | undefined {
  const actor = dependenciesOf(tree).beyond.find(({ what, words }) => what === 'known' && words === 'actor');
  return (
    actor &&
    `reads "actor", but a field that is computed on read must be the same for every caller${excerpt(source, actor.offset)}`
  );
}
