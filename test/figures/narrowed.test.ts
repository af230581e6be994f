// Figures over records that are found by numbers, booleans, days and enums: whoever changes one of these brings them up to date.
import { expect, test } from 'vitest';
import { verified } from '../support/databases/verify.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

type Said = Readonly<Record<'kind' | 'width' | 'isMetric' | 'madeOn' | 'gradeId', unknown>>;

/** How many equal a value; nothing equals null. */
const equal = (bolts: readonly Said[], key: keyof Said, value: unknown): number =>
  value === null ? 0 : bolts.filter((bolt) => bolt[key] === value).length;

const fits = (bolts: readonly Said[], { kind, isMetric }: Pick<Said, 'kind' | 'isMetric'>): number =>
  kind === null && isMetric === null
    ? 0
    : bolts.filter((bolt) => bolt.kind === kind && bolt.isMetric === isMetric).length;

onEveryDatabase(
  'figures over what is found by plain values',
  (context) => {
    const none = { kind: null, width: null, isMetric: null, madeOn: null, gradeId: null };
    const done = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: Json): Promise<Json> => {
      const answer = await context.call(method, path, body);
      expect([answer.status, answer.body]).toEqual([method === 'DELETE' ? 204 : 200, answer.body]);
      return answer.body as Json;
    };
    const expectRight = async (): Promise<void> => {
      const bolts = (await context.all('bolt')) as unknown as readonly Said[];
      const nuts = (await context.all('nut')) as unknown as readonly (Said & Json)[];
      for (const nut of nuts)
        expect(nut).toMatchObject({
          kinds: equal(bolts, 'kind', nut.kind),
          widths: equal(bolts, 'width', nut.width),
          mixed: equal(bolts, 'kind', nut.width),
          metrics: equal(bolts, 'isMetric', nut.isMetric),
          days: equal(bolts, 'madeOn', nut.madeOn),
          grades: equal(bolts, 'gradeId', nut.gradeId),
          fits: fits(bolts, nut),
          inches: equal(bolts, 'kind', (nut['inch'] as Json | null)?.['kind'] ?? null),
          inch: nut['inch'] && { kinds: equal(bolts, 'kind', (nut['inch'] as Json)['kind']) },
          sizes: (nut['sizes'] as Said[]).map((size) => ({
            kinds: equal(bolts, 'kind', size.kind),
            widths: equal(bolts, 'width', size.width),
            metrics: equal(bolts, 'isMetric', size.isMetric),
            fits: fits(bolts, size),
          })),
        });
      expect(await verified(context, 'figures')).toEqual([]);
    };

    test('follow bolts that come, become others and go', async () => {
      const size = { kind: null, width: null, isMetric: null };
      const nuts: Json[] = [
        { kind: 1, width: 1.5, isMetric: true, madeOn: '2026-01-02', gradeId: 'soft', inch: { kind: 7 } },
        // The same in another spelling, and more decimals than a bolt can have.
        {
          kind: 7,
          width: 7.0,
          isMetric: false,
          inch: { kind: 1 },
          sizes: [{ ...size, kind: 7, isMetric: false }, size],
        },
        {
          kind: -3,
          width: 1.0001,
          isMetric: null,
          sizes: [
            { ...size, width: 1.5 },
            { ...size, kind: 1, isMetric: true },
          ],
        },
        { ...none, width: 12345678 },
        { ...none, isMetric: true, sizes: [{ ...size, kind: 1 }] },
        none,
      ];
      for (const nut of nuts) await done('POST', '/nuts', nut);
      const ids: string[] = [];
      const bolts: Json[] = [
        { kind: 1, width: 1.5, isMetric: true, madeOn: '2026-01-02', gradeId: 'soft' },
        { kind: 7, width: 7, isMetric: false, gradeId: 'hard' },
        { ...none, kind: 1 },
        { ...none, isMetric: true },
        none,
        { kind: -3, isMetric: null },
      ];
      for (const bolt of bolts) {
        ids.push(String((await done('POST', '/bolts', bolt))['id']));
        await expectRight();
      }
      const changes: Json[] = [
        { kind: 7 },
        { isMetric: true, width: 1.5 },
        { isMetric: true },
        { kind: 1, madeOn: '2026-01-02' },
        { gradeId: 'soft', width: 7 },
        { kind: null },
      ];
      for (const [index, change] of changes.entries()) {
        await done('PATCH', `/bolts/${ids[index]}`, change);
        await expectRight();
      }
      for (const id of ids) await done('DELETE', `/bolts/${id}`);
      await expectRight();
    });
  },
  'figures',
);
