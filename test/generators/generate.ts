// Clients out of the document, made by the generators of others with their usual settings.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';

/**
 * Writes `schema.ts` (openapi-typescript) and `client/` (@hey-api/openapi-ts) into a folder.
 * @param document The OpenAPI document as JSON.
 */
export async function generate(document: string, folder: string): Promise<void> {
  const input = join(folder, 'openapi.json');
  writeFileSync(input, document);
  // A default says what the service fills in where a body has nothing, so bodies need not have it.
  const nodes = await openapiTS(document, { defaultNonNullable: false });
  writeFileSync(join(folder, 'schema.ts'), astToString(nodes));
  // `.ts`, because Node runs what is written here as it is.
  const output = { path: join(folder, 'client'), module: { extension: '.ts' } };
  await createClient({ input, output, logs: { level: 'silent' } });
}
