// What becomes of records when fields come to be sorted by, to be asked for by bounds, or to have a pattern, and when they
// cease to.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import { isObject, type Json } from '../support/service/client.ts';

const text = { type: 'string', maxLength: 60 };
const money = { type: ['number', 'null'], format: 'money' };
const day = { type: ['string', 'null'], format: 'date' };
const note = (properties: Json): Groups => ({ note: { properties } });

for (const dialect of dialects) {
  describe(`migrations of what can be said of fields (${dialect})`, () => {
    let project: Project;
    beforeEach(async () => {
      project = await Project.open(dialect);
    });
    afterEach(() => project.close());

    const names = (query: string): Promise<unknown> =>
      project.serve(async (call) => {
        const { body } = await call('GET', `/notes?${query}`);
        if (!isObject(body) || !Array.isArray(body['results'])) return body;
        return body['results'].map((row: Json) => row['name']);
      });

    async function start(properties: Json, records: readonly Json[]): Promise<void> {
      project.describe(note(properties));
      project.generate();
      await project.serve(async (call) => {
        for (const record of records) {
          const { status, text: answer } = await call('POST', '/notes', record);
          expect(status, answer).toBe(200);
        }
      });
    }

    async function change(properties: Json): Promise<string> {
      project.describe(note(properties));
      const written = project.generate();
      await project.apply();
      expect(await project.status()).toMatchObject({ state: 'current' });
      return written;
    }

    test('records that are there are sorted and found by their bounds, and cease to be', async () => {
      await start({ name: text, fee: money, due: day }, [
        { name: 'zebra', fee: 10.5, due: '2026-03-01' },
        { name: 'Ärger', fee: 2 },
        { name: 'aal', due: '2026-01-01' },
      ]);
      const plain = await project.tables();
      const written = await change({
        name: { ...text, sort: true },
        fee: { ...money, filter: 'range', sort: true },
        due: { ...day, sort: true },
      });
      expect(written).not.toContain('deletes data');
      expect(await names('sort=name')).toEqual(['aal', 'zebra', 'Ärger']);
      expect(await names('sort=-name')).toEqual(['Ärger', 'zebra', 'aal']);
      expect(await names('sort=due')).toEqual(['Ärger', 'aal', 'zebra']);
      expect(await names('sort=-fee&feeAbove=1')).toEqual(['zebra', 'Ärger']);
      // One more keyword on a field adds nothing that is there.
      const before = await project.tables();
      await change({
        name: { ...text, sort: true },
        fee: { ...money, filter: 'exact', sort: true },
        due: { ...day, filter: 'range', sort: true },
      }).catch((error: unknown) => expect(String(error)).toMatch(/nothing/i));
      expect(await project.tables()).toEqual(before);
      await change({ name: text, fee: money, due: day });
      expect(await project.tables()).toEqual(plain);
      expect(await names('sort=name')).toEqual({ status: 400, message: "Parameter 'sort' is not allowed." });
    });

    test('objects of any form come with their default, and do not become lists, nor lists such objects', async () => {
      const free = { type: 'object', format: 'json', default: { a: [1] } };
      const list = { type: 'array', items: { ...text }, maxItems: 3, default: [] };
      await start({ name: text, tags: list }, [{ name: 'one', tags: ['x'] }]);
      await change({ name: text, tags: list, extra: free, more: { type: ['object', 'null'], format: 'json' } });
      const shown = await project.serve(async (call) => (await call('GET', '/notes')).text);
      expect(shown).toContain('"tags":["x"]');
      expect(shown).toContain('"extra":{"a":[1]}');
      expect(shown).toContain('"more":null');
      for (const properties of [
        { tags: free, extra: free },
        { tags: list, extra: list },
      ]) {
        project.describe(note({ name: text, more: { type: ['object', 'null'], format: 'json' }, ...properties }));
        const said = await Promise.resolve()
          .then(() => project.generate())
          .then(() => project.apply())
          .catch((error: unknown) => String(error));
        expect(said).toMatch(/is not a valid json in 1 row|has items that are no longer allowed in 1 row/);
        for (const file of readdirSync(project.migrations).slice(2)) rmSync(join(project.migrations, file));
      }
    });

    test('a pattern looks at the records that are there, and names those in its way', async () => {
      const code = { ...text, default: '' };
      const form = (pattern: string, sample: string): Json => ({ ...code, pattern, examples: [sample] });
      await start({ name: text, code }, [{ name: 'one', code: 'A-1' }, { name: 'two', code: 'b' }, { name: 'three' }]);
      project.describe(note({ name: text, code: form('^[A-Z]-[0-9]+$', 'A-1') }));
      project.generate();
      const refused = await project.apply().catch((error: unknown) => String(error));
      expect(refused).toContain('"code" does not match ^[A-Z]-[0-9]+$ in 1 row of "note"');
      expect(await project.status()).toMatchObject({ state: 'pending' });
      await project.withDatabase((database) =>
        database.transact((session) => session.run("update note set code = 'B-2' where code = 'b'", []), {
          deadlineMs: 5000,
        }),
      );
      await project.apply();
      expect(await project.status()).toMatchObject({ state: 'current' });
      await project.serve(async (call) => {
        const { body } = await call('POST', '/notes', { name: 'four', code: 'c' });
        expect(body).toMatchObject({ errors: ["'code' must be like A-1 (^[A-Z]-[0-9]+$)"] });
      });
      project.describe(note({ name: text, code: form('^[AB]-[0-9]+$', 'A-1') }));
      project.generate();
      await project.apply();
      project.describe(note({ name: text, code: form('^A-[0-9]+$', 'A-1') }));
      project.generate();
      expect(await project.apply().catch((error: unknown) => String(error))).toContain('does not match ^A-[0-9]+$');
      project.describe(note({ name: text, code }));
      expect(await project.status()).toMatchObject({ state: 'pending' });
    });
  });
}
