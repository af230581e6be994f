// Records of two groups that go along with each other, where only one of them can let go of the other.
import { expect, test } from 'vitest';
import { verified } from '../support/databases/verify.ts';
import { type Context, type Json, onEveryDatabase } from '../support/service/praxis.ts';

onEveryDatabase(
  'cascades round in a circle',
  (context) => {
    test.each(['the captain', 'the team', 'another player', 'a captain of two teams'])(
      '%s goes with all that goes along',
      async (who) => {
        const { team, captain, other, second } = await teamOf(context);
        const [path, gone, left] = {
          'the captain': [`/players/${captain}`, [team, captain, other], [second]],
          'the team': [`/teams/${team}`, [team, captain, other], [second]],
          'another player': [`/players/${other}`, [other], [team, captain, second]],
          'a captain of two teams': [`/players/${captain}`, [team, captain, other, second], []],
        }[who] as [string, readonly string[], readonly string[]];
        if (who === 'a captain of two teams') await change(context, `/teams/${second}`, { captainId: captain });
        const { status, body } = await context.call('DELETE', path);
        expect([status, body]).toEqual([204, undefined]);
        const there = [...(await context.all('team')), ...(await context.all('player'))].map(({ id }) => id);
        expect(there.filter((id) => [...gone, ...left].includes(id)).toSorted()).toEqual(left.toSorted());
        expect(await verified(context, 'teams')).toEqual([]);
      },
    );

    test('captains of each other, and all their players, go together', async () => {
      const one = await teamOf(context);
      const other = await teamOf(context);
      await change(context, `/teams/${one.team}`, { captainId: other.captain });
      await change(context, `/teams/${other.team}`, { captainId: one.captain });
      const before = (await context.all('player')).length;
      expect((await context.call('DELETE', `/players/${one.captain}`)).status).toBe(204);
      expect((await context.all('player')).length).toBe(before - 4);
      expect(await verified(context, 'teams')).toEqual([]);
    });
  },
  'teams',
);

async function change({ call }: Context, path: string, body: Json): Promise<void> {
  expect((await call('PATCH', path, body)).status).toBe(200);
}

async function teamOf(context: Context) {
  const { id: team } = await context.make('team', {});
  const { id: second } = await context.make('team', {});
  const { id: captain } = await context.make('player', { teamId: team });
  const { id: other } = await context.make('player', { teamId: team, coachId: captain });
  await change(context, `/teams/${team}`, { captainId: captain });
  return { team, captain, other, second };
}
