// Reference of all named rules, functions, macros, operators and names of formulas: parameters, words, uses and an example
// each. For pages and commands; built at first use.

import type { FormulaExample, Guided } from '../../formulas/language/function-row.ts';
import { functionRow, isFunction } from '../../formulas/language/functions.ts';
import { isMacro, macroRow } from '../../formulas/language/macros.ts';
import { functionNames, macroNames } from '../../formulas/language/names.ts';
import { type Node, parseFormula } from '../../formulas/language/syntax.ts';
import { knownNames } from '../../formulas/words/names-guide.ts';
import { operators } from '../../formulas/words/operators-guide.ts';
import { parameterWords } from '../check/groups/parameter-words.ts';
import type { Field, Registry, Resource, RuleExample, RuleSignature, RuleUse } from '../model/model.ts';
import { graphOf } from './graph.ts';

interface GuideParameter {
  readonly name: string;
  /** What it may be: `a field that is a date`, `a number`. */
  readonly type: string;
  readonly isOptional: boolean;
}

/** A place that uses an entry. */
interface GuideUse {
  readonly group: string;
  /** The field, `lines.amount`, or the named formula; undefined where it is about the whole record. */
  readonly field: string | undefined;
}

/** A use in a descriptor; or a formula, and its value as formulas write it. */
type GuideExample =
  | { readonly kind: 'descriptor'; readonly descriptor: RuleExample }
  | ({ readonly kind: 'formula' } & FormulaExample);

export interface GuideEntry {
  readonly name: string;
  readonly kind: 'rule' | 'function' | 'macro' | 'operator' | 'name';
  /** How a function is written: `round(x, digits)`; of a rule undefined. */
  readonly usage: string | undefined;
  readonly parameters: readonly GuideParameter[];
  /** What it does: of a rule a sentence with its parameters in braces (`{field}`), a part in brackets stands only with them. */
  readonly says: string;
  /** What a function gives, or what a rule puts into the field on which it stands; undefined for other rules. */
  readonly gives: string | undefined;
  /** Each place once, in the order of the registry. */
  readonly usedBy: readonly GuideUse[];
  /** Rules of an application's own may have none. */
  readonly example: GuideExample | undefined;
}

/** All entries: rules in the order of their names, then functions, macros, operators and names as they are declared. */
export function guideOf(
  registry: Registry,
  signatures: Readonly<Record<string, RuleSignature>>,
): readonly GuideEntry[] {
  const calls = callsOf(registry);
  const called = (kind: GuideEntry['kind'], name: string): Called => ({
    name,
    kind,
    usedBy: calls.get(`${kind} ${name}`) ?? [],
  });
  const used = usesOf(registry);
  const byName = Object.entries(signatures).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    ...byName.map(([name, signature]) => ruleEntry(name, signature, used.get(name) ?? [])),
    ...functionNames.map((name) => formulaEntry(called('function', name), functionRow(name))),
    ...macroNames.map((name) => formulaEntry(called('macro', name), macroRow(name))),
    ...Object.entries(operators).map(([name, row]) => formulaEntry(called('operator', name), row)),
    ...Object.entries(knownNames).map(([name, row]) => formulaEntry(called('name', name), row)),
  ];
}

function ruleEntry(
  name: string,
  { parameters, optional = [], says, gives, example }: RuleSignature,
  usedBy: readonly GuideUse[],
): GuideEntry {
  return {
    name,
    kind: 'rule',
    usage: undefined,
    parameters: Object.entries(parameters).map(([parameter, type]) => ({
      name: parameter,
      type: parameterWords(type),
      isOptional: optional.includes(parameter),
    })),
    says: says ?? '',
    gives: gives === undefined ? undefined : parameterWords(gives).replace(/^a field that is /, ''),
    usedBy,
    example: example && { kind: 'descriptor', descriptor: example },
  };
}

type Called = Pick<GuideEntry, 'name' | 'kind' | 'usedBy'>;

function formulaEntry(called: Called, { usage, takes, gives, example }: Guided): GuideEntry {
  const [written = '', says = ''] = usage.split(/(?<! ): /);
  return {
    ...called,
    usage: written,
    parameters: Object.entries(takes).map(([parameter, type]) => ({ name: parameter, type, isOptional: false })),
    says,
    gives,
    example: { kind: 'formula', ...example },
  };
}

/** Uses by the name of the rule: on fields, among rules, of computed records. */
function usesOf({ resources }: Registry): ReadonlyMap<string, readonly GuideUse[]> {
  const uses = new Uses();
  for (const resource of resources.values()) {
    const { name: group, rules, computed } = resource;
    for (const { field, path } of fieldsWithin(resource.fields, ''))
      if (field.derived !== undefined) uses.add(field.derived.use, { group, field: path });
    for (const use of [...rules, ...(typeof computed === 'object' ? [computed] : [])])
      uses.add(use.use, { group, field: fieldOf(use, resource) });
  }
  return uses.places;
}

/** Those of lists and objects behind them: `lines.amount`. */
const fieldsWithin = (fields: readonly Field[], above: string): { readonly field: Field; readonly path: string }[] =>
  fields.flatMap((field) => {
    const path = `${above}${field.name}`;
    return [{ field, path }, ...('fields' in field ? fieldsWithin(field.fields, `${path}.`) : [])];
  });

/** The field that a use is about: the first of its arguments that names one. */
function fieldOf({ arguments: given }: RuleUse, { byKey, byName }: Resource): string | undefined {
  for (const value of Object.values(given)) {
    if (typeof value !== 'string') continue;
    const field = byName.get(value) ?? byKey.get(value);
    if (field !== undefined) return field.name;
  }
  return undefined;
}

/** Uses of all that formulas call or know, by kind and name, in all formulas of the registry. */
function callsOf(registry: Registry): ReadonlyMap<string, readonly GuideUse[]> {
  const uses = new Uses();
  for (const { group, name, formulas } of graphOf(registry).sayings)
    for (const { source } of formulas) {
      // Formulas within texts are told by the rule that they belong to.
      if (source === '') continue;
      visit(parseFormula(source), (called, node) => {
        // A field of that name goes first.
        const isField = node.op === 'name' && registry.resources.get(group)?.byName.has(node.name) === true;
        if (!isField) uses.add(called, { group, field: name });
      });
    }
  return uses.places;
}

function visit(node: Node, found: (called: string, node: Node) => void): void {
  const called = calledBy(node);
  if (called !== undefined) found(called, node);
  for (const part of partsOf(node)) visit(part, found);
}

function calledBy(node: Node): string | undefined {
  switch (node.op) {
    case 'name':
      return Object.hasOwn(knownNames, node.name) ? `name ${node.name}` : undefined;
    case 'call':
      if (node.of !== undefined && isMacro(node.name)) return `macro ${node.name}`;
      if (Object.hasOwn(operators, node.name)) return `operator ${node.name}`;
      return isFunction(node.name) ? `function ${node.name}` : undefined;
    case 'binary':
      return `operator ${node.sign}`;
    case 'not':
      return 'operator !';
    case 'negate':
      return 'operator -';
    case 'if':
      return 'operator ? :';
    case 'index':
      return 'operator [ ]';
    default:
      return undefined;
  }
}

function partsOf(node: Node): readonly Node[] {
  switch (node.op) {
    case 'field':
    case 'not':
    case 'negate':
      return [node.of];
    case 'index':
      return [node.of, node.at];
    case 'binary':
      return [node.left, node.right];
    case 'if':
      return [node.test, node.yes, node.no];
    case 'list':
      return node.items;
    case 'map':
      return node.entries.flat();
    case 'call':
      return node.of === undefined ? node.args : [node.of, ...node.args];
    default:
      return [];
  }
}

/** Places by what they use, each once. */
class Uses {
  readonly places = new Map<string, GuideUse[]>();
  readonly #seen = new Set<string>();

  add(name: string, use: GuideUse): void {
    const key = `${name} ${use.group} ${use.field ?? ''}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const known = this.places.get(name);
    if (known === undefined) this.places.set(name, [use]);
    else known.push(use);
  }
}
