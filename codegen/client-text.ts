// Endpoint[] → the generated part of a client: a table of groups, and the type that declares the calls of each.
import { components } from '../src/endpoints/document/components.ts';
import { type Endpoint, endpointsOf } from '../src/endpoints/routes/endpoint.ts';
import { groupBehind } from '../src/endpoints/routes/expandable.ts';
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
${groups.map((group) => propertyText(group, registry)).join('\n')}
  /** Several operations in one request. */
  readonly batch: Batches<Paths>;
}

/** The records behind references, which "expand" shows, by the names of these. */
interface Behind {
${groups.flatMap((group) => behindRow(group, registry)).join('\n')}
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

function propertyText({ name, resource, endpoints, isAsked }: Group, registry: Registry): string {
  const behind = behindText(resource, endpoints, registry) === '' ? '' : `, Behind['${name}']`;
  const parts = endpoints.map((endpoint) => operationText(endpoint, { isAsked, behind }));
  const { description, feature } = resource;
  const words = feature === undefined ? description : `${description} Needs the feature ${feature.name}.`;
  return `  /** ${asComment(words)} */\n  readonly ${name}: ${parts.join(' &\n    ')};`;
}

/** The records behind references of a group's records, by the names of these; nothing where there are none. */
function behindText({ fields }: Resource, endpoints: readonly Endpoint[], registry: Registry): string {
  const members = (endpoints.some(({ isShaped }) => isShaped) ? fields : []).flatMap((field) => {
    const behind = groupBehind(field, registry.resources);
    if (behind === undefined) return [];
    const many = field.kind === 'references' ? '[]' : '';
    const none = canBeNull(field, fields, registry) ? ' | null' : '';
    return [`${field.name}: types.${recordName(behind)}${many}${none}`];
  });
  return members.join('; ');
}

/** One row a group. */
function behindRow({ name, resource, endpoints }: Group, registry: Registry): readonly string[] {
  const text = behindText(resource, endpoints, registry);
  return text === '' ? [] : [`  readonly ${name}: { ${text} };`];
}

interface OperationFacts {
  readonly isAsked: boolean;
  /** As a last parameter of its type. */
  readonly behind: string;
}

/** The part of a group's type that one operation gives it. */
function operationText({ resource, operation, hasId }: Endpoint, { isAsked, behind }: OperationFacts): string {
  const name = recordName(resource);
  const record = `types.${name}`;
  const single = hasId ? '' : 'Single';
  switch (operation) {
    case 'list':
      return `Lists<${record}, types.${queryName(resource)}${behind}>${resource.name === fileGroup ? ` & Files<${record}>` : ''}`;
    case 'get':
      return isAsked ? `Asks<${record}, types.${queryName(resource)}>` : `Gets${single}<${record}${behind}>`;
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
