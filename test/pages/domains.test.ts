// The pages of every domain of the tests: together these have each keyword, and many combinations of them.
import { describe, expect, it } from 'vitest';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { createPages } from '../../src/pages/pages.ts';
import { groupAddress, operationAddress } from '../../src/pages/site/site.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { type Folder, folders, registryOf } from '../support/service/praxis.ts';

const shared = ['', '/groups', '/rules', '/map', '/writes', '/changes', '/search.json'].map((path) => `/docs${path}`);
const { product: _, ...domains } = folders;

describe('pages of a domain', () => {
  it.each(Object.keys(domains) as Folder[])(
    'open for every group and every operation: %s',
    async (folder) => {
      const registry = registryOf(folder);
      const endpoints = endpointsOf(registry);
      const pages = createPages({ registry, endpoints, signatures: rules, hasLog: true });
      const own = [...[...registry.resources.keys()].map(groupAddress), ...endpoints.map(operationAddress)];
      for (const path of [...shared, ...own]) {
        const body = await (async () => String((await pages.find(path)?.())?.body))().catch(String);
        expect(body.slice(0, 12), path).toMatch(/^<!doctype|^\{"entries":/);
      }
    },
    60_000,
  );
});
