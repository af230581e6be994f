// The document under the rules of others: Redocly's "recommended" and Spectral's for OpenAPI, with none switched off.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import { apiInfo, type DocumentInfo, openApiDocument } from '../../src/endpoints/document/openapi.ts';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';

const documentOf = (folder: string): Record<string, unknown> => {
  const registry = loadRegistry(folder, ruleSignatures);
  const info: DocumentInfo = {
    ...apiInfo,
    // All that a service can have besides its groups.
    ...{ hasLog: true, signIn: ['password', 'oidc'], roles: { told: [], shownToAll: () => false } },
  };
  return JSON.parse(JSON.stringify(openApiDocument(registry, endpointsOf(registry), info)));
};

/** Every finding, warnings too: rule, place, text. */
async function redocly(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(document);
  const found = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return found.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

// The two packages are of one release; their types are not written for `exactOptionalPropertyTypes`.
const openApiRules = oas as RulesetDefinition;

async function spectral(document: Record<string, unknown>): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [[openApiRules, 'recommended']] });
  const found = await linter.run(document);
  return found.map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`);
}

describe.each(['resources', 'test/resources'])('the document of %s', (folder) => {
  const document = documentOf(folder);

  test('keeps the rules of Redocly', async () => {
    expect(await redocly(document)).toEqual([]);
  });

  // It follows every reference again wherever it is used, which takes its time.
  test('keeps the rules of Spectral', { timeout: 120_000 }, async () => {
    expect(await spectral(document)).toEqual([]);
  });
});

test('the rules are on: each finds what is wrong', async () => {
  const { info, ...rest } = documentOf('test/resources');
  const wrong = { ...rest, info: { title: 'Praxis', version: '1.0', description: '<script>eval(1)</script>' } };
  expect(await redocly(wrong)).toEqual([
    expect.stringMatching(/^no-unsafe-markdown /),
    expect.stringMatching(/^info-license /),
  ]);
  expect(await spectral(wrong)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^info-contact /), expect.stringMatching(/^no-eval-in-markdown /)]),
  );
});
