// What the arguments of rules say of other groups: that they exist, and what conditions read through references.
import type { JSONPath } from 'jsonc-parser';
import { followPath, isKnown, type Linked, type Links } from './check-paths.ts';
import { type ConditionName, compileCondition } from './condition.ts';
import { didYouMean } from './faults.ts';
import type { ParameterKind, RuleSignature } from './model.ts';
import { conditionNames, plainName } from './normalise.ts';
import { own, type RawRule, shapeOf, shapeWords } from './vocabulary.ts';

/** Checks the rules of a group, and the derivations of its fields. */
export function checkRuleLinks(group: Linked, links: Links, signatures: Readonly<Record<string, RuleSignature>>): void {
  const { properties, resource } = group.raw;
  for (const [index, rule] of (resource.rules ?? []).entries())
    checkRule(rule, ['resource', 'rules', index], group, links, signatures);
  if (resource.computed !== undefined) checkRule(resource.computed, ['resource', 'computed'], group, links, signatures);
  for (const [name, field] of Object.entries(properties)) {
    if (field !== true && field.derived !== undefined)
      checkRule(field.derived, ['properties', name, 'derived'], group, links, signatures);
  }
}

function checkRule(
  rule: RawRule,
  path: JSONPath,
  group: Linked,
  links: Links,
  signatures: Readonly<Record<string, RuleSignature>>,
): void {
  const { parameters, needs = {} } = own(signatures, rule.use) ?? { parameters: {} };
  for (const [name, kind] of Object.entries(parameters)) {
    const value = own(rule, name);
    const place = [...path, name];
    if (typeof value !== 'string') continue;
    if (kind === 'condition') checkCondition(value, place, group, links);
    const isThere =
      kind === 'group' ? isKnown(value, place, group, links) : own(group.raw.properties, value) !== undefined;
    const wanted = own(needs, name);
    if (isThere && wanted !== undefined) checkNeeds(wanted, { value, place, kind, group, links });
  }
}

interface Need {
  readonly value: string;
  readonly place: JSONPath;
  readonly kind: ParameterKind;
  readonly group: Linked;
  readonly links: Links;
}

/** What a rule looks for by its own names in a group, or in the items of a list. */
function checkNeeds(wanted: readonly string[], { value, place, kind, group, links }: Need): void {
  const field = own(group.raw.properties, value);
  const fields =
    kind === 'group' ? links.groups.get(value)?.raw.properties : field !== true && field?.items?.properties;
  if (!fields) {
    group.report(place, `"${value}" is no list of objects`);
    return;
  }
  for (const name of wanted) {
    if (own(fields, name) === undefined)
      group.report(place, `"${value}" has no field "${name}"${didYouMean(name, Object.keys(fields))}`);
  }
}

/** A condition that looks into other records: once more, now with the types of what it finds there. */
function checkCondition(source: string, place: JSONPath, group: Linked, links: Links): void {
  const names = conditionNames(group.raw.properties);
  const compiled = compileCondition(source, names);
  if (typeof compiled === 'string' || compiled.paths.length === 0) return;
  const found = new Map<string, ConditionName>(names);
  let isSound = true;
  for (const path of compiled.paths) {
    const end = followPath(path, group, links, place, (at, text) => {
      isSound = false;
      group.report(at, text);
    });
    if (end === undefined) continue;
    const shape = shapeOf(end.field);
    const isRecord = shape === 'reference' && end.field.as !== 'id' && path.endsWith(`.${end.name}`);
    if (isRecord) group.report(place, `"${path}" is a record; say "${path}Id" or one of its fields`);
    else if (shape === 'text' || shape === 'integer' || shape === 'number' || shape === 'boolean')
      found.set(path, plainName(end.field, shape));
    else if (shape !== undefined && shape !== 'reference')
      group.report(place, `"${path}" is ${shapeWords[shape]}, which conditions do not read there`);
  }
  const again = isSound ? compileCondition(source, found) : undefined;
  if (typeof again === 'string') group.report(place, again);
}
