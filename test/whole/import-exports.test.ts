// What an export gives, the importer takes: each group's tables and records, brought in again, change nothing.
import { beforeAll, expect, test } from 'vitest';
import { callOf, documentOf } from '../../codegen/import/calls.ts';
import { Shapes } from '../../codegen/import/document.ts';
import { importRows } from '../../codegen/import/import-rows.ts';
import { proposalOf } from '../../codegen/import/proposal.ts';
import type { Field, Resource } from '../../src/registry/model/model.ts';
import { readCsv } from '../support/data/csv.ts';
import { accessToken, onEveryDatabase } from '../support/service/praxis.ts';

/** The target of a column of an export, by the group's descriptor; undefined if bodies do not take it. */
function expectedTarget(fields: readonly Field[], path: readonly string[]): string | undefined {
  const [head, ...rest] = path;
  const field = fields.find(({ name, key, shown }) => (shown ? name : key) === head);
  if (field === undefined || !(field.onCreate || field.onUpdate)) return undefined;
  if (field.kind === 'object') {
    const inner = expectedTarget(field.fields, rest);
    return inner === undefined ? undefined : `${field.key}.${inner}`;
  }
  // The name that a reference shows is not sent: its id is.
  return rest.length === 0 || rest[0] === 'id' ? field.key : undefined;
}

onEveryDatabase(
  'exports brought in again',
  (context) => {
    const exported = async ({ path }: Pick<Resource, 'path'>, query: string): Promise<string> => {
      const headers = { Authorization: `Bearer ${accessToken}` };
      const response = await fetch(`${context.address}/export${path}?${query}`, { headers });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`/export${path} answers ${text}`);
      return text;
    };
    let document: unknown;
    let groups: Resource[] = [];

    beforeAll(async () => {
      document = await documentOf({ url: context.address });
      const shapes = new Shapes(document);
      groups = [...context.registry.resources.values()].filter(
        ({ name }) => shapes.find(name)?.operations.has('list') === true,
      );
      for (const { name } of groups) {
        if (shapes.find(name)?.operations.has('create') !== true) continue;
        await context.make(name);
        await context.make(name, {}, 'all');
      }
    }, 240_000);

    test('changes no record of any group', async () => {
      const shapes = new Shapes(document);
      const service = { url: context.address, token: accessToken };
      const differences: string[] = [];
      const imported: string[] = [];
      for (const group of groups) {
        const { operations } = shapes.find(group.name) ?? { operations: new Set() };
        if (!operations.has('get') || !operations.has('update')) continue;
        imported.push(group.name);
        for (const query of ['format=csv', 'format=csv&safe=true', 'format=ndjson']) {
          const text = await exported(group, query);
          const refused: string[] = [];
          const { rows, unchanged, created, updated } = await importRows({
            ...{ call: callOf(service), document, group: group.name, key: 'id', isTrial: true, mostRefused: 1e6 },
            format: query.includes('csv') ? 'csv' : 'ndjson',
            mapping: { safe: query.includes('safe') },
            source: new Blob([text]).stream(),
            onRefused: ({ errors }) => void refused.push(...errors),
          });
          if (rows === 0 || unchanged !== rows)
            differences.push(
              `${group.name} ${query}: ${rows} rows, ${created} created, ${updated} updated, refused: ${refused}`,
            );
        }
      }
      expect(differences).toEqual([]);
      expect(imported.length).toBeGreaterThan(70);
    }, 240_000);

    test('proposes for each column the field that it was made from', async () => {
      const [proposed, expected]: Record<string, string | undefined>[] = [{}, {}];
      for (const group of groups) {
        const text = await exported(group, 'format=csv');
        const { columns } = await proposalOf({ document, group: group.name, source: new Blob([text]).stream() });
        for (const { name, to } of columns) Object.assign(proposed ?? {}, { [`${group.name}: ${name}`]: to });
        for (const name of readCsv(text)[0] ?? []) {
          const to = name === 'id' ? 'id' : expectedTarget(group.fields, String(name).split('.'));
          Object.assign(expected ?? {}, { [`${group.name}: ${name}`]: to });
        }
      }
      expect(proposed).toEqual(expected);
      expect(Object.keys(expected ?? {}).length).toBeGreaterThan(900);
    }, 120_000);
  },
  'product',
);
