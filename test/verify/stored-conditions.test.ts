// `praxis verify --conditions`: conditions of rules on stored records that other writes, or SQL, have changed.
import { beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { runVerify } from '../support/commands/verify.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

onEveryDatabase(
  'praxis verify --conditions',
  (context) => {
    let retired: Json;
    const rentals: Json[] = [];
    const day = (number: number): string => `2026-03-${String(number).padStart(2, '0')}`;
    const rent = async (body: Json, place: number): Promise<void> => {
      const days = { start: day(2 * place + 1), end: day(2 * place + 1) };
      rentals.push(await context.make('rental', { customerId: null, ...days, ...body }));
    };
    const run = (line: string) => runVerify(context, 'conditions', `--conditions ${line}`);

    beforeAll(async () => {
      retired = await context.make('asset');
      const other = await context.make('asset');
      for (const place of [0, 1, 2, 3, 4, 5, 6]) await rent({ assetId: retired['id'] }, place);
      await rent({ assetId: other['id'], extras: [{ assetId: retired['id'] }] }, 7);
      await rent({ assetId: other['id'] }, 8);
    }, 60_000);

    test('finds no broken condition in the records that the service has accepted', async () => {
      const { code, stdout } = await run('rental');
      expect([code, stdout.split('\n').at(-2)]).toEqual([
        0,
        expect.stringMatching(/^\d+ conditions, 9 records: every record satisfies them; 3 conditions not checked$/),
      ]);
    });

    test('names the conditions that are not checked, with the reason', async () => {
      const { stdout } = await run('rental damage');
      expect(stdout.split('\n').filter((line) => line.startsWith('not checked'))).toEqual([
        'not checked: rental range: is a rule in code',
        'not checked: rental "damages.filter(d, d.rentalId == id && !d.isPaid).count() == 0": is about deletes',
        `not checked: rental statusId "old.statusId != 'lost' || !damages.exists(d, d.rentalId == id)": reads old`,
        `not checked: damage "rental.statusId != 'returned'": is about deletes`,
        expect.stringMatching(/^not checked: damage "rental == null \|\| .* > 0": is about deletes$/),
        'not checked: damage level "old == null || level >= old.level": reads old',
      ]);
    });

    test('counts the records that break a condition after a write of another group, and names the first', async () => {
      const { status } = await context.call('PATCH', `/assets/${retired['id']}`, { isRetired: true });
      expect(status).toBe(200);
      const { code, stdout } = await run('rental');
      const ids = rentals.map(({ id }) => String(id));
      expect([code, ...stdout.split('\n').filter((line) => line.includes('break'))]).toEqual([
        1,
        `rental asset "!asset.isRetired": 7 records break it, the first: ${ids.slice(0, 5).join(', ')}`,
        `rental extras.assetId "!asset.isRetired && assetId != record.assetId": 1 record breaks it: ${ids[7]}`,
        expect.stringMatching(/9 records: records break 2 conditions; 3 conditions not checked$/),
      ]);
      const json = (await run('rental --json')).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Json);
      expect(json[0]).toEqual({
        ...{ group: 'rental', rule: 'require', field: 'asset', source: '!asset.isRetired' },
        ...{ records: 7, ids: ids.slice(0, 5) },
      });
      expect(json.at(-1)).toMatchObject({ records: 9, broken: 2, unchecked: 3 });
    });

    test('finds records that compare with others of their group', async () => {
      const database = await openDatabase(context.databaseUrl);
      const sql = `update rental set start = '${day(1)}', ${database.dialect.quote('end')} = '${day(3)}' where id = '${String(rentals[0]?.['id'])}'`;
      expect(await database.run(sql, [])).toBe(1);
      await database.close();
      const { stdout } = await run('rental');
      expect(stdout).toMatch(/rentals\.filter\(r, r\.assetId == assetId && .*: 2 records break it, the first/);
    });

    test('refuses --repair and unknown groups', async () => {
      expect(await run('rental --repair')).toMatchObject({
        code: 1,
        fault: expect.stringContaining('--repair has no effect'),
      });
      expect(await run('rentel')).toMatchObject({ code: 1, fault: expect.stringContaining('did you mean "rental"?') });
    });
  },
  'conditions',
);
