// Figures over the group of the record itself, kept at all times: what they are is added up here by hand.
import { expect, test } from 'vitest';
import { verified } from '../support/databases/verify.ts';
import { type Context, type Json, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

interface Piece {
  readonly id: string;
  readonly length: number;
  readonly stateId: string;
  readonly cuts: readonly { readonly width: number }[];
  readonly bins: unknown;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** What the figures of each of these pieces of one bin are. */
function addedUp(pieces: readonly Piece[]): readonly unknown[] {
  const lengths = pieces.map(({ length }) => length);
  const widths = pieces.flatMap(({ cuts }) => cuts.map(({ width }) => width));
  const isLong = (length: number): boolean => length >= 100;
  return pieces.map(({ id, length, cuts, bins }) => ({
    id,
    stateId: isLong(length) ? 'long' : 'short',
    cuts: cuts.map(({ width }) => ({ width, ofAll: sum(widths.filter((each) => each <= width)) })),
    lengths: sum(lengths),
    doubles: sum(lengths) * 2,
    number: lengths.length,
    tens: lengths.filter((each) => each > 9).length,
    long: lengths.filter(isLong).length,
    shorter: lengths.filter((each) => each < length).length,
    upTo: sum(lengths.filter((each) => each <= length)),
    worth: isLong(length) ? sum(lengths) : -lengths.length,
    longest: lengths.some(isLong) ? sum(lengths.filter(isLong)) : null,
    widths: sum(widths),
    bins: bins === null ? null : { lengths: sum(lengths) },
  }));
}

onEveryDatabase(
  'figures over siblings',
  (context) => {
    const pieces = async (binId: string): Promise<readonly Piece[]> =>
      (await context.all('piece', `&binId=${binId}`)) as unknown as readonly Piece[];
    const bin = async (body: Json = {}): Promise<string> => (await context.make('bin', body)).id;
    const made = async (binId: string, body: Json = {}): Promise<string> => {
      const answer = await context.call('POST', '/pieces', { binId, bins: {}, ...body });
      expect([answer.status, answer.body]).toEqual([200, answer.body]);
      const { id } = answer.body as { id: string };
      // What a write answers is what is kept.
      expect((await context.call('GET', `/pieces/${id}`)).body).toEqual(answer.body);
      return id;
    };
    const changed = async (id: string, body: Json): Promise<void> => {
      const answer = await context.call('PATCH', `/pieces/${id}`, body);
      expect([answer.status, answer.body]).toEqual([200, answer.body]);
      expect((await context.call('GET', `/pieces/${id}`)).body).toEqual(answer.body);
    };
    const expectRight = async (...binIds: readonly string[]): Promise<void> => {
      for (const binId of binIds) {
        const kept = await pieces(binId);
        expect(kept).toMatchObject(addedUp(kept));
      }
      expect(await verified(context as Context, 'figures')).toEqual([]);
    };

    test('count each record once when it is made', async () => {
      const binId = await bin();
      await made(binId, { length: 5, cuts: [{ width: 2 }, { width: 3 }, { width: 2 }] });
      expect(await pieces(binId)).toMatchObject([{ lengths: 5, number: 1, doubles: 10, bins: { lengths: 5 } }]);
      await expectRight(binId);
      for (const length of [20, 5, 150]) await made(binId, { length, cuts: [{ width: length }] });
      await made(binId, { length: 7, bins: null });
      await expectRight(binId);
    });

    test('count one that enters another state with the same write', async () => {
      const binId = await bin();
      const ids = [await made(binId, { length: 100 }), await made(binId, { length: 3 })];
      expect(await pieces(binId)).toMatchObject([{ long: 1 }, { long: 1 }]);
      await expectRight(binId);
      await changed(ids[1] ?? '', { length: 120 });
      await expectRight(binId);
      await changed(ids[0] ?? '', { length: 99, cuts: [{ width: 1 }] });
      await expectRight(binId);
    });

    test('are what a body says of them once the record is written', async () => {
      const binId = await bin();
      await made(binId, { length: 5 });
      const id = await made(binId, { length: 4, lengths: 9 });
      const stale = await context.call('PATCH', `/pieces/${id}`, { length: 6, lengths: 9 });
      expect([stale.status, stale.body]).toMatchObject([400, { errors: ["'lengths' must be 11"] }]);
      await changed(id, { length: 6, lengths: 11 });
      await changed(id, { length: 120, cuts: [{ width: 1 }], lengths: 125 });
      await changed(id, { lengths: 125 });
      await expectRight(binId);
    });

    test('are what a body says of them in the state that follows', async () => {
      const binId = await bin();
      await made(binId, { length: 5 });
      const id = await made(binId, { length: 4, worth: -2, long: 0 });
      const stale = await context.call('PATCH', `/pieces/${id}`, { length: 120, worth: -2, long: 0 });
      expect([stale.status, stale.body]).toMatchObject([400, { errors: ["'long' must be 1", "'worth' must be 125"] }]);
      await changed(id, { length: 120, worth: 125, long: 1 });
      await made(binId, { length: 200, worth: 325, long: 2 });
      await expectRight(binId);
    });

    test('count as they will be for what is taken behind them', async () => {
      const binId = await bin();
      const id = await made(binId, { length: 4 });
      await changed(id, { length: 3 });
      expect(await pieces(binId)).toMatchObject([{ lengths: 3, heard: 3 }]);
      const other = await made(binId, { length: 5 });
      // The first one said 3 when it was asked.
      expect(await pieces(binId)).toContainEqual(expect.objectContaining({ id: other, lengths: 8, heard: 11 }));
      await changed(other, { length: 6 });
      expect(await pieces(binId)).toContainEqual(expect.objectContaining({ id: other, lengths: 9, heard: 17 }));
      await expectRight(binId);
    });

    test('follow one that moves, among the others and to another bin', async () => {
      const [from, to] = [await bin(), await bin()];
      const ids: string[] = [];
      for (const length of [4, 8, 8, 16, 140]) ids.push(await made(from, { length, cuts: [{ width: 9 }] }));
      for (const length of [1, 9, 200]) await made(to, { length, cuts: [{ width: length }] });
      for (const length of [12, 8, 300, 1]) {
        await changed(ids[1] ?? '', { length });
        await expectRight(from);
      }
      await changed(ids[4] ?? '', { binId: to });
      await changed(ids[2] ?? '', { binId: to, length: 9, cuts: [] });
      await changed(ids[0] ?? '', { bins: null });
      await expectRight(from, to);
    });

    test('forget one that is deleted, and all that go with their bin', async () => {
      const binId = await bin();
      const ids: string[] = [];
      for (const length of [4, 8, 130]) ids.push(await made(binId, { length, cuts: [{ width: 4 }] }));
      await context.call('DELETE', `/pieces/${ids[2]}`);
      await expectRight(binId);
      await context.call('DELETE', `/bins/${binId}`);
      expect(await pieces(binId)).toEqual([]);
    });

    test.each([true, false])('follow the operations of a batch (atomic: %s)', async (atomic) => {
      const binId = await bin();
      const first = await made(binId, { length: 40 });
      const piece = (length: number, as?: string): Json => ({
        method: 'POST',
        path: '/pieces',
        body: { binId, length, bins: {}, cuts: [{ width: length }] },
        ...(as !== undefined && { as }),
      });
      const operations = [
        piece(5, 'five'),
        piece(110, 'long'),
        { method: 'PATCH', path: '/pieces/{five.id}', body: { length: 170 } },
        { method: 'PATCH', path: `/pieces/${first}`, body: { length: 5 } },
        piece(6),
        { method: 'DELETE', path: '/pieces/{long.id}' },
        { method: 'PATCH', path: '/pieces/{five.id}', body: { length: 2 } },
      ];
      const sent = await send(context, 'POST /batch', { body: { operations, atomic } });
      expect(sent.body.results.map(({ status }: { status: number }) => status)).toEqual([
        200, 200, 200, 200, 200, 204, 200,
      ]);
      expect(await pieces(binId)).toHaveLength(3);
      await expectRight(binId);
    });

    test('a state that follows is answered as it is kept, whatever the body sends', async () => {
      const plank = async (method: string, id: string, body: Json): Promise<string> => {
        const answer = await send(context, `${method} /planks/${id}`.replace(/\/$/, ''), { body });
        const read = await send(context, `GET /planks/${answer.body.id}`);
        expect([answer.body, answer.headers.get('etag')]).toEqual([read.body, read.headers.get('etag')]);
        const { length } = read.body;
        const follows = length >= 100 ? { stateId: 'long', price: length * 3 } : { stateId: 'short', price: length };
        expect(read.body).toMatchObject(follows);
        return read.body.id;
      };
      const id = await plank('POST', '', { length: 5, stateId: 'long' });
      await plank('POST', '', { length: 120, stateId: 'short' });
      await plank('PATCH', id, { stateId: 'long' });
      await plank('PATCH', id, { length: 200, stateId: 'short' });
    });

    test.each([true, false])('so it is in a batch (atomic: %s)', async (atomic) => {
      const operations = [5, 120].map((length) => ({
        method: 'POST',
        path: '/planks',
        body: { length, stateId: length < 100 ? 'long' : 'short' },
      }));
      const { body } = await send(context, 'POST /batch', { body: { operations, atomic } });
      const answers: readonly Json[] = body.results.map((result: Json) => result['body']);
      expect(answers).toMatchObject([
        { stateId: 'short', price: 5 },
        { stateId: 'long', price: 360 },
      ]);
      for (const answer of answers)
        expect((await send(context, `GET /planks/${String(answer['id'])}`)).body).toEqual(answer);
    });

    test('follow what effects make and change', async () => {
      const binId = await bin({ starter: 7 });
      expect(await pieces(binId)).toMatchObject([{ lengths: 7, number: 1, shorter: 0, upTo: 7 }]);
      for (const length of [1, 50, 200]) await made(binId, { length });
      await expectRight(binId);
      // All of them become long at once, and so does what is counted of them.
      await context.call('PATCH', `/bins/${binId}`, { cut: 120 });
      expect((await pieces(binId)).map(({ length }) => length)).toEqual([200, 120, 120, 120]);
      await expectRight(binId);
    });

    test('hold under several writers at once', async () => {
      const binId = await bin();
      const lengths = [1, 2, 3, 4, 5, 6];
      await Promise.all(lengths.map((length) => context.call('POST', '/pieces', { binId, length, bins: {} })));
      const ids = (await pieces(binId)).map(({ id }) => id);
      expect(ids).toHaveLength(6);
      await Promise.all(ids.map((id, index) => context.call('PATCH', `/pieces/${id}`, { length: 97 + index })));
      await expectRight(binId);
    });
  },
  'figures',
);
