// Endpoint[] → the generated part of a client: a table of groups, and the type that declares the calls of each.
import { components } from '../src/endpoints/document/components.ts';
import { type Endpoint, endpointsOf } from '../src/endpoints/routes/endpoint.ts';
import { expandableReferences, groupBehind } from '../src/endpoints/routes/expandable.ts';
import { bodyName, queryName, recordName } from '../src/endpoints/routes/names.ts';
import { keysOf } from '../src/endpoints/routes/unique-keys.ts';
import { canBeNull } from '../src/endpoints/schemas/nullable.ts';
import { fileGroup } from '../src/registry/model/file-fields.ts';
import { kinds } from '../src/registry/model/kinds.ts';
import type { Field, Registry, Resource } from '../src/registry/model/model.ts';
import { collectionName } from '../src/registry/model/naming.ts';

interface Group {
  /** Of the property: `costPeriods` for `/cost-periods`. */
  readonly name: string;
  readonly resource: Resource;
  readonly endpoints: readonly Endpoint[];
  /** Its one record is computed of a query. */
  readonly isAsked: boolean;
}

/** The text below the imports. */
export function clientText(registry: Registry): string {
  const groups = groupsOf(registry);
  return `/** What the API offers, a property a group, and what is asked of any group. */
export interface Praxis extends Services<GroupName> {
${groups.map(propertyText).join('\n')}
  /** Several operations in one request. */
  readonly batch: Batches<Paths>;
}

/** Each group, and where its references lead, for "expand" and "fields". */
interface Nodes {
${groups.map((group) => nodeRow(group, registry)).join('\n')}
}

const groups = {
${groups.map(rowText).join('\n')}
} as const satisfies Readonly<Record<string, Group>>;

/** \`client\`, as roles and the log of changes call it. */
export type GroupName = (typeof groups)[keyof typeof groups]['group'];

/** What each path offers. */
type Paths = { readonly [Name in keyof typeof groups as (typeof groups)[Name]['path']]: Praxis[Name] };

/** Makes a client of the API. @throws TypeError for a \`baseUrl\` that is no address. */
export const createClient = (options: PraxisOptions): Praxis => connect<Praxis>(groups, options);
`;
}

function groupsOf(registry: Registry): readonly Group[] {
  const schemas = components(registry);
  const byResource = Map.groupBy(endpointsOf(registry), ({ resource }) => resource);
  const groups = [...byResource].map(([resource, endpoints]) => ({
    name: collectionName(resource.path),
    resource,
    endpoints,
    isAsked: resource.singleton && schemas.has(queryName(resource)),
  }));
  return groups.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function propertyText({ name, resource, endpoints, isAsked }: Group): string {
  const parts = endpoints.map((endpoint) => operationText(endpoint, { isAsked, node: `Nodes['${name}']` }));
  const { description, feature } = resource;
  const words = feature === undefined ? description : `${description} Needs the feature ${feature.name}.`;
  return `  /** ${asComment(words)} */\n  readonly ${name}: ${parts.join(' &\n    ')};`;
}

/** The row of a group: its record, the records behind its references, and the groups that these lead to. */
function nodeRow({ name, resource }: Group, registry: Registry): string {
  const expanded = resource.fields.flatMap((field) => {
    const group = groupBehind(field, registry.resources);
    if (group === undefined) return [];
    const many = field.kind === 'references' ? '[]' : '';
    const none = canBeNull(field, resource.fields, registry) ? ' | null' : '';
    return [`readonly ${field.name}: types.${recordName(group)}${many}${none}`];
  });
  const leads = expandableReferences(resource, registry.resources).map(
    ([path, group]) => `readonly '${path}': Nodes['${collectionName(group.path)}']`,
  );
  return `  readonly ${name}: {
    readonly record: types.${recordName(resource)};
    readonly expanded: { ${expanded.join('; ')} };
    readonly leads: { ${leads.join('; ')} };
  };`;
}

interface OperationFacts {
  readonly isAsked: boolean;
  /** The type of its node. */
  readonly node: string;
}

/** The part of a group's type that one operation gives it. */
function operationText({ resource, operation, hasId }: Endpoint, { isAsked, node }: OperationFacts): string {
  const name = recordName(resource);
  const record = `types.${name}`;
  const single = hasId ? '' : 'Single';
  switch (operation) {
    case 'list':
      return `Lists<${record}, types.${queryName(resource)}, ${node}>${resource.name === fileGroup ? ` & Files<${record}>` : ''}`;
    case 'get':
      return isAsked ? `Asks<${record}, types.${queryName(resource)}>` : `Gets${single}<${record}, ${node}>`;
    case 'create':
      return `Creates<${record}, types.${bodyName(name, 'create')}>`;
    case 'update':
      return `Updates${single}<${record}, types.${bodyName(name, 'update')}>`;
    case 'put':
      return `Puts<${record}, ${keyText(resource)}, types.${bodyName(name, 'put')}>`;
    case 'delete':
      return 'Deletes';
  }
}

/** What names a record: the fields of one of its unique keys. */
const keyText = (resource: Resource): string =>
  keysOf(resource)
    .map(({ fields }) => `{ ${fields.map((field) => `${field.key}: ${typeOfKey(field)}`).join('; ')} }`)
    .join(' | ');

const typeOfKey = ({ kind }: Field): string =>
  kinds[kind].isNumber ? 'number' : kinds[kind].isSwitch ? 'boolean' : 'string';

function rowText({ name, resource, endpoints, isAsked }: Group): string {
  const own = resource.name === fileGroup ? ["'files'"] : [];
  const operations = [...endpoints.map(({ operation }) => `'${operation}'`), ...own].join(', ');
  const single = resource.singleton ? `, single: '${isAsked ? 'asked' : 'kept'}'` : '';
  return `  ${name}: { group: '${resource.name}', path: '${resource.path}', operations: [${operations}]${single} },`;
}

/** One line that cannot end the comment. */
const asComment = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').trim();
