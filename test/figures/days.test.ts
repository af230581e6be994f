// What follows from the day: figures and states that are kept, and effects, as the workspace's clock goes on.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Days } from '../../src/engine/day/days.ts';
import { SteadyClock } from '../../src/engine/day/steady-clock.ts';
import { allowDay } from '../../src/storage/workspace-day.ts';
import { addDays } from '../../src/values/date.ts';
import { Project } from '../support/commands/project.ts';
import { endOf, entriesAfter } from '../support/data/changes.ts';
import { verified } from '../support/databases/verify.ts';
import { openQuietly } from '../support/databases/workspace.ts';
import { accessToken, type Context, type Json, onEveryDatabase } from '../support/service/praxis.ts';

vi.setConfig({ testTimeout: 60_000 });

const noon = (day: string): Date => new Date(`${day}T12:00:00Z`);

// Before any service begins; each begins on the same day.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

onEveryDatabase(
  'days',
  (context) => {
    const create = async (path: string, body: Json): Promise<string> => {
      const { status, body: made } = await context.call('POST', path, body);
      expect([status, made]).toEqual([200, made]);
      return (made as { id: string }).id;
    };
    const get = async (path: string): Promise<unknown> => (await context.call('GET', path)).body;
    /** Sets the clock, and waits until the service has gone on to it. */
    const goTo = async (day: string): Promise<void> => {
      await allow(context, day);
      vi.setSystemTime(noon(day));
      await reaches(context, day);
    };
    const reminders = async (loanId: string): Promise<readonly unknown[]> =>
      (await context.all('reminder', `&loanId=${loanId}`)).toReversed().map(({ day, kind }) => [day, kind]);

    test('begin with that on which a workspace is made', () => reaches(context, '2026-03-01'));

    test('move figures, states and what others count of them, and act once', async () => {
      const shelfId = await create('/shelves', { name: 'A' });
      const id = await create('/loans', { title: 'Atlas', dueOn: '2026-03-02', shelfId });
      expect(await get(`/loans/${id}`)).toMatchObject({ isOverdue: false, fee: 0, stateId: 'out' });
      await goTo('2026-03-02');
      expect(await get(`/loans/${id}`)).toMatchObject({ isOverdue: false, stateId: 'out' });
      await goTo('2026-03-03');
      expect(await get(`/loans/${id}`)).toMatchObject({ isOverdue: true, fee: 1, stateId: 'late' });
      expect(await get(`/shelves/${shelfId}`)).toMatchObject({ overdue: 1 });
      expect(await reminders(id)).toEqual([['2026-03-03', 'late']]);
      // Down for two weeks: each day is done, in order.
      await goTo('2026-03-17');
      expect(await get(`/loans/${id}`)).toMatchObject({ isOverdue: true, fee: 5, stateId: 'lost' });
      expect(await reminders(id)).toEqual([
        ['2026-03-03', 'late'],
        ['2026-03-05', 'again'],
        ['2026-03-16', 'lost'],
      ]);
      expect(await verified(context, 'lending')).toEqual([]);
    });

    test('schedules count from a fixed start', async () => {
      const id = await create('/plans', { firstOn: '2026-03-31' });
      await goTo('2026-07-01');
      const days = (await context.all('bill', `&planId=${id}`)).toReversed().map(({ day }) => day);
      expect(days).toEqual(['2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30']);
      expect(await get(`/plans/${id}`)).toMatchObject({ done: 4, nextOn: '2026-07-31' });
    });

    test('leave out an effect that is refused, and do the others', async () => {
      const shelfId = await create('/shelves', { name: 'B' });
      const id = await create('/loans', { title: 'nobody', dueOn: '2026-07-01', shelfId });
      await goTo('2026-07-05');
      expect(await get(`/loans/${id}`)).toMatchObject({ isOverdue: true, stateId: 'late' });
      expect(await reminders(id)).toEqual([['2026-07-04', 'again']]);
    });

    test('say in the log that the day has done it, and count what was left out', async () => {
      const shelfId = await create('/shelves', { name: 'D' });
      const id = await create('/loans', { title: 'Logged', dueOn: '2026-07-05', shelfId });
      const cursor = await endOf(context);
      await goTo('2026-07-06');
      const { entries } = await entriesAfter(context, cursor);
      const [overdue] = entries.filter((entry) => entry.id === id);
      expect(overdue).toMatchObject({
        operation: 'update',
        group: 'loan',
        changes: { isOverdue: { from: false, to: true }, stateId: { from: 'out', to: 'late' } },
        cause: { kind: 'day', day: '2026-07-06' },
        request: null,
      });
      // Figures of others and what effects make belong to the same write.
      const beside = entries
        .filter(({ write }) => write === overdue?.write)
        .map(({ operation, group }) => `${operation} ${group}`);
      expect(beside.toSorted()).toEqual(['create reminder', 'update loan', 'update shelf']);
      const headers = { authorization: `Bearer ${accessToken}` };
      const metrics = await (await fetch(`${new URL(context.address).origin}/metrics`, { headers })).text();
      expect(metrics).toMatch(/^praxis_day_behind 0$/m);
      // That of the loan whose reminder nobody may have among them.
      expect(metrics).toMatch(/^praxis_day_refused_total [1-9]\d*$/m);
    });

    test('never go back', async () => {
      await allow(context, '2026-07-01');
      vi.setSystemTime(noon('2026-07-01'));
      const shelfId = await create('/shelves', { name: 'C' });
      const id = await create('/loans', { title: 'Late', dueOn: '2026-07-03', shelfId });
      expect(await get(`/loans/${id}`)).toMatchObject({ isOverdue: true });
      expect(await verified(context, 'lending')).toEqual([]);
      await goTo('2026-07-07');
      expect(await verified(context, 'lending')).toEqual([]);
    });

    test('leave out a record that cannot go on, and take the others along', async () => {
      // One more would be overdue than a shelf bears.
      const shelfId = await create('/shelves', { name: 'E' });
      const titles = Array.from({ length: 41 }, (_value, n) => `Loan ${n}`);
      const ids = await Promise.all(titles.map((title) => create('/loans', { title, dueOn: '2026-07-07', shelfId })));
      await goTo('2026-07-08');
      expect(await get(`/shelves/${shelfId}`)).toMatchObject({ overdue: 40 });
      const loans = await context.all('loan', `&shelfId=${shelfId}`);
      const left = loans.filter(({ isOverdue }) => isOverdue === false).map(({ id }) => String(id));
      expect(left).toHaveLength(1);
      expect(await reminders(String(left[0]))).toEqual([]);
      const one = ids.find((id) => !left.includes(id));
      expect(await reminders(String(one))).toEqual([['2026-07-08', 'late']]);
    });
  },
  'lending',
  { before: () => void vi.setSystemTime(noon('2026-03-01')), parts: { changes: 90 } },
);

/** Lets a workspace reach a day, however its clock jumps. */
const allow = ({ workspace: { database } }: Context, day: string): Promise<void> =>
  allowDay(database, day, database.dialect);

const realDay = new Date().toISOString().slice(0, 10);

onEveryDatabase(
  'a clock that runs ahead',
  (context) => {
    test('moves the day by one, until an operator allows more', async () => {
      await reaches(context, realDay);
      vi.setSystemTime(noon(addDays(realDay, 12)));
      await reaches(context, addDays(realDay, 1), 11);
      const metrics = await fetch(`${new URL(context.address).origin}/metrics`, {
        headers: { Authorization: `Bearer ${accessToken}` },
      });
      expect(await metrics.text()).toMatch(/^praxis_day_ahead 11$/m);
      await allow(context, addDays(realDay, 12));
      await reaches(context, addDays(realDay, 12));
    });
  },
  'lending',
  { before: () => void vi.setSystemTime(noon(realDay)) },
);

/** Waits until a service has reached a day and nothing of it is left. @param ahead Days that its clock is ahead */
async function reaches({ address }: Context, day: string, ahead = 0): Promise<void> {
  const url = `${new URL(address).origin}/readyz`;
  const wanted = { status: 'ok', day: { reached: day, behind: 0, ahead } };
  let told: unknown;
  // Not by `expect.poll`, which goes by the clock that is set.
  for (let look = 0; look < 600 && JSON.stringify(told) !== JSON.stringify(wanted); look += 1) {
    if (look > 0) await delay(50);
    told = await (await fetch(url)).json();
  }
  expect(told).toEqual(wanted);
}

test('effects of states that a day brings come record by record: each sees the others as they are by then', async () => {
  const project = await Project.open('SQLite');
  try {
    const name = { type: 'string', maxLength: 40 };
    const becomes = [{ to: 'over', when: 'until < today' }];
    const state = { type: 'string', enum: ['valid', 'over'], default: 'valid', filter: 'exact', becomes };
    const first = "state == 'over' && old.state == 'valid' && cards.filter(c, c.state == 'over').count() == 1";
    project.describe({
      card: {
        properties: { name, until: { type: 'string', format: 'date' }, state },
        resource: { effects: [{ on: ['becomes'], when: first, make: 'notice', with: { name: 'name' } }] },
      },
      notice: { properties: { name } },
    });
    await project.serve(async (call) => {
      for (const each of ['One', 'Two']) await call('POST', '/cards', { name: each, until: '2999-01-01' });
    });
    const { url: databaseUrl, env } = project;
    const workspace = await openQuietly({ databaseUrl, resources: env['RESOURCES'] ?? '' });
    try {
      const { groups, unit, engine, database } = workspace;
      await database.script(["update praxis_day set value = '2999-01-01' where name = 'day'"]);
      const onRefused = vi.fn();
      const days = new Days({ groups, unit, transact: (write) => engine.transact(write), onRefused });
      expect(await days.begin('2999-01-01')).toBe(true);
      while ((await days.pass('2999-01-02')) > 0);
      expect(onRefused).not.toHaveBeenCalled();
      expect(await database.all('select name, state from card order by name', [])).toEqual([
        ['One', 'over'],
        ['Two', 'over'],
      ]);
      expect(await database.all('select name from notice', [])).toHaveLength(1);
    } finally {
      await workspace.close();
    }
  } finally {
    await project.close();
  }
});

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A steady clock on two clocks that the test moves. */
function createSteadyClock() {
  const clocks = { wall: 1_000 * dayMs, running: 0 };
  const steady = new SteadyClock({ wallMs: () => clocks.wall, runningMs: () => clocks.running });
  const pass = (ms: number): void => {
    clocks.wall += ms;
    clocks.running += ms;
  };
  return { clocks, steady, pass };
}

test('a jump of days counts only after it has lasted ten minutes', () => {
  const { clocks, steady, pass } = createSteadyClock();
  pass(dayMs);
  expect(steady.nowMs()).toBe(1_001 * dayMs);
  clocks.wall += 12 * dayMs;
  expect(steady.nowMs()).toBe(1_001 * dayMs);
  pass(9 * minuteMs);
  expect(steady.nowMs()).toBe(1_001 * dayMs + 9 * minuteMs);
  pass(minuteMs);
  expect(steady.nowMs()).toBe(1_013 * dayMs + 10 * minuteMs);
});

test('a jump that is corrected leaves the time unchanged', () => {
  const { clocks, steady, pass } = createSteadyClock();
  clocks.wall += 12 * dayMs;
  expect(steady.nowMs()).toBe(1_000 * dayMs);
  clocks.wall -= 12 * dayMs;
  pass(20 * minuteMs);
  expect(steady.nowMs()).toBe(1_000 * dayMs + 20 * minuteMs);
});

test('small corrections and steps back count at once', () => {
  const { clocks, steady } = createSteadyClock();
  clocks.wall += dayMs;
  expect(steady.nowMs()).toBe(1_001 * dayMs);
  clocks.wall -= 5 * dayMs;
  expect(steady.nowMs()).toBe(996 * dayMs);
});
