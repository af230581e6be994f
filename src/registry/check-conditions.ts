// Conditions of rules, which may look into other records: what they read there exists, and is of a type that they compare.
import type { JSONPath } from 'jsonc-parser';
import { excerpt } from '../text/excerpt.ts';
import { followPath, type Start } from './check-paths.ts';
import { type ConditionName, compileCondition } from './condition.ts';
import { conditionNames, plainName } from './field-names.ts';
import { isScalarKind, kindOf, kinds } from './kinds.ts';

/** Checks a condition twice: by itself, and with the types of what it finds behind references. */
export function checkRuleCondition(source: string, place: JSONPath, start: Start): void {
  const { group } = start;
  const names = conditionNames(group.raw.properties);
  const compiled = compileCondition(source, names);
  if (typeof compiled === 'string') {
    group.report(place, compiled);
    return;
  }
  const found = new Map<string, ConditionName>(names);
  let isSound = true;
  for (const path of compiled.paths) {
    const say = (text: string): void =>
      group.report(place, `${text}${excerpt(source, Math.max(0, source.indexOf(path)))}`);
    const end = followPath(path, start, (text) => {
      isSound = false;
      say(text);
    });
    if (end === undefined) continue;
    const kind = kindOf(end.field);
    const isRecord = kind === 'reference' && end.field.as !== 'id' && path.endsWith(`.${end.name}`);
    if (isRecord) say(`"${path}" is a record; say "${path}Id" or one of its fields`);
    else if (kind !== undefined && isScalarKind(kind)) found.set(path, plainName(end.field, kind));
    else if (kind !== undefined && kind !== 'reference')
      say(`"${path}" is ${kinds[kind].words}, which conditions do not read there`);
  }
  if (!isSound || compiled.paths.length === 0) return;
  const again = compileCondition(source, found);
  if (typeof again === 'string') group.report(place, again);
}
