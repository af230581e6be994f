// `praxis explain keyword`: every keyword of the meta-schema, from its own texts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { formatKeyword } from '../../src/commands/explain/keyword.ts';
import { getKeywords } from '../../src/registry/guide/keywords.ts';
import { keywordNames } from '../../src/registry/model/vocabulary.ts';
import { Folder } from '../support/commands/command.ts';

interface Schema {
  readonly description: string;
  readonly markdownDescription?: string;
}

const dialect = JSON.parse(readFileSync(new URL('../../src/registry/dialect.json', import.meta.url), 'utf8'));

/** Lists the keywords of the meta-schema with the JSON pointer of each; "arguments" has arguments of rules, not keywords. */
function* listKeywords(schema: object, path: string): Generator<readonly [name: string, path: string, schema: Schema]> {
  for (const [key, value] of Object.entries(schema)) {
    if (['examples', 'defaultSnippets', 'arguments', 'enum', 'const'].includes(key) && path !== '/properties') continue;
    if (typeof value !== 'object' || value === null) continue;
    if (key === 'properties' && !path.endsWith('/properties'))
      for (const [name, keyword] of Object.entries(value)) {
        yield [name, `${path}/properties/${name}`, keyword as Schema];
        yield* listKeywords(keyword as object, `${path}/properties/${name}`);
      }
    else yield* listKeywords(value, `${path}/${key}`);
  }
}
const all = [...listKeywords(dialect, '')];

describe('explain keyword', { timeout: 60_000 }, () => {
  const folder = new Folder({ RESOURCES: '.' });
  afterAll(() => folder.remove());

  test('explains every keyword at every place with the text of the meta-schema', () => {
    expect(all.length).toBeGreaterThan(110);
    expect(keywordNames.filter((name) => !all.some(([known]) => known === name))).toEqual([]);
    for (const [name, path, { description, markdownDescription = description }] of all) {
      const entry = getKeywords().get(name);
      expect(
        entry?.uses.map((use) => use.description),
        path,
      ).toContain(markdownDescription);
      const lines = entry === undefined ? [] : formatKeyword(entry).split('\n');
      for (const line of markdownDescription.split('\n').filter((each) => each !== ''))
        expect(lines, path).toContain(`  ${line}`);
    }
    expect([...getKeywords().keys()].toSorted()).toEqual([...new Set(all.map(([name]) => name))].toSorted());
    const uses = [...getKeywords().values()].flatMap((entry) => entry.uses);
    expect(uses).toHaveLength(all.length);
  });

  test('has a type, an example that the meta-schema accepts, and related keywords for each', () => {
    const ajv = new Ajv2020({ strict: false }).addSchema(dialect, 'dialect');
    for (const [name, path] of all) {
      const { uses, related } = getKeywords().get(name) ?? { uses: [], related: [] };
      expect(related.length, name).toBeGreaterThan(0);
      expect(
        related.filter((other) => !getKeywords().has(other)),
        name,
      ).toEqual([]);
      const index = all.filter(([other]) => other === name).findIndex(([, otherPath]) => otherPath === path);
      expect(uses[index]?.type, path).not.toBe('');
      const isRight = ajv.compile({ $ref: `dialect#${path}` });
      expect(
        uses.filter(({ example }) => example !== undefined && isRight(example) === true).length,
        path,
      ).toBeGreaterThan(0);
    }
  });

  test('prints type, places, meaning, values, an example and related keywords, also if descriptors have faults', async () => {
    writeFileSync(join(folder.path, 'thing.json'), '{ "title": "Thing", "type": "object" }');
    const lines = (await folder.print('explain keyword onDelete')).split('\n');
    expect(lines.slice(0, 7)).toEqual([
      'onDelete, a keyword of descriptors',
      '',
      'In a field',
      '  Fields   a reference, a reference into one of several groups, a list of references',
      '  Type     one of "restrict", "cascade", "clear"',
      '',
      '  What a delete of the other record does to this one.',
    ]);
    expect(lines).toContain('  "cascade"   This one is deleted too; of an item, the item.');
    expect(lines).toContain('    "onDelete": "restrict"');
    expect(lines.at(-2)).toBe('Related  reference, nullable, references');
    expect(JSON.parse(await folder.print('explain keyword onDelete --json'))).toMatchObject({
      name: 'onDelete',
      uses: [{ place: 'a field', example: 'restrict' }],
    });
  });

  test('lists all keywords, and names the three nearest for an unknown name', async () => {
    const lines = (await folder.print('explain keyword')).split('\n');
    expect(lines[0]).toBe(`${getKeywords().size} keywords of descriptors`);
    expect(lines.some((line) => /^ {2}filter +The query parameters/.test(line))).toBe(true);
    expect(await folder.run('explain keyword fitler')).toEqual({
      code: 1,
      stdout: '',
      stderr: `"fitler" is not a keyword; did you mean 'filter', 'title' or 'fields'? To list all: praxis explain keyword\n`,
    });
  });
});
