// What readers of the OpenAPI document are told of roles: their names, and which fields not every caller is shown.
import type { Roles } from '../../access/model.ts';
import { shownToAll } from '../../access/shown-to-all.ts';
import { apiInfo, type DocumentInfo, openApiDocument } from '../../endpoints/document/openapi.ts';
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import type { Registry } from '../../registry/model/model.ts';

/** What of a service the document tells besides its groups. */
interface Described extends Pick<DocumentInfo, 'hasLog' | 'signIn'> {
  readonly registry: Registry;
  readonly endpoints: readonly Endpoint[];
  readonly roles: Roles | undefined;
}

/** The document of a service. Conditions are not told: whoever reads it may be anybody. */
export const documentOf = ({ registry, endpoints, roles, ...parts }: Described): ReturnType<typeof openApiDocument> =>
  openApiDocument(registry, endpoints, {
    ...apiInfo,
    ...parts,
    roles: roles && {
      told: [...roles.byName.values()].map(({ name, title, description }) => ({ name, title, description })),
      shownToAll: shownToAll(roles),
    },
  });
