// Bookings: members on their projects, placeholders where nobody is found yet.
import { addDays } from '../../values/date.ts';
import { addMonths, lastOfMonth, later, monthsFrom } from '../plan/calendar.ts';
import type { Plan } from '../plan/plan.ts';
import type { Job } from './projects.ts';

/** Plans the bookings of one project, for the months that it has from the start of the history on. */
export function planStaffing(plan: Plan, job: Job): void {
  const { random, timeline, span } = plan;
  for (const { staff, role } of job.team) {
    const hoursPerWeek = random.pick([8, 12, 16, 20, 24]);
    const start = later(job.start, staff.start);
    if (start >= job.end) continue;
    timeline.make(job.at + 60_000, (praxis) =>
      praxis.allocations.create({
        resourceTypeId: 'member',
        assignmentTypeId: 'project',
        memberId: staff.record.id,
        projectId: job.record.id,
        projectRoleId: role?.record.id ?? null,
        start,
        end: job.end,
        unit: 'week',
        hoursPerWeek,
      }),
    );
  }
  if (job.end <= span.last) return;
  const placeholder = random.pick([
    'Senior engineer (to be hired)',
    'Data engineer (to be hired)',
    'Freelance designer',
  ]);
  const from = job.start > span.last ? job.start : addDays(lastOfMonth(span.last), 1);
  if (from >= job.end || !random.chance(0.5)) return;
  const [month] = monthsFrom(from, addMonths(from, 1));
  if (month === undefined) return;
  timeline.make(job.at + 61_000, (praxis) =>
    praxis.allocations.create({
      resourceTypeId: 'placeholder',
      assignmentTypeId: 'project',
      resourcePlaceholderId: plan.id('resourcePlaceholders', placeholder),
      projectId: job.record.id,
      start: from,
      end: job.end,
      unit: 'ratio_of_capacity',
      hoursRatioOfCapacity: 0.5,
      bookingTypeId: 'soft',
      notes: 'Needed if the team stays as it is',
    }),
  );
}
