// The hours: what each member did on each day, the timesheets of past weeks, and days off.
import { addDays } from '../values/date.ts';
import { isWeekend, later, mondayOf, timeAt } from './calendar.ts';
import { internalNotes } from './data/work.ts';
import type { Ledger } from './ledger.ts';
import type { Staff } from './people.ts';
import type { Plan } from './plan.ts';
import type { Planned } from './planned.ts';
import type { Job, TeamMember } from './projects.ts';

export interface Workforce {
  readonly staff: readonly Staff[];
  readonly jobs: readonly Job[];
  readonly internal: Planned;
  readonly ledger: Ledger;
}

type Status = 'approved' | 'pending_approval' | 'not_submitted';
interface Assignment {
  readonly job: Job;
  readonly as: TeamMember;
}

/** Days whose time is not decided on yet, counted back from the end of the history. */
const pendingDays = 14;
const openDays = 6;

/** Plans the hours of one week. */
export function planWeek(plan: Plan, work: Workforce, monday: string): void {
  const friday = addDays(monday, 4);
  const status: Status =
    addDays(friday, openDays) > plan.span.last
      ? 'not_submitted'
      : addDays(friday, pendingDays) > plan.span.last
        ? 'pending_approval'
        : 'approved';
  for (const one of work.staff) {
    const days = [0, 1, 2, 3, 4]
      .map((day) => addDays(monday, day))
      .filter((date) => plan.covers(date) && one.worksOn(date));
    if (days.length === 0) continue;
    const assigned = work.jobs.flatMap((job) =>
      job.team.filter(({ staff }) => staff === one).map((as) => ({ job, as })),
    );
    for (const date of days) planDay(plan, work, { one, date, assigned, status });
    if (status !== 'not_submitted') planTimesheet(plan, one, { monday, last: days.at(-1) ?? friday, status });
  }
}

interface Day {
  readonly one: Staff;
  readonly date: string;
  readonly assigned: readonly Assignment[];
  readonly status: Status;
}

function planDay(plan: Plan, work: Workforce, day: Day): void {
  const { random } = plan;
  const { one, date, assigned } = day;
  const kind = one.away.get(date);
  if (kind !== undefined) {
    plan.timeline.make(
      momentOf(plan, date),
      (praxis) =>
        praxis.timeEntries.create({
          typeId: 'time_off',
          date,
          minutes: 480,
          statusId: day.status,
          memberId: one.record.id,
          timeOffTypeId: plan.id('timeOffTypes', kind),
        }),
      one.record,
    );
    return;
  }
  const active = assigned.filter(({ job }) => job.isActiveOn(date));
  const billable = active.length === 0 ? 0 : random.between(21, 30) * 15;
  const rest = Math.max(15, random.between(29, 34) * 15 - billable);
  const second = active.length > 1 && random.chance(0.35) ? random.between(6, 12) * 15 : 0;
  const [first, other] = active.length < 2 ? active : random.chance(0.6) ? active : active.toReversed();
  if (first !== undefined) planEntry(plan, work, { ...day, ...first, minutes: billable - second });
  if (other !== undefined && second > 0) planEntry(plan, work, { ...day, ...other, minutes: second });
  // Who has a project writes up what is left once in a while, not each quarter of an hour.
  if (billable > 0 && random.chance(0.6)) return;
  const notes = random.pick(internalNotes);
  const { status } = day;
  plan.timeline.make(
    momentOf(plan, date),
    (praxis) =>
      praxis.timeEntries.create({
        memberId: one.record.id,
        projectId: work.internal.id,
        date,
        minutes: rest,
        notes,
        statusId: status,
      }),
    one.record,
  );
}

/** Written in the evening. */
const momentOf = ({ random }: Plan, date: string): number =>
  timeAt(date, [15, random.between(0, 50), random.between(0, 59)]);

interface Entry extends Day, Assignment {
  readonly minutes: number;
}

function planEntry(plan: Plan, { ledger }: Workforce, { one, date, status, job, as, minutes }: Entry): void {
  const { random } = plan;
  const task = random.pick(job.tasks);
  const notes = random.pick(task.row.notes);
  const isRejected = status === 'pending_approval' && ledger.place('entry') % 40 === 7;
  const record = plan.timeline.make(
    momentOf(plan, date),
    (praxis) =>
      praxis.timeEntries.create({
        memberId: one.record.id,
        projectId: job.record.id,
        projectRoleId: as.role?.record.id ?? null,
        taskId: task.record.id,
        date,
        minutes,
        notes,
        statusId: status,
      }),
    one.record,
  );
  // Sent back out of a week that waits, to be mended.
  if (isRejected)
    plan.timeline.add(plan.during(addDays(mondayOf(date), 7)), (praxis) =>
      praxis.timeEntries.update(record.id, { statusId: 'rejected' }),
    );
  if (status === 'approved')
    ledger.work({ record, job, date, minutes, rate: as.rate, what: as.role?.name ?? one.name });
}

interface Week {
  readonly monday: string;
  readonly last: string;
  readonly status: Status;
}

/** Handed in after the last working day of the week, confirmed, and decided on the Monday after. */
function planTimesheet(plan: Plan, one: Staff, { monday, last, status }: Week): void {
  const { timeline, random } = plan;
  const start = later(monday, one.start);
  const at = timeAt(last, [16, random.between(0, 59), random.between(0, 59)]);
  const sheet = timeline.make(
    at,
    (praxis) => praxis.timesheets.create({ memberId: one.record.id, start, end: addDays(monday, 6) }),
    one.record,
  );
  timeline.make(
    at + 30_000,
    (praxis) => praxis.timesheetAttestations.create({ timesheetId: sheet.id, isConfirmed: true }),
    one.record,
  );
  if (status === 'approved')
    timeline.add(plan.during(addDays(monday, 7)), (praxis) =>
      praxis.timesheets.update(sheet.id, { statusId: 'approved' }),
    );
}

interface Stretch {
  readonly start: string;
  readonly end: string;
}

/** Days off as staffing sees them: one allocation for each stretch of days. */
export function planTimeOff(plan: Plan, staff: readonly Staff[]): void {
  for (const one of staff) {
    let stretch: Stretch | undefined;
    const close = (): void => {
      if (stretch !== undefined) planStretch(plan, one, stretch);
      stretch = undefined;
    };
    for (const date of [...one.away]
      .filter(([, kind]) => kind === 'Vacation')
      .map(([day]) => day)
      .sort()) {
      if (stretch !== undefined && !isNext(stretch.end, date)) close();
      stretch = { start: stretch?.start ?? date, end: date };
    }
    close();
  }
}

/** Whether nothing but a weekend lies between two days. */
const isNext = (day: string, next: string): boolean => {
  let date = addDays(day, 1);
  while (isWeekend(date)) date = addDays(date, 1);
  return date === next;
};

function planStretch(plan: Plan, one: Staff, { start, end }: Stretch): void {
  const asked = addDays(start, -plan.random.between(20, 60));
  const at = Math.max(plan.opening + 30_000_000, one.at, plan.during(asked));
  plan.timeline.make(
    at,
    (praxis) =>
      praxis.allocations.create({
        resourceTypeId: 'member',
        assignmentTypeId: 'time_off',
        memberId: one.record.id,
        timeOffTypeId: plan.id('timeOffTypes', 'Vacation'),
        start,
        end,
        unit: 'day',
        hoursPerDay: 8,
        notes: 'Vacation',
      }),
    one.record,
  );
}
