// When a write needs no transaction: a create that is one row, or a blind update of fields that nothing depends on, is a single
// statement, atomic by itself.

import { isUnset } from '../../facts/record-values.ts';
import { kinds } from '../../registry/model/kinds.ts';
import type { Condition, Field, Resource, RuleUse, Value, Values } from '../../registry/model/model.ts';
import { isLocalUse, type Rule, ruleOf, textArguments } from '../../rules/support/rule.ts';
import { type DefaultOrder, emptyValue, lackableFields } from './default-order.ts';
import { figuresIn, keysBehind } from './figures.ts';
import { isLocalCondition } from './judged.ts';
import type { RuleParts } from './rule-parts.ts';

/** Keys of a record that a condition, a derivation, a rule or a lock looks at. Undefined: any of them may. */
export function keysWithDependents(
  resource: Resource,
  rules: Readonly<Record<string, Rule>>,
): ReadonlySet<string> | undefined {
  if (resource.lockedUpdate !== undefined) return undefined;
  const keys = new Set(resource.lockedFields.flatMap(({ fields }) => fields.map(({ key }) => key)));
  const addCondition = (condition: Condition | undefined): void => {
    for (const key of condition?.keys ?? []) keys.add(key);
  };
  addCondition(resource.mayAct);
  addCondition(resource.signIn?.when);
  for (const field of resource.fields) {
    // What hangs on other records is judged at every write: these may have changed.
    if (field.onlyWhen !== undefined && !isLocalCondition(field.onlyWhen)) return undefined;
    for (const condition of [field.onlyWhen, field.requiredWhen]) addCondition(condition);
    if (isEntangled(field)) keys.add(field.key);
    for (const source of field.defaultFrom)
      for (const key of source.kind === 'formula' ? source.figure.again : []) keys.add(key);
    // An update in place takes care of the time of change.
    if (field.derived !== undefined && field.derived.use !== 'modified') {
      const looked = lookedAt(field.derived, resource, rules);
      if (looked === undefined) return undefined;
      for (const key of looked) keys.add(key);
    }
  }
  for (const { figure } of figuresIn(resource)) {
    if (figure.taken === 'atWrite') return undefined;
    for (const key of figure.taken === 'always' ? keysBehind(figure) : figure.again) keys.add(key);
  }
  for (const { key, becomes } of resource.fields)
    for (const { when } of becomes) for (const each of [key, ...when.keys]) keys.add(each);
  if (resource.effects.some(({ on }) => on.has('update'))) return undefined;
  for (const use of resource.rules) {
    if (ruleOf(rules, use).on?.includes('update') === false) continue;
    const looked = lookedAt(use, resource, rules);
    if (looked === undefined) return undefined;
    for (const key of looked) keys.add(key);
  }
  return keys;
}

/** Fields whose own change has conditions, and those that live in more than one column or table. */
function isEntangled(field: Field): boolean {
  if (!kinds[field.kind].isOneColumn || field.accepts !== undefined) return true;
  if (field.onlyWhen !== undefined || field.requiredWhen !== undefined || field.figure?.when !== undefined) return true;
  return 'transitions' in field && field.transitions !== undefined;
}

/** The keys on which a use depends. */
function lookedAt(
  use: RuleUse,
  resource: Resource,
  rules: Readonly<Record<string, Rule>>,
): readonly string[] | undefined {
  const rule = ruleOf(rules, use);
  const own = rule.looksAt?.(use, resource);
  if (own !== undefined) return own;
  // A derivation depends on its conditions and on the fields it is computed of; a rule of `rules` may look anywhere.
  const isDerivation =
    rule.derive !== undefined && rule.check === undefined && rule.after === undefined && rule.fill === undefined;
  return isDerivation
    ? [...Object.values(use.conditions).flatMap(({ keys }) => keys), ...textArguments(use, 'of')]
    : undefined;
}

/** Whether nothing that judges or computes a record reaches beyond it. */
export const isSelfContained = (resource: Resource, rules: Readonly<Record<string, Rule>>): boolean =>
  resource.effects.length === 0 &&
  resource.fields.every(
    ({ becomes, onlyWhen }) =>
      becomes.every(({ when }) => isLocalCondition(when)) && (onlyWhen === undefined || isLocalCondition(onlyWhen)),
  ) &&
  figuresIn(resource).every(
    ({ figure }) => figure.isLocal && (figure.when === undefined || isLocalCondition(figure.when)),
  ) &&
  resource.rules.every((use) => isLocalUse(ruleOf(rules, use), use));

/** What of a group tells it. */
interface SingleRow {
  /** Lists with rows of their own. */
  readonly ownLists: readonly Field[];
  readonly states: readonly Field[];
  /** Whether nothing that judges or computes a record reaches beyond it. */
  readonly isSelfContained: boolean;
}

/**
 * Whether a create is one statement: no list has items, nothing reaches beyond the record, and no state that the body sends
 * follows when the record is made.
 */
export function isSingleRow({ ownLists, states, isSelfContained }: SingleRow, values: Readonly<Values>): boolean {
  if (!isSelfContained) return false;
  for (const { key } of states) if (Object.hasOwn(values, key)) return false;
  return ownLists.every((field) => !fillsItself(field) && isUnset(values[field.key]));
}

/** Whether a field may get a value that no body has. */
const fillsItself = ({ defaultFrom, derived, figure }: Field): boolean =>
  defaultFrom.length > 0 || derived !== undefined || figure !== undefined;

/** Whether an update is one statement: it changes fields that nothing looks at. */
export function isBlindUpdate(keysWithDependents: ReadonlySet<string> | undefined, values: Readonly<Values>): boolean {
  if (keysWithDependents === undefined) return false;
  return Object.entries(values).every(([key, value]) => value !== undefined && !keysWithDependents.has(key));
}

/** How a record is made that nothing but its own body decides on: it becomes one row, and its answer is known without reading it. */
export interface PlainCreation {
  /** What fields hold that the body leaves out, and what those hold that are null then. */
  readonly fields: readonly {
    readonly key: string;
    readonly fixed: Value | undefined;
    readonly empty: Value | undefined;
  }[];
  /** Keys without whose values the record is refused. */
  readonly required: readonly string[];
  /** Keys of lists that have rows of their own, where they have items. */
  readonly lists: readonly string[];
}

/** What of a group tells that its records are made so. */
interface PlainGroup extends SingleRow {
  readonly resource: Resource;
  readonly parts: RuleParts;
  readonly derivations: readonly unknown[];
  readonly defaultOrder: DefaultOrder;
  readonly acceptsFigures: boolean;
}

/** Undefined where rules, formulas, or conditions of fields have a say. */
export function plainCreationOf(group: PlainGroup): PlainCreation | undefined {
  const { resource, ownLists, parts, states, derivations, acceptsFigures, isSelfContained: isOwn } = group;
  const { sourced, late, composite } = group.defaultOrder;
  const hasRules = Object.values(parts).some(({ create }) => create.length > 0);
  const isJudged = hasRules || states.length + derivations.length + sourced.length + late.length > 0;
  const isEntangledField = (field: Field): boolean =>
    field.requiredWhen !== undefined || (field.kind === 'reference' && !field.stored);
  if (!isOwn || isJudged || acceptsFigures || composite.length > 0 || resource.singleton) return undefined;
  if (resource.fields.some(isEntangledField)) return undefined;
  return {
    fields: resource.fields.map((field) => ({ key: field.key, fixed: field.default, empty: emptyValue(field) })),
    required: lackableFields(resource).map(({ key }) => key),
    lists: ownLists.map(({ key }) => key),
  };
}

/** A new record, whole; undefined where something is missing, or where it is more than a row. */
export function plainRecord(
  { fields, required, lists }: PlainCreation,
  given: Readonly<Values>,
): Readonly<Values> | undefined {
  const values: Values = { ...given };
  for (const { key, fixed, empty } of fields) {
    if (values[key] === undefined) values[key] = fixed;
    values[key] ??= empty;
  }
  for (const key of required) if (isUnset(values[key])) return undefined;
  for (const key of lists) if (!isUnset(values[key])) return undefined;
  return values;
}
