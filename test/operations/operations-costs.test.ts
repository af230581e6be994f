// Operation 12 of the interface: cost periods of members.
import { expect, test } from 'vitest';
import { expectFaults, expectGone, expectProblem, pageOf, recordOf, unknownId } from '../support/service/answers.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

const periodFields = [
  ...[
    'id',
    'isDefault',
    'start',
    'end',
    'currency',
    'costMethodId',
    'costPerHour',
    'overheadCostPerHour',
    'totalCostPerHour',
  ],
  ...['costPerMonth', 'overheadCostPerMonth', 'totalCostPerMonth', 'createdAt'],
];

onEveryDatabase(
  'cost periods',
  (context) => {
    const create = (body: unknown) => context.call('POST', '/cost-periods', body);
    const patch = (id: string, body: unknown) => context.call('PATCH', `/cost-periods/${id}`, body);
    const remove = (id: string) => context.call('DELETE', `/cost-periods/${id}`);
    const perHour = (cost: number, overhead: number, total: number): Json => ({
      costPerHour: cost,
      overheadCostPerHour: overhead,
      totalCostPerHour: total,
    });
    const perMonth = (cost: number, overhead: number, total: number): Json => ({
      costPerMonth: cost,
      overheadCostPerMonth: overhead,
      totalCostPerMonth: total,
    });
    const noHours = { costPerHour: null, overheadCostPerHour: null, totalCostPerHour: null };
    const noMonths = { costPerMonth: null, overheadCostPerMonth: null, totalCostPerMonth: null };
    /** `[start, end, isDefault]` of a member's periods, by start. */
    const chainOf = async (memberId: string) => {
      const periods = await context.all('cost-period', `&memberId=${memberId}`);
      return periods.map(({ start, end, isDefault }) => [start, end, isDefault]).sort();
    };

    test('gives a new member one period, which cannot be deleted', async () => {
      const { id } = await context.make('member', { activeStartDate: '2024-05-06' });
      const [period, ...others] = await context.all('cost-period', `&memberId=${id}`);
      expect(others).toEqual([]);
      expect(period).toEqual({
        ...{
          id: period?.id,
          createdAt: period?.createdAt,
          isDefault: true,
          start: '2024-05-06',
          end: null,
          currency: 'USD',
        },
        ...{ costMethodId: 'hourly', ...perHour(0, 0, 0), ...noMonths },
      });
      expect(Object.keys(period ?? {})).toEqual(periodFields);
      expectProblem(await remove(String(period?.id)), 409, 'The Cost Period is in use and cannot be deleted.');
      const today = new Date().toISOString().slice(0, 10);
      expect(await chainOf((await context.make('member')).id)).toEqual([[today, null, true]]);
    });

    test('keeps the periods of a member without gaps while they come, move and go', async () => {
      const { id: memberId } = await context.make('member', { activeStartDate: '2024-01-01' });
      const later = recordOf(await create({ memberId, start: '2025-01-01' }));
      expect(await chainOf(memberId)).toEqual([
        ['2024-01-01', '2024-12-31', true],
        ['2025-01-01', null, false],
      ]);
      const earlier = recordOf(await create({ memberId, start: '2023-03-01' }));
      expect(earlier).toMatchObject({ isDefault: true, end: '2023-12-31' });
      expect(await chainOf(memberId)).toEqual([
        ['2023-03-01', '2023-12-31', true],
        ['2024-01-01', '2024-12-31', false],
        ['2025-01-01', null, false],
      ]);
      const taken = 'A Cost Period with the same start already exists.';
      expectProblem(await create({ memberId, start: '2024-01-01' }), 409, taken);
      expectProblem(await patch(later.id, { start: '2024-01-01' }), 409, taken);
      expect(recordOf(await patch(later.id, { start: '2023-06-01' }))).toMatchObject({
        start: '2023-06-01',
        end: '2023-12-31',
        isDefault: false,
      });
      expect(await chainOf(memberId)).toEqual([
        ['2023-03-01', '2023-05-31', true],
        ['2023-06-01', '2023-12-31', false],
        ['2024-01-01', null, false],
      ]);
      expectGone(await remove(earlier.id));
      expect(await chainOf(memberId)).toEqual([
        ['2023-06-01', '2023-12-31', true],
        ['2024-01-01', null, false],
      ]);
      recordOf(await create({ memberId, start: '9999-12-31' }));
      recordOf(await create({ memberId, start: '1000-01-01' }));
      expect((await chainOf(memberId))[0]).toEqual(['1000-01-01', '2023-05-31', true]);
    });

    test('goes with its member', async () => {
      const { id } = await context.make('member');
      expectGone(await context.call('DELETE', `/members/${id}`));
      expect(await chainOf(id)).toEqual([]);
      expectFaults(
        await create({ memberId: id, start: '2024-01-01' }),
        "'memberId' does not refer to an existing Member",
      );
    });

    test('shows costs of hours or of months, by the method', async () => {
      const { id: memberId } = await context.make('member');
      const hourly = recordOf(
        await create({
          memberId,
          start: '2020-01-01',
          costPerHour: 10.5,
          overheadCostPerHour: 0.0625,
          currency: 'EUR',
        }),
      );
      expect(hourly).toMatchObject({
        ...perHour(10.5, 0.0625, 10.5625),
        ...noMonths,
        costMethodId: 'hourly',
        currency: 'EUR',
      });
      const monthly = recordOf(
        await create({ memberId, start: '2021-01-01', costMethodId: 'fixed_monthly', costPerMonth: 1000 }),
      );
      expect(monthly).toMatchObject({ ...noHours, ...perMonth(1000, 0, 1000), currency: 'USD' });
      expect(
        recordOf(await patch(hourly.id, { costMethodId: 'fixed_monthly', overheadCostPerMonth: 7 })),
      ).toMatchObject({ ...noHours, ...perMonth(0, 7, 7) });
      expect(recordOf(await patch(hourly.id, { costMethodId: 'fixed_hourly', costPerHour: 3 }))).toMatchObject({
        ...perHour(3, 0, 3),
        ...noMonths,
      });
      expect(recordOf(await patch(hourly.id, { costMethodId: 'hourly' }))).toMatchObject({
        ...perHour(3, 0, 3),
        ...noMonths,
      });
      expect(recordOf(await patch(hourly.id, { costPerHour: null }))).toMatchObject(perHour(0, 0, 0));
    });

    test('refuses amounts of the other method, derived values, and sums that are too large', async () => {
      const { id: memberId } = await context.make('member');
      const body = { memberId, start: '2020-01-01' };
      expectFaults(await create({ ...body, costPerMonth: 1 }), "'costPerMonth' is not allowed");
      expectFaults(
        await create({ ...body, costMethodId: 'fixed_monthly', overheadCostPerHour: 1 }),
        "'overheadCostPerHour' is not allowed",
      );
      expectFaults(
        await create({
          memberId,
          isDefault: true,
          end: '2021-01-01',
          totalCostPerHour: 1,
          totalCostPerMonth: 1,
          costMethodId: 'x',
        }),
        "'isDefault' is not allowed",
        "'start' is required",
        "'end' is not allowed",
        "'costMethodId' must be one of hourly, fixed_hourly, fixed_monthly",
        "'totalCostPerHour' is not allowed",
        "'totalCostPerMonth' is not allowed",
      );
      expectFaults(await create({ ...body, costPerHour: -1 }), "'costPerHour' must be at least 0");
      expectFaults(
        await create({ ...body, costPerHour: 0.00001 }),
        "'costPerHour' must be a number with at most 4 decimals",
      );
      const most = 99_999_999_999_999;
      expectFaults(
        await create({ ...body, costPerHour: most + 1 }),
        "'costPerHour' must be a number with at most 15 digits",
      );
      const tooLarge = await create({ ...body, costPerHour: most, overheadCostPerHour: most });
      expectFaults(tooLarge, "'totalCostPerHour' must be a number with at most 15 digits");
      expect(recordOf(await create({ ...body, costPerHour: most }))).toMatchObject(perHour(most, 0, most));
    });

    test('shows the method in effect in the member', async () => {
      const { id: memberId } = await context.make('member', { activeStartDate: '2020-01-01' });
      const methodOf = async () => recordOf(await context.call('GET', `/members/${memberId}`)).costMethodId;
      expect(await methodOf()).toBe('hourly');
      recordOf(await create({ memberId, start: '2021-01-01', costMethodId: 'fixed_monthly' }));
      expect(await methodOf()).toBe('fixed_monthly');
      recordOf(await create({ memberId, start: '9000-01-01', costMethodId: 'fixed_hourly' }));
      expect(await methodOf()).toBe('fixed_monthly');
    });

    test('lists the periods of one member', async () => {
      const { id } = await context.make('member');
      const page = (query: string) => context.call('GET', `/cost-periods?${query}`);
      expect(pageOf(await page(`memberId=${id.toUpperCase()}`)).results).toHaveLength(1);
      expect(pageOf(await page(`memberId=${unknownId}`))).toEqual({ results: [], hasMore: false });
      expectProblem(await page('memberId=1'), 400, "Parameter 'memberId' is not a valid UUID.");
    });
  },
  'product',
);
