// Conditions of rules, which may look into other records.
import type { JSONPath } from 'jsonc-parser';
import type { Scope } from '../formulas/compile.ts';
import type { Use } from './argument-homes.ts';
import type { Start } from './check-paths.ts';
import { beyondReferences, compileCondition, withBody } from './conditions.ts';
import { scopeAround } from './field-conditions.ts';
import { compileMessage } from './messages.ts';

/** Checks a condition over a record and those behind its references. */
export function checkRuleCondition(source: string, place: JSONPath, { group, links }: Start): void {
  const compiled = compileCondition(source, links.shapes.scope(group.name));
  const wrong = typeof compiled === 'object' ? beyondReferences(compiled) : compiled;
  if (wrong !== undefined) group.report(place, wrong);
}

/** Checks a condition over any records. */
export function checkJudgement(source: string, place: JSONPath, use: Use): void {
  const compiled = compileCondition(source, scopeOf(use));
  if (typeof compiled === 'string') use.group.report(place, compiled);
}

/** Checks a text with formulas in braces. */
export function checkMessage(text: string, place: JSONPath, use: Use): void {
  const compiled = compileMessage(text, scopeOf(use));
  if (typeof compiled === 'string') use.group.report(place, compiled);
}

/** What formulas of a rule may name. */
const scopeOf = ({ rule, group, links }: Use): Scope => withBody(scopeAround(rule, group, links.shapes));
