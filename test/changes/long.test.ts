// Long entries: one that is too long to be kept says so, its record is to be read, and it cannot be taken back; a page ends before
// it is too long.
import { describe, expect, it } from 'vitest';
import { dialects, Project } from '../support/commands/project.ts';
import { send } from '../support/service/send.ts';

for (const dialect of dialects)
  describe(`a long entry of the log (${dialect})`, () => {
    it('has no changes, and is not undone', async () => {
      const project = await Project.open(dialect);
      const name = { type: 'string', maxLength: 100 };
      const text = { type: 'string', maxLength: 65_535, default: '' };
      project.describe({ letter: { properties: { name, one: text, two: text, three: text } } });
      const filled = (letter: string) => {
        const long = letter.repeat(60_000);
        return { one: long, two: long, three: long };
      };
      try {
        await project.serve(
          async (_call, address) => {
            const on = { address };
            const { id } = (await send(on, 'POST /letters', { body: { name: 'short' } })).body;
            // 256 KiB hold what was there before and what is there now.
            await send(on, `PATCH /letters/${id}`, { body: filled('x') });
            await send(on, `PATCH /letters/${id}`, { body: { name: 'long', ...filled('y') } });
            const { results } = (await send(on, 'GET /changes')).body;
            expect(results.map((entry: { isLong?: true }) => entry.isLong)).toEqual([undefined, undefined, true]);
            expect(results[1].changes.three.to).toHaveLength(60_000);
            expect(results[2]).toMatchObject({ operation: 'update', name: 'long', version: 2, changes: null });
            expect((await send(on, `POST /writes/${results[2].write}/undo`)).body).toEqual({
              ...{ status: 409, message: 'The write is only partly in the log.' },
            });
          },
          { CHANGES: 'forever' },
        );
      } finally {
        await project.close();
      }
    });

    it('ends a page, which is 1 MiB at most whatever its letters', async () => {
      const project = await Project.open(dialect);
      const text = { type: 'string', maxLength: 65_535 };
      project.describe({ letter: { properties: { name: text } } });
      try {
        await project.serve(
          async (_call, address) => {
            const count = 30;
            // Three bytes each.
            const body = { name: '漢'.repeat(60_000) };
            for (let nth = 0; nth < count; nth += 1) await send({ address }, 'POST /letters', { body });
            const pages: number[] = [];
            let more = true;
            for (let cursor = ''; more; ) {
              const page = await send({ address }, `GET /changes?limit=1000${cursor}`);
              expect(Buffer.byteLength(page.text)).toBeLessThan(1024 * 1024 + 1024);
              pages.push(page.body.results.length);
              more = page.body.hasMore;
              cursor = `&after=${page.body.cursor}`;
            }
            expect(pages).toEqual([5, 5, 5, 5, 5, 5]);
            const { results } = (await send({ address }, 'GET /changes?limit=1')).body;
            const write = (await send({ address }, `GET /writes/${results[0].write}`)).body;
            expect(write).toMatchObject({ results: [{ entry: expect.any(String) }], hasMore: false });
          },
          { CHANGES: 'forever' },
        );
      } finally {
        await project.close();
      }
    });
  });
