// The order in which missing values are filled in: a default after the fields that it reads, and after the fields that apply only
// in some states of the record.
import { kinds } from '../../registry/model/kinds.ts';
import type { Field, ObjectsField, PathStart, Resource, Value } from '../../registry/model/model.ts';
import { keyArgument, type Rule, ruleOf } from '../../rules/support/rule.ts';
import { dependsOn, inDependencyOrder } from './figure-order.ts';
import { isLocalCondition } from './judged.ts';

export interface DefaultOrder {
  /** With a default of their own. */
  readonly fixed: readonly Field[];
  /** With values that come from elsewhere. */
  readonly sourced: readonly Field[];
  /** That apply only in some states of the record, and those whose defaults look at them. */
  readonly late: readonly Field[];
  /** That hang on other records. */
  readonly reaching: readonly Field[];
  /** With fields inside. */
  readonly composite: readonly Field[];
  /** Of the items of lists, by the key of the list: those with values that come from elsewhere. */
  readonly sourcedInItems: ReadonlyMap<string, readonly Field[]>;
  /** Those of them whose defaults are formulas. */
  readonly inItems: ReadonlyMap<string, readonly Field[]>;
  /** Whether they ask nothing of other records but of the settings. */
  readonly asksSettingsAlone: boolean;
  /** That rules give values. */
  readonly byRules: readonly Field[];
  /** Of all fields, in the end. */
  readonly empty: readonly Standing[];
}

/** What a field holds that nothing else gave a value to; undefined where it must have one. */
interface Standing {
  readonly key: string;
  readonly value: Value | undefined;
}

/** Fields of an object, or of the items of a list, by how a missing value is filled in. */
export interface InsideOrder {
  /** What stands in the descriptor. */
  readonly standing: readonly Standing[];
  /** With values that come from elsewhere. */
  readonly sourced: readonly Field[];
  /** That apply, or are required, only in some states of the item. */
  readonly conditional: readonly Field[];
  readonly lists: readonly ObjectsField[];
}

export function defaultOrderOf(resource: Resource, rules: Readonly<Record<string, Rule>>): DefaultOrder {
  const { fields } = resource;
  const plain = fields.filter(
    (field) =>
      field.onlyWhen === undefined &&
      field.derived === undefined &&
      (field.figure === undefined || field.figure.when !== undefined) &&
      field.from === undefined,
  );
  const sourced = inOrder(plain.filter((field) => field.defaultFrom.length > 0));
  const late = new Set(fields.filter((field) => field.onlyWhen !== undefined));
  for (const field of sourced) if (looksAtAny(field, late)) late.add(field);
  const lists = fields.filter((field) => field.kind === 'objects');
  const composite = fields.filter(({ kind }) => kind === 'object' || kind === 'objects');
  return {
    fixed: plain.filter((field) => field.default !== undefined),
    sourced: sourced.filter((field) => !late.has(field)),
    late: inOrder(fields.filter((field) => late.has(field))),
    reaching: fields.filter(({ onlyWhen }) => onlyWhen !== undefined && !isLocalCondition(onlyWhen)),
    composite,
    sourcedInItems: new Map(lists.map((list) => [list.key, sourcedOf(list)])),
    inItems: new Map(lists.map((list) => [list.key, sourcedOf(list).filter(isByFormula)])),
    asksSettingsAlone: late.size === 0 && composite.length === 0 && sourced.every(isOfSettings),
    byRules: filledByRules(resource, rules),
    empty: fields.map((field) => ({ key: field.key, value: emptyValue(field) })),
  };
}

const isOfSettings = ({ defaultFrom }: Field): boolean =>
  defaultFrom.every(
    (source) =>
      source.kind === 'today' ||
      source.kind === 'actingMember' ||
      (source.kind === 'path' && /^workspace\.[^.]+$/.test(source.path)),
  );

const filledByRules = (resource: Resource, rules: Readonly<Record<string, Rule>>): readonly Field[] =>
  resource.rules.flatMap((use) =>
    Object.entries(ruleOf(rules, use).parameters).flatMap(([name, type]) => {
      const isFilled = typeof type === 'object' && 'filled' in type && type.filled === true;
      return isFilled ? (resource.byKey.get(keyArgument(resource, use, name)) ?? []) : [];
    }),
  );

/** By the fields of each object and list of a record. */
export const insideOrdersOf = ({ fields }: Resource): ReadonlyMap<readonly Field[], InsideOrder> =>
  new Map(insideIn(fields));

function* insideIn(fields: readonly Field[]): Generator<readonly [readonly Field[], InsideOrder]> {
  for (const field of fields) {
    if (field.kind !== 'object' && field.kind !== 'objects') continue;
    const inside: readonly Field[] = field.fields;
    const plain = inside.filter(({ onlyWhen, from }) => onlyWhen === undefined && from === undefined);
    const sourced = plain.filter((one) => one.defaultFrom.length > 0 && (one.default ?? null) === null);
    yield [
      inside,
      {
        standing: plain
          .filter((one) => !sourced.includes(one))
          .map((one) => ({ key: one.key, value: one.default ?? emptyValue(one) })),
        sourced,
        conditional: inside.filter(
          ({ onlyWhen, requiredWhen }) => onlyWhen !== undefined || requiredWhen !== undefined,
        ),
        lists: inside.filter((one): one is ObjectsField => one.kind === 'objects'),
      },
    ];
    yield* insideIn(inside);
  }
}

const sourcedOf = ({ fields }: ObjectsField): readonly Field[] =>
  afterSources(fields.filter(({ defaultFrom }) => defaultFrom.length > 0));

const isByFormula = ({ defaultFrom }: Field): boolean => defaultFrom.some(({ kind }) => kind === 'formula');

/** Fields with defaults after those that the formulas of their defaults look at. */
const afterSources = (fields: readonly Field[]): readonly Field[] =>
  inDependencyOrder(fields, ({ defaultFrom }) => {
    const figures = defaultFrom.flatMap((source) => (source.kind === 'formula' ? [source.figure] : []));
    const keys = figures.flatMap(({ reads, on }) => reads.flatMap(({ shape, key }) => (shape === on ? [key] : [])));
    return fields.filter(({ key }) => keys.includes(key));
  });

const looksAtAny = (field: Field, others: ReadonlySet<Field>): boolean =>
  defaultKeys(field).some((key) => [...others].some((other) => other.key === key));

/** Keys of the fields that the default of one looks at. */
const defaultKeys = ({ defaultFrom }: Field): readonly string[] =>
  defaultFrom.flatMap((source) => (source.kind === 'formula' ? source.figure.keys : []));

/** Each after those that its default looks at; whether it applies at all comes second, for that may go round. */
function inOrder(fields: readonly Field[]): readonly Field[] {
  const sources = (field: Field): readonly Field[] => fields.filter(({ key }) => defaultKeys(field).includes(key));
  return inDependencyOrder(fields, (field) =>
    fields.filter(
      (other) =>
        defaultKeys(field).includes(other.key) ||
        (field.onlyWhen?.keys.includes(other.key) === true && !dependsOn(other, field, sources)),
    ),
  );
}

/** What a field holds that nothing gave a value to; undefined where it must have one. */
export function emptyValue(field: Field): Value | undefined {
  const { isMany, isSwitch } = kinds[field.kind];
  if (!field.stored && !isSwitch) return undefined;
  if (isMany) return [];
  if (field.unset === 'empty') return '';
  if (field.unset === 'null') return null;
  // Switches that only the service sets are off until it does.
  return isSwitch && !field.onCreate ? false : undefined;
}

/** Lists may be empty, and switches are never missing. */
export const isNeverUnset = (field: Field): boolean =>
  field.unset === 'never' &&
  (field.onCreate || field.onUpdate) &&
  !kinds[field.kind].isMany &&
  field.onlyWhen === undefined &&
  field.inherits.length === 0;

/** Those that may be missing where they must not be: what is computed, or shown of another record, never is. */
export const lackableFields = ({ fields }: Resource): readonly Field[] =>
  fields.filter(
    (field) =>
      field.derived === undefined &&
      field.from === undefined &&
      (field.requiredWhen !== undefined || isNeverUnset(field)),
  );

/** Returns the fields at which the paths of each field in an object or in a list begin: those of the item. */
export const getPathStarts = ({ name, fields }: Resource): ReadonlyMap<Field, PathStart> =>
  new Map(startsIn(name, fields));

function* startsIn(name: string, fields: readonly Field[]): Generator<readonly [Field, PathStart]> {
  for (const field of fields) {
    if (field.kind !== 'object' && field.kind !== 'objects') continue;
    const items: readonly Field[] = field.fields;
    const byName = new Map(items.map((each) => [each.name, each]));
    const byKey = new Map(items.map((each) => [each.key, each]));
    for (const item of items) yield [item, { name, byName, byKey }];
    yield* startsIn(name, items);
  }
}
