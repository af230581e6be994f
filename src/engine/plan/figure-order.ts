// The order in which computed fields of a record are computed: each after those that it depends on.
import { dependenciesOf } from '../../formulas/analyse/dependencies.ts';
import { readsBehind } from '../../registry/formulas/figures.ts';
import { wordsRead } from '../../registry/formulas/reads.ts';
import type { Figure, Resource, RuleUse } from '../../registry/model/model.ts';
import type { Rule } from '../../rules/support/rule.ts';
import type { FigureField } from './figures.ts';

/** A derivation by name. */
interface Derived {
  readonly key: string;
  readonly rule: Rule;
  readonly use: RuleUse;
  readonly derive: NonNullable<Rule['derive']>;
}

export type Derivation = Derived | { readonly key: string; readonly figure: FigureField };

/** Derivations after those whose fields they look at. The checks of descriptors have seen that there is no circle. */
export function derivationsInOrder(derivations: readonly Derivation[], { byName }: Resource): readonly Derivation[] {
  const isBefore = (other: Derivation, each: Derivation): boolean => {
    if ('figure' in other && 'figure' in each)
      return isRead(
        other.figure,
        readsBehind(each.figure.figure).filter(({ isOwn }) => isOwn),
      );
    return wordsOf(each).some((word) => (byName.get(word)?.key ?? word) === other.key);
  };
  const before = new Map(
    derivations.map((each) => [each, derivations.filter((other) => other !== each && isBefore(other, each))]),
  );
  // Behind those whose change takes it again, and of the record among others of its group too, as far as that goes: each of two
  // may look for the other one's last value.
  const needs = (each: Derivation): readonly Derivation[] => before.get(each) ?? [];
  for (const each of derivations)
    for (const other of derivations)
      if (other !== each && (isAlike(other, each) || isAgain(other, each)) && !dependsOn(other, each, needs))
        before.get(each)?.push(other);
  return inDependencyOrder(derivations, needs);
}

export const isRead = ({ figure, field }: FigureField, reads: Figure['reads']): boolean =>
  reads.some(({ shape, key }) => shape === figure.on && key === field.key);

/**
 * Figures that are always true and at which others look that are taken once, also by way of further ones. These must be right when
 * an effect writes the record, before what follows from the rest of its write is brought up to date.
 * @param figures In the order of what they look at.
 */
export function behindTaken(figures: readonly FigureField[]): ReadonlySet<FigureField> {
  const behind = new Set<FigureField>();
  for (const each of figures.toReversed()) {
    if (each.figure.taken === 'always' && !behind.has(each)) continue;
    const reads = readsBehind(each.figure).filter(({ isOwn }) => isOwn);
    for (const other of figures) if (other.figure.taken === 'always' && isRead(other, reads)) behind.add(other);
  }
  return behind;
}

/** Whether a body alone tells that a figure is computed. */
export function isTold({ figure: { when, on } }: FigureField, figures: readonly FigureField[]): boolean {
  if (when === undefined) return false;
  const { reads, beyond } = dependenciesOf(when.tree);
  return (
    beyond.length === 0 && reads.every(({ shape }) => shape === on) && !figures.some((figure) => isRead(figure, reads))
  );
}

const isAgain = (other: Derivation, each: Derivation): boolean =>
  'figure' in each && each.figure.figure.again.includes(other.key);

const isAlike = (other: Derivation, each: Derivation): boolean =>
  'figure' in each &&
  each.figure.figure.alike.some(({ key }) => key === other.key) &&
  (!('figure' in other) || isRead(other.figure, each.figure.figure.alike));

/** Names or keys of the fields of the record that a derivation looks at. */
function wordsOf(each: Derivation): readonly string[] {
  if ('figure' in each) return each.figure.figure.keys;
  const { rule, use } = each;
  return [...wordsRead(rule, use.arguments, () => []), ...Object.values(use.conditions).flatMap(({ keys }) => keys)];
}

/**
 * Returns the items in dependency order, otherwise in the given order. In a circle, the item that is reached first comes last.
 * @param listNeeds Returns the items that an item depends on; those outside of `items` are ignored.
 */
export function inDependencyOrder<T>(items: readonly T[], listNeeds: (item: T) => readonly T[]): readonly T[] {
  const all = new Set(items);
  const visitedItems = new Set<T>();
  const result: T[] = [];
  const visit = (item: T): void => {
    if (visitedItems.has(item) || !all.has(item)) return;
    visitedItems.add(item);
    for (const other of listNeeds(item)) visit(other);
    result.push(item);
  };
  for (const item of items) visit(item);
  return result;
}

/** Reports whether an item depends on another one, directly or not. Every item depends on itself. */
export function dependsOn<T>(item: T, other: T, listNeeds: (item: T) => readonly T[]): boolean {
  const reachedItems = new Set([item]);
  for (const each of reachedItems) for (const next of listNeeds(each)) reachedItems.add(next);
  return reachedItems.has(other);
}
