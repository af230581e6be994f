// What readers of the OpenAPI document are told of roles: their names, and which fields not every caller is shown.
import type { Roles } from '../../access/model.ts';
import { apiInfo, openApiDocument } from '../../endpoints/document/openapi.ts';
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import { recordName } from '../../endpoints/routes/names.ts';
import type { Registry } from '../../registry/model/model.ts';

type Document = ReturnType<typeof openApiDocument>;

/** The document of a service. Conditions are not told: whoever reads it may be anybody. */
export function documentOf(registry: Registry, endpoints: readonly Endpoint[], roles: Roles | undefined): Document {
  const document = openApiDocument(registry, endpoints, apiInfo);
  if (roles === undefined) return document;
  const told = [...roles.byName.values()].map(({ name, title, description }) => ({ name, title, description }));
  const components = document['components'] as { readonly schemas: Readonly<Record<string, Document>> }; // as it was made
  const schemas: Record<string, Document> = { ...components.schemas };
  for (const resource of registry.resources.values()) {
    const schema = schemas[recordName(resource)];
    const shown = fieldsOfEverybody(roles, resource.name);
    if (schema === undefined || shown === undefined || !Array.isArray(schema['required'])) continue;
    const required = schema['required'].filter((field) => field === 'id' || shown.has(String(field)));
    schemas[recordName(resource)] = { ...schema, required };
  }
  return { ...document, 'x-access': told, components: { ...components, schemas } };
}

/** Names of the fields that every rule shows; undefined: all of them. */
function fieldsOfEverybody({ byName }: Roles, group: string): ReadonlySet<string> | undefined {
  const rules = [...byName.values()].flatMap((role) => role.rules);
  const [first, ...others] = rules.flatMap(({ group: about, effect, shows }) =>
    about === group && effect === 'allow' && shows !== undefined ? [shows] : [],
  );
  return first && new Set([...first].filter((field) => others.every((shown) => shown.has(field))));
}
