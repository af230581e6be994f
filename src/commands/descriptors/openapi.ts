// `praxis openapi`: prints the OpenAPI document.
import { documentOf } from '../../app/access/described.ts';
import { registryOf, rolesOf } from '../../app/registry.ts';
import type { Config } from '../../config.ts';
import { endpointsOf } from '../../endpoints/routes/endpoint.ts';

/** Prints the document that `/openapi.json` answers with, for readers. @throws DescriptorFaults */
export function printOpenApi(config: Config): void {
  const registry = registryOf(config);
  const document = documentOf({
    registry,
    endpoints: endpointsOf(registry),
    roles: rolesOf(config, registry),
    hasLog: config.changes !== undefined,
    signIn: config.signIn?.ways,
  });
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
