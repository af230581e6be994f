// Conditions on a field (`must`): each becomes the use of a rule that names the field.
import type { JSONPath } from 'jsonc-parser';
import type { Scope } from '../../formulas/compile/scope.ts';
import { keyOf } from '../model/field-names.ts';
import { own, type RawDescriptor, type RawField, type RawRule } from '../model/vocabulary.ts';
import type { Shapes } from './shapes.ts';

/** A condition on a field as the rule that it is, and where it stands. */
interface Requirement {
  readonly rule: RawRule;
  readonly path: JSONPath;
}

type Fields = Readonly<Record<string, RawField | true>>;

/** All conditions that stand on fields of a record, and of the items of its lists. */
export function requirements(properties: Fields): readonly Requirement[] {
  return Object.entries(properties).flatMap(([name, raw]) => {
    const path = ['properties', name, 'items', 'properties'];
    return [
      ...requirementsOf(name, raw, { use: 'require', path: ['properties'] }),
      ...insideOf(raw).flatMap(([inner, item]) => [
        ...requirementsOf(inner, item, { use: 'requireInItems', list: name, path }),
        ...insideOf(item).flatMap(([innermost, field]) =>
          requirementsOf(innermost, field, {
            use: 'requireInInner',
            list: name,
            inner,
            path: [...path, inner, 'items', 'properties'],
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
}

function requirementsOf(name: string, raw: RawField | true, { path, ...rule }: Stand): readonly Requirement[] {
  const must = typeof raw === 'object' && Array.isArray(raw?.must) ? raw.must : [];
  return must.map(({ be, ...rest }, index) => ({
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
