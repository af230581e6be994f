// Many members of a team enter, hand in and approve time at once: no cap is exceeded, no day is handed in twice, and nothing
// is left out of a week that was handed in while it was entered.
import { expect, test } from 'vitest';
import type { Made } from '../cases/case.ts';
import { scene } from '../cases/time-scene.ts';
import { type Answer, type Context, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const timeout = 120_000;
const day = '2026-03-02';
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_value, n) => make(n));
const bodyOf = ({ body }: Answer): Json => (isObject(body) ? body : {});
const errorsOf = (answer: Answer): string => String((bodyOf(answer)['errors'] as string[] | undefined)?.[0]);
const accepted = (answers: readonly Answer[]): number => answers.filter(({ status }) => status === 200).length;

/** What `scene` of the cases needs of the world. */
const worldOf = ({ make, all }: Context) => ({
  make,
  all,
  unique: 0,
  actor: { id: '' } as Made,
  send: async () => {
    throw new Error('not here');
  },
});

interface Cap {
  readonly says: string;
  readonly project?: object;
  readonly task?: (assignmentId: string) => object;
  /** The day of each of the twenty entries. */
  readonly dayOf: (n: number) => string;
  readonly minutes: number;
  /** How many of the twenty fit. */
  readonly fit: number;
  readonly error: string;
}

/** Of a project or a task that takes ten hours: eight entries of 75 minutes. */
const tenHours = { minutes: 75, fit: 8 } as const;
const sameDay = (): string => day;
/** Monday to Friday, again and again. */
const inWeek = (n: number): string => `2026-03-0${2 + (n % 5)}`;
const inMonth = (n: number): string => `2026-03-${String(n + 1).padStart(2, '0')}`;

const caps: readonly Cap[] = [
  { says: 'a day', dayOf: sameDay, minutes: 200, fit: 7, error: 'at most 40, what is left of the member' },
  {
    says: 'a day of a member on a project',
    project: { capMaxMemberHoursPerDay: true, maxMemberHoursPerDay: 10 },
    dayOf: sameDay,
    ...tenHours,
    error: 'at most 0, what is left of the 10 hours that the project takes of a member a day',
  },
  {
    says: 'a week of a member on a project',
    project: { capMaxMemberHoursPerWeek: true, maxMemberHoursPerWeek: 10 },
    dayOf: inWeek,
    ...tenHours,
    error: 'at most 0, what is left of the 10 hours that the project takes of a member a week',
  },
  {
    says: 'a month of a member on a project',
    project: { capMaxMemberHoursPerMonth: true, maxMemberHoursPerMonth: 10 },
    dayOf: inMonth,
    ...tenHours,
    error: 'at most 0, what is left of the 10 hours that the project takes of a member a month',
  },
  {
    says: 'a task',
    task: () => ({ capHours: true, budgetedHours: 10 }),
    dayOf: inMonth,
    ...tenHours,
    error: 'at most 0, what is left of the 10 hours of the task',
  },
  {
    says: 'a member on a task',
    task: (id) => ({ capAssignedHours: true, projectMembers: [{ id, hours: 10 }] }),
    dayOf: inMonth,
    ...tenHours,
    error: "at most 0, what is left of the member's 10 hours on the task",
  },
];

onEveryDatabase(
  'time at once',
  (context) => {
    for (const { says, project = {}, task, dayOf, minutes, fit, error } of caps)
      test(
        `of twenty entries at once as many are taken as fit into ${says}`,
        async () => {
          const { memberId, projectId, assignmentId } = await scene(worldOf(context), { project });
          const made = task && (await context.make('task', { projectId, ...task(assignmentId) }));
          const answers = await Promise.all(
            times(20, (n) =>
              context.call('POST', '/time-entries', {
                memberId,
                projectId,
                date: dayOf(n),
                minutes,
                ...(made && { taskId: made.id }),
              }),
            ),
          );
          expect(accepted(answers), answers.map(({ text }) => text).join('\n')).toBe(fit);
          for (const answer of answers)
            if (answer.status !== 200) {
              expect(answer.status).toBe(400);
              expect(errorsOf(answer)).toContain(`'minutes' must be ${error}`);
            }
          expect(await context.all('time-entry', `&memberId=${memberId}`)).toHaveLength(fit);
        },
        timeout,
      );

    test(
      'a task with a cap is not exceeded by a team, each with a day of their own',
      async () => {
        const { projectId } = await scene(worldOf(context));
        const task = await context.make('task', { projectId, capHours: true, budgetedHours: 10 });
        const team: string[] = [];
        for (const _seat of times(10, (n) => n)) {
          const { id } = await context.make('member');
          await context.make('project-member', { projectId, memberId: id });
          team.push(id);
        }
        const answers = await Promise.all(
          times(20, (n) =>
            context.call('POST', '/time-entries', {
              memberId: team[n % team.length],
              projectId,
              taskId: task.id,
              date: day,
              minutes: 75,
            }),
          ),
        );
        expect(accepted(answers), answers.map(({ text }) => text).join('\n')).toBe(8);
        expect(await context.all('time-entry', `&taskId=${task.id}`)).toHaveLength(8);
      },
      timeout,
    );

    test(
      'time that grows at once fills a day, and no more',
      async () => {
        const { memberId, projectId } = await scene(worldOf(context));
        const entries = await Promise.all(
          times(10, () => context.make('time-entry', { memberId, projectId, date: day, minutes: 100 })),
        );
        // 440 minutes are left: four grow by a hundred.
        const answers = await Promise.all(
          entries.map(({ id }) => context.call('PATCH', `/time-entries/${id}`, { minutes: 200 })),
        );
        expect(accepted(answers), answers.map(({ text }) => text).join('\n')).toBe(4);
        const found = await context.all('time-entry', `&memberId=${memberId}`);
        expect(found.reduce((sum, { minutes }) => sum + Number(minutes), 0)).toBe(1400);
      },
      timeout,
    );

    test(
      'what is entered while its week is handed in is either in the week or refused',
      async () => {
        for (const _round of times(5, (n) => n)) {
          const { memberId, projectId } = await scene(worldOf(context));
          const hour = { memberId, projectId, date: day, minutes: 30 };
          await context.make('time-entry', hour);
          const enter = () => context.call('POST', '/time-entries', hour);
          const handIn = context.call('POST', '/timesheets', { memberId, start: day, end: '2026-03-08' });
          const [sheet, ...answers] = await Promise.all([handIn, ...times(8, enter)]);
          expect(sheet.status, sheet.text).toBe(200);
          for (const answer of answers)
            if (answer.status !== 200)
              expect(errorsOf(answer)).toBe("'date' must be outside of the member's submitted timesheets");
          const entries = await context.all('time-entry', `&memberId=${memberId}`);
          expect(entries).toHaveLength(1 + accepted(answers));
          for (const each of entries)
            expect(each).toMatchObject({ statusId: 'pending_approval', timesheet: { id: bodyOf(sheet)['id'] } });
          const kept = await context.call('GET', `/timesheets/${String(bodyOf(sheet)['id'])}`);
          expect(bodyOf(kept)['hours']).toBe(entries.length / 2);
        }
      },
      timeout,
    );

    test(
      'time that is taken back while its week is handed in is handed in with it',
      async () => {
        for (const _round of times(8, (n) => n)) {
          const { memberId, projectId } = await scene(worldOf(context));
          const hour = { memberId, projectId, date: day, minutes: 60 };
          await context.make('time-entry', { ...hour, statusId: 'not_submitted' });
          const waiting = await context.make('time-entry', { ...hour, statusId: 'pending_approval' });
          const [sheet, back] = await Promise.all([
            context.call('POST', '/timesheets', { memberId, start: day, end: day }),
            context.call('PATCH', `/time-entries/${waiting.id}`, { statusId: 'not_submitted' }),
          ]);
          expect(sheet.status, sheet.text).toBe(200);
          expect([200, 400], back.text).toContain(back.status);
          for (const each of await context.all('time-entry', `&memberId=${memberId}`))
            expect(each, back.text).toMatchObject({ statusId: 'pending_approval' });
        }
      },
      timeout,
    );

    test(
      'a week that is decided on while its time is decided on is in the state of its time',
      async () => {
        for (const round of times(5, (n) => n)) {
          const { memberId, projectId } = await scene(worldOf(context));
          const hour = { memberId, projectId, minutes: 30 };
          const entries: Made[] = [];
          for (const n of times(4, (place) => place))
            entries.push(await context.make('time-entry', { ...hour, date: `2026-03-0${2 + n}` }));
          const { id } = await context.make('timesheet', { memberId, start: day, end: '2026-03-08' });
          const answers = await Promise.all([
            context.call('PATCH', `/timesheets/${id}`, { statusId: round % 2 === 0 ? 'approved' : 'rejected' }),
            ...entries.map((entry, n) =>
              context.call('PATCH', `/time-entries/${entry.id}`, { statusId: n % 2 === 0 ? 'approved' : 'rejected' }),
            ),
          ]);
          for (const answer of answers) expect([200, 400], answer.text).toContain(answer.status);
          const states = (await context.all('time-entry', `&memberId=${memberId}`)).map(({ statusId }) => statusId);
          const right = states.includes('rejected')
            ? 'rejected'
            : states.every((state) => state === 'approved')
              ? 'approved'
              : 'pending_approval';
          expect(bodyOf(await context.call('GET', `/timesheets/${id}`))['statusId']).toBe(right);
        }
      },
      timeout,
    );

    test.each([
      ['time', 'time-entry', async (memberId: string) => ({ memberId, minutes: 5 })],
      [
        'expenses',
        'expense-item',
        async (memberId: string) => ({
          expenseReportId: (await context.make('expense-report', { memberId })).id,
          expenseCategoryId: (await context.make('expense-category')).id,
          amount: 5,
        }),
      ],
    ] as const)(
      'nobody leaves a project while %s of theirs comes in',
      async (_what, group, bodyOf) => {
        for (const round of times(8, (n) => n)) {
          const { id: memberId } = await context.make('member');
          const { id: projectId } = await context.make('project', { useRoles: false });
          const { id } = await context.make('project-member', { projectId, memberId });
          const body = { ...(await bodyOf(memberId)), projectId, date: day };
          const enter = () => context.call('POST', context.resource(group).path, body);
          const [before, leave, behind] = [
            times(round % 4, enter),
            context.call('DELETE', `/project-members/${id}`),
            times(8, enter),
          ];
          const [{ status, text }, entries] = [await leave, await Promise.all([...before, ...behind])];
          expect([204, 409], text).toContain(status);
          const made = accepted(entries);
          expect(made > 0, text).toBe(status === 409);
          expect(await context.all(group, `&projectId=${projectId}`)).toHaveLength(made);
        }
      },
      timeout,
    );

    test(
      'a week is taken back, or its time is billed, but not both',
      async () => {
        for (const _round of times(8, (n) => n)) {
          const { memberId, projectId } = await scene(worldOf(context));
          const hour = { memberId, projectId, date: day, minutes: 60, statusId: 'approved', isBillable: true };
          const { id } = await context.make('time-entry', hour);
          const sheet = await context.make('timesheet', { memberId, start: day, end: day });
          const project = (await context.call('GET', `/projects/${projectId}`)).body as { client: { id: string } };
          const lines = [{ projectId, amount: 100, sources: [{ typeId: 'time_entry', id }] }];
          const invoice = await context.make('invoice', { clientId: project.client.id, statusId: 'draft', lines });
          const [takeBack, issue] = await Promise.all([
            context.call('DELETE', `/timesheets/${sheet.id}`),
            context.call('PATCH', `/invoices/${invoice.id}`, { statusId: 'issued' }),
          ]);
          const isBilled = issue.status === 200;
          expect(takeBack.status, issue.text).toBe(isBilled ? 409 : 204);
          const statusId = isBilled ? 'approved' : 'not_submitted';
          const { body } = await context.call('GET', `/time-entries/${id}`);
          expect(body).toMatchObject({ statusId, invoiced: isBilled });
        }
      },
      timeout,
    );

    test(
      'what an approval needs does not go while it is given',
      async () => {
        const { id: expenseCategoryId } = await context.make('expense-category', { requireReceipt: true });
        await context.call('PATCH', '/workspace-settings', { timesheetAttestationStatement: 'All of it is true.' });
        const needed = async (): Promise<readonly [string, string, object][]> => {
          const { memberId, projectId } = await scene(worldOf(context));
          const { id: expenseReportId } = await context.make('expense-report', { memberId });
          const { id: expenseItemId } = await context.make('expense-item', {
            expenseReportId,
            expenseCategoryId,
            statusId: 'not_submitted',
          });
          const receipt = await context.make('expense-receipt', { memberId, expenseItemId });
          await context.make('time-entry', { memberId, projectId, date: day, minutes: 60 });
          const { id: timesheetId } = await context.make('timesheet', { memberId, start: day, end: day });
          const word = await context.make('timesheet-attestation', { timesheetId, isConfirmed: true });
          return [
            [`/expense-receipts/${receipt.id}`, `/expense-items/${expenseItemId}`, { statusId: 'pending_approval' }],
            [`/timesheet-attestations/${word.id}`, `/timesheets/${timesheetId}`, { statusId: 'approved' }],
          ];
        };
        for (const _round of times(8, (n) => n))
          for (const [path, judged, body] of await needed()) {
            const [gone, approved] = await Promise.all([
              context.call('DELETE', path),
              context.call('PATCH', judged, body),
            ]);
            expect([gone.status, approved.status], `${gone.text}${approved.text}`).toEqual(
              approved.status === 200 ? [409, 200] : [204, 400],
            );
          }
        await context.call('PATCH', '/workspace-settings', { timesheetAttestationStatement: '' });
      },
      timeout,
    );
  },
  'product',
);
