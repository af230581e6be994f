// Conditions of rules, which may look into other records.
import type { JSONPath } from 'jsonc-parser';
import type { Start } from './check-paths.ts';
import { beyondReferences, compileCondition } from './conditions.ts';

/** Checks a condition over a record and those behind its references. */
export function checkRuleCondition(source: string, place: JSONPath, { group, links }: Start): void {
  const compiled = compileCondition(source, links.shapes.scope(group.name));
  const wrong = typeof compiled === 'object' ? beyondReferences(compiled) : compiled;
  if (wrong !== undefined) group.report(place, wrong);
}
