import { ruleSignatures } from '../behaviours/catalogue.ts';
import type { Config } from '../config.ts';
import { endpointsOf } from '../endpoints/endpoint.ts';
import { apiInfo, openApiDocument } from '../endpoints/openapi.ts';
import { loadRegistry } from '../registry/registry.ts';

/** Prints the document that `/openapi.json` answers with, for readers. @throws DescriptorFaults */
export function printOpenApi(config: Config): void {
  const registry = loadRegistry(config.resources, ruleSignatures);
  const document = openApiDocument(registry, endpointsOf(registry), apiInfo);
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
