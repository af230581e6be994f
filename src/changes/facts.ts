// Registry → what callers, generated types and stored data depend on, as plain data: the same for descriptors that mean
// the same. Kept as a snapshot file with one line a field, so that a change of a descriptor is a small diff.
import { filtersOf } from '../endpoints/routes/endpoint.ts';
import { canBeNull } from '../endpoints/schemas/nullable.ts';
import { scalarRow } from '../registry/model/kinds.ts';
import type {
  DefaultSource,
  Effect,
  Field,
  GroupFormula,
  Inherited,
  Registry,
  Resource,
  RuleUse,
  Scalar,
} from '../registry/model/model.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What is known of one field; facts that are not there do not hold. */
export interface FieldFacts {
  readonly [fact: string]: Json;
}

export interface GroupFacts {
  readonly group: Readonly<Record<string, Json>>;
  /** By path: `name`, `lines.quantity`. */
  readonly fields: Readonly<Record<string, FieldFacts>>;
}

export type Facts = Readonly<Record<string, GroupFacts>>;

/** Groups in the order of their names, fields in that of the record. */
export function factsOf(registry: Registry): Facts {
  const resources = [...registry.resources.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(
    resources.map((resource) => [
      resource.name,
      { group: groupFacts(resource), fields: Object.fromEntries(fieldsFacts(resource, registry)) },
    ]),
  );
}

/** Under which roles stand in a snapshot, where there are any: no group is called so. */
export const rolesKey = '/roles';

/** What roles grant, in a shape that is not the business of descriptors: a line for each of its parts. */
export type RolesText = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The text of a snapshot: one line a field, and one for each part of a role. */
export function snapshotText(facts: Facts, roles?: RolesText): string {
  const groups = Object.entries(facts).map(([name, { group, fields }]) => {
    const lines = Object.entries(fields).map(([path, field]) => `      ${line(path, field)}`);
    const own = Object.entries(group).map(([fact, value]) => `      ${line(fact, value)}`);
    return `  ${JSON.stringify(name)}: {\n    "group": {\n${own.join(',\n')}\n    },\n    "fields": {\n${lines.join(',\n')}\n    }\n  }`;
  });
  return `{\n${[...groups, ...(roles === undefined ? [] : [rolesLines(roles)])].join(',\n')}\n}\n`;
}

function rolesLines(roles: RolesText): string {
  const texts = Object.entries(roles).map(([name, parts]) => {
    const lines = Object.entries(parts).map(([part, value]) => `      ${line(part, value as Json)}`);
    return `    ${JSON.stringify(name)}: {\n${lines.join(',\n')}\n    }`;
  });
  return `  ${JSON.stringify(rolesKey)}: {\n${texts.join(',\n')}\n  }`;
}

const line = (name: string, value: Json): string => `${JSON.stringify(name)}: ${JSON.stringify(value)}`;

function groupFacts(resource: Resource): Record<string, Json> {
  return without({
    title: resource.title,
    path: resource.path,
    operations: [...resource.operations],
    feature: resource.feature?.name,
    singleton: resource.singleton,
    ifMatch: resource.ifMatch ? true : undefined,
    unique: resource.unique.map(({ fields }) => fields.map(({ name }) => name).join(', ')),
    mayAct: resource.mayAct?.source,
    signIn: resource.signIn && `by ${resource.signIn.name.name} while ${resource.signIn.when?.source ?? 'true'}`,
    lockedUpdate: resource.lockedUpdate?.source,
    lockedDelete: resource.lockedDelete?.source,
    effects: resource.effects.map(effectText),
    formulas: Object.fromEntries(resource.formulas.map((formula) => [formula.name, formulaText(formula)])),
    rules: resource.rules.map(ruleText),
    decisions: resource.fields.flatMap(({ name, key }) => (resource.decisions.has(key) ? [name] : [])),
    computed: resource.computed === true ? 'formulas' : resource.computed && ruleText(resource.computed),
    renamedFrom: resource.renamedFrom,
  });
}

/** `update: change journals.filter(…) set statusId = 'void' when isClosed` */
function effectText(effect: Effect): string {
  const what = effect.kind === 'make' ? effect.group : (effect.source ?? 'the record itself');
  const settings = 'settings' in effect ? effect.settings.map(({ name, source }) => `${name} = ${source}`) : [];
  const logs = effect.kind === 'make' ? (effect.logs ?? []) : [];
  const kinds = logs.map(({ kind, fields, isOfOthers }) =>
    [kind, ...(isOfOthers ? ['others'] : fields.map(({ name }) => name))].join(' '),
  );
  return [
    `${[...effect.on].join(', ')}: ${effect.kind} ${what}`,
    ...(kinds.length === 0 ? [] : [`logs ${kinds.join(', ')}`]),
    ...(settings.length === 0 ? [] : [`set ${settings.join(', ')}`]),
    ...(effect.when === undefined ? [] : [`when ${effect.when.source}`]),
  ].join(' ');
}

/** `day: date → rates.filter(…)` */
const formulaText = ({ given, source }: GroupFormula): string =>
  [...(given.length === 0 ? [] : [given.map(({ name, type }) => `${name}: ${type.kind}`).join(', ')]), source].join(
    ' → ',
  );

/** `range {"from":"start","to":"end"}`: the name and the arguments in the order of their names. */
const ruleText = ({ use, arguments: given }: RuleUse): string =>
  `${use} ${JSON.stringify(Object.fromEntries(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1))))}`;

function fieldsFacts(resource: Resource, registry: Registry): [string, FieldFacts][] {
  const filters = Map.groupBy(filtersOf(resource), ({ field }) => field);
  const of = (fields: readonly Field[], prefix: string): [string, FieldFacts][] =>
    fields.flatMap((field) => {
      const path = `${prefix}${field.name}`;
      // A parameter of a computed record is asked with as a filter is, and lost in the same way.
      const names = field.isParameter
        ? [field.name]
        : [...(filters.get(field) ?? []).map(({ name }) => name), ...(field.sort ? [`sort=${field.name}`] : [])];
      const locks = resource.lockedFields.flatMap((lock) => (lock.fields.includes(field) ? [lock.when.source] : []));
      const own = fieldFacts(field, { fields, registry, filters: names, locks });
      const inner = field.kind === 'objects' || field.kind === 'object' ? of(field.fields, `${path}.`) : [];
      return [[path, own], ...inner];
    });
  return of(resource.fields, '');
}

interface Surroundings {
  readonly fields: readonly Field[];
  readonly registry: Registry;
  readonly filters: readonly string[];
  /** Conditions that lock it. */
  readonly locks: readonly string[];
}

function fieldFacts(field: Field, { fields, registry, filters, locks }: Surroundings): FieldFacts {
  return without({
    ...shapeFacts(field),
    key: field.onCreate || field.onUpdate ? field.key : undefined,
    null: field.shown && canBeNull(field, fields, registry),
    empty: field.unset === 'empty',
    shown: field.shown,
    create: field.required ? 'required' : field.onCreate ? 'optional' : undefined,
    update: field.onUpdate,
    stored: field.stored,
    default: field.default,
    defaultFrom: field.defaultFrom.map(sourceText),
    onlyWhen: field.onlyWhen?.source,
    requiredWhen: field.requiredWhen?.source,
    lockedWhen: locks.join(' || ') || undefined,
    inherits: field.inherits.map(inheritedText),
    from: field.from,
    derived: field.derived === undefined ? undefined : ruleText(field.derived),
    formula: field.figure?.source,
    taken: field.figure === undefined || field.figure.taken === 'always' ? undefined : field.figure.taken,
    again: field.figure?.again,
    when: field.figure?.when?.source,
    becomes: field.becomes.map(({ to, when }) => `${to} when ${when.source}`),
    filters,
    in: field.currency,
    deprecated: field.deprecated,
    renamedFrom: field.renamedFrom,
    renamedValues: field.renamedValues,
  });
}

function shapeFacts(field: Field): Record<string, Json | undefined> {
  switch (field.kind) {
    case 'reference':
      return {
        kind: 'reference',
        target: field.target,
        as: field.as,
        include: field.include,
        onDelete: field.stored ? field.onDelete : undefined,
      };
    case 'references':
      return {
        kind: 'references',
        target: field.target,
        onDelete: field.stored ? field.onDelete : undefined,
        maxItems: field.via === undefined ? field.maxItems : undefined,
        via: field.via,
      };
    case 'object':
      return { kind: 'object' };
    case 'objects':
      return {
        kind: 'objects',
        minItems: field.minItems || undefined,
        maxItems: field.via === undefined ? field.maxItems : undefined,
        distinct: field.distinct,
        via: field.via && `${field.via.target}.${field.via.field}`,
        sortedBy: field.via?.sortedBy,
      };
    case 'choice':
      return {
        kind: 'choice',
        by: field.by,
        groups: Object.fromEntries(field.branches.map(({ value, reference }) => [value, reference.target])),
        onDelete: field.branches[0]?.reference.onDelete,
      };
    case 'list':
      return {
        kind: `list of ${field.item.kind}`,
        minItems: field.minItems || undefined,
        maxItems: field.maxItems,
        ...scalarFacts(field.item),
      };
    default:
      return {
        kind: field.kind,
        ...scalarFacts(field),
        transitions: field.transitions,
        initialStates: field.initialStates,
      };
  }
}

/** What tells a plain value from others of its kind. */
const scalarFacts = (scalar: Scalar): Record<string, Json | undefined> => scalarRow(scalar.kind).facets(scalar);

function sourceText(source: DefaultSource): string {
  switch (source.kind) {
    case 'formula':
      return [source.figure.source, ...source.figure.again.map((key) => `again ${key}`)].join(', ');
    case 'path':
      return source.path;
    case 'find':
      return `${source.group} ${JSON.stringify(source.where)}`;
    case 'value':
      return `${JSON.stringify(source.value)}${source.when === undefined ? '' : ` when ${source.when.source}`}`;
    case 'today':
    case 'actingMember':
      return source.kind;
  }
}

const inheritedText = ({ when, from }: Inherited): string =>
  `${from} when ${when.key} ${when.operator} ${JSON.stringify(when.literal)}`;

/** Facts that hold: neither undefined, false, nor empty. A default says something even when it is false or empty. */
function without(facts: Readonly<Record<string, unknown>>): Record<string, Json> {
  const holds = ([name, value]: [string, unknown]): boolean => {
    if (value === undefined || (name !== 'default' && value === false)) return false;
    if (name === 'default' || typeof value !== 'object' || value === null) return true;
    return Object.keys(value).length > 0;
  };
  return Object.fromEntries(Object.entries(facts).filter(holds)) as Record<string, Json>;
}
