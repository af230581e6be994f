// Uses of named rules, in `rules` and in `derived`: the rule is in the catalogue, and its arguments are what it takes.
import type { JSONPath } from 'jsonc-parser';
import { type ConditionName, compileCondition } from './condition.ts';
import { didYouMean, type Report } from './faults.ts';
import type { ParameterKind, RuleSignature } from './model.ts';
import { conditionNames, keyOf } from './normalise.ts';
import { own, type RawDescriptor, type RawField, type RawRule } from './vocabulary.ts';

export type Signatures = Readonly<Record<string, RuleSignature>>;

interface RuleCase {
  readonly rule: RawRule;
  readonly path: JSONPath;
  /** Whether it is to compute a whole record. */
  readonly isWhole: boolean;
  /** The record's fields by name and by key. */
  readonly fields: ReadonlyMap<string, RawField | true>;
  readonly names: ReadonlyMap<string, ConditionName>;
  readonly signatures: Signatures;
  readonly report: Report;
}

/** Checks every use of a rule in a descriptor. */
export function checkRules(raw: RawDescriptor, signatures: Signatures, report: Report): void {
  const scope = { ...scopeOf(raw), signatures, report, isWhole: false };
  const rules = raw.resource.rules ?? [];
  const check = (rule: RawRule, path: JSONPath): void => checkRule({ ...scope, rule, path });
  for (const [index, rule] of rules.entries()) check(rule, ['resource', 'rules', index]);
  const used = new Set(rules.map(({ use }) => use));
  const derive = (field: RawField, path: JSONPath, isInside: boolean): void => {
    for (const [inside, item] of Object.entries(field.properties ?? {}))
      derive(item, [...path, 'properties', inside], true);
    for (const [inside, item] of Object.entries(field.items?.properties ?? {}))
      derive(item, [...path, 'items', 'properties', inside], true);
    if (field.derived !== undefined) checkDerived(field.derived, [...path, 'derived'], isInside);
  };
  const checkDerived = (derived: RawRule, path: JSONPath, isInside: boolean): void => {
    const isOfRule = used.has(derived.use);
    if (isOfRule) checkOutput(derived, path, report);
    else if (isInside)
      report([...path, 'use'], `"${derived.use}" is not among "rules", and only they fill what is inside`);
    else check(derived, path);
  };
  for (const [name, field] of Object.entries(raw.properties)) {
    if (field !== true) derive(field, ['properties', name], false);
  }
}

/** Checks what makes a computed record. */
export function checkComputedUse(raw: RawDescriptor, signatures: Signatures, report: Report): void {
  const { computed } = raw.resource;
  const scope = { ...scopeOf(raw), signatures, report, isWhole: true };
  if (computed !== undefined) checkRule({ ...scope, rule: computed, path: ['resource', 'computed'] });
}

function scopeOf(raw: RawDescriptor): Pick<RuleCase, 'fields' | 'names'> {
  const fields = new Map<string, RawField | true>(Object.entries(raw.properties));
  for (const [name, field] of Object.entries(raw.properties)) if (field !== true) fields.set(keyOf(name, field), field);
  return { fields, names: conditionNames(raw.properties) };
}

/** A field that a rule of `rules` fills names the rule alone: the arguments stand there. */
function checkOutput(derived: RawRule, path: JSONPath, report: Report): void {
  for (const word of Object.keys(derived)) {
    if (word !== 'use') report([...path, word], `stands in "rules" already, for "${derived.use}"`, 'key');
  }
}

function checkRule({ rule, path, isWhole, fields, names, signatures, report }: RuleCase): void {
  const isFit = ({ compute }: RuleSignature): boolean => (compute !== undefined) === isWhole;
  const signature = own(signatures, rule.use);
  if (signature === undefined) {
    const fitting = Object.entries(signatures).flatMap(([name, other]) => (isFit(other) ? [name] : []));
    report([...path, 'use'], `"${rule.use}" is no rule of the catalogue${didYouMean(rule.use, fitting)}`);
    return;
  }
  if (!isFit(signature)) {
    const why = isWhole ? 'computes no record' : 'computes a whole record, so it can stand in "computed" alone';
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
  for (const [name, kind] of Object.entries(parameters)) {
    const value = own(rule, name);
    const check = argumentChecks[kind];
    if (value !== undefined) check({ value, path: [...path, name], fields, names, report });
    else if (!optional.includes(name)) report(path, `"${rule.use}" needs the argument "${name}"`);
  }
}

interface ArgumentCase extends Pick<RuleCase, 'fields' | 'names' | 'path' | 'report'> {
  readonly value: unknown;
}

const argumentChecks: Record<ParameterKind, (argument: ArgumentCase) => void> = {
  field: checkName,
  fields: (argument) => {
    const { value, path, report } = argument;
    if (!Array.isArray(value) || value.length === 0) report(path, 'must be an array of field names');
    else for (const [index, item] of value.entries()) checkName({ ...argument, value: item, path: [...path, index] });
  },
  parameter: (argument) => {
    const { value, path, fields, report } = argument;
    const field = typeof value === 'string' ? fields.get(value) : undefined;
    if (field === undefined) checkName(argument);
    else if (field === true || field.parameter !== true) report(path, `"${String(value)}" is no parameter`);
  },
  reference: (argument) => {
    const { value, path, fields, report } = argument;
    const field = typeof value === 'string' ? fields.get(value) : undefined;
    if (field === undefined) checkName(argument);
    else if (field === true || field.reference === undefined) report(path, `"${String(value)}" is no reference`);
  },
  group: checkText,
  text: checkText,
  condition: ({ value, path, names, report }) => {
    const compiled = typeof value === 'string' ? compileCondition(value, names) : 'must be a CEL expression';
    if (typeof compiled === 'string') report(path, compiled);
  },
  values: ({ value, path, report }) => {
    if (typeof value !== 'object' || value === null) report(path, 'must be an object or an array');
  },
};

function checkText({ value, path, report }: ArgumentCase): void {
  if (typeof value !== 'string' || value === '') report(path, 'must be a text');
}

function checkName({ value, path, fields, report }: ArgumentCase): void {
  if (typeof value !== 'string') report(path, 'must be the name of a field');
  else if (!fields.has(value)) report(path, `"${value}" is not a field${didYouMean(value, fields.keys())}`);
}
