// `praxis verify` on frozen values: computed fields whose formula returns the stored value while a condition holds.
import { expect, test } from 'vitest';
import { runVerify } from '../support/commands/verify.ts';
import { onEveryDatabase } from '../support/service/praxis.ts';

onEveryDatabase(
  'praxis verify on frozen values',
  (context) => {
    test('lists frozen values that the formula gives otherwise, as no fault, and never repairs them', async () => {
      const boat = await context.make('boat', { rate: 10 });
      const open = await context.make('repair', { boatId: boat.id });
      const paid = await context.make('repair', { boatId: boat.id });
      const same = await context.make('repair', { boatId: (await context.make('boat', { rate: 10 })).id });
      for (const { id } of [paid, same]) await context.call('PATCH', `/repairs/${id}`, { statusId: 'paid' });
      const before = await runVerify(context, 'figures', 'repair');
      expect(before).toMatchObject({ code: 0, stdout: expect.stringMatching(/no differences\n$/) });
      await context.call('PATCH', `/boats/${boat.id}`, { rate: 20 });
      for (const options of ['', '--repair'])
        expect(await runVerify(context, 'figures', `repair ${options}`)).toEqual({
          code: 0,
          stdout: [
            'Frozen values that differ from the current result of their formula (not faults, never repaired):',
            `repair ${paid.id} rate: 15 is frozen, the formula gives 30`,
            '1 group, 3 records: no differences; 1 frozen value by an older formula',
            '',
          ].join('\n'),
        });
      expect((await context.call('GET', `/repairs/${paid.id}`)).body).toMatchObject({ rate: 15 });
      const { stdout } = await runVerify(context, 'figures', 'repair --json');
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual([
        { group: 'repair', id: paid.id, field: 'rate', frozen: '15', today: '30' },
        { groups: 1, records: 3, differences: 0, left: 0, frozen: 1 },
      ]);
      // An update computes the value of a record that is not frozen.
      const { body } = await context.call('PATCH', `/repairs/${open.id}`, { statusId: 'done' });
      expect(body).toMatchObject({ rate: 30 });
    });
  },
  'figures',
);
