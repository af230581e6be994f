// Conditions of rules, which may look into other records: what they read there exists, and is of a type that they compare.
import type { JSONPath } from 'jsonc-parser';
import { followPath, type Linked, type Links } from './check-paths.ts';
import { type ConditionName, compileCondition } from './condition.ts';
import { excerpt } from './excerpt.ts';
import { conditionNames, plainName } from './normalise.ts';
import { shapeOf, shapeWords } from './vocabulary.ts';

/** Checks a condition twice: by itself, and with the types of what it finds behind references. */
export function checkRuleCondition(source: string, place: JSONPath, group: Linked, links: Links): void {
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
    const end = followPath(path, group, links, place, (_place, text) => {
      isSound = false;
      say(text);
    });
    if (end === undefined) continue;
    const shape = shapeOf(end.field);
    const isRecord = shape === 'reference' && end.field.as !== 'id' && path.endsWith(`.${end.name}`);
    if (isRecord) say(`"${path}" is a record; say "${path}Id" or one of its fields`);
    else if (shape === 'text' || shape === 'integer' || shape === 'number' || shape === 'boolean')
      found.set(path, plainName(end.field, shape));
    else if (shape !== undefined && shape !== 'reference')
      say(`"${path}" is ${shapeWords[shape]}, which conditions do not read there`);
  }
  if (!isSound || compiled.paths.length === 0) return;
  const again = compileCondition(source, found);
  if (typeof again === 'string') group.report(place, again);
}
