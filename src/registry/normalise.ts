// Raw descriptors → model. Runs only on descriptors that the checks have accepted, and so never fails.
import { type ConditionName, compileCondition, simpleCondition } from './condition.ts';
import {
  type Branch,
  type Condition,
  type DefaultSource,
  type Field,
  type Operation,
  type OtherSide,
  operations,
  type ReferenceField,
  type Resource,
  type RuleSignature,
  type RuleUse,
  type Scalar,
  type ScalarField,
  type Unset,
  type Value,
  type Values,
} from './model.ts';
import { choiceColumn, singular, snakeCase } from './naming.ts';
import { defaultOf, scalarOf, textOfDecimals } from './normalise-values.ts';
import { parseShownAs } from './shown-as.ts';
import { isKept, isReadOnly, type RawDescriptor, type RawField, shapeOf } from './vocabulary.ts';

/** Name of a field in bodies and inside the engine. */
export function keyOf(name: string, field: RawField): string {
  if (field.reference !== undefined) return field.as === 'id' ? name : `${name}Id`;
  if (field.references !== undefined) return `${singular(name)}Ids`;
  return name;
}

const knownNames = new WeakMap<object, ReadonlyMap<string, ConditionName>>();

/**
 * What the conditions of a record may name: its own fields by key, and references as records. The same map for the same
 * fields each time, because compiled conditions are kept by it.
 */
export function conditionNames(fields: Readonly<Record<string, RawField | true>>): ReadonlyMap<string, ConditionName> {
  const known = knownNames.get(fields) ?? namesOf(fields);
  knownNames.set(fields, known);
  return known;
}

function namesOf(fields: Readonly<Record<string, RawField | true>>): ReadonlyMap<string, ConditionName> {
  const names = new Map<string, ConditionName>();
  for (const [name, field] of Object.entries(fields)) {
    if (field === true) continue;
    const shape = shapeOf(field);
    if (shape === 'object' || shape === 'objects') names.set(name, { type: 'dyn' });
    else if (shape === 'reference') {
      names.set(keyOf(name, field), { type: 'dyn' });
      names.set(field.as === 'id' ? recordName(name) : name, { type: 'record' });
    } else if (shape === 'choice') names.set(name, { type: 'dyn' });
    else if (shape === 'references' || shape === 'list') names.set(keyOf(name, field), { type: 'list' });
    else names.set(name, plainName(field, shape));
  }
  return names;
}

/** A bare id `memberId` leads to the record `member`. */
export const recordName = (name: string): string => (name.endsWith('Id') ? name.slice(0, -2) : name);

/** A plain value as conditions see it. */
export function plainName(
  field: RawField,
  shape: 'text' | 'integer' | 'number' | 'boolean' | undefined,
): ConditionName {
  const values = field.enum === undefined ? {} : { values: field.enum };
  if (shape === 'number') return { type: 'amount' };
  const base = shape === 'integer' ? 'double' : shape === 'boolean' ? 'bool' : 'string';
  return Array.isArray(field.type) ? { type: 'dyn', base, ...values } : { type: base, ...values };
}

/** Where a default comes from, out of one source or a list of them. */
export function defaultSources(raw: unknown): readonly unknown[] {
  return raw === undefined ? [] : Array.isArray(raw) ? raw : [raw];
}

function normaliseDefault(raw: unknown, names: ReadonlyMap<string, ConditionName>): DefaultSource {
  if (raw === 'today') return { kind: 'today' };
  if (raw === 'actingMember') return { kind: 'actingMember' };
  if (typeof raw === 'string') return { kind: 'path', path: raw };
  const source = raw as { find?: string; where?: Values; value?: Value; when?: string };
  if (source.find !== undefined) return { kind: 'find', group: source.find, where: source.where ?? {} };
  const when = source.when === undefined ? {} : { when: condition(source.when, names) };
  return { kind: 'value', value: source.value ?? null, ...when };
}

function condition(source: string, names: ReadonlyMap<string, ConditionName>): Condition {
  const compiled = compileCondition(source, names);
  if (typeof compiled === 'string') throw new Error(`unchecked condition: ${source}`);
  return compiled;
}

function unsetOf(field: RawField, isRequired: boolean): Unset {
  const shape = shapeOf(field);
  if (isRequired) return 'never';
  if (shape === 'reference') return field.nullable === true ? 'null' : 'never';
  if (Array.isArray(field.type)) return 'null';
  return shape === 'text' && field.default === '' ? 'empty' : 'never';
}

interface FieldContext {
  readonly required: ReadonlySet<string>;
  readonly names: ReadonlyMap<string, ConditionName>;
  readonly signatures: Readonly<Record<string, RuleSignature>>;
  /** Nothing of the record is kept or sent. */
  readonly isComputed: boolean;
  /** What goes before column names: the object that the field is part of. */
  readonly prefix: string;
}

function normaliseField(name: string, raw: RawField, context: FieldContext): Field {
  const { names } = context;
  const key = keyOf(name, raw);
  const optional = (source: string | undefined): Condition | undefined =>
    source === undefined ? undefined : condition(source, names);
  const scalar = scalarOf(raw.items ?? raw);
  const stored = isKept(raw) && !context.isComputed;
  const isSent = !isReadOnly(raw) && !context.isComputed;
  const common = {
    name,
    key,
    column: stored ? `${context.prefix}${snakeCase(key)}` : '',
    description: raw.description ?? '',
    examples: raw.examples ?? [],
    deprecated: raw.deprecated === true,
    onCreate: isSent && raw.updateOnly !== true,
    onUpdate: isSent && raw.immutable !== true,
    required: context.required.has(name),
    shown: raw.writeOnly !== true && raw.hidden !== true,
    stored,
    unset: unsetOf(raw, context.required.has(name)),
    default: context.isComputed && raw.parameter !== true ? undefined : defaultOf(raw, scalar),
    defaultFrom: defaultSources(raw.defaultFrom).map((source) =>
      normaliseDefault(textOfDecimals(source, scalar), names),
    ),
    onlyWhen: optional(raw.onlyWhen),
    requiredWhen: optional(raw.requiredWhen),
    lockedWhen: optional(raw.lockedWhen),
    inherits: (raw.inherits ?? []).flatMap(({ when, from }) => {
      const simple = simpleCondition(when, names);
      return typeof simple === 'string' ? [] : [{ when: simple, from }];
    }),
    from: raw.from,
    derived: raw.derived === undefined ? undefined : ruleUse(raw.derived, names, context.signatures),
    filter: raw.filter,
    renamedFrom: raw.renamedFrom,
    renamedValues: (raw.items ?? raw).renamedValues ?? {},
    isParameter: raw.parameter === true,
  };
  switch (shapeOf(raw)) {
    case 'reference':
      return {
        ...common,
        kind: 'reference',
        target: raw.reference ?? '',
        as: raw.as ?? 'object',
        include: raw.include ?? [],
        onDelete: raw.onDelete ?? (raw.nullable === true ? 'clear' : 'restrict'),
      };
    case 'references':
      return {
        ...common,
        kind: 'references',
        target: raw.references ?? '',
        onDelete: raw.onDelete ?? 'clear',
        maxItems: raw.maxItems ?? 1000,
        via: raw.via,
      };
    case 'choice':
      return { ...common, kind: 'choice', by: raw.referenceBy ?? '', branches: branchesOf(raw, common) };
    case 'list':
      return { ...common, kind: 'list', item: scalar, minItems: raw.minItems ?? 0, maxItems: raw.maxItems ?? 1000 };
    case 'object': {
      const inner = fieldContext(raw, context, `${context.prefix}${snakeCase(key)}_`);
      const fields = Object.entries(raw.properties ?? {}).map(([inside, field]) =>
        normaliseField(inside, field, inner),
      );
      return { ...common, kind: 'object', fields: fields as ScalarField[] };
    }
    case 'objects': {
      const properties = raw.items?.properties ?? {};
      const inner = fieldContext(raw.items ?? {}, context, '');
      const fields = Object.entries(properties).map(([inside, field]) => normaliseField(inside, field, inner));
      return {
        ...common,
        kind: 'objects',
        fields,
        minItems: raw.minItems ?? 0,
        maxItems: raw.maxItems ?? 1000,
        distinct: fields.find((field) => field.name === raw.distinct || field.key === raw.distinct)?.key,
        isEmbedded: isReadOnly(raw) && isKept(raw) && fields.every(isPlainText),
        hasIds: raw.via === undefined && properties['id']?.format === 'uuid',
        via: otherSide(raw),
      };
    }
    default:
      return { ...common, ...scalar, transitions: raw.transitions };
  }
}

/** A reference of its own for each group that the id may be of, in a column named after the group. */
function branchesOf(
  raw: RawField,
  common: Omit<ReferenceField, 'kind' | 'target' | 'as' | 'include' | 'onDelete'>,
): Branch[] {
  return Object.entries(raw.groups ?? {}).map(([value, target]) => ({
    value,
    reference: {
      ...common,
      kind: 'reference',
      // No field has such a key: names are letters and digits.
      key: `${common.key}/${target}`,
      column: choiceColumn(target),
      unset: 'null',
      target,
      as: 'id',
      include: [],
      onDelete: raw.onDelete ?? 'restrict',
    },
  }));
}

/** `"via": "time-entry.timesheet"`: the group, and the field of it that names this record. */
function otherSide({ via, sortedBy }: RawField): OtherSide | undefined {
  const [target, field] = via?.split('.') ?? [];
  return target === undefined || field === undefined ? undefined : { target, field, sortedBy };
}

/** Values that JSON keeps as they are: no decimals, which are text inside the engine, and no references. */
const isPlainText = (field: Field): boolean =>
  (field.kind === 'text' || field.kind === 'enum' || field.kind === 'date') && field.from === undefined;

/** @param holder What has the fields: a descriptor, an object, the items of a list. */
function fieldContext(
  { properties = {}, required = [] }: Pick<RawField, 'required'> & Partial<Pick<RawDescriptor, 'properties'>>,
  { signatures, isComputed }: Pick<FieldContext, 'signatures' | 'isComputed'>,
  prefix: string,
): FieldContext {
  return { required: new Set(required), names: conditionNames(properties), signatures, isComputed, prefix };
}

function ruleUse(
  raw: Readonly<Record<string, unknown>> & { readonly use: string },
  names: ReadonlyMap<string, ConditionName>,
  signatures: Readonly<Record<string, RuleSignature>>,
): RuleUse {
  const { use, ...rest } = raw;
  const conditions = Object.entries(signatures[use]?.parameters ?? {})
    .filter(([parameter, kind]) => kind === 'condition' && rest[parameter] !== undefined)
    .map(([parameter]) => [parameter, condition(String(rest[parameter]), names)] as const);
  const { conflicts = {}, conflictsAbout = 'own' } = signatures[use] ?? {};
  return Object.freeze({
    use,
    arguments: Object.freeze(rest),
    conditions: Object.fromEntries(conditions),
    conflicts: typeof conflicts === 'function' ? conflicts(rest) : conflicts,
    conflictsAbout,
  });
}

const idField = (name: 'id' | 'createdAt', scalar: Scalar, description: string): ScalarField => ({
  name,
  key: name,
  column: snakeCase(name),
  description,
  examples: [],
  deprecated: false,
  onCreate: false,
  onUpdate: false,
  required: false,
  shown: true,
  stored: true,
  unset: 'never',
  default: undefined,
  defaultFrom: [],
  onlyWhen: undefined,
  requiredWhen: undefined,
  lockedWhen: undefined,
  inherits: [],
  from: undefined,
  derived: undefined,
  filter: undefined,
  renamedFrom: undefined,
  renamedValues: {},
  isParameter: false,
  transitions: undefined,
  ...scalar,
});

/** The fields of a record that is kept, with those that every such record has. */
function keptFields(raw: RawDescriptor, context: FieldContext): Field[] {
  const createdAt = idField('createdAt', { kind: 'dateTime' }, 'Creation time');
  const fields: Field[] = [idField('id', { kind: 'uuid' }, 'Identifier')];
  for (const [field, definition] of Object.entries(raw.properties)) {
    if (definition !== true) fields.push(normaliseField(field, definition, context));
    else if (field === 'createdAt') fields.push(createdAt);
  }
  if (!fields.includes(createdAt)) fields.push(createdAt);
  return fields;
}

const computedFields = (raw: RawDescriptor, context: FieldContext): Field[] =>
  Object.entries(raw.properties).flatMap(([field, definition]) =>
    definition === true ? [] : [normaliseField(field, definition, context)],
  );

/** A checked descriptor → its resource. */
export function normaliseDescriptor(
  name: string,
  file: string,
  raw: RawDescriptor,
  signatures: Readonly<Record<string, RuleSignature>>,
): Resource {
  const isComputed = raw.resource.computed !== undefined;
  const context = fieldContext(raw, { signatures, isComputed }, '');
  const fields = isComputed ? computedFields(raw, context) : keptFields(raw, context);
  const optional = (source: string | undefined): Condition | undefined =>
    source === undefined ? undefined : condition(source, context.names);
  const { resource } = raw;
  const byName = new Map(fields.map((field) => [field.name, field]));
  return deepFreeze({
    name,
    file,
    renamedFrom: raw.renamedFrom,
    title: raw.title,
    description: raw.description,
    area: resource.area ?? 'Resources',
    path: resource.path,
    operations: new Set<Operation>(operations.filter((operation) => resource.operations.includes(operation))),
    feature: resource.feature,
    singleton: resource.singleton === true,
    isWorkspace: resource.workspace === true,
    computed: resource.computed && ruleUse(resource.computed, context.names, signatures),
    shownAs: parseShownAs(resource.shownAs) ?? [],
    fields,
    byKey: new Map(fields.map((field) => [field.key, field])),
    byName,
    unique: (resource.unique ?? []).map((key) => ({
      fields: key.map((word) => byName.get(word)).filter((field) => field !== undefined),
      word: key.at(-1) ?? '',
    })),
    indexes: (resource.indexes ?? []).map((words) =>
      words.map((word) => byName.get(word)).filter((field) => field !== undefined),
    ),
    lockedUpdate: optional(resource.locked?.update),
    lockedDelete: optional(resource.locked?.delete),
    rules: (resource.rules ?? []).map((rule) => ruleUse(rule, context.names, signatures)),
    setup: resource.setup ?? [],
  });
}

function deepFreeze<T>(value: T): T {
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.isFrozen(value) ||
    value instanceof Map ||
    value instanceof Set
  )
    return value;
  Object.freeze(value);
  for (const inside of Object.values(value)) deepFreeze(inside);
  return value;
}
