// Weeks of time that members hand in.
import { type Case, conflict, done, example, type Made, refused, type World } from './case.ts';
import { change, enter, entered, scene } from './time-scene.ts';

// 2026-03-02 is a Monday, 2026-03-08 the Sunday of its week.
const week = { start: '2026-03-02', end: '2026-03-08' };

type Day = readonly [date: string, minutes: number];

/** A member with time on days, in the order of the days given; the hour is an hour on the Wednesday. */
export async function worked(world: World, ...days: readonly Day[]) {
  const found = await scene(world);
  const entries: Made[] = [];
  for (const [date, minutes] of days) entries.push((await entered(world, found, { date, minutes })).entry);
  return { ...found, entries, hour: { ...found.hour, date: '2026-03-04' } };
}
export const handIn = ({ memberId }: { readonly memberId: string }, period: object = week) =>
  ['POST', '/timesheets', { memberId, ...period }] as const;

/** The same with the week handed in. */
export async function handedIn(world: World, ...days: readonly Day[]) {
  const found = await worked(world, ...days);
  const [method, path, body] = handIn(found);
  const sheet = await world.send(method, path, body);
  return { ...found, sheet, path: `/timesheets/${sheet.id}` };
}
export const monday: Day = ['2026-03-02', 60];
const oneDay = (world: World) => handedIn(world, monday);
export const first = ({ entries }: { readonly entries: readonly Made[] }) => ({ entry: entries[0] as Made });
export const at = (entry: Made | undefined) => `/time-entries/${entry?.id}`;

/** The same, and its first entry is sent back to be mended. */
async function sentBack(world: World, ...days: readonly Day[]) {
  const found = await handedIn(world, ...days);
  await world.send('PATCH', at(found.entries[0]), { statusId: 'rejected' });
  return found;
}

/** Time from Tuesday to Friday, of which Wednesday and Thursday are handed in. */
async function midweek(world: World) {
  const found = await worked(world, ['2026-03-03', 60], ['2026-03-04', 60], ['2026-03-05', 60], ['2026-03-06', 60]);
  await world.send(...handIn(found, { start: '2026-03-04', end: '2026-03-05' }));
  return found;
}

const periods: readonly Case[] = [
  example({
    says: 'A timesheet takes the time of its member from its first to its last day, by date, and sums it up',
    given: async (world) => {
      const days: readonly Day[] = [
        ['2026-03-08', 50],
        ['2026-03-02', 50],
        ['2026-03-01', 600],
        ['2026-03-09', 600],
      ];
      const found = await worked(world, ...days);
      // A colleague's time of the same days.
      const colleague = await entered(world, await scene(world));
      return { ...found, colleague: colleague.entry };
    },
    when: (given) => handIn(given),
    // 50 + 50 minutes are 1.666… hours; each rounded by itself would make 1.66.
    gives: ({ memberId, entries: [sunday, monday] }) =>
      done({
        ...week,
        statusId: 'pending_approval',
        hours: 1.67,
        member: { id: memberId },
        timeEntries: [
          { id: monday?.id, minutes: 50 },
          { id: sunday?.id, minutes: 50 },
        ],
      }),
    also: ({ entries: [sunday, monday, before, after], colleague }) => [
      [at(sunday), { timesheet: { name: '2026-03-02 – 2026-03-08' } }],
      [at(monday), { timesheet: { name: '2026-03-02 – 2026-03-08' } }],
      [at(before), { timesheet: null }],
      [at(after), { timesheet: null }],
      [at(colleague), { timesheet: null }],
    ],
  }),
  example({
    says: 'A timesheet may be that of one day',
    given: (world) => worked(world, ['2026-03-04', 45]),
    when: (given) => handIn(given, { start: '2026-03-04', end: '2026-03-04' }),
    gives: done({ hours: 0.75 }),
  }),
  example({
    says: 'A timesheet does not end before it starts',
    given: (world) => worked(world, ['2026-03-04', 45]),
    when: (given) => handIn(given, { start: '2026-03-04', end: '2026-03-03' }),
    gives: refused("'end' must be on or after start"),
  }),
  example({
    says: 'A timesheet does not reach from a Sunday into the next week',
    given: (world) => worked(world, ['2026-03-08', 45]),
    when: (given) => handIn(given, { start: '2026-03-08', end: '2026-03-09' }),
    gives: refused("'end' must be in the same week as start"),
  }),
  example({
    says: 'A timesheet does not reach over a week',
    given: (world) => worked(world, ['2026-03-02', 45]),
    when: (given) => handIn(given, { start: '2026-03-02', end: '2026-03-09' }),
    gives: refused("'end' must be in the same week as start"),
  }),
  example({
    says: 'A week goes on over the end of the year',
    given: (world) => worked(world, ['2026-12-28', 30], ['2027-01-03', 30]),
    when: (given) => handIn(given, { start: '2026-12-28', end: '2027-01-03' }),
    gives: done({ hours: 1 }),
  }),
  example({
    says: 'A week of long ago ends on its Sunday, too',
    given: (world) => worked(world, ['1999-12-26', 45]),
    when: (given) => handIn(given, { start: '1999-12-26', end: '1999-12-27' }),
    gives: refused("'end' must be in the same week as start"),
  }),
  example({
    says: 'A period without time is not handed in',
    given: (world) => worked(world, ['2026-03-01', 60], ['2026-03-09', 60]),
    when: (given) => handIn(given),
    gives: refused("'start' must be the start of a period with time entries"),
  }),
  example({
    says: 'A period that ends before it starts is told together with a member that nobody is',
    given: (world) => worked(world, monday),
    when: ({ projectId }) => handIn({ memberId: projectId }, { start: '2026-03-05', end: '2026-03-04' }),
    gives: refused("'end' must be on or after start", "'memberId' does not refer to an existing Member"),
  }),
  example({
    says: 'A period without time is told before that it shares a day with one that is handed in',
    given: (world) => handedIn(world, monday),
    when: (given) => handIn(given, { start: '2026-03-03', end: '2026-03-03' }),
    gives: refused("'start' must be the start of a period with time entries"),
  }),
  example({
    says: 'A day is not handed in twice',
    given: (world) => handedIn(world, monday, ['2026-03-08', 60]),
    when: (given) => handIn(given, { start: '2026-03-08', end: '2026-03-08' }),
    gives: conflict('A Timesheet with overlapping dates already exists.'),
  }),
  ...(
    [
      ['begins before it', { start: '2026-03-03', end: '2026-03-04' }],
      ['ends after it', { start: '2026-03-05', end: '2026-03-06' }],
      ['lies around it', { start: '2026-03-02', end: '2026-03-08' }],
      ['lies in it', { start: '2026-03-05', end: '2026-03-05' }],
    ] as const
  ).map(([how, period]) =>
    example({
      says: `A period that shares a day with one that is handed in is refused where it ${how}`,
      given: midweek,
      when: (given) => handIn(given, period),
      gives: conflict('A Timesheet with overlapping dates already exists.'),
    }),
  ),
  ...(
    [
      ['before', { start: '2026-03-02', end: '2026-03-03' }],
      ['after', { start: '2026-03-06', end: '2026-03-08' }],
    ] as const
  ).map(([when, period]) =>
    example({
      says: `The days right ${when} those that are handed in are handed in by themselves`,
      given: midweek,
      when: (given) => handIn(given, period),
      gives: done({ ...period, hours: 1 }),
    }),
  ),
  example({
    says: 'Two members hand in the same week',
    given: async (world) => {
      await handedIn(world, monday);
      return worked(world, monday);
    },
    when: (given) => handIn(given),
    gives: done({ hours: 1 }),
  }),
];

const inside: readonly Case[] = [
  example({
    says: 'A day that is handed in takes no more time',
    given: oneDay,
    when: (given) => enter(given),
    gives: refused("'date' must be outside of the member's submitted timesheets"),
  }),
  example({
    says: 'The last day that is handed in takes no more time, either',
    given: oneDay,
    when: (given) => enter(given, { date: '2026-03-08' }),
    gives: refused("'date' must be outside of the member's submitted timesheets"),
  }),
  example({
    says: 'The day after what is handed in takes time',
    given: oneDay,
    when: (given) => enter(given, { date: '2026-03-09' }),
    gives: done({ timesheet: null }),
    also: ({ path }) => [[path, { hours: 1 }]],
  }),
  example({
    says: 'Other minutes inside a timesheet change its hours',
    given: (world) => sentBack(world, monday, ['2026-03-03', 30]),
    when: (given) => change(first(given), { minutes: 70 }),
    gives: ({ sheet }) => done({ minutes: 70, statusId: 'rejected', timesheet: { id: sheet.id } }),
    // 70 + 30 minutes
    also: ({ path, entries: [one, two] }) => [
      [
        path,
        {
          hours: 1.67,
          statusId: 'rejected',
          timeEntries: [
            { id: one?.id, minutes: 70 },
            { id: two?.id, minutes: 30 },
          ],
        },
      ],
    ],
  }),
  example({
    says: 'Time that is deleted inside a timesheet leaves its hours, and the timesheet waits if nothing else is rejected',
    given: (world) => sentBack(world, monday, ['2026-03-03', 30]),
    when: (given) => ['DELETE', at(given.entries[0])],
    gives: done(),
    also: ({ path, entries }) => [
      [path, { hours: 0.5, statusId: 'pending_approval', timeEntries: [{ id: entries[1]?.id, minutes: 30 }] }],
    ],
  }),
  example({
    says: 'A timesheet whose only time is deleted waits, and nobody has approved it',
    given: (world) => sentBack(world, monday),
    when: (given) => ['DELETE', at(given.entries[0])],
    gives: done(),
    also: ({ path }) => [[path, { hours: 0, statusId: 'pending_approval', timeEntries: [] }]],
  }),
  example({
    says: 'Time that moves out of a timesheet leaves its hours',
    given: (world) => sentBack(world, monday, ['2026-03-03', 30]),
    when: (given) => change(first(given), { date: '2026-03-09' }),
    gives: done({ timesheet: null, statusId: 'rejected' }),
    also: ({ path, entries }) => [
      [path, { hours: 0.5, statusId: 'pending_approval', timeEntries: [{ id: entries[1]?.id }] }],
    ],
  }),
  example({
    says: 'Time may move to another day of its timesheet',
    given: (world) => sentBack(world, monday, ['2026-03-03', 30]),
    when: (given) => change(first(given), { date: '2026-03-04' }),
    gives: ({ sheet }) => done({ timesheet: { id: sheet.id } }),
    // By date.
    also: ({ path, entries: [one, two] }) => [[path, { hours: 1.5, timeEntries: [{ id: two?.id }, { id: one?.id }] }]],
  }),
  example({
    says: 'Time that is not submitted does not move into a week that is handed in',
    given: async (world) => {
      const found = await handedIn(world, monday);
      return entered(world, found, { date: '2026-03-09' });
    },
    when: (given) => change(given, { date: '2026-03-08' }),
    gives: refused("'date' must be outside of the member's submitted timesheets"),
  }),
  example({
    says: 'Time does not move from one timesheet to another',
    given: async (world) => {
      const found = await sentBack(world, monday, ['2026-03-03', 30], ['2026-03-09', 15]);
      await world.send(...handIn(found, { start: '2026-03-09', end: '2026-03-15' }));
      return found;
    },
    when: (given) => change(first(given), { date: '2026-03-15' }),
    gives: refused("'date' must be outside of the member's submitted timesheets"),
    also: ({ path }) => [[path, { hours: 1.5, statusId: 'rejected' }]],
  }),
  example({
    says: 'Time does not become that of a colleague who has handed in the week',
    given: async (world) => {
      const found = await sentBack(world, monday, ['2026-03-03', 30]);
      const colleague = await handedIn(world, ['2026-03-04', 45]);
      await world.make('project-member', { projectId: found.projectId, memberId: colleague.memberId });
      return { ...found, colleague };
    },
    when: (given) => change(first(given), { memberId: given.colleague.memberId }),
    gives: refused("'date' must be outside of the member's submitted timesheets"),
    also: ({ colleague }) => [[colleague.path, { hours: 0.75 }]],
  }),
  example({
    says: 'Time inside a timesheet may become that of a colleague who has handed in nothing',
    given: async (world) => {
      const found = await sentBack(world, monday, ['2026-03-03', 30]);
      const colleague = await scene(world);
      await world.make('project-member', { projectId: found.projectId, memberId: colleague.memberId });
      return { ...found, colleague };
    },
    when: (given) => change(first(given), { memberId: given.colleague.memberId }),
    gives: ({ colleague }) => done({ timesheet: null, member: { id: colleague.memberId } }),
    also: ({ path }) => [[path, { hours: 0.5, statusId: 'pending_approval' }]],
  }),
  example({
    says: 'Other notes inside a timesheet leave its hours',
    given: (world) => sentBack(world, monday),
    when: (given) => change(first(given), { notes: 'Kick-off' }),
    gives: done({ notes: 'Kick-off' }),
    also: ({ path }) => [[path, { hours: 1, statusId: 'rejected' }]],
  }),
  ...(['pending_approval', 'approved', 'rejected'] as const).map((statusId) =>
    example({
      says: `Time that is ${statusId} inside a timesheet is not taken back`,
      given: async (world) => {
        const found = await oneDay(world);
        const states = statusId === 'pending_approval' ? [statusId] : ['pending_approval', statusId];
        for (const state of states) await world.send('PATCH', at(found.entries[0]), { statusId: state });
        return found;
      },
      when: (given) => change(first(given), { statusId: 'not_submitted' }),
      gives: refused("'statusId' must be other than not_submitted inside a timesheet"),
    }),
  ),
  ...(
    [
      ['approved', 'pending_approval'],
      ['rejected', 'rejected'],
    ] as const
  ).map(([statusId, state]) =>
    example({
      says: `Time inside a timesheet is ${statusId} by itself, and the timesheet is ${state} while other time waits`,
      given: (world) => handedIn(world, monday, ['2026-03-03', 30]),
      when: (given) => change(first(given), { statusId }),
      gives: done({ statusId }),
      also: ({ path, entries }) => [
        [path, { hours: 1.5, statusId: state }],
        [at(entries[1]), { statusId: 'pending_approval' }],
      ],
    }),
  ),
  example({
    says: 'A timesheet is approved when the last of its time is, without anybody’s statement',
    given: async (world) => {
      await world.send('PATCH', '/workspace-settings', { timesheetAttestationStatement: 'I have worked.' });
      const found = await handedIn(world, monday, ['2026-03-03', 30]);
      await world.send('PATCH', at(found.entries[1]), { statusId: 'approved' });
      return found;
    },
    when: (given) => change(first(given), { statusId: 'approved' }),
    gives: done({ statusId: 'approved' }),
    also: ({ path }) => [[path, { statusId: 'approved' }]],
  }),
  example({
    says: 'Time that was rejected is submitted again inside its timesheet, which then waits',
    given: (world) => sentBack(world, monday, ['2026-03-03', 30]),
    when: (given) => change(first(given), { statusId: 'pending_approval', minutes: undefined }),
    gives: done({ statusId: 'pending_approval' }),
    also: ({ path }) => [[path, { statusId: 'pending_approval' }]],
  }),
  example({
    says: 'Time that is rejected inside a timesheet can be mended',
    given: (world) => sentBack(world, monday),
    when: (given) => change(first(given), { minutes: 90 }),
    gives: done({ minutes: 90, statusId: 'rejected' }),
    also: ({ path }) => [[path, { hours: 1.5 }]],
  }),
];

export const timesheets: readonly Case[] = [...periods, ...inside];
