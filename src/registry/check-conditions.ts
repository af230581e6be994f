// Conditions of rules, which may look into other records.
import type { JSONPath } from 'jsonc-parser';
import type { Start } from './check-paths.ts';
import { beyondReferences, compileCondition, compileTransition, withOld } from './conditions.ts';
import { compileMessage } from './messages.ts';

/** Checks a condition over a record and those behind its references. */
export function checkRuleCondition(source: string, place: JSONPath, { group, links }: Start): void {
  const compiled = compileCondition(source, links.shapes.scope(group.name));
  const wrong = typeof compiled === 'object' ? beyondReferences(compiled) : compiled;
  if (wrong !== undefined) group.report(place, wrong);
}

/** Checks a condition over any records. */
export function checkJudgement(source: string, place: JSONPath, { group, links }: Start): void {
  const compiled = compileTransition(source, links.shapes.scope(group.name));
  if (typeof compiled === 'string') group.report(place, compiled);
}

/** Checks a text with formulas in braces. */
export function checkMessage(text: string, place: JSONPath, { group, links }: Start): void {
  const compiled = compileMessage(text, withOld(links.shapes.scope(group.name)));
  if (typeof compiled === 'string') group.report(place, compiled);
}
