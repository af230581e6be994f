// Time entries of each member and day, timesheets with their approval, and days off.
import type { Praxis } from '../../../codegen/generated/client.ts';
import { addDays } from '../../values/date.ts';
import { internalNotes } from '../data/work.ts';
import { isWeekend, later, timeAt } from '../plan/calendar.ts';
import type { Plan } from '../plan/plan.ts';
import type { Planned } from '../plan/planned.ts';
import type { Ledger } from './ledger.ts';
import type { Staff } from './people.ts';
import type { TeamMember } from './project-team.ts';
import { type Job, rateOn } from './projects.ts';

export interface Workforce {
  readonly staff: readonly Staff[];
  readonly jobs: readonly Job[];
  readonly internal: Planned;
  readonly ledger: Ledger;
}

/** How far a week is by the end of the history. */
type Stage = 'open' | 'submitted' | 'decided';
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
  const stage: Stage =
    addDays(friday, openDays) > plan.span.last
      ? 'open'
      : addDays(friday, pendingDays) > plan.span.last
        ? 'submitted'
        : 'decided';
  for (const one of work.staff) {
    const days = [0, 1, 2, 3, 4]
      .map((day) => addDays(monday, day))
      .filter((date) => plan.covers(date) && one.worksOn(date));
    if (days.length === 0) continue;
    const assigned = work.jobs.flatMap((job) =>
      job.team.filter(({ staff }) => staff === one).map((as) => ({ job, as })),
    );
    const written = days.flatMap((date) => planDay(plan, work, { one, date, assigned, stage }));
    if (stage === 'open') continue;
    const isReturned = work.ledger.place('timesheet') % 20 === 7 && one.end === undefined;
    const returned = isReturned ? written.find(({ job }) => !job.approvesTime) : undefined;
    planTimesheet(plan, one, { monday, last: days.at(-1) ?? friday, stage, returned });
  }
}

interface Day {
  readonly one: Staff;
  readonly date: string;
  readonly assigned: readonly Assignment[];
  readonly stage: Stage;
}

/** Time that is written down for a client. */
interface Written {
  readonly record: Planned;
  readonly job: Job;
  readonly notes: string;
}

function planDay(plan: Plan, work: Workforce, day: Day): readonly Written[] {
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
          memberId: one.record.id,
          timeOffTypeId: plan.id('timeOffTypes', kind),
        }),
      one.record,
    );
    return [];
  }
  const active = assigned.filter(({ job }) => job.isActiveOn(date));
  const billable = active.length === 0 ? 0 : random.between(21, 30) * 15;
  const rest = Math.max(15, random.between(29, 34) * 15 - billable);
  const second = active.length > 1 && random.chance(0.35) ? random.between(6, 12) * 15 : 0;
  const [first, other] = active.length < 2 ? active : random.chance(0.6) ? active : active.toReversed();
  const written: Written[] = [];
  if (first !== undefined) written.push(planEntry(plan, work, { ...day, ...first, minutes: billable - second }));
  if (other !== undefined && second > 0) written.push(planEntry(plan, work, { ...day, ...other, minutes: second }));
  // Who has a project writes up what is left once in a while, not each quarter of an hour.
  if (billable > 0 && random.chance(0.6)) return written;
  const notes = random.pick(internalNotes);
  plan.timeline.make(
    momentOf(plan, date),
    (praxis) =>
      praxis.timeEntries.create({
        memberId: one.record.id,
        projectId: work.internal.id,
        date,
        minutes: rest,
        notes,
      }),
    one.record,
  );
  return written;
}

/** Written in the evening. */
const momentOf = ({ random }: Plan, date: string): number =>
  timeAt(date, [15, random.between(0, 50), random.between(0, 59)]);

interface Entry extends Day, Assignment {
  readonly minutes: number;
}

function planEntry(plan: Plan, { ledger }: Workforce, { one, date, stage, job, as, minutes }: Entry): Written {
  const { random } = plan;
  const task = random.pick(job.tasks.filter((each) => ledger.hasRoom(each, one, minutes)));
  ledger.book(task, one, minutes);
  const notes = random.pick(task.row.notes);
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
      }),
    one.record,
  );
  const what = as.role?.name ?? one.name;
  if (stage === 'decided') ledger.work({ record, job, date, minutes, rate: rateOn(job, as, date), what });
  return { record, job, notes };
}

interface Week {
  readonly monday: string;
  readonly last: string;
  readonly stage: Stage;
  /** What is not in order at first. */
  readonly returned: Written | undefined;
}

/**
 * Submitted after the last working day of the week, and confirmed. On the Monday after it is approved with all its entries; or
 * one is sent back first, mended and submitted again.
 */
function planTimesheet(plan: Plan, one: Staff, { monday, last, stage, returned }: Week): void {
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
  const approver = one.manager?.record;
  const approve = (praxis: Praxis): Promise<unknown> => praxis.timesheets.update(sheet.id, { statusId: 'approved' });
  if (returned === undefined) {
    if (stage === 'decided') timeline.add(plan.during(addDays(monday, 7)), approve, approver);
    return;
  }
  const { record, notes } = returned;
  timeline.add(
    plan.during(addDays(monday, 7)),
    (praxis) => praxis.timeEntries.update(record.id, { statusId: 'rejected' }),
    approver,
  );
  if (stage !== 'decided') return;
  timeline.add(
    plan.during(addDays(monday, 8)),
    (praxis) =>
      praxis.timeEntries.update(record.id, { notes: `${notes}, as agreed by phone`, statusId: 'pending_approval' }),
    one.record,
  );
  timeline.add(plan.during(addDays(monday, 9)), approve, approver);
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
