// What goes with a record: restricting references among it, a record that its own effect removes, and how much one write may change.
import { describe, expect, onTestFinished, test } from 'vitest';
import { folders, type Json, onEveryDatabase } from '../support/service/praxis.ts';
import { onEachDatabase, startSeen } from '../support/service/seen.ts';
import { send } from '../support/service/send.ts';

interface Made {
  readonly status: number;
  readonly body: { readonly id: string };
}

onEveryDatabase(
  'what goes with a plan',
  (on) => {
    /** Makes records of a group, as many as there are bodies. @returns their ids */
    async function makeAll(path: string, bodies: readonly Json[]): Promise<readonly string[]> {
      const ids: string[] = [];
      for (let start = 0; start < bodies.length; start += 1000) {
        const operations = bodies.slice(start, start + 1000).map((body) => ({ method: 'POST', path, body }));
        const { status, body } = await send(on, 'POST /batch', { body: { operations } });
        expect(status).toBe(200);
        ids.push(...body.results.map((each: Made) => each.body.id));
      }
      return ids;
    }
    const planOf = async (): Promise<{ planId: string; phaseId: string }> => {
      const planId = (await on.make('plan')).id;
      return { planId, phaseId: (await on.make('phase', { planId })).id };
    };
    const stepsOf = (phaseId: string, count: number): Promise<readonly string[]> =>
      makeAll(
        '/steps',
        Array.from({ length: count }, (_value, n) => ({ name: `Step ${n}`, phaseId })),
      );
    /** Lets steps follow each other: each is held by the next. */
    async function line(...ids: readonly (string | undefined)[]): Promise<void> {
      for (const [place, id] of ids.entries()) {
        const behindId = ids[place - 1];
        if (behindId !== undefined) expect((await on.call('PATCH', `/steps/${id}`, { behindId })).status).toBe(200);
      }
    }
    const remove = async (path: string): Promise<unknown> => {
      const { status, body } = await on.call('DELETE', path);
      return status === 204 ? 204 : body;
    };
    const inUse = (title: string) => ({
      status: 409,
      message: `The ${title} is in use and cannot be deleted.`,
      usedBy: expect.any(Array),
    });

    describe('what restricts and goes as well restricts nothing', () => {
      test('in whichever portion it goes', async () => {
        const { planId, phaseId } = await planOf();
        const steps = await stepsOf(phaseId, 1100);
        // Held by one of the next portion, and that by one of its own, and so on.
        await line(steps[0], steps[599], steps[1], steps[1099], steps[2], steps[3]);
        expect(await remove(`/plans/${planId}`)).toBe(204);
        expect(await on.all('step', `&phaseId=${phaseId}`)).toEqual([]);
      }, 60_000);

      test('below whichever record it stands', async () => {
        const planId = (await on.make('plan')).id;
        const phases = await makeAll(
          '/phases',
          Array.from({ length: 600 }, (_value, n) => ({ name: `Phase ${n}`, planId })),
        );
        const steps = await makeAll(
          '/steps',
          phases.map((phaseId) => ({ name: 'Step', phaseId })),
        );
        await line(steps[0], steps[599], steps[1]);
        expect(await remove(`/phases/${phases[0]}`)).toEqual(inUse('Step'));
        expect(await remove(`/plans/${planId}`)).toBe(204);
      }, 60_000);

      test('of whichever group it is', async () => {
        const { planId, phaseId } = await planOf();
        const [first, second] = await stepsOf(phaseId, 2);
        await line(first, second);
        for (const group of ['audit', 'trial'])
          for (const stepId of [first, second]) await on.make(group, { stepId, planId });
        expect(await remove(`/phases/${phaseId}`)).toEqual(inUse('Step'));
        expect(await remove(`/plans/${planId}`)).toBe(204);
        expect([await on.all('audit'), await on.all('trial')]).toEqual([[], []]);
      });
    });

    describe('what stays restricts', () => {
      test.each(['audit', 'trial'])('%s of another plan, or of none', async (group) => {
        const { planId, phaseId } = await planOf();
        const [first, second] = await stepsOf(phaseId, 2);
        await line(first, second);
        await on.make(group, { stepId: first, planId });
        for (const other of [null, (await planOf()).planId]) {
          const { id } = await on.make(group, { stepId: second, planId: other });
          expect(await remove(`/plans/${planId}`)).toEqual(inUse('Step'));
          expect(await remove(`/steps/${second}`)).toEqual(inUse('Step'));
          await remove(`/${group}s/${id}`);
        }
        expect(await remove(`/plans/${planId}`)).toBe(204);
      });

      test('in whichever portion it would go', async () => {
        const { planId, phaseId } = await planOf();
        const steps = await stepsOf(phaseId, 600);
        const [other] = await stepsOf((await planOf()).phaseId, 1);
        await line(steps[0], steps[599], other);
        expect(await remove(`/plans/${planId}`)).toEqual(inUse('Step'));
        expect((await on.call('GET', `/steps/${steps[1]}`)).status).toBe(200);
        await on.call('PATCH', `/steps/${other}`, { behindId: null });
        expect(await remove(`/plans/${planId}`)).toBe(204);
      }, 60_000);

      test.each([2, 600])(
        'a circle among %s holds itself',
        async (count) => {
          const { planId, phaseId } = await planOf();
          const steps = await stepsOf(phaseId, count);
          await line(steps[0], steps.at(-1), steps[0]);
          expect(await remove(`/plans/${planId}`)).toEqual(inUse('Step'));
          await on.call('PATCH', `/steps/${steps[0]}`, { behindId: null });
          expect(await remove(`/plans/${planId}`)).toBe(204);
        },
        60_000,
      );
    });

    describe('a record that its own effect removes', () => {
      test('is answered as it was last', async () => {
        const { phaseId } = await planOf();
        const [before, id] = await stepsOf(phaseId, 2);
        await line(before, id);
        const { status, body } = await on.call('PATCH', `/steps/${id}`, { isDone: true, name: 'Painted' });
        const shown = { id, name: 'Painted', isDone: true, phase: { id: phaseId }, behind: { id: before } };
        expect([status, body]).toMatchObject([200, shown]);
        expect((await on.call('GET', `/steps/${id}`)).status).toBe(404);
        expect((await on.call('PATCH', `/steps/${id}`, { name: 'Again' })).status).toBe(404);
        expect(await on.all('entry', `&phaseId=${phaseId}`)).toMatchObject([{ name: 'Painted' }]);
      });

      test('by its id alone to who wants no more', async () => {
        const { phaseId } = await planOf();
        const body = { name: 'Done', phaseId, isDone: true };
        const minimal = await send(on, 'POST /steps', { body, headers: { Prefer: 'return=minimal' } });
        expect(minimal.body).toEqual({ id: expect.any(String) });
      });

      test('also where it is made, tried, and one of several', async () => {
        const { phaseId } = await planOf();
        const done = { name: 'Done', phaseId, isDone: true };
        const tried = await send(on, 'POST /steps', { body: done, headers: { Prefer: 'tx=rollback' } });
        const made = await on.call('POST', '/steps', done);
        for (const answer of [tried, made]) expect(answer).toMatchObject({ status: 200, body: { name: 'Done' } });
        expect(await on.all('entry', `&phaseId=${phaseId}`)).toHaveLength(1);
        const operations = [
          { method: 'POST', path: '/steps', body: { ...done, isDone: false }, as: 'step' },
          { method: 'PATCH', path: '/steps/{step.id}', body: { isDone: true }, as: 'last' },
          { method: 'POST', path: '/steps', body: { name: { $from: 'last.name' }, phaseId } },
          { method: 'GET', path: '/steps/{last.id}' },
        ];
        const { results } = (await send(on, 'POST /batch', { body: { atomic: false, operations } })).body;
        expect(results.map(({ status }: Made) => status)).toEqual([200, 200, 200, 404]);
        expect(results[1].body).toMatchObject({ name: 'Done', isDone: true });
      });

      test('with the record above it', async () => {
        const { planId, phaseId } = await planOf();
        const { status, body } = await on.call('PATCH', `/phases/${phaseId}`, { isOver: true });
        expect([status, body]).toMatchObject([200, { id: phaseId, isOver: true, plan: { id: planId } }]);
        expect((await on.call('GET', `/plans/${planId}`)).status).toBe(404);
      });
    });
  },
  'plans',
);

onEachDatabase('how many records one write may change', (open) => {
  const start = async (recordsPerWrite: number) => {
    const { url, close } = await open();
    const running = await startSeen(url, { recordsPerWrite, resources: folders.plans });
    onTestFinished(async () => {
      await running.stop();
      await close();
    });
    const ask = async (method: string, path: string, body: Json) => {
      const { status, text } = await running.ask(method, `/api${path}`, { body });
      return { status, body: JSON.parse(text) };
    };
    const plan = (await ask('POST', '/plans', { name: 'Plan' })).body;
    for (let units = 1; units <= 4; units += 1) await ask('POST', '/parts', { name: 'Part', planId: plan.id, units });
    return { plan, ask };
  };

  test('counts a record once, in however many rounds its figures move', async () => {
    const { plan, ask } = await start(5);
    // The parts, the plan, and what is left of it for each part.
    const answer = await ask('PATCH', `/plans/${plan.id}`, { rate: 10 });
    expect(answer).toMatchObject({ status: 200, body: { total: 100 } });
  });

  test('and refuses what is more', async () => {
    const { plan, ask } = await start(3);
    const message = 'The Plan has too many Parts to be changed at once.';
    expect(await ask('PATCH', `/plans/${plan.id}`, { rate: 10 })).toEqual({
      status: 409,
      body: { status: 409, message },
    });
  });
});
