// Checks conditions of rules, which may read other records.
import type { JSONPath } from 'jsonc-parser';
import { lookupsOf } from '../../../formulas/analyse/lookups.ts';
import type { Scope } from '../../../formulas/compile/scope.ts';
import type { Tree } from '../../../formulas/language/tree.ts';
import { beyondReferences, compileCondition, withBefore, withBody } from '../../formulas/conditions.ts';
import { scopeAround } from '../../formulas/field-conditions.ts';
import { compileMessage } from '../../formulas/messages.ts';
import type { Use } from './argument-homes.ts';
import type { Start } from './paths.ts';

/** Checks a condition over a record and those behind its references. */
export function checkRuleCondition(source: string, place: JSONPath, { group, links }: Start): void {
  const compiled = compileCondition(source, links.shapes.scope(group.name));
  const wrong = typeof compiled === 'object' ? beyondReferences(compiled) : compiled;
  if (wrong !== undefined) group.report(place, wrong);
}

/** Checks a condition over any records. */
export function checkJudgement(source: string, place: JSONPath, use: Use): void {
  const compiled = compileCondition(source, scopeOf(use));
  const wrong = typeof compiled === 'object' ? unguarded(compiled.tree, use.group.name) : compiled;
  if (wrong !== undefined) use.group.report(place, wrong);
}

/**
 * What cannot hold among writes at once: who looks for records of another group and who makes them lock what both name, and could
 * each miss the other without it.
 */
function unguarded(tree: Tree, own: string): string | undefined {
  const lost = lookupsOf(tree).find(({ group, names, isWide }) => group !== own && names.length === 0 && !isWide);
  return (
    lost &&
    `looks for "${lost.group}" by nothing that both it and this record name, so that two writes at once could each miss the other; narrow it by a reference: .filter(x, x.projectId == projectId)`
  );
}

/** Checks a text with formulas in braces. */
export function checkMessage(text: string, place: JSONPath, use: Use): void {
  const compiled = compileMessage(text, scopeOf(use));
  if (typeof compiled === 'string') use.group.report(place, compiled);
}

/** What formulas of a rule may name. */
const scopeOf = ({ rule, group, links }: Use): Scope => withBefore(withBody(scopeAround(rule, group, links.shapes)));
