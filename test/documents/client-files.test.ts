// What a generated client does with files: uploads and downloads, and the importer that may go along.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generatedFiles, writeFiles } from '../../codegen/files.ts';
import { accessToken, onEveryDatabase, registryOf } from '../support/service/praxis.ts';

const folder = mkdtempSync(join(tmpdir(), 'praxis-client-files-'));
beforeAll(async () => writeFiles(await generatedFiles(registryOf('files'), { folder, hasImport: true })), 30_000);
afterAll(() => rmSync(folder, { recursive: true }));

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)]);

onEveryDatabase(
  'the client of a project with files',
  (context) => {
    const service = () => ({ baseUrl: context.address, token: accessToken });

    test('uploads a file, which a record names, and downloads it', async () => {
      const { createClient, ValidationError, NotFoundError } = await import(join(folder, 'client.ts'));
      const praxis = createClient(service());
      const file = await praxis.files.upload(new Blob([png], { type: 'image/png' }), { fileName: "Ümläut (1)'*.png" });
      expect(file).toMatchObject({ fileName: "Ümläut (1)'*.png", contentType: 'image/png', size: png.length });
      const { receipt } = await praxis.expenses.create({ name: 'Lunch', receiptId: file.id });
      expect(receipt.sha256).toBe(file.sha256);
      const blob: Blob = await praxis.files.download(file.id);
      expect([blob.type, Buffer.from(await blob.arrayBuffer())]).toEqual(['image/png', png]);
      const named = await praxis.files.upload(new File(['some words'], 'words.txt', { type: 'text/plain' }));
      expect([named.fileName, named.contentType]).toEqual(['words.txt', 'text/plain']);
      const bare = await praxis.files.upload(new Uint8Array(png), { contentType: 'image/png', minimal: true });
      expect(Object.keys(bare)).toEqual(['id']);
      await expect(praxis.files.upload(new Uint8Array(png), { contentType: 'application/pdf' })).rejects.toMatchObject({
        status: 415,
      });
      await expect(praxis.files.upload(new Uint8Array())).rejects.toThrow(ValidationError);
      await expect(praxis.files.download(crypto.randomUUID())).rejects.toThrow(NotFoundError);
      expect((await praxis.files.list({ fileName: 'words.txt' })).results).toHaveLength(1);
    });

    test('imports the rows of a file, told of what is refused', async () => {
      const { importRows, checkMapping, ImportFault } = await import(join(folder, 'import.ts'));
      const source = [Buffer.from('What;Left out\nTea;1\n;2\nCake;3\n')];
      const mapping = checkMapping({ columns: { What: 'name', 'Left out': null } });
      const refused: unknown[] = [];
      const to = { url: context.address, token: accessToken };
      const asked = { group: 'expense', format: 'csv', mapping, onRefused: (row: unknown) => void refused.push(row) };
      expect(await importRows(to, { ...asked, source })).toMatchObject({ created: 2, refused: 1, rows: 3 });
      expect(refused).toEqual([{ line: 3, errors: ["'name' is required"], row: [null, '2'] }]);
      await expect(importRows(to, { ...asked, group: 'expnse', source })).rejects.toThrow(ImportFault);
    });
  },
  'files',
);

test('its types know files and groups by their names', () => {
  writeFileSync(
    join(folder, 'use.ts'),
    `import { createClient, type File as Kept } from './client.ts';
import { importRows } from './import.ts';
const praxis = createClient({ baseUrl: '/api' });
export const kept = async (bytes: Blob): Promise<Kept> => praxis.files.upload(bytes, { fileName: 'a.pdf' });
export const blob = async (id: string): Promise<Blob> => praxis.files.download(id);
export const rows = (source: AsyncIterable<Uint8Array>) =>
  importRows({ url: '/api' }, { group: 'expense', format: 'csv', source });
// @ts-expect-error there is no such group
export const wrong = (source: AsyncIterable<Uint8Array>) => importRows({ url: '/' }, { group: 'x', format: 'csv', source });
// @ts-expect-error contracts are no files
export const none = () => praxis.contracts.upload;
`,
  );
  const compilerOptions = {
    ...{ noEmit: true, strict: true, skipLibCheck: true, types: [], target: 'esnext', module: 'esnext' },
    ...{ moduleResolution: 'bundler', lib: ['esnext', 'dom', 'dom.asynciterable'], allowImportingTsExtensions: true },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noUnusedLocals: true },
    ...{ erasableSyntaxOnly: true, verbatimModuleSyntax: true, isolatedModules: true },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc');
  try {
    execFileSync(tsc, ['-p', folder], { encoding: 'utf8' });
  } catch (error) {
    throw new Error(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error));
  }
}, 30_000);
