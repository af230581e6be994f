// `praxis openapi`: prints the OpenAPI document.
import { registryOf } from '../../app/registry.ts';
import type { Config } from '../../config.ts';
import { apiInfo, openApiDocument } from '../../endpoints/document/openapi.ts';
import { endpointsOf } from '../../endpoints/routes/endpoint.ts';

/** Prints the document that `/openapi.json` answers with, for readers. @throws DescriptorFaults */
export function printOpenApi(config: Config): void {
  const registry = registryOf(config);
  const document = openApiDocument(registry, endpointsOf(registry), apiInfo);
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
