// Normalises one field, with the fields inside it.
import { dayReads } from '../../formulas/analyse/day-bounds.ts';
import type { Scope } from '../../formulas/compile/scope.ts';
import { unreachable } from '../../unreachable.ts';
import { compileTransition, simpleCondition } from '../formulas/conditions.ts';
import { compileFigure, isFormulaSource, type RawFormula, watchesOf } from '../formulas/figures.ts';
import { keyOf } from '../model/field-names.ts';
import type { Kind } from '../model/kind-name.ts';
import { isScalar, isScalarKind, kindOf, kinds, rowOf, scalarKindOf, scalarRow } from '../model/kinds.ts';
import type {
  Branch,
  Condition,
  DefaultSource,
  Field,
  FieldBase,
  Figure,
  Inherited,
  OtherSide,
  RuleSignature,
  Scalar,
  ScalarKind,
  State,
  Unset,
  Value,
  Values,
} from '../model/model.ts';
import { choiceColumn, snakeCase } from '../model/naming.ts';
import { anyState, isKept, isReadOnly, type RawDescriptor, type RawField } from '../model/vocabulary.ts';
import { condition, ruleUse } from './normalise-rules.ts';

/** What the fields of a record, an object or an item are part of. */
export interface FieldContext {
  readonly required: ReadonlySet<string>;
  /** Names of those that are part of a unique key of the record. */
  readonly keys: ReadonlySet<string>;
  /** What formulas beside them may name. */
  readonly scope: Scope;
  /** What formulas may name beside other fields of the group. */
  readonly scopes: (fields: NonNullable<RawField['properties']>) => Scope;
  readonly signatures: Readonly<Record<string, RuleSignature>>;
  /** Nothing of the record is kept or sent. */
  readonly isComputed: boolean;
  /** What goes before column names: the object that the field is part of. */
  readonly prefix: string;
}

/** @param holder What has the fields: a descriptor, an object, the items of a list. */
export function fieldContext(
  { properties = {}, required = [] }: Pick<RawField, 'required'> & Partial<Pick<RawDescriptor, 'properties'>>,
  { signatures, isComputed, scopes, keys }: Pick<FieldContext, 'signatures' | 'isComputed' | 'scopes' | 'keys'>,
  prefix: string,
): FieldContext {
  const scope = scopes(properties as NonNullable<RawField['properties']>);
  return { required: new Set(required), keys, scope, scopes, signatures, isComputed, prefix };
}

/** A field with all that is inside it. */
export function normaliseField(name: string, raw: RawField, context: FieldContext): Field {
  const base = baseOf(name, raw, context);
  const kind = kindOf(raw);
  if (kind === undefined) unreachable(`unchecked field: ${name}`);
  return isScalarKind(kind)
    ? { ...base, ...kinds[kind].of(raw), transitions: raw.transitions, initialStates: initialStates(raw) }
    : composites[kind]({ raw, base, context });
}

const initialStates = ({ initialStates: states }: RawField): readonly string[] | undefined =>
  states === anyState ? undefined : states;

/** What all kinds of fields have. */
function baseOf(name: string, raw: RawField, context: FieldContext): FieldBase {
  const { scope, isComputed, keys, prefix, required, signatures } = context;
  const key = keyOf(name, raw);
  const stored = isKept(raw) && !isComputed;
  const isSent = (!isReadOnly(raw) || raw.acceptIfEqual === true) && !isComputed;
  const isRequired = required.has(name) && raw.default === undefined;
  return {
    name,
    key,
    column: stored ? `${prefix}${snakeCase(key)}` : '',
    description: raw.description ?? '',
    examples: raw.examples ?? [],
    deprecated: raw.deprecated === true,
    label: raw.label,
    section: raw.section,
    shownIn: raw.displayAs,
    onCreate: isSent && raw.updateOnly !== true,
    onUpdate: isSent && raw.immutable !== true,
    required: isRequired,
    shown: raw.writeOnly !== true && raw.hidden !== true,
    stored,
    unset: unsetOf(raw, isRequired),
    default: isComputed && raw.parameter !== true ? undefined : defaultOf(raw),
    defaultFrom: defaultSources(raw.defaultFrom).map((source) => sourceOf(source, raw, scope)),
    onlyWhen: optional(raw.onlyWhen, scope),
    requiredWhen: optional(raw.requiredWhen, scope),
    inherits: inheritedOf(raw, scope),
    from: raw.lookup,
    derived: raw.computedBy && ruleUse(raw.computedBy, { scope, signatures }),
    figure: raw.formula === undefined ? undefined : figureOf(raw, scope, 'always'),
    becomes: statesOf(raw, scope),
    accepts: raw.acceptIfEqual === true ? 'equal' : undefined,
    filter: raw.filter,
    sort: raw.sort === true,
    currency: raw.currency,
    isPerUnit: raw.perUnit === true,
    renamedFrom: raw.renamedFrom,
    renamedValues: (raw.items ?? raw).renamedValues ?? {},
    isParameter: raw.parameter === true,
    isOfKey: keys.has(name),
    isLogged: raw.logValues !== false,
  };
}

function unsetOf(raw: RawField, isRequired: boolean): Unset {
  if (isRequired) return 'never';
  if (raw.nullable === true || Array.isArray(raw.type)) return 'null';
  return raw.default === '' ? 'empty' : 'never';
}

/** The value of a field that a create leaves out; lists are empty where nothing else fills them. */
function defaultOf(raw: RawField): Value | undefined {
  if (raw.default !== undefined) return literalOf(raw, raw.default);
  const isFilled = raw.computedBy !== undefined || raw.formula !== undefined || raw.defaultFrom !== undefined;
  return rowOf(raw)?.isMany === true && !isFilled ? [] : undefined;
}

/** JSON of a descriptor → value of the engine. */
function literalOf(raw: RawField, value: unknown): Value {
  if (Array.isArray(value)) return value.map((item: unknown) => literalOf(raw.items ?? raw, item));
  const kind = scalarKindOf(raw);
  if (kind === undefined) return value as Value;
  const row = scalarRow(kind);
  return row.literal(value, row.of(raw));
}

/** Where a default comes from, out of one source or a list of them. */
export function defaultSources(raw: unknown): readonly unknown[] {
  return raw === undefined ? [] : Array.isArray(raw) ? raw : [raw];
}

function sourceOf(given: unknown, raw: RawField, scope: Scope): DefaultSource {
  if (given === 'today') return { kind: 'today' };
  if (given === 'actingMember') return { kind: 'actingMember' };
  if (typeof given === 'string') return { kind: 'path', path: given };
  if (isFormulaSource(given)) return { kind: 'formula', figure: figureOf(given, scope, 'onCreate') };
  const source = given as { find?: string; where?: Values; value?: Value; when?: string };
  if (source.find !== undefined) return { kind: 'find', group: source.find, where: source.where ?? {} };
  const when = source.when === undefined ? {} : { when: condition(source.when, scope) };
  return { kind: 'value', value: literalOf(raw, source.value ?? null), ...when };
}

const inheritedOf = ({ inherits = [] }: RawField, scope: Scope): Inherited[] =>
  inherits.flatMap(({ when, from }) => {
    const simple = simpleCondition(when, scope);
    return typeof simple !== 'object' ? [] : [{ when: simple, from }];
  });

function figureOf(raw: RawFormula, scope: Scope, usual: Figure['taken']): Figure {
  const figure = compileFigure(raw, scope, usual);
  if (typeof figure !== 'object') unreachable(`unchecked formula: ${String(raw.formula)}`);
  return figure;
}

function statesOf({ becomes = [] }: RawField, scope: Scope): readonly State[] {
  return becomes.map(({ to, when: source }) => {
    const when = compileTransition(source, scope);
    if (typeof when !== 'object') unreachable(`unchecked condition: ${source}`);
    return { to, when, watches: watchesOf(when, scope), days: dayReads(when.tree).bounds };
  });
}

/** The condition of a keyword that may be left out. */
export const optional = (source: string | undefined, scope: Scope): Condition | undefined =>
  source === undefined ? undefined : condition(source, scope);

interface RawCase {
  readonly raw: RawField;
  readonly base: FieldBase;
  /** Of the field itself, not of what is inside it. */
  readonly context: FieldContext;
}

type Composite = Exclude<Kind, ScalarKind>;

/** How fields that are no plain values are made. */
const composites: { readonly [K in Composite]: (field: RawCase) => Extract<Field, { readonly kind: K }> } = {
  reference: ({ raw, base }) => ({
    ...base,
    kind: 'reference',
    target: raw.reference ?? '',
    as: raw.referenceFormat ?? 'object',
    include: raw.include ?? [],
    onDelete: raw.onDelete ?? (raw.nullable === true ? 'clear' : 'restrict'),
  }),
  references: ({ raw, base }) => ({
    ...base,
    kind: 'references',
    target: raw.references ?? '',
    onDelete: raw.onDelete ?? 'clear',
    maxItems: raw.maxItems ?? 1000,
    via: raw.via,
  }),
  choice: ({ raw, base }) => ({ ...base, kind: 'choice', by: raw.referenceBy ?? '', branches: branchesOf(raw, base) }),
  list: ({ raw, base }) => ({
    ...base,
    kind: 'list',
    item: itemOf(raw),
    minItems: raw.minItems ?? 0,
    maxItems: raw.maxItems ?? 1000,
  }),
  object: ({ raw, base, context }) => ({
    ...base,
    kind: 'object',
    // The checks let nothing else stand in an object.
    fields: fieldsOf(raw, fieldContext(raw, inside(context), `${context.prefix}${snakeCase(base.key)}_`)).filter(
      isScalar,
    ),
  }),
  objects: ({ raw, base, context }) => {
    const { items = {} } = raw;
    const fields = fieldsOf(items, fieldContext(items, inside(context), ''));
    return {
      ...base,
      kind: 'objects',
      fields,
      minItems: raw.minItems ?? 0,
      maxItems: raw.maxItems ?? 1000,
      distinct: fields.find((field) => field.name === raw.uniqueBy || field.key === raw.uniqueBy)?.key,
      isEmbedded: isReadOnly(raw) && isKept(raw) && fields.every(isEmbeddable),
      hasIds: raw.via === undefined && items.properties?.['id']?.format === 'uuid',
      via: otherSide(raw),
    };
  },
};

/** Keys are made of fields of the record itself. */
const inside = (context: FieldContext): FieldContext => ({ ...context, keys: new Set() });

const fieldsOf = ({ properties = {} }: RawField, context: FieldContext): Field[] =>
  Object.entries(properties).map(([name, raw]) => normaliseField(name, raw, context));

/** Values that JSON keeps as they are: no decimals, which are text inside the engine, and no references. */
const isEmbeddable = ({ kind, from }: Field): boolean => kinds[kind].isEmbeddable && from === undefined;

/** What the items of a list of plain values may be. */
function itemOf({ items = {} }: RawField): Scalar {
  const kind = scalarKindOf(items);
  if (kind === undefined) unreachable('unchecked items');
  return kinds[kind].of(items);
}

/** A reference of its own for each group that the id may be of, in a column named after the group. */
const branchesOf = ({ groups = {}, onDelete = 'restrict' }: RawField, base: FieldBase): Branch[] =>
  Object.entries(groups).map(([value, target]) => ({
    value,
    reference: {
      ...base,
      kind: 'reference',
      // No field has such a key: names are letters and digits.
      key: `${base.key}/${target}`,
      column: choiceColumn(target),
      unset: 'null',
      target,
      as: 'id',
      include: [],
      onDelete,
    },
  }));

/** `"via": "time-entry.timesheet"`: the group, and the field of it that names this record. */
function otherSide({ via, orderBy }: RawField): OtherSide | undefined {
  const [target, field] = via?.split('.') ?? [];
  return target === undefined || field === undefined ? undefined : { target, field, sortedBy: orderBy };
}
