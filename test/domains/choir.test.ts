// What hangs on other records: fields that apply and fields that are locked by them, lists of references by formula and in
// figures, effects that make what is missing.
import { expect, test } from 'vitest';
import { verified } from '../support/databases/verify.ts';
import { type Answer, type Context, type Json, onEveryDatabase } from '../support/service/praxis.ts';
import { send as sendBatch } from '../support/service/send.ts';

const general = 'There was a problem processing your request. See errors for more details.';
const refused = (...errors: string[]): Json => ({ status: 400, message: general, errors });
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_value, n) => make(n));

onEveryDatabase(
  'the choir',
  (context) => {
    const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: Json): Promise<Answer> =>
      context.call(method, path, body);
    const bodyOf = async (answer: Promise<Answer>): Promise<unknown> => (await answer).body;
    const made = async (path: string, body: Json): Promise<Json & { id: string }> => {
      const { status, body: record } = await send('POST', path, body);
      expect([status, record]).toEqual([200, record]);
      return record as Json & { id: string };
    };
    const singer = (body: Json = {}) => made('/singers', { name: 'Ada', ...body });
    const get = async (path: string): Promise<unknown> => bodyOf(send('GET', path));

    test('a field applies in some states of another record', async () => {
      const [solo, tutti] = [
        await made('/voices', { name: 'Alto', isSolo: true }),
        await made('/voices', { name: 'Bass' }),
      ];
      const alone = await singer({ voiceId: solo.id, piece: 'Erbarme dich' });
      expect(alone).toMatchObject({ piece: 'Erbarme dich', fee: 50 });
      expect(await singer({ voiceId: tutti.id })).toMatchObject({ piece: null, fee: null });
      // What its own record rules out is told with all else, what another one rules out once that is right.
      const body = { name: 'Bo', voiceId: tutti.id, piece: 'Wir setzen uns', fee: 1 };
      expect(await bodyOf(send('POST', '/singers', { ...body, isGuest: true, name: 7 }))).toEqual(
        refused("'name' must be a string", "'piece' is not allowed"),
      );
      expect(await bodyOf(send('POST', '/singers', body))).toEqual(
        refused("'piece' is not allowed", "'fee' is not allowed"),
      );
      // The next write of any kind sees that it does not apply any more.
      await send('PATCH', `/voices/${solo.id}`, { isSolo: false });
      expect(await get(`/singers/${alone.id}`)).toMatchObject({ piece: 'Erbarme dich', fee: 50 });
      expect(await bodyOf(send('PATCH', `/singers/${alone.id}`, { name: 'Ida' }))).toMatchObject({
        piece: null,
        fee: null,
      });
    });

    test('what an effect gives is refused where its field cannot hold it, and nothing is kept', async () => {
      const { id: singerId } = await singer();
      expect(await bodyOf(send('POST', '/requests', { singerId, row: 21 }))).toEqual(
        refused("'row' must be from 0 to 20"),
      );
      for (const group of ['request', 'seat']) expect(await context.all(group, `&singerId=${singerId}`)).toEqual([]);
      await made('/requests', { singerId, row: 20 });
      expect(await context.all('seat', `&singerId=${singerId}`)).toMatchObject([{ row: 20 }]);
    });

    test('a name is a text, also where it is made of a number or of nothing', async () => {
      const host = await singer();
      for (const [minutes, name] of [
        [90, '90'],
        [null, ''],
      ] as const) {
        const rehearsal = await made('/rehearsals', { hostId: host.id, minutes });
        const request = await made('/requests', { singerId: host.id, rehearsalId: rehearsal.id });
        expect(request['rehearsal']).toEqual({ id: rehearsal.id, name });
      }
    });

    test('of a reference that is null nothing is said', async () => {
      expect(await singer({ voiceId: null, piece: 'Erbarme dich', fee: 7 })).toMatchObject({
        piece: 'Erbarme dich',
        fee: 7,
      });
      expect(await bodyOf(send('POST', '/singers', { name: 'Bo', isGuest: true, piece: 'x' }))).toEqual(
        refused("'piece' is not allowed"),
      );
    });

    test('a field is locked by other records, before all else that is wrong', async () => {
      const [voice, other] = [await made('/voices', { name: 'Alto' }), await made('/voices', { name: 'Bass' })];
      const one = await singer({ voiceId: voice.id });
      const change = (body: Json) => bodyOf(send('PATCH', `/singers/${one.id}`, body));
      expect(await change({ voiceId: other.id })).toMatchObject({ voice: { id: other.id } });
      const { id } = await made('/rehearsals', { hostId: one.id, singerIds: [one.id] });
      const locked = { status: 409, message: 'The Singer is read-only.' };
      expect(await change({ voiceId: voice.id, name: 7 })).toEqual(locked);
      expect(await change({ voiceId: other.id, name: 'Ida' })).toMatchObject({ name: 'Ida' });
      await send('DELETE', `/rehearsals/${id}`);
      expect(await change({ voiceId: voice.id })).toMatchObject({ voice: { id: voice.id } });
      await send('PATCH', `/voices/${voice.id}`, { isSolo: true });
      expect(await change({ voiceId: null })).toEqual(locked);
    });

    test('a list of references is taken from a formula, each record once and nothing for null', async () => {
      const [host, friend] = [await singer(), await singer()];
      const leader = await singer({ friendIds: [friend.id, host.id] });
      const ids = async (body: Json) =>
        ((await made('/rehearsals', { hostId: host.id, ...body }))['singers'] as Json[]).map((one) => one['id']);
      expect(await ids({ leaderId: leader.id })).toEqual([friend.id, host.id]);
      expect(await ids({ leaderId: host.id })).toEqual([host.id]);
      expect(await ids({})).toEqual([host.id]);
      expect(await ids({ singerIds: [] })).toEqual([]);
    });

    test('a list that nobody sends is in the answer and in the record, in a batch as well', async () => {
      const [first, second] = [await singer({ name: 'Bo' }), await singer({ name: 'Cy' })];
      const body = { name: 'Duo', first: first.id, second: second.id };
      const named = ({ id, name }: Json) => ({ id, name });
      const lists = { guests: [named(second)], singers: [named(first), named(second)] };
      const alone = await made('/duets', body);
      const operation = { method: 'POST', path: '/duets', body };
      const { body: together } = await sendBatch(context, 'POST /batch', {
        body: { operations: [operation, operation] },
      });
      for (const answer of [alone, ...together.results.map((each: { body: Json }) => each.body)]) {
        expect(answer).toMatchObject(lists);
        expect(await get(`/duets/${String(answer['id'])}`)).toEqual(answer);
      }
    });

    test('a figure over references follows when one is cleared, where nobody looks at the record', async () => {
      const [first, second] = [await singer(), await singer()];
      const duet = await made('/duets', { name: 'Duo', first: first.id, second: second.id });
      expect(duet).toMatchObject({ isWhole: true });
      expect((await send('DELETE', `/singers/${second.id}`)).status).toBe(204);
      expect(await get(`/duets/${duet.id}`)).toMatchObject({ second: null, isWhole: false });
    });

    test('a figure of those whom a list names is kept true', async () => {
      const [one, other] = [await singer(), await singer()];
      const minutes = async () =>
        Promise.all([one, other].map(async ({ id }) => ((await get(`/singers/${id}`)) as Json)['minutes']));
      const long = await made('/rehearsals', { hostId: one.id, minutes: 90, singerIds: [one.id, other.id] });
      const short = await made('/rehearsals', { hostId: one.id, minutes: 20, singerIds: [other.id] });
      expect(await minutes()).toEqual([90, 110]);
      await send('PATCH', `/rehearsals/${long.id}`, { minutes: 60 });
      await send('PATCH', `/rehearsals/${short.id}`, { singerIds: [one.id] });
      expect(await minutes()).toEqual([80, 60]);
      await send('DELETE', `/rehearsals/${long.id}`);
      expect(await minutes()).toEqual([20, 0]);
      expect(await verified(context, 'choir')).toEqual([]);
    });

    test('a figure behind a reference to nothing is no failure', async () => {
      const hostId = '00000000-0000-7000-8000-00000000dead';
      expect(await bodyOf(send('POST', '/rehearsals', { hostId }))).toEqual(
        refused("'hostId' does not refer to an existing Singer"),
      );
    });

    test('inside an object what is computed is not typed in, and its default is nobody’s', async () => {
      const one = await singer({ hire: { mode: 'free' } });
      expect(one).toMatchObject({ hire: { price: 0 } });
      const change = (hire: Json) => bodyOf(send('PATCH', `/singers/${one.id}`, { hire }));
      expect(await change({ price: 9 })).toEqual(refused("'hire.price' is not allowed"));
      expect(await change({ mode: 'typed', price: 9 })).toMatchObject({ hire: { price: 9 } });
      expect(await change({ mode: 'free' })).toMatchObject({ hire: { price: 0 } });
    });

    test('what is missing is made once, also for twelve at once, and goes unless its owner does', async () => {
      const one = await singer();
      const asked = await Promise.all(times(12, () => made('/requests', { singerId: one.id })));
      expect(await seats(context, one.id)).toHaveLength(1);
      await send('DELETE', `/requests/${String(asked[0]?.id)}`);
      expect(await seats(context, one.id)).toHaveLength(0);
      expect((await send('DELETE', `/singers/${one.id}`)).status).toBe(204);
    });
  },
  'choir',
);

const seats = (context: Context, singerId: string): Promise<readonly Json[]> =>
  context.all('seat', `&singerId=${singerId}`);
