// Many callers at once: keys have one winner, changes add up, numbers have no gaps, and nothing is left without what it
// hangs on. Whatever happens, no caller sees a 5xx.
import { expect, test } from 'vitest';
import { addDays } from '../../src/values/date.ts';
import { type Answer, type Context, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const timeout = 60_000;
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_value, n) => make(n));
const shown = ({ body }: Answer): Json => (isObject(body) ? body : {});
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).toSorted();

async function read(context: Context, path: string): Promise<Json> {
  return shown(await context.call('GET', path));
}

/** The chain of a member, earliest first, and whether it has a gap. */
async function expectWholeChain(context: Context, memberId: string): Promise<Json[]> {
  const periods = (await context.all('cost-period', `&memberId=${memberId}`)).toSorted((a, b) =>
    String(a['start']) < String(b['start']) ? -1 : 1,
  );
  for (const [place, period] of periods.entries()) {
    const next = periods[place + 1];
    expect(period['end']).toBe(next === undefined ? null : addDays(String(next['start']), -1));
    expect(period['isDefault']).toBe(place === 0);
  }
  return periods;
}

onEveryDatabase(
  'races',
  (context) => {
    test(
      'of twenty creates of one name one wins, and the others are told that it is taken',
      async () => {
        for (const round of times(15, (n) => n)) {
          const names = times(20, (n) => (n % 2 === 0 ? `Racer ${round}` : `RACER ${round}`));
          const answers = await Promise.all(names.map((name) => context.call('POST', '/job-titles', { name })));
          expect(statuses(answers)).toEqual([200, ...times(19, () => 409)]);
          for (const { status, body } of answers)
            if (status === 409)
              expect(body).toEqual({ status: 409, message: 'A Job Title with the same name already exists.' });
        }
        expect(await context.all('job-title')).toHaveLength(15);
      },
      timeout,
    );

    test(
      'allocations at once for a member who is not on the project put the member there once, and all are made',
      async () => {
        for (const round of times(12, (n) => n)) {
          const { id: projectId } = await context.make('project', { name: `Joined ${round}`, billingTypeId: 'tm' });
          const { id: memberId } = await context.make('member');
          const body = { resourceTypeId: 'member', memberId, assignmentTypeId: 'project', projectId };
          const days = { start: '2026-02-02', end: '2026-02-06', unit: 'day', hoursPerDay: 1 };
          const answers = await Promise.all(times(6, () => context.call('POST', '/allocations', { ...body, ...days })));
          expect(statuses(answers), answers.map(({ text }) => text).join('\n')).toEqual(times(6, () => 200));
          expect(await context.all('project-member', `&projectId=${projectId}&memberId=${memberId}`)).toHaveLength(1);
        }
      },
      timeout,
    );

    test(
      'allocations at once, while somebody puts the member on the project as well, are all made',
      async () => {
        for (const round of times(12, (n) => n)) {
          const { id: projectId } = await context.make('project', { name: `Staffed ${round}`, billingTypeId: 'tm' });
          const { id: memberId } = await context.make('member');
          const work = { resourceTypeId: 'member', memberId, assignmentTypeId: 'project', projectId };
          const days = { start: '2026-02-02', end: '2026-02-06', unit: 'week', hoursPerWeek: 20 };
          const [joined, ...planned] = await Promise.all([
            context.call('POST', '/project-members', { projectId, memberId }),
            ...times(4, () => context.call('POST', '/allocations', { ...work, ...days })),
          ]);
          expect(statuses(planned), planned.map(({ text }) => text).join('\n')).toEqual(times(4, () => 200));
          // Whoever comes first has put the member there.
          expect([200, 409]).toContain(joined.status);
          expect(await context.all('project-member', `&projectId=${projectId}&memberId=${memberId}`)).toHaveLength(1);
        }
      },
      timeout,
    );

    test(
      'of changes at once each is logged, from what the one before has left to what it has made of it',
      async () => {
        const { id } = await context.make('company', { revenue: 0 });
        const values = times(12, (n) => n + 1);
        const answers = await Promise.all(
          values.map((revenue) => context.call('PATCH', `/companies/${id}`, { revenue })),
        );
        expect(statuses(answers)).toEqual(times(12, () => 200));
        const logged = await context.all('pipeline-activity', `&companyId=${id}`);
        const steps = logged.map(({ content }) =>
          /^revenue: (\d+) → (\d+)$/.exec(String(content))?.slice(1).map(Number),
        );
        expect(steps).toHaveLength(12);
        // A way from 0 through all of them: each begins where another ended.
        const way = new Map(steps.map((step) => [step?.[0], step?.[1]]));
        const walked: (number | undefined)[] = [];
        for (let at = way.get(0); at !== undefined; at = way.get(at)) walked.push(at);
        expect(walked.toSorted((a = 0, b = 0) => a - b)).toEqual(values);
        expect(shown(await context.call('GET', `/companies/${id}`))['revenue']).toBe(walked.at(-1));
      },
      timeout,
    );

    test(
      'of twenty updates to one name one wins',
      async () => {
        const made = await Promise.all(times(20, () => context.make('skill')));
        const answers = await Promise.all(
          made.map(({ id }) => context.call('PATCH', `/skills/${id}`, { name: 'The one' })),
        );
        expect(statuses(answers)).toEqual([200, ...times(19, () => 409)]);
        expect((await context.all('skill', '&name=The%20one')).map(({ id }) => id)).toHaveLength(1);
      },
      timeout,
    );

    test(
      'loses no change when sixteen callers each change a field of one record',
      async () => {
        const { id } = await context.make('client', { invoiceDetailsSource: 'custom' });
        const members = await Promise.all(times(10, () => context.make('member')));
        const [practice, industry, location, tag] = [
          await context.make('practice'),
          await context.make('industry'),
          await context.make('location'),
          await context.make('client-tag'),
        ];
        const odd = (n: number, value: string | null): string | null => (n % 2 === 1 ? value : null);
        const changes: Record<string, (n: number) => unknown> = {
          name: (n) => `Name ${n}`,
          code: (n) => `Code ${n}`,
          notes: (n) => `Notes ${n}`,
          streetAddress: (n) => `Street ${n}`,
          invoiceSubject: (n) => `Subject ${n}`,
          invoiceNotes: (n) => `Invoice notes ${n}`,
          invoiceEmailSubject: (n) => `E-mail ${n}`,
          invoiceEmailBody: (n) => `Body ${n}`,
          currency: (n) => ['EUR', 'USD', 'JPY'][n % 3],
          emails: (n) => [`mail${n}@example.com`],
          ownerId: (n) => members[n]?.id,
          salesRepresentativeId: (n) => members[9 - n]?.id,
          practiceId: (n) => odd(n, practice.id),
          industryId: (n) => odd(n, industry.id),
          locationId: (n) => odd(n, location.id),
          tagIds: (n) => (n % 2 === 1 ? [tag.id] : []),
        };
        const last = 9;
        await Promise.all(
          Object.entries(changes).map(async ([key, value]) => {
            for (const n of times(last + 1, (each) => each)) {
              const answer = await context.call('PATCH', `/clients/${id}`, { [key]: value(n) });
              expect(answer.status, answer.text).toBe(200);
            }
          }),
        );
        const client = await read(context, `/clients/${id}`);
        for (const [key, value] of Object.entries(changes)) {
          const field = context.resource('client').byKey.get(key);
          const found = client[field?.name ?? ''];
          const plain = isObject(found)
            ? found['id']
            : key === 'tagIds' && Array.isArray(found)
              ? found.map((each: Json) => each['id'])
              : found;
          expect(plain, key).toEqual(value(last));
        }
      },
      timeout,
    );

    test(
      'keeps a chain whole when sixteen callers add, move and take out its periods',
      async () => {
        const memberId = (await context.make('member', { activeStartDate: '2020-06-01' })).id;
        const answers = await Promise.all(
          times(16, (n) =>
            context.call('POST', '/cost-periods', { memberId, start: addDays('2015-01-01', n * 250), costPerHour: n }),
          ),
        );
        expect(statuses(answers)).toEqual(times(16, () => 200));
        expect(await expectWholeChain(context, memberId)).toHaveLength(17);
        const mixed = await Promise.all(
          answers.map((answer, n) => {
            const path = `/cost-periods/${String(shown(answer)['id'])}`;
            if (n % 3 === 0) return context.call('DELETE', path);
            return context.call(
              'PATCH',
              path,
              n % 3 === 1 ? { start: addDays('2030-01-01', n) } : { costPerHour: 100 + n },
            );
          }),
        );
        for (const { status } of mixed) expect([200, 204]).toContain(status);
        const periods = await expectWholeChain(context, memberId);
        expect(periods).toHaveLength(17 - 6);
        expect(periods.map((period) => period['costPerHour'])).toEqual(
          expect.arrayContaining([102, 105, 108, 111, 114, 1, 4, 7, 10, 13]),
        );
        // One start for all: one wins.
        const same = await Promise.all(
          times(8, () => context.call('POST', '/cost-periods', { memberId, start: '2040-01-01' })),
        );
        expect(statuses(same)).toEqual([200, ...times(7, () => 409)]);
        await expectWholeChain(context, memberId);
      },
      timeout,
    );

    test(
      'leaves the last period of a chain when all are deleted at once',
      async () => {
        const memberId = (await context.make('member')).id;
        for (const n of times(3, (each) => each))
          await context.make('cost-period', { memberId, start: `201${n}-01-01` });
        const periods = await context.all('cost-period', `&memberId=${memberId}`);
        const answers = await Promise.all(periods.map(({ id }) => context.call('DELETE', `/cost-periods/${id}`)));
        expect(statuses(answers)).toEqual([204, 204, 204, 409]);
        expect(await expectWholeChain(context, memberId)).toHaveLength(1);
      },
      timeout,
    );

    test(
      'moves the one default to one holder, whoever asks at the same time',
      async () => {
        const made = await Promise.all(times(10, () => context.make('holiday-schedule')));
        const answers = await Promise.all(
          made.map(({ id }) => context.call('PATCH', `/holiday-schedules/${id}`, { isDefault: true })),
        );
        expect(statuses(answers)).toEqual(times(10, () => 200));
        expect((await context.all('holiday-schedule')).filter((each) => each['isDefault'] === true)).toHaveLength(1);
      },
      timeout,
    );

    test(
      'gives each of sixteen clients of one name a key of its own',
      async () => {
        const answers = await Promise.all(times(16, () => context.call('POST', '/clients', { name: 'Same Name' })));
        expect(statuses(answers)).toEqual(times(16, () => 200));
        const keys = answers.map((answer) => String(shown(answer)['key']));
        expect(keys.toSorted()).toEqual(['same-name', ...times(15, (n) => `same-name-${n + 2}`)].toSorted());
      },
      timeout,
    );

    test(
      'numbers records without gaps and twins',
      async () => {
        const [member, client] = [await context.make('member'), await context.make('client')];
        // Refused creates use no number.
        const wrong = times(5, () => context.call('POST', '/expense-reports', { title: 'x', memberId: client.id }));
        const answers = await Promise.all(
          times(20, (n) => context.call('POST', '/expense-reports', { title: `Report ${n}`, memberId: member.id })),
        );
        expect(statuses(await Promise.all(wrong))).toEqual(times(5, () => 400));
        expect(statuses(answers)).toEqual(times(20, () => 200));
        const numbers = answers.map((answer) => Number(shown(answer)['number'])).toSorted((a, b) => a - b);
        expect(numbers).toEqual(times(20, (n) => n + 1));
        const invoices = await Promise.all(times(12, () => context.call('POST', '/invoices', { clientId: client.id })));
        expect(statuses(invoices)).toEqual(times(12, () => 200));
        expect(invoices.map((answer) => shown(answer)['number']).toSorted()).toEqual(
          times(12, (n) => `INV-${String(n + 1).padStart(4, '0')}`),
        );
      },
      timeout,
    );

    test(
      'a reference that is moved while the record that it names is deleted stays where it was moved to',
      async () => {
        const kept = await context.make('discipline');
        for (const round of times(15, (n) => n)) {
          const { id: disciplineId } = await context.make('discipline');
          const roles = await Promise.all(
            times(8, (n) => context.make('workspace-role', { name: `Moved ${round} ${n}`, disciplineId })),
          );
          const move = ({ id }: { readonly id: string }) =>
            context.call('PATCH', `/workspace-roles/${id}`, { disciplineId: kept.id });
          const [gone, ...moved] = await Promise.all([
            context.call('DELETE', `/disciplines/${disciplineId}`),
            ...roles.map(move),
          ]);
          expect([gone?.status, ...statuses(moved)]).toEqual([204, ...times(8, () => 200)]);
          const found = await Promise.all(roles.map(({ id }) => read(context, `/workspace-roles/${id}`)));
          expect(found.map(({ discipline }) => (discipline as Json | null)?.['id'])).toEqual(times(8, () => kept.id));
        }
      },
      timeout,
    );

    test(
      'leaves no child without its parent when one is deleted while the other is made',
      async () => {
        const outcomes = new Set<string>();
        const race = async (round: number, parent: string, child: string, key: string): Promise<void> => {
          const { id } = await context.make(parent);
          const body = await context.bodyOf(child, { [key]: id });
          const path = context.resource(child).path;
          const send = () => context.call('POST', path, body);
          const take = () => context.call('DELETE', `${context.resource(parent).path}/${id}`);
          // First, in the middle, last.
          const early = times((round % 3) * 2, send);
          const [gone, ...made] = await Promise.all([take(), ...early, ...times(4 - early.length, send)]);
          const isGone = gone.status === 204;
          expect(isGone || gone.status === 409, gone.text).toBe(true);
          const field = context.resource(child).byKey.get(key);
          const rule = field?.kind === 'reference' ? field.onDelete : undefined;
          for (const answer of made) {
            outcomes.add(`${child} ${gone.status} ${answer.status}`);
            if (answer.status === 400) {
              expect(answer.body).toMatchObject({
                errors: [`'${key}' does not refer to an existing ${context.resource(parent).title}`],
              });
              continue;
            }
            // A key that another of the four has taken.
            if (answer.status === 409) continue;
            expect(answer.status, answer.text).toBe(200);
            const found = await context.call('GET', `${path}/${String(shown(answer)['id'])}`);
            if (!isGone) expect(found.status).toBe(200);
            else if (rule === 'cascade') expect(found.status).toBe(404);
            else expect(shown(found)[field?.name ?? '']).toBeNull();
          }
          if (rule === 'restrict') expect(isGone && made.some(({ status }) => status === 200)).toBe(false);
          expect((await context.all(child, `&${key}=${id}`)).length > 0 && isGone).toBe(false);
        };
        for (const round of times(12, (n) => n)) {
          await race(round, 'client', 'project-group', 'clientId');
          await race(round, 'practice', 'client', 'practiceId');
          await race(round, 'invoice-item', 'project-type', 'invoiceItemId');
          await race(round, 'opportunity-pipeline', 'opportunity-stage', 'opportunityPipelineId');
        }
        expect(outcomes.size).toBeGreaterThanOrEqual(4);
      },
      timeout,
    );
  },
  'product',
);
