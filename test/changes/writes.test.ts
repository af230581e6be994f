// One write: its entries in pages, forwards and backwards, as callers walk other lists.
import { describe, expect, it } from 'vitest';
import { dialects, Project } from '../support/commands/project.ts';
import { send } from '../support/service/send.ts';

interface Page {
  readonly results: readonly { readonly entry: string; readonly part: number; readonly parts: number }[];
  readonly hasMore: boolean;
}

for (const dialect of dialects)
  describe(`the entries of one write (${dialect})`, () => {
    it('come in pages, in both directions', async () => {
      const project = await Project.open(dialect);
      project.describe({ letter: { properties: { name: { type: 'string', maxLength: 100 } } } });
      try {
        await project.serve(
          async (_call, address) => {
            const on = { address };
            const operations = Array.from({ length: 250 }, (_value, n) => ({
              ...{ method: 'POST', path: '/letters', body: { name: `Letter ${n}` } },
            }));
            expect((await send(on, 'POST /batch', { body: { operations } })).status).toBe(200);
            const write = (await send(on, 'GET /changes?limit=1')).body.results[0].write;
            const pageOf = async (query: string): Promise<Page> =>
              (await send(on, `GET /writes/${write}?${query}`)).body;
            const parts = ({ results }: Page) => results.map(({ part }) => part);
            const all = Array.from({ length: 250 }, (_value, n) => n + 1);

            const first = await pageOf('');
            expect(parts(first)).toEqual(all.slice(0, 100));
            expect(first.results.at(0)).toMatchObject({ part: 1, parts: 250 });
            expect(first.hasMore).toBe(true);
            const found = [...first.results];
            for (let page = first; page.hasMore; found.push(...page.results))
              page = await pageOf(`limit=75&startingAfter=${page.results.at(-1)?.entry}`);
            expect(found.map(({ part }) => part)).toEqual(all);
            expect(parts(await pageOf('limit=1000'))).toEqual(all);

            const back = await pageOf(`limit=100&endingBefore=${found.at(-1)?.entry}`);
            expect([parts(back), back.hasMore]).toEqual([all.slice(149, 249), true]);
            const start = await pageOf(`limit=10&endingBefore=${found[3]?.entry}`);
            expect([parts(start), start.hasMore]).toEqual([[1, 2, 3], false]);
            const past = await pageOf(`startingAfter=${found.at(-1)?.entry}`);
            expect(past).toEqual({ results: [], hasMore: false });
          },
          { CHANGES: 'forever' },
        );
      } finally {
        await project.close();
      }
    });

    it('are refused with 400 for a cursor of another write, two cursors and a wrong limit', async () => {
      const project = await Project.open(dialect);
      project.describe({ letter: { properties: { name: { type: 'string', maxLength: 100 } } } });
      try {
        await project.serve(
          async (_call, address) => {
            const on = { address };
            for (const name of ['one', 'other']) await send(on, 'POST /letters', { body: { name } });
            const { results } = (await send(on, 'GET /changes?limit=2')).body;
            const [one, other] = await Promise.all(
              results.map(
                async (each: { write: string }) => (await send(on, `GET /writes/${each.write}`)).body.results[0],
              ),
            );
            const messageOf = async (query: string): Promise<[number, string]> => {
              const { status, body } = await send(on, `GET /writes/${one.write}?${query}`);
              return [status, body.message];
            };
            const noEntry = (name: string) => [400, `Parameter '${name}' must be the 'entry' of a result.`];
            expect(await messageOf(`startingAfter=${other.entry}`)).toEqual(noEntry('startingAfter'));
            expect(await messageOf('endingBefore=x')).toEqual(noEntry('endingBefore'));
            expect(await messageOf(`startingAfter=${one.entry}&endingBefore=${one.entry}`)).toEqual([
              ...[400, "Parameters 'startingAfter' and 'endingBefore' are mutually exclusive."],
            ]);
            expect(await messageOf('limit=1001')).toEqual([
              400,
              "Parameter 'limit' must be an integer from 1 to 1000.",
            ]);
            expect(await messageOf('after=1')).toEqual([
              400,
              expect.stringMatching(/^Parameter 'after' is not allowed/),
            ]);
          },
          { CHANGES: 'forever' },
        );
      } finally {
        await project.close();
      }
    });
  });
