// Collections that bounds, lists of values and several conditions narrow: figures over them follow every write.
import { expect, test } from 'vitest';
import { growthIn } from '../../src/app/growth.ts';
import { tablesOf } from '../../src/storage/schema/tables.ts';
import { verified } from '../support/databases/verify.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

interface Loan {
  readonly id: string;
  readonly code: string;
  readonly kind: string;
  readonly day: string | null;
  readonly weight: number | null;
  readonly fee: number | null;
  readonly at: string | null;
  readonly isLost: boolean;
}

interface Span {
  readonly start: string | null;
  readonly end: string | null;
  readonly least: number | null;
  readonly most: number | null;
  readonly from: string | null;
}

const isIn = ({ day }: Loan, { start, end }: Pick<Span, 'start' | 'end'>): boolean =>
  day !== null && start !== null && end !== null && day >= start && day <= end;
const isHeavy = ({ weight }: Loan, { least }: Span): boolean => weight !== null && least !== null && weight > least;
const isAt = ({ day }: Loan, end: string | null): boolean => day !== null && day === end;
const isAtEnds = (loan: Loan, { start, end }: Span): boolean => isAt(loan, start) || isAt(loan, end);
/** Cents of a fee that is above -10 and not too high. */
const centsOf = ({ fee }: Loan, { most }: Span): number =>
  fee !== null && most !== null && fee <= most && fee > -10 ? Math.round(fee * 100) : 0;
/** Whether it was lent within 90 minutes. */
const isSoon = ({ at }: Loan, { from }: Span): boolean =>
  at !== null && from !== null && at >= from && Date.parse(at) < Date.parse(from) + 90 * 60_000;
/** Of more than a hundred years there is no list of days. */
const hasList = ({ start, end }: Span): boolean =>
  Date.parse(end ?? '') - Date.parse(start ?? '') < 36_600 * 86_400_000;
const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** Loans within three days of one; none where there are no such days. */
function inWeekOf(loans: readonly Loan[], { day }: Loan): number {
  if (day === null || day < '1000-01-04' || day > '9999-12-28') return 0;
  const week = { start: shifted(day, -3), end: shifted(day, 3) };
  return loans.filter((one) => isIn(one, week)).length;
}

const least = (weights: readonly number[]): number | null => (weights.length === 0 ? null : Math.min(...weights));
/** Null least, the first made of those that weigh the same. */
const lightest = (loans: readonly Loan[]): Loan | undefined =>
  loans.toSorted((one, other) => (one.weight ?? -Infinity) - (other.weight ?? -Infinity))[0];

/** What the figures of a span are, told without a database. @param loans In the order of their making. */
function figuresOf(loans: readonly Loan[], span: Span, today: string): Json {
  const inside = loans.filter((loan) => isIn(loan, span));
  const weights = inside.flatMap(({ weight }) => weight ?? []);
  const count = (holds: (loan: Loan) => boolean): number => loans.filter(holds).length;
  return {
    inside: inside.length,
    weight: inside
      .filter(({ kind, day }) => kind !== 'map' && day !== span.end)
      .reduce((sum, { weight }) => sum + (weight ?? 0), 0),
    heaviest: weights.length === 0 ? null : Math.max(...weights),
    fees: loans.reduce((sum, loan) => sum + centsOf(loan, span), 0) / 100,
    begun: count((loan) => isSoon(loan, span)),
    heavy: count((loan) => isHeavy(loan, span)),
    atEnds: count((loan) => isAtEnds(loan, span)),
    printed: count(({ kind, isLost }) => kind !== 'disc' && isLost),
    endsWeight: loans
      .filter((loan) => loan.kind === 'map' || isAt(loan, span.end) || isHeavy(loan, span))
      .reduce((sum, { weight }) => sum + (weight ?? 0), 0),
    endsLeast: least(loans.filter((loan) => isAtEnds(loan, span)).flatMap(({ weight }) => weight ?? [])),
    endsFirst: lightest(loans.filter((loan) => isAtEnds(loan, span) && loan.kind !== 'disc'))?.code ?? null,
    endsLast: loans.findLast((loan) => isAtEnds(loan, span) || isHeavy(loan, span))?.code ?? null,
    dailyWeight: loans
      .filter((loan) => (hasList(span) && isIn(loan, span)) || isAt(loan, span.start))
      .reduce((sum, { weight }) => sum + (weight ?? 0), 0),
    isBusy: loans.some((loan) => isAtEnds(loan, span) && (loan.weight ?? 0) > 0),
    areLight: inside.every(({ weight }) => weight !== null && weight < 100),
    daily: hasList(span) ? inside.filter(({ isLost }) => !isLost).length : 0,
    codes: loans
      .filter((loan) => isAtEnds(loan, span) || isHeavy(loan, span))
      .map(({ code }) => code)
      .join(' '),
    late: count(({ day }) => day !== null && day > shifted(today, -7)),
  };
}

onEveryDatabase(
  'collections narrowed by bounds, lists and alternatives',
  (context) => {
    const expectRight = async (): Promise<void> => {
      const loans = ((await context.all('loan')) as unknown as Loan[]).toReversed();
      const today = new Date().toISOString().slice(0, 10);
      for (const span of (await context.all('span')) as unknown as (Span & Json)[])
        expect(span).toMatchObject(figuresOf(loans, span, today));
      for (const loan of loans) expect(loan).toMatchObject({ sameWeek: inWeekOf(loans, loan) });
      expect(await verified(context, 'narrowing')).toEqual([]);
    };
    const done = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: Json): Promise<Json> => {
      const answer = await context.call(method, path, body);
      expect([answer.status, answer.body]).toEqual([method === 'DELETE' ? 204 : 200, answer.body]);
      return answer.body as Json;
    };

    test('have an index for each field that bounds', () => {
      const columns = tablesOf(context.registry).flatMap(({ group, indexes }) =>
        indexes.map((index) => `${group} ${index.columns.join()}`),
      );
      expect(columns).toEqual(expect.arrayContaining(['loan day', 'loan weight', 'loan kind', 'loan fee', 'loan at']));
    });

    test('of a condition make writes wait for each other, which is told', () => {
      const waiting = growthIn({}, context.registry).filter(({ why }) =>
        why.some(({ code, text }) => code === 'queue' && text.startsWith('finds loan only by a range, so all writes')),
      );
      expect(waiting.map(({ place }) => place)).toEqual(['loan.day', 'span.start']);
    });

    test('find what lies so, whoever comes, moves and goes', async () => {
      const spans: Json[] = [
        { start: '2026-03-01', end: '2026-03-31', least: 10, most: 0, from: '2026-03-01T10:00:00Z' },
        { start: '2026-03-31', end: '2026-03-01', least: -5, most: 9.99, from: '2026-03-01T11:29:59.999Z' },
        { start: null, end: '2026-03-31', least: null },
        { start: '2026-03-15', end: '2026-03-15', least: 1000, most: 9999999.99, from: '1000-01-01T00:00:00Z' },
        { start: '1000-01-01', end: '9999-12-31', least: 0 },
        { start: '1000-01-01', end: '1000-01-02', least: 0 },
        { start: '2026-02-20', end: '2026-12-31', least: 99 },
      ];
      for (const span of spans) await done('POST', '/spans', span);
      await expectRight();
      const loans: Json[] = [
        { code: 'a', day: '2026-03-01', weight: 10, fee: 9.99, at: '2026-03-01T11:29:59.999Z' },
        { code: 'b', day: '2026-03-31', weight: 11, kind: 'map', fee: -10, at: '2026-03-01T11:30:00Z' },
        { code: 'c', day: null, weight: -1000, kind: 'disc', fee: -9.99, at: '2026-03-01T10:00:00Z' },
        { code: 'd', day: '2026-03-15', weight: null, isLost: true },
        { code: 'e', day: '2026-02-28', weight: 1000, kind: 'map', isLost: true },
        { code: 'f', day: '9999-12-31', weight: 0, fee: 10, at: '2026-03-01T09:59:59.999Z' },
        { code: 'g', day: '1000-01-01', weight: 101 },
      ];
      const ids: string[] = [];
      for (const loan of loans) {
        ids.push(String((await done('POST', '/loans', loan))['id']));
        await expectRight();
      }
      const changes: Json[] = [
        { day: '2026-02-28', fee: 10 },
        { day: '2026-03-15', kind: 'book', fee: 0, at: '2026-03-01T11:29:00Z' },
        { day: '2026-03-01', weight: 500 },
        { day: null },
        { isLost: false },
        { weight: null, day: '2026-03-31' },
        { day: '1000-01-02' },
      ];
      for (const [index, change] of changes.entries()) {
        await done('PATCH', `/loans/${ids[index]}`, change);
        await expectRight();
      }
      const [first, second] = (await context.all('span')) as unknown as { id: string }[];
      await done('PATCH', `/spans/${first?.id}`, { start: '1000-01-01', end: '1000-01-02', least: 11, most: 10 });
      await done('PATCH', `/spans/${second?.id}`, { start: null });
      await expectRight();
      for (const id of ids) await done('DELETE', `/loans/${id}`);
      await expectRight();
    });

    test('judge who comes at the same moment', async () => {
      const post = async (path: string, body: Json): Promise<number> => (await context.call('POST', path, body)).status;
      const lost = Array.from({ length: 8 }, (_one, n) => ({
        code: `lost ${n}`,
        isLost: true,
        day: `2026-05-${10 + n}`,
      }));
      const found = await Promise.all(lost.map((body) => post('/loans', body)));
      expect(found.toSorted()).toEqual([200, 200, 200, 400, 400, 400, 400, 400]);
      for (let n = 0; n < 4; n += 1) await post('/loans', { code: `disc ${n}`, kind: 'disc', day: '2026-06-10' });
      const [more, span] = await Promise.all([
        post('/loans', { code: 'disc 5', kind: 'disc', day: '2026-06-11' }),
        post('/spans', { start: '2026-06-01', end: '2026-06-30' }),
      ]);
      expect(more).toBe(200);
      // The span came before the last disc, or was refused.
      expect([200, 400]).toContain(span);
      expect(await post('/spans', { start: '2026-06-01', end: '2026-06-30' })).toBe(400);
      await expectRight();
    });
  },
  'narrowing',
);
