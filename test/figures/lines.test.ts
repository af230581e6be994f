// Records in a line: parts of parts, by the lines of a list and by links of their own. What one costs goes up through all levels;
// what would lead back is refused, and so is what grows too long.
import { describe, expect, test } from 'vitest';
import { Lines, type Step } from '../../src/rules/support/lines.ts';
import { verified } from '../support/databases/verify.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

const general = 'There was a problem processing your request. See errors for more details.';
const refused = (...errors: string[]): Json => ({ status: 400, message: general, errors });
const backText = 'must be another Part, and not lead back to this one';

describe('what is followed', () => {
  const step =
    (next: (id: number) => readonly number[]): Step =>
    async (ids) =>
      new Map(ids.map((id) => [id, next(Number(id)).map(String)]));

  test('ends where nothing is left, at 50 levels, and at 1,000 records', async () => {
    const short = await Lines.from(
      ['0'],
      step((id) => (id < 9 ? [id + 1, id + 1, 9] : [])),
    );
    expect([short.longest(['0']), short.steps, short.isTooLong, short.reaches('0', '9')]).toEqual([
      10,
      10,
      false,
      true,
    ]);
    const wide = await Lines.from(
      ['0'],
      step((id) => (id === 0 ? Array.from({ length: 999 }, (_one, place) => place + 1) : [])),
    );
    expect([wide.longest(['0']), wide.steps, wide.isTooLong]).toEqual([2, 1000, false]);
    const wider = await Lines.from(
      ['0'],
      step((id) => (id === 0 ? Array.from({ length: 1000 }, (_one, place) => place + 1) : [])),
    );
    expect([wider.isTooLong, wider.steps]).toEqual([true, 1]);
    const endless = await Lines.from(
      ['0'],
      step((id) => [id + 1]),
    );
    expect([endless.isTooLong, endless.longest(['0'])]).toEqual([true, 52]);
    expect(
      (
        await Lines.from(
          ['0'],
          step(() => [0]),
        )
      ).longest(['0']),
    ).toBe(Number.POSITIVE_INFINITY);
  });
});

onEveryDatabase(
  'records in a line',
  (context) => {
    const made = async (path: string, body: Json): Promise<string> => {
      const { status, body: answer } = await context.call('POST', path, body);
      expect([status, answer]).toEqual([200, answer]);
      return String((answer as Json)['id']);
    };
    const change = async (path: string, body: Json): Promise<unknown> => (await context.call('PATCH', path, body)).body;
    const get = async (path: string): Promise<Json> => (await context.call('GET', path)).body as Json;
    let number = 0;
    const part = (own: number, uses: readonly Json[] = []): Promise<string> => {
      number += 1;
      return made('/parts', { name: `Part ${number}`, price: own, uses });
    };

    test('what one costs goes up through all levels, by each way once', async () => {
      const screw = await part(0.25);
      const board = await part(4);
      const box = await part(1, [
        { partId: screw, n: 8 },
        { partId: board, n: 2 },
      ]);
      const lid = await part(0.5, [{ partId: screw, n: 4 }]);
      const chest = await part(2, [{ partId: box, n: 1.5 }, { partId: lid }, { partId: screw, n: 2 }]);
      expect(await get(`/parts/${chest}`)).toMatchObject({ cost: 20.5, levels: 3, usedIn: 0 });
      expect(await get(`/parts/${screw}`)).toMatchObject({ cost: 0.25, levels: 1, usedIn: 3 });
      await change(`/parts/${screw}`, { price: 1 });
      expect(await get(`/parts/${chest}`)).toMatchObject({
        cost: 34.0,
        uses: [{ cost: 25.5 }, { cost: 4.5 }, { cost: 2 }],
      });
      await change(`/parts/${box}`, { uses: [{ partId: board, n: 1 }] });
      expect(await get(`/parts/${chest}`)).toMatchObject({ cost: 16.0, levels: 3 });
      expect(await verified(context, 'materials')).toEqual([]);
    });

    test('a list that leads back is refused, with its places', async () => {
      const [low, other] = [await part(1), await part(1)];
      const middle = await part(1, [{ partId: low }]);
      const top = await part(1, [{ partId: middle }]);
      expect(await change(`/parts/${low}`, { uses: [{ partId: other }, { partId: top }, { partId: low }] })).toEqual(
        refused(`'uses[1].partId' ${backText}`, `'uses[2].partId' ${backText}`),
      );
      expect(await change(`/parts/${low}`, { uses: [{ partId: other }] })).toMatchObject({ cost: 2 });
      expect(await change(`/parts/${other}`, { uses: [{ partId: middle }] })).toEqual(
        refused(`'uses[0].partId' ${backText}`),
      );
      expect(await get(`/parts/${top}`)).toMatchObject({ cost: 4, levels: 4 });
    });

    test('a link that leads back is refused, also where a link moves', async () => {
      const [a, b, c] = [
        await made('/kits', { name: 'a', own: 1 }),
        await made('/kits', { name: 'b', own: 2 }),
        await made('/kits', { name: 'c', own: 4 }),
      ];
      const joint = (wholeId: string | undefined, partId: string | undefined, n = 1) =>
        context.call('POST', '/joints', { wholeId, partId, n });
      expect((await joint(a, b, 2)).status).toBe(200);
      const { body } = await joint(b, c, 3);
      const back = refused("'partId' must not lead back to the record in 'wholeId'");
      expect(await get(`/kits/${a}`)).toMatchObject({ weight: 29, level: 1 });
      expect((await joint(c, a)).body).toEqual(back);
      expect((await joint(a, a)).body).toEqual(back);
      expect(await change(`/joints/${Object(body).id}`, { partId: a })).toEqual(back);
      expect(await change(`/joints/${Object(body).id}`, { wholeId: a })).toMatchObject({ n: 3 });
      expect(await get(`/kits/${a}`)).toMatchObject({ weight: 17 });
      expect(await get(`/kits/${c}`)).toMatchObject({ level: 2 });
      // What has moved leads nowhere from where it was.
      expect((await joint(c, b)).status).toBe(200);
      expect(await get(`/kits/${c}`)).toMatchObject({ weight: 6 });
      expect(await verified(context, 'materials')).toEqual([]);
    });

    test('at most 50 stand in a line, counted upwards and downwards together', async () => {
      const line = async (count: number): Promise<string[]> => {
        const ids: string[] = [];
        for (let place = 0; place < count; place += 1)
          ids.push(await part(1, place === 0 ? [] : [{ partId: ids[place - 1] }]));
        return ids;
      };
      const [lower, upper] = [await line(25), await line(25)];
      const [foot = ''] = upper;
      expect(await change(`/parts/${foot}`, { uses: [{ partId: lower.at(-1) }] })).toMatchObject({ cost: 26 });
      expect(await get(`/parts/${upper.at(-1)}`)).toMatchObject({ cost: 50, levels: 50 });
      const long = refused("'uses' must not be longer than 50 in a line");
      expect(
        (await context.call('POST', '/parts', { name: 'One more', uses: [{ partId: upper.at(-1) }] })).body,
      ).toEqual(long);
      const single = await part(1);
      expect(await change(`/parts/${lower[0]}`, { uses: [{ partId: single }] })).toEqual(long);
      await change(`/parts/${lower[0]}`, { price: 3 });
      expect(await get(`/parts/${upper.at(-1)}`)).toMatchObject({ cost: 52 });
    });

    test('what takes too many records to follow, upwards and downwards together, is refused', async () => {
      const batch = async (bodies: readonly Json[]): Promise<string[]> => {
        const operations = bodies.map((body) => ({ method: 'POST', path: '/parts', body }));
        const { status, body } = await context.call('POST', '/batch', { operations });
        expect([status, status === 200 || body]).toEqual([200, true]);
        return Object(body).results.map((result: Json) => String(Object(result['body']).id));
      };
      const small = await batch(Array(500).fill({ name: 'Small' }));
      const fifties = Array.from({ length: 10 }, (_part, place) => small.slice(place * 50, place * 50 + 50));
      const named = (ids: readonly string[]): Json[] => ids.map((partId) => ({ partId }));
      const larger = await batch(fifties.map((ids) => ({ name: 'Larger', uses: named(ids) })));
      const middle = await part(1);
      // With those above, the part itself counts.
      await batch(Array(490).fill({ name: 'Above', uses: named([middle]) }));
      expect(await change(`/parts/${middle}`, { uses: named(larger) })).toEqual(
        refused("'uses' must not take more than 1,000 records to follow"),
      );
      expect(await change(`/parts/${middle}`, { uses: named(larger.slice(1)) })).toMatchObject({ levels: 3 });
    }, 60_000);

    test('of two that close a circle at once one is refused', async () => {
      for (let turn = 0; turn < 4; turn += 1) {
        const [one, other] = [await part(1), await part(1)];
        const answers = await Promise.all([
          context.call('PATCH', `/parts/${one}`, { uses: [{ partId: other }] }),
          context.call('PATCH', `/parts/${other}`, { uses: [{ partId: one }] }),
        ]);
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      }
      expect(await verified(context, 'materials')).toEqual([]);
    });
  },
  'materials',
);
