// Conditions on a field (`must`): each becomes the use of a rule that names the field.
import type { JSONPath } from 'jsonc-parser';
import type { Scope } from '../../formulas/compile/scope.ts';
import { keyOf } from '../model/field-names.ts';
import { own, type RawDescriptor, type RawField, type RawRequirement, type RawRule } from '../model/vocabulary.ts';
import type { Shapes } from './shapes.ts';

/** A condition on a field as the rule that it is, and where it stands. */
interface Requirement {
  readonly rule: RawRule;
  readonly path: JSONPath;
}

type Fields = Readonly<Record<string, RawField | true>>;

/**
 * Returns the conditions on fields of a record, and of the items of its lists.
 * @param hasImplied Whether to add those that no descriptor has: `in` implies one.
 */
export function requirements(properties: Fields, hasImplied = false): readonly Requirement[] {
  return Object.entries(properties).flatMap(([name, raw]) => {
    const path = ['properties', name, 'items', 'properties'];
    return [
      ...requirementsOf(name, raw, { use: 'require', path: ['properties'], hasImplied }),
      ...insideOf(raw).flatMap(([inner, item]) => [
        ...requirementsOf(inner, item, { use: 'requireInItems', list: name, path, hasImplied }),
        ...insideOf(item).flatMap(([innermost, field]) =>
          requirementsOf(innermost, field, {
            use: 'requireInInner',
            list: name,
            inner,
            path: [...path, inner, 'items', 'properties'],
            hasImplied,
          }),
        ),
      ]),
    ];
  });
}

/** The fields of the items of a list. */
const insideOf = (raw: RawField | true): readonly (readonly [string, RawField | true])[] =>
  Object.entries((typeof raw === 'object' ? raw?.items?.properties : undefined) ?? {});

/** The rule that a condition is, and where the field stands. */
interface Stand {
  readonly use: string;
  readonly list?: string;
  readonly inner?: string;
  readonly path: JSONPath;
  readonly hasImplied: boolean;
}

function requirementsOf(
  name: string,
  raw: RawField | true,
  { path, hasImplied, ...rule }: Stand,
): readonly Requirement[] {
  const must = typeof raw === 'object' && Array.isArray(raw?.must) ? raw.must : [];
  return [...must, ...(hasImplied ? listMinorUnits(name, raw) : [])].map(({ be, ...rest }, index) => ({
    // Fields of items go by their keys in arguments.
    rule: {
      ...(rest.each === undefined ? rule : { use: 'requireOfEach', list: name }),
      ...(rest.each === undefined && {
        field: rule.list === undefined || typeof raw !== 'object' ? name : keyOf(name, raw),
      }),
      ...rest,
      ...(be === undefined ? {} : { must: be }),
    },
    path: [...path, name, 'must', index],
  }));
}

/** Returns the condition that an amount sent by callers has no more decimals than its currency; none for prices per unit. */
function listMinorUnits(name: string, raw: RawField | true): readonly RawRequirement[] {
  if (typeof raw !== 'object' || raw?.format !== 'money' || typeof raw.in !== 'string') return [];
  const isSent =
    raw.readOnly !== true && (raw.formula === undefined || raw.when !== undefined || raw.accepts !== undefined);
  if (raw.perUnit === true || !isSent || raw.derived !== undefined || raw.from !== undefined) return [];
  const rounds = (digits: string): string => `round(${digits}, ${raw.in}) == ${digits}`;
  const decimals = `${rounds('0.001')} ? 3 : ${rounds('0.01')} ? 2 : 0`;
  return [
    {
      that: `${name} == null || ${raw.in} == null || ${name} == round(${name}, ${raw.in})`,
      be: `a number with at most {${decimals}} decimals in {${raw.in}}`,
    },
  ];
}

/** A group and its descriptor. */
interface Described {
  readonly name: string;
  readonly raw: RawDescriptor;
}

/** What formulas of a rule may name: of a record of a list of references, of the items of a list, or of the record. */
export function scopeAround(rule: RawRule, { name: group, raw: { properties } }: Described, shapes: Shapes): Scope {
  return rule.use === 'requireOfEach'
    ? shapes.scopeOfEach(group, String(rule['list']), String(rule['each']))
    : shapes.scopeInside(group, fieldsAround(rule, properties));
}

/** The fields on which the formulas of a rule stand: those of the items of a list, where it names one. */
function fieldsAround(rule: RawRule, properties: Fields): Fields {
  if (rule.use !== 'requireInItems' && rule.use !== 'requireInInner') return properties;
  const lists = [rule['list'], rule['inner']].filter((name) => name !== undefined);
  return lists.reduce((fields: Fields, name) => {
    const list = own(fields, String(name));
    return (typeof list === 'object' ? list.items?.properties : undefined) ?? fields;
  }, properties);
}
