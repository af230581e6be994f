// Checks uses of named rules (`rules`, `computedBy`, `computed`): the rule exists, may be used there, has its arguments, and finds
// the fields that it needs by name.
import type { JSONPath } from 'jsonc-parser';
import { didYouMean } from '../../../text/nearest.ts';
import { requirements } from '../../formulas/field-conditions.ts';
import { keyOf } from '../../model/field-names.ts';
import type { RuleSignature } from '../../model/model.ts';
import { type FieldNeed, leavesOf } from '../../model/parameters.ts';
import { own, type RawField, type RawRule } from '../../model/vocabulary.ts';
import { homesOf, type Use } from '../fields/argument-homes.ts';
import { fieldKind, mayBeNull, typesInWords, typesOf } from '../fields/field-types.ts';
import type { Linked, Start } from '../fields/paths.ts';
import { checkArgument, checkNeed } from './arguments.ts';

export type Signatures = Readonly<Record<string, RuleSignature>>;

type Stand = 'rules' | 'computedBy' | 'computed';
interface RuleCase {
  readonly rule: RawRule;
  readonly path: JSONPath;
  readonly stand: Stand;
  /** The field that it derives. */
  readonly field?: { readonly name: string; readonly field: RawField };
}

/** A field that a rule may derive; in an object or an item, only one of `rules` does. */
interface Derived {
  readonly name: string;
  readonly field: RawField;
  readonly path: JSONPath;
  readonly isInside: boolean;
}

/** Checks every use of a rule in a descriptor, with what it says of other groups. */
export function checkRules(start: Start, signatures: Signatures): void {
  const { group } = start;
  const { resource, properties } = group.raw;
  const check = (use: RuleCase): void => checkRule(use, start, signatures);
  const { rules = [], computed } = resource;
  if (typeof computed === 'boolean') return;
  if (computed !== undefined) {
    check({ rule: computed, path: ['resource', 'computed'], stand: 'computed' });
    return;
  }
  for (const [index, rule] of rules.entries()) check({ rule, path: ['resource', 'rules', index], stand: 'rules' });
  for (const { rule, path } of requirements(properties))
    checkRequirement({ rule, path, stand: 'rules' }, start, signatures);
  const used = new Set(rules.map(({ use }) => use));
  const derive = ({ name, field, path, isInside }: Derived): void => {
    for (const [inside, item] of Object.entries(field.properties ?? {}))
      derive({ name: inside, field: item, path: [...path, 'properties', inside], isInside: true });
    for (const [inside, item] of Object.entries(field.items?.properties ?? {}))
      derive({ name: inside, field: item, path: [...path, 'items', 'properties', inside], isInside: true });
    const rule = field.computedBy;
    if (rule === undefined) return;
    const place = [...path, 'computedBy'];
    if (used.has(rule.use)) checkOutput(rule, place, group);
    else if (isInside)
      group.report(
        [...place, 'use'],
        `"${rule.use}" is not in "rules"; only these rules fill fields inside another field`,
      );
    else check({ rule, path: place, stand: 'computedBy', field: { name, field } });
  };
  for (const [name, field] of Object.entries(properties))
    if (typeof field === 'object') derive({ name, field, path: ['properties', name], isInside: false });
}

/** A condition on a field is a rule that names it: there `be` is what the rule calls `must`. */
function checkRequirement(use: RuleCase, start: Start, signatures: Signatures): void {
  const { group } = start;
  const { path } = use;
  const report: Linked['report'] = (place, text, about) => {
    const [argument, ...deeper] = place.slice(path.length);
    const isField = argument === undefined || argument === 'field' || argument === 'list';
    const here = isField ? [] : [argument === 'must' ? 'be' : argument];
    group.report([...path, ...here, ...deeper], text.replaceAll('"must"', '"be"'), about);
  };
  checkRule(use, { ...start, group: { ...group, report } }, signatures);
}

/** A field that a rule of `rules` fills names the rule alone: the arguments stand there. */
function checkOutput(derived: RawRule, path: JSONPath, group: Linked): void {
  for (const word of Object.keys(derived))
    if (word !== 'use') group.report([...path, word], `is already in "rules", for "${derived.use}"`, 'key');
}

/** Where a rule can stand. */
const standOf = ({ compute, gives }: RuleSignature): Stand =>
  compute !== undefined ? 'computed' : gives === undefined ? 'rules' : 'computedBy';

const standWords = {
  rules: 'derives no field, so it is allowed only in "rules"',
  computedBy: 'computes a field, so it is allowed only in "computedBy"',
  computed: 'computes a whole record, so it is allowed only in "computed"',
} as const satisfies Record<Stand, string>;

function checkRule({ rule, path, stand, field }: RuleCase, start: Start, signatures: Signatures): void {
  const { report } = start.group;
  const signature = own(signatures, rule.use);
  if (signature === undefined) {
    const fit = Object.entries(signatures).flatMap(([name, other]) => (standOf(other) === stand ? [name] : []));
    report([...path, 'use'], `"${rule.use}" is not a rule of the catalogue${didYouMean(rule.use, fit)}`);
    return;
  }
  if (standOf(signature) !== stand) {
    const why = stand === 'computed' ? 'computes no record' : standWords[standOf(signature)];
    report([...path, 'use'], `"${rule.use}" ${why}`);
    return;
  }
  const { parameters, optional = [] } = signature;
  for (const name of Object.keys(rule)) {
    if (name !== 'use' && !Object.hasOwn(parameters, name)) {
      const hint = didYouMean(name, Object.keys(parameters));
      report([...path, name], `"${rule.use}" has no argument "${name}"${hint}`, 'key');
    }
  }
  const use: Use = { rule, path, signature, ...start };
  for (const [name, type] of Object.entries(parameters)) {
    if (own(rule, name) !== undefined) checkArgument(use, name, type);
    else if (!optional.includes(name)) report(path, `"${rule.use}" needs the argument "${name}"`);
  }
  for (const { argument, text } of signature.wrong?.(rule) ?? [])
    report(argument === undefined ? path : [...path, argument], text);
  checkNeeds(use);
  if (field !== undefined) checkGives(use, field);
}

/** What a rule looks for by its own names: in the record, in another group, in the items of a list. */
function checkNeeds(use: Use): void {
  const { group, signature, rule } = use;
  for (const [word, needs] of Object.entries(signature.needs ?? {})) {
    const argument = word.split('.')[0] ?? '';
    const value = own(rule, argument);
    const place = value === undefined ? [...use.path, 'use'] : [...use.path, argument];
    for (const home of homesOf(word, { use, keys: [] }) ?? []) {
      const label = word === argument && typeof value === 'string' ? value : home.label;
      for (const [name, wanted] of Object.entries(needs)) {
        const need: FieldNeed = typeof wanted === 'object' && 'field' in wanted ? wanted : { field: wanted };
        const field = fieldByKey(home.fields, name);
        if (field === undefined) {
          const hint = didYouMean(name, Object.keys(home.fields));
          const words = need.field === 'any' ? '' : `, ${typesInWords(typesOf(need))}, which "${rule.use}" looks for`;
          group.report(place, `"${label}" has no field "${name}"${hint || words}`);
        } else if (field !== true)
          checkNeed(need, { name, field, group: home.group }, { use, keys: [], value: name, place });
      }
    }
  }
}

const fieldByKey = (fields: Readonly<Record<string, RawField | true>>, key: string): RawField | true | undefined =>
  own(fields, key) ?? Object.entries(fields).find(([name, field]) => field !== true && keyOf(name, field) === key)?.[1];

/** A derivation gives what its field can hold. */
function checkGives(use: Use, { name, field }: { readonly name: string; readonly field: RawField }): void {
  const { gives } = use.signature;
  if (gives === undefined) return;
  const at = { use, keys: [], value: name, place: [...use.path, 'use'] };
  const isFit = checkNeed(gives, { name, field, group: use.group.name }, at);
  if (!isFit || mayBeNull(field) || fieldKind(field) === undefined) return;
  const { nullBy = [] } = gives;
  const may = nullBy === 'always' || nullBy.some((argument) => bringsNull(argument, use));
  if (may) {
    const how = field.reference === undefined ? `["${String(field.type)}", "null"]` : '"nullable": true';
    use.group.report(at.place, `"${use.rule.use}" may give null, so "${name}" must allow null: ${how}`);
  }
}

/** Whether null comes through an argument: a condition that may not hold, or a field that may be null. */
function bringsNull(argument: string, use: Use): boolean {
  const type = own(use.signature.parameters, argument);
  const value = own(use.rule, argument);
  if (type === undefined || value === undefined) return false;
  return leavesOf(type, value).some(({ type: leaf, text }) => {
    if (leaf === 'condition') return true;
    const field = fieldByKey(use.group.raw.properties, text);
    return typeof field === 'object' && mayBeNull(field);
  });
}
