// What readers of the OpenAPI document are told of roles: their names, and which fields not every caller is shown.
import type { Roles } from '../../access/model.ts';
import { roleTold } from '../../access/proof/roles-told.ts';
import { shownToAll } from '../../access/shown-to-all.ts';
import { apiInfo, type DocumentInfo, openApiDocument } from '../../endpoints/document/openapi.ts';
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import type { Registry } from '../../registry/model/model.ts';

/** What of a service the document tells besides its groups. */
interface Described extends Pick<DocumentInfo, 'hasLog' | 'signIn'> {
  readonly registry: Registry;
  readonly endpoints: readonly Endpoint[];
  readonly roles: Roles | undefined;
  /** Whether its reader may read the conditions of roles. */
  readonly isWhole?: boolean;
}

/** The document of a service. */
export const documentOf = ({
  registry,
  endpoints,
  roles,
  isWhole = false,
  ...parts
}: Described): ReturnType<typeof openApiDocument> =>
  openApiDocument(registry, endpoints, {
    ...apiInfo,
    ...parts,
    roles: roles && {
      told: [...roles.byName.values()].map((role) => roleTold(role, isWhole)),
      shownToAll: shownToAll(roles),
    },
  });
