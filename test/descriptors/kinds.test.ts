// Whoever adds a kind of field, a format or a keyword is led by the compiler to every place that must know it: in a copy of
// the code where one is added, it names the places that the guide names, and no others.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { kindOf } from '../../src/registry/model/kinds.ts';
import { textFormatOf } from '../../src/registry/model/text-formats.ts';
import { formatNames, formatShapes, keywordNames } from '../../src/registry/model/vocabulary.ts';
import { textOf } from '../support/browser/guides.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'praxis-kinds-'));
for (const name of ['src', 'codegen', 'package.json', 'tsconfig.json'])
  cpSync(join(root, name), join(folder, name), { recursive: true });
for (const name of ['test/support', 'test/laws']) cpSync(join(root, name), join(folder, name), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file, a text of it that stands there once, and another in its place. */
type Edit = readonly [file: string, before: string, after: string];

/** Files of the project where the compiler finds fault when others are changed. */
async function blamed(...edits: readonly Edit[]): Promise<string[]> {
  const undo = edits.map(([file, before, after]) => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    expect(text.split(before)).toHaveLength(2);
    writeFileSync(path, text.replace(before, after));
    return () => writeFileSync(path, text);
  });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const said = await new Promise<string>((resolve) =>
    execFile(process.execPath, [compiler, '--project', folder], { cwd: folder }, (_error, stdout) => resolve(stdout)),
  );
  for (const each of undo) each();
  const files = said.split('\n').flatMap((line) => /^(\S+)\(\d+,\d+\): error/.exec(line)?.[1] ?? []);
  return [...new Set(files)].toSorted();
}

/** The files in the first column of the table with that heading. */
function tableOf(heading: string): string[] {
  const [, table = ''] = textOf('contributing').split(`| ${heading}`);
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n').slice(2);
  return rows.map((row) => /`(.+?)`/.exec(row)?.[1] ?? row).toSorted();
}

describe('the compiler names, and the guide with it,', () => {
  const timeout = 120_000;

  test('what must know a kind of field', { timeout }, async () => {
    const places = await blamed(
      [
        'src/registry/model/model.ts',
        `{ readonly kind: 'date' }`,
        `{ readonly kind: 'date' } | { readonly kind: 'month' }`,
      ],
      ['src/registry/model/kind-name.ts', `| 'date'\n`, `| 'date'\n  | 'month'\n`],
    );
    expect(places).toEqual(tableOf('kind: a row in'));
  });

  test('what must know a format of texts', { timeout }, async () => {
    const places = await blamed(['src/registry/model/model.ts', ` | 'slug';`, ` | 'slug' | 'iban';`]);
    expect(places).toEqual(tableOf('format: a row in'));
  });

  test('what must know a database engine', { timeout }, async () => {
    const places = await blamed([
      'src/storage/schema/dialect.ts',
      `export type DialectName = 'sqlite' | 'mysql'`,
      `export type DialectName = 'sqlite' | 'mysql' | 'other'`,
    ]);
    expect(places).toEqual(tableOf('engine: a row in'));
  });

  test('what must know a keyword, and what becomes of it', { timeout }, async () => {
    const written = await blamed([
      'src/registry/model/vocabulary.ts',
      'readonly scale?: number;',
      'readonly scale?: number; readonly motto?: string;',
    ]);
    const made = await blamed([
      'src/registry/model/model.ts',
      'readonly deprecated: boolean;',
      'readonly deprecated: boolean; readonly motto: string;',
    ]);
    expect([...written, ...made].toSorted()).toEqual(tableOf('keyword: a place in'));
  });
});

test('every format makes a kind, is one of texts, is a reference, or says how many digits a number has', () => {
  const others = formatNames.filter((format) => {
    const shape = formatShapes[format];
    const type = shape === 'text' ? 'string' : shape;
    return kindOf({ type, format }) === kindOf({ type }) && textFormatOf(format) === undefined;
  });
  expect(others).toEqual(['file', 'money', 'decimal']);
});

test('the guide tells of every keyword and every format', () => {
  const words = new Set([...textOf('keywords').matchAll(/[`"]([A-Za-z-]+)[`"]/g)].map(([, word]) => word));
  expect([...keywordNames, ...formatNames].filter((word) => !words.has(word))).toEqual([]);
});
