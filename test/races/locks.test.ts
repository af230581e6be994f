// What a condition says holds among writers at once, whichever group it looks at and wherever the names come from: who is
// judged second sees the first.
import { expect, test } from 'vitest';
import { fewer } from '../support/run/part.ts';
import { type Answer, type Context, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const timeout = 120_000;
/** Where one writes at a time nobody comes between: there it is enough to see how the loser is answered. */
const roundsOn = ({ isServer }: Context): number => fewer(isServer ? 12 : 3, 25);
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_value, n) => make(n));
const shown = ({ body }: Answer): Json => (isObject(body) ? body : {});
const accepted = (answers: readonly Answer[]): number => answers.filter(({ status }) => status < 300).length;
const refusals = (answers: readonly Answer[]): readonly unknown[] =>
  answers.filter(({ status }) => status >= 300).map((answer) => shown(answer)['errors'] ?? shown(answer)['message']);

/** Does something as often as the races are run. */
async function eachRoundOn(context: Context, work: () => Promise<void>): Promise<void> {
  for (let round = 0; round < roundsOn(context); round += 1) await work();
}

async function roomIn(context: Context): Promise<string> {
  const { id: wardId } = await context.make('ward');
  return (await context.make('room', { wardId })).id;
}

onEveryDatabase(
  'locks',
  (context) => {
    const eachRound = (work: () => Promise<void>): Promise<void> => eachRoundOn(context, work);
    const post = (path: string, body: Json): Promise<Answer> => context.call('POST', path, body);
    const patch = (path: string, body: Json): Promise<Answer> => context.call('PATCH', path, body);
    const remove = (path: string): Promise<Answer> => context.call('DELETE', path);

    for (const { path, group } of [
      { path: '/stays', group: 'stay' },
      { path: '/visits', group: 'visit' },
    ])
      test(
        `of six ${group}s at once in the rooms of a ward two come in, though nobody names the ward`,
        () =>
          eachRound(async () => {
            const { id: wardId } = await context.make('ward');
            const rooms = [await context.make('room', { wardId }), await context.make('room', { wardId })];
            const answers = await Promise.all(times(6, (n) => post(path, { roomId: rooms[n % 2]?.id ?? '', hour: 8 })));
            expect(accepted(answers), answers.map(({ text }) => text).join('\n')).toBe(2);
            expect(new Set(refusals(answers).flat())).toEqual(new Set(["'roomId' must be in a ward with a free bed"]));
          }),
        timeout,
      );

    test(
      'patients who move at once into a ward find two beds there',
      () =>
        eachRound(async () => {
          const [from, to] = [await roomIn(context), await roomIn(context)];
          const stays = [
            await context.make('stay', { roomId: from, hour: 1 }),
            await context.make('stay', { roomId: from, hour: 1 }),
          ];
          const more = await roomIn(context);
          for (const _bed of times(2, (n) => n)) stays.push(await context.make('stay', { roomId: more, hour: 1 }));
          const answers = await Promise.all(stays.map(({ id }) => patch(`/stays/${id}`, { roomId: to })));
          expect(accepted(answers), answers.map(({ text }) => text).join('\n')).toBe(2);
        }),
      timeout,
    );

    test(
      'a period that is closed has no drafts, and none comes in',
      () =>
        eachRound(async () => {
          const { id } = await context.make('period', { isClosed: false });
          const [closed, ...drafts] = await Promise.all([
            patch(`/periods/${id}`, { isClosed: true }),
            ...times(3, () => post('/drafts', { periodId: id })),
          ]);
          const there = await context.all('draft');
          expect(there.filter(({ period }) => isObject(period) && period['id'] === id)).toHaveLength(accepted(drafts));
          if (accepted([closed]) === 1) expect(accepted(drafts), closed.text).toBe(0);
          expect(new Set(refusals(drafts).flat())).toEqual(
            new Set(accepted(drafts) < 3 ? ["'periodId' must be open"] : []),
          );
        }),
      timeout,
    );

    test(
      'a draft that is taken up again while its period is closed is either open in an open one or done',
      () =>
        eachRound(async () => {
          const { id } = await context.make('period', { isClosed: false });
          const draft = await context.make('draft', { periodId: id, isDone: true });
          const [closed, taken] = await Promise.all([
            patch(`/periods/${id}`, { isClosed: true }),
            patch(`/drafts/${draft.id}`, { isDone: false }),
          ]);
          expect(accepted([closed, taken]), `${closed.text}\n${taken.text}`).toBe(1);
        }),
      timeout,
    );

    test(
      'a booking and an outage of a room on a day: one of them is there',
      () =>
        eachRound(async () => {
          const day = { roomId: await roomIn(context), day: 3 };
          const answers = await Promise.all([post('/bookings', day), post('/outages', day)]);
          expect(accepted(answers), answers.map(({ text }) => text).join('\n')).toBe(1);
        }),
      timeout,
    );

    test(
      'a booking and an outage that move to one day of a room: one of them gets there',
      () =>
        eachRound(async () => {
          const roomId = await roomIn(context);
          const booking = await context.make('booking', { roomId, day: 1 });
          const outage = await context.make('outage', { roomId, day: 2 });
          const answers = await Promise.all([
            patch(`/bookings/${booking.id}`, { day: 3 }),
            patch(`/outages/${outage.id}`, { day: 3 }),
          ]);
          expect(accepted(answers), answers.map(({ text }) => text).join('\n')).toBe(1);
        }),
      timeout,
    );

    for (const { says, lock } of [
      { says: 'its job', lock: (job: Json) => `/jobs/${String(job['id'])}` },
      { says: 'the client of its job', lock: (job: Json) => `/clients/${String(Object(job['client']).id)}` },
    ])
      test(
        `no entry comes in once ${says} has answered that it is locked`,
        () =>
          eachRound(async () => {
            const { id: clientId } = await context.make('client', { isLocked: false });
            const job = await context.make('job', { clientId, isLocked: false });
            const count = async (): Promise<number> =>
              (await context.all('entry')).filter((entry) => Object(entry['job']).id === job.id).length;
            const entering = Promise.all(times(6, () => post('/entries', { jobId: job.id })));
            const locked = await patch(lock(job), { isLocked: true });
            const then = await count();
            const entered = await entering;
            expect(locked.status, locked.text).toBe(200);
            expect(await count()).toBe(then);
            expect(accepted(entered)).toBe(then);
          }),
        timeout,
      );

    test(
      'the first fee ever is in the currency of the clinic, though that changes at the same moment',
      () =>
        eachRound(async () => {
          await patch('/settings', { currency: 'EUR' });
          const [changed, made] = await Promise.all([
            patch('/settings', { currency: 'CHF' }),
            post('/fees', { amount: 5 }),
          ]);
          expect(made.status, made.text).toBe(200);
          const settings = shown(await context.call('GET', '/settings'));
          expect(shown(made)['currency'], `${changed.text}\n${made.text}`).toBe(settings['currency']);
          expect(changed.status).toBe(settings['currency'] === 'CHF' ? 200 : 409);
          expect((await patch('/settings', { currency: 'USD' })).status).toBe(409);
          expect((await remove(`/fees/${String(shown(made)['id'])}`)).status).toBe(204);
        }),
      timeout,
    );

    test(
      'who leaves lets the first of the queue in: four at once let four in',
      () =>
        eachRound(async () => {
          const { id: showId } = await context.make('show');
          const seats = [];
          for (const number of times(9, (n) => n))
            seats.push(await context.make('ticket', { showId, number, isWaiting: number > 3 }));
          const answers = await Promise.all(seats.slice(0, 4).map(({ id }) => remove(`/tickets/${id}`)));
          expect(accepted(answers), answers.map(({ text }) => text).join('\n')).toBe(4);
          const left = await context.all('ticket', `&showId=${showId}`);
          expect(left.filter(({ isWaiting }) => isWaiting === true).map(({ number }) => number)).toEqual([8]);
        }),
      timeout,
    );

    test('a receipt of stock that is in use cannot be deleted, one of what is left can', async () => {
      const { id: stockId } = await context.make('stock');
      const { id } = await context.make('receipt', { stockId, count: 10 });
      await context.make('withdrawal', { stockId, count: 8 });
      const refused = await remove(`/receipts/${id}`);
      expect([refused.status, refused.body]).toEqual([
        409,
        { status: 409, message: 'The Receipt is in use and cannot be deleted.' },
      ]);
      expect(shown(await context.call('GET', `/stocks/${stockId}`))).toMatchObject({ received: 10, used: 8, free: 2 });
      const more = await context.make('receipt', { stockId, count: 8 });
      expect((await remove(`/receipts/${id}`)).status).toBe(204);
      expect((await remove(`/receipts/${more.id}`)).status).toBe(409);
      expect(shown(await context.call('GET', `/stocks/${stockId}`))).toMatchObject({ received: 8, used: 8, free: 0 });
    });

    test(
      'of two receipts and a withdrawal at once, what goes leaves enough for what is used',
      () =>
        eachRound(async () => {
          const { id: stockId } = await context.make('stock');
          const receipts = [
            await context.make('receipt', { stockId, count: 10 }),
            await context.make('receipt', { stockId, count: 10 }),
          ];
          await Promise.all([
            ...receipts.map(({ id }) => remove(`/receipts/${id}`)),
            post('/withdrawals', { stockId, count: 10 }),
          ]);
          expect(Number(shown(await context.call('GET', `/stocks/${stockId}`))['free'])).toBeGreaterThanOrEqual(0);
        }),
      timeout,
    );

    test('to conditions on a delete all is gone that goes with it, whatever goes first', async () => {
      const quays = [await context.make('quay'), await context.make('quay')] as const;
      const [quayId, otherId] = [quays[0].id, quays[1].id];
      const pier = async (): Promise<string> => (await context.make('pier', { quayId })).id;
      const [pierId, elsewhere] = [await pier(), await pier()];
      const berth = await context.make('berth', { pierId, quayId });
      for (const group of ['berth', 'mast', 'mast', 'berth']) await context.make(group, { pierId, quayId });
      const refused = (message: string) => [409, { status: 409, message }];
      const answerOf = async (path: string) => {
        const { status, body } = await remove(path);
        return status === 204 ? status : [status, body];
      };
      // Alone none of them may go.
      expect(await answerOf(`/berths/${berth.id}`)).toEqual(refused('The Berth is read-only.'));
      const stays = await context.make('berth', { pierId: elsewhere, quayId });
      expect(await answerOf(`/piers/${pierId}`)).toEqual(refused('The Pier is read-only.'));
      expect(await context.all('berth', `&pierId=${pierId}`)).toHaveLength(3);
      await patch(`/berths/${stays.id}`, { quayId: otherId });
      expect(await answerOf(`/piers/${pierId}`)).toBe(204);
      expect(await context.all('berth', `&pierId=${pierId}`)).toEqual([]);
      expect(await context.all('mast', `&pierId=${pierId}`)).toEqual([]);
      // What does not go with it still counts.
      const mast = await context.make('mast', { pierId: await pier(), quayId: otherId });
      expect(await answerOf(`/piers/${elsewhere}`)).toEqual(refused('The Berth is in use and cannot be deleted.'));
      expect(await answerOf(`/masts/${mast.id}`)).toBe(204);
      expect(await answerOf(`/piers/${elsewhere}`)).toBe(204);
    });
  },
  'locks',
);
