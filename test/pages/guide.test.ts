// The catalogue to read: that its examples are right, and that it knows who uses what.
import { expect, test } from 'vitest';
import { compileFormula } from '../../src/formulas/compile/compile.ts';
import type { Scope } from '../../src/formulas/compile/scope.ts';
import { evaluate } from '../../src/formulas/evaluate/evaluate.ts';
import { type Facts, noFacts, recordValue } from '../../src/formulas/evaluate/facts.ts';
import type { Member, Shape, Type } from '../../src/formulas/language/tree.ts';
import { date, number } from '../../src/formulas/language/types.ts';
import { type GuideEntry, guideOf } from '../../src/registry/guide/guide.ts';
import type { RuleExample } from '../../src/registry/model/model.ts';
import { parseSource } from '../../src/registry/read/source.ts';
import { buildRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures, rulesWith } from '../../src/rules/catalogue.ts';
import { registryOf } from '../support/service/praxis.ts';

const guide = guideOf(registryOf('product'), ruleSignatures);
const entryOf = (kind: GuideEntry['kind'], name: string): GuideEntry | undefined =>
  guide.find((entry) => entry.kind === kind && entry.name === name);

type Fields = Readonly<Record<string, unknown>>;

/** Each field with what descriptors say of it besides: examples leave out what tells nothing of their rule. */
const described = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { items, ...rest } = field as { items?: { properties?: Fields } };
      const inside = items?.properties === undefined ? items : { ...items, properties: described(items.properties) };
      return [name, { description: `The ${name}.`, ...rest, ...(inside && { items: inside }) }];
    }),
  );

function sourceOf(name: string, { properties, required = [], rules }: RuleExample) {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const label = { type: ['string', 'null'], maxLength: 100, description: 'What it is called.' };
  const descriptor = {
    title,
    description: 'An example.',
    type: 'object',
    properties: { label, ...described(properties), createdAt: true },
    required,
    resource: {
      path: `/${name}s`,
      shownAs: '{label}',
      operations: ['list', 'get', 'create', 'update', 'delete'],
      ...(rules && { rules }),
    },
  };
  const { source, faults } = parseSource(`${name}.json`, name, JSON.stringify(descriptor));
  expect(faults).toEqual([]);
  if (source === undefined) throw new Error(name);
  return source;
}

test('every entry has words, and every rule and formula an example', () => {
  for (const { name, says, example, parameters } of guide) {
    expect(says, name).not.toBe('');
    expect(example, name).toBeDefined();
    for (const { type } of parameters) expect(type, name).toMatch(/\w/);
  }
});

test.each(guide.filter(({ kind }) => kind === 'rule').map((entry) => [entry.name, entry] as const))(
  'the example of the rule %s is a descriptor that loads, and uses the rule',
  (name, { example }) => {
    if (example?.kind !== 'descriptor') throw new Error(`no descriptor for ${name}`);
    const { beside = {} } = example.descriptor;
    const others = Object.entries(beside).map(([other, fields]) => sourceOf(other, fields));
    const registry = buildRegistry([sourceOf('example', example.descriptor), ...others], ruleSignatures);
    expect(guideOf(registry, ruleSignatures).find((entry) => entry.name === name)?.usedBy).toEqual([
      expect.objectContaining({ group: 'example' }),
    ]);
  },
);

/** What looks like a date or a moment is one. */
function typeOfText(value: string): Type {
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return { kind: 'instant' };
  return /^\d{4}-\d\d-\d\d$/.test(value) ? date : { kind: 'text', values: [] };
}

/** An item of these values, in a record that has them too. */
function scopeOf(values: Readonly<Record<string, string | number>>, isTask: boolean): Scope {
  const member = (name: string): Member | undefined => {
    const value = values[name];
    if (value === undefined) return undefined;
    const type = typeof value === 'number' ? number : typeOfText(value);
    return { kind: 'value', name, key: name, type, nullable: false, isSought: false };
  };
  const names = () => Object.keys(values);
  const owner: Shape = { group: '', words: 'an example', kind: 'record', lists: [], member, names, owner: undefined };
  const task: Shape = {
    ...identified,
    member: (name) => (name === 'tasks' ? undefined : (member(name) ?? identified.member(name))),
  };
  return {
    // What goes by the order of the records stands on one of them.
    record: isTask ? task : { ...owner, kind: 'item', owner },
    collection: () => ({ group: '', lists: [], shape: identified }),
    collectionNames: () => ['tasks'],
    workspace: { ...owner, member: (name) => (name === 'rate' ? rate : textMember(name)) },
    actors: undefined,
    hasOld: true,
    hasBefore: true,
    hasSent: true,
  };
}
const textMember = (name: string): Member => ({
  kind: 'value',
  name,
  key: name,
  type: { kind: 'text' },
  nullable: false,
  isSought: true,
});
/** What one unit of a currency is in another one: here always as much. */
const rate: Member = {
  kind: 'formula',
  name: 'rate',
  nullable: false,
  formula: {
    name: 'rate',
    given: [
      { name: 'from', type: { kind: 'text' } },
      { name: 'to', type: { kind: 'text' } },
      { name: 'day', type: date },
    ],
    tree: () => compileFormula('1.25', scopeOf({}, false)),
  },
};
const types: Readonly<Record<string, Type>> = { day: date, total: number };
const identified: Shape = {
  group: '',
  words: 'a task',
  kind: 'record',
  lists: [],
  member: (name) => ({ ...textMember(name), ...(types[name] && { type: types[name] }) }),
  names: () => ['id'],
  owner: undefined,
};
const facts: Facts = {
  ...noFacts,
  today: () => '2026-03-31',
  workspace: () => recordValue({ currency: 'EUR' }),
};

/** A value as formulas write it. */
function written(value: unknown, type: Type): string {
  if (Array.isArray(value)) {
    const item = type.kind === 'list' ? type.item : type;
    return `[${value.map((one) => written(one, item)).join(', ')}]`;
  }
  return typeof value === 'string' && type.kind !== 'number' ? `'${value}'` : String(value);
}

test.each(
  guide.flatMap(({ kind, name, example }) => (example?.kind === 'formula' ? [[kind, name, example] as const] : [])),
)('the example of the %s %s gives what it says', (kind, name, { formula, over = {}, gives }) => {
  const tree = compileFormula(formula, scopeOf(over, name === 'previous'));
  const record = recordValue(over);
  const item = { ...record, owner: record };
  expect(written(evaluate(tree, item, facts).value, tree.type)).toBe(gives);
  const at = { function: `${name}(`, macro: `.${name}(`, operator: name.split(' ')[0] ?? name, name, rule: '' }[kind];
  expect(formula).toContain(at);
});

test('knows who uses what', () => {
  expect(entryOf('rule', 'levels')?.usedBy).toEqual([{ group: 'task', field: 'parent' }]);
  expect(entryOf('rule', 'modified')?.usedBy).toContainEqual({ group: 'invoice', field: 'modifiedAt' });
  expect(entryOf('macro', 'exists')?.usedBy).toContainEqual({ group: 'task', field: 'budgetedHours' });
  expect(entryOf('operator', '? :')?.usedBy).toContainEqual({ group: 'task', field: 'completedOn' });
  expect(entryOf('name', 'today')?.usedBy).toContainEqual({ group: 'project', field: 'completedOn' });
  const places = (entryOf('operator', '==')?.usedBy ?? []).map(({ group, field }) => `${group}.${field}`);
  expect(new Set(places).size).toBe(places.length);
});

test('says what arguments may be', () => {
  const of = (name: string) =>
    Object.fromEntries((entryOf('rule', name)?.parameters ?? []).map(({ name: parameter, type }) => [parameter, type]));
  expect(of('range')).toEqual({ from: 'a field that is a date', to: 'a field that is a date' });
  expect(of('levels')).toMatchObject({ parent: expect.stringMatching(/to this group$/) });
  expect(entryOf('rule', 'oneDefault')?.parameters.filter(({ isOptional }) => isOptional)).toHaveLength(3);
  expect(entryOf('rule', 'modified')?.gives).toMatch(/time/);
});

test('has rules of an application of its own', () => {
  const own = rulesWith({ alwaysGreen: { parameters: { field: { field: 'text' } }, says: '{field} is green.' } });
  expect(guideOf(registryOf('product'), own).find(({ name }) => name === 'alwaysGreen')).toEqual({
    name: 'alwaysGreen',
    kind: 'rule',
    usage: undefined,
    parameters: [{ name: 'field', type: 'a field that is a text', isOptional: false }],
    says: '{field} is green.',
    gives: undefined,
    usedBy: [],
    example: undefined,
  });
});
