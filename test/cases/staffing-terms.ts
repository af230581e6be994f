// What planned work needs of each kind, what goes with placeholders and roles, and what a delete takes along or leaves.
import { type Case, conflict, done, type Expected, example, type Made, refused, type World } from './case.ts';

type Values = Readonly<Record<string, unknown>>;
const path = '/allocations';
const days = { start: '2026-03-02', end: '2026-03-06' };
const perDay = { unit: 'day', hoursPerDay: 4 };

const body = async ({ make }: World, values: Values = perDay) => ({
  ...{ resourceTypeId: 'member', memberId: (await make('member')).id },
  ...{ assignmentTypeId: 'project', projectId: (await make('project')).id, ...days, ...values },
});
const planning = (says: string, values: Values, gives: Expected) =>
  example({ says, given: (world: World) => body(world, values), when: (sent) => ['POST', path, sent], gives });

const amounts = {
  day: 'hoursPerDay',
  week: 'hoursPerWeek',
  month: 'hoursPerMonth',
  allocation: 'hoursPerAllocation',
  ratio_of_capacity: 'hoursRatioOfCapacity',
} as const;
const units: readonly Case[] = Object.entries(amounts).flatMap(([unit, key]) => {
  const other = unit === 'day' ? 'hoursPerWeek' : 'hoursPerDay';
  return [
    planning(`Work by ${unit} needs its amount`, { unit }, refused(`'${key}' is required`)),
    planning(
      `Work by ${unit} has no other amount`,
      { unit, [key]: 1, [other]: 1 },
      refused(`'${other}' is not allowed`),
    ),
  ];
});

const sides: readonly Case[] = [
  planning(
    'Work of a member is of no placeholder',
    { ...perDay, resourcePlaceholderId: '00000000-0000-7000-8000-000000000001' },
    refused("'resourcePlaceholderId' is not allowed"),
  ),
  planning('Work of a member says who', { ...perDay, memberId: null }, refused("'memberId' is required")),
  planning('Work on a project says which', { ...perDay, projectId: null }, refused("'projectId' is required")),
  planning(
    'Time off says which, and is on no project',
    { ...perDay, assignmentTypeId: 'time_off' },
    refused("'projectId' is not allowed", "'timeOffTypeId' is required"),
  ),
  planning(
    'Only work on a project can be planned on days of time off',
    { ...perDay, assignmentTypeId: 'time_off', projectId: null, allocateOnTimeOffDays: true },
    refused("'allocateOnTimeOffDays' is not allowed", "'timeOffTypeId' is required"),
  ),
  planning('Days of time off are left out unless it is said', perDay, done({ allocateOnTimeOffDays: false })),
];

/** Work on a project in this state. */
const booked = (says: string, statusId: string, values: Values, bookingTypeId: string) =>
  example({
    says,
    given: async (world: World) => ({
      ...(await body(world)),
      ...{ projectId: (await world.make('project', { statusId })).id, ...values },
    }),
    when: (sent) => ['POST', path, sent],
    gives: done({ bookingTypeId }),
  });
const bookings: readonly Case[] = [
  booked('Work on a tentative project is booked softly', 'tentative', {}, 'soft'),
  booked('Work on a tentative project can be confirmed', 'tentative', { bookingTypeId: 'confirmed' }, 'confirmed'),
  booked('Work on another project is confirmed', 'in_progress', {}, 'confirmed'),
  booked('Work on another project can be booked softly', 'in_progress', { bookingTypeId: 'soft' }, 'soft'),
];

/** Billing of what stands for people: a role of the workspace, a placeholder. */
const billed = (group: string, address: string, currency: string): readonly Case[] => {
  const named = `a ${group.replaceAll('-', ' ')}`;
  const scene = (values: Values) => (world: World) =>
    world.send('POST', address, { name: `Billed ${group} ${world.unique}`, ...values });
  const creating = (says: string, values: Values, gives: Expected) =>
    example({
      says,
      given: async ({ unique }: World) => ({ name: `New ${group} ${unique}`, ...values }),
      when: (sent) => ['POST', address, sent],
      gives,
    });
  const changing = (says: string, values: Values, sent: Values, gives: Expected) =>
    example({ says, given: scene(values), when: ({ id }) => ['PATCH', `${address}/${id}`, sent], gives });
  return [
    creating(`The rate of ${named} is in the main currency`, { rate: 90 }, done({ rate: 90, [currency]: 'USD' })),
    creating(
      `The rate of ${named} may be in another currency`,
      { rate: 90, [currency]: 'EUR' },
      done({ rate: 90, [currency]: 'EUR' }),
    ),
    creating(`A rate of ${named} need not be known`, {}, done({ rate: null, [currency]: 'USD' })),
    creating(
      `Of ${named} that is not billed there is no rate`,
      { isBillable: false },
      done({ rate: null, [currency]: null }),
    ),
    creating(
      `Of ${named} that is not billed no rate is told`,
      { isBillable: false, rate: 90 },
      refused("'rate' is not allowed"),
    ),
    changing(
      `Who stops billing ${named} drops its rate`,
      { rate: 90, [currency]: 'EUR' },
      { isBillable: false },
      done({ rate: null, [currency]: null }),
    ),
    changing(
      `Who starts billing ${named} may say how much`,
      { isBillable: false },
      { isBillable: true, rate: 10 },
      done({ rate: 10, [currency]: 'USD' }),
    ),
  ];
};

const placeholder = (world: World, values: Values) =>
  world.send('POST', '/resource-placeholders', { name: `Cost ${world.unique}`, ...values });
const costs: readonly Case[] = [
  example({
    says: 'The cost of a placeholder is in the main currency unless it says otherwise',
    given: async ({ unique }: World) => unique,
    when: (unique) => ['POST', '/resource-placeholders', { name: `Dear ${unique}`, costPerHour: 40 }],
    gives: done({ costPerHour: 40, costCurrency: 'USD' }),
  }),
  example({
    says: 'Without a cost a placeholder has no currency of it',
    given: async ({ unique }: World) => unique,
    when: (unique) => ['POST', '/resource-placeholders', { name: `Cheap ${unique}`, costCurrency: 'EUR' }],
    gives: refused("'costCurrency' is not allowed"),
  }),
  example({
    says: 'The currency of the cost of a placeholder goes with the cost',
    given: (world: World) => placeholder(world, { costPerHour: 40, costCurrency: 'EUR' }),
    when: ({ id }) => ['PATCH', `/resource-placeholders/${id}`, { costPerHour: null }],
    gives: done({ costPerHour: null, costCurrency: null }),
  }),
];

const plannedFor = async (world: World, values: Values = {}) =>
  world.send('POST', path, { ...(await body(world)), ...values });
const gone = ({ id }: Made) => `${path}?limit=100&${id}`;
const deletes: readonly Case[] = [
  example({
    says: 'Work of a placeholder goes with it',
    given: async (world: World) => {
      const held = await placeholder(world, {});
      const values = { resourceTypeId: 'placeholder', memberId: undefined, resourcePlaceholderId: held.id };
      await plannedFor(world, values);
      return held;
    },
    when: ({ id }) => ['DELETE', `/resource-placeholders/${id}`],
    gives: done(),
    also: ({ id }) => [[gone({ id: `resourcePlaceholderId=${id}` }), { results: [] }]],
  }),
  example({
    says: 'Work on a project goes with it, time off stays',
    given: async (world: World) => {
      const one = await plannedFor(world);
      const memberId = (one['member'] as Made).id;
      const timeOffTypeId = (await world.make('time-off-type')).id;
      const off = { assignmentTypeId: 'time_off', projectId: undefined, timeOffTypeId, memberId };
      return { project: one['project'] as Made, memberId, off: await plannedFor(world, off) };
    },
    when: ({ project }) => ['DELETE', `/projects/${project.id}`],
    gives: done(),
    also: ({ memberId, off }) => [[gone({ id: `memberId=${memberId}` }), { results: [{ id: off.id }] }]],
  }),
  example({
    says: 'A type of time off that is planned stays',
    given: async (world: World) => {
      const { id } = await world.make('time-off-type');
      await plannedFor(world, { assignmentTypeId: 'time_off', projectId: undefined, timeOffTypeId: id });
      return id;
    },
    when: (id) => ['DELETE', `/time-off-types/${id}`],
    gives: conflict('The Time Off Type is in use and cannot be deleted.'),
  }),
  example({
    says: 'Planned work stays without its role and its task',
    given: async (world: World) => {
      const one = await plannedFor(world);
      const projectId = (one['project'] as Made).id;
      const [role, task] = [await world.make('project-role', { projectId }), await world.make('task', { projectId })];
      await world.send('PATCH', `${path}/${one.id}`, { projectRoleId: role.id, taskId: task.id });
      await world.send('DELETE', `/tasks/${task.id}`);
      return { one, role };
    },
    when: ({ role }) => ['DELETE', `/project-roles/${role.id}`],
    gives: done(),
    also: ({ one }) => [[`${path}/${one.id}`, { projectRole: null, task: null, isBillable: one['isBillable'] }]],
  }),
  example({
    says: 'Members of a holiday schedule that goes have no holidays',
    given: async (world: World) => {
      const holidayScheduleId = (await world.make('holiday-schedule', { isDefault: false })).id;
      return { id: holidayScheduleId, member: await world.make('member', { holidayScheduleId }) };
    },
    when: ({ id }) => ['DELETE', `/holiday-schedules/${id}`],
    gives: done(),
    also: ({ member }) => [[`/members/${member.id}`, { holidaySchedule: null }]],
  }),
];

/** A holiday that was there from the beginning. */
const newYear = async ({ send }: World): Promise<Made> => {
  const found = await send('GET', `/holidays?name=${encodeURIComponent("New Year's Day")}`);
  return (found as unknown as { results: readonly [Made] }).results[0];
};
const readOnly = conflict('The Holiday is read-only.');
const holidays: readonly Case[] = [
  example({
    says: 'A holiday of the beginning keeps its name',
    given: newYear,
    when: ({ id }) => ['PATCH', `/holidays/${id}`, { name: 'First of January' }],
    gives: readOnly,
  }),
  example({
    says: 'A holiday of the beginning stays',
    given: newYear,
    when: ({ id }) => ['DELETE', `/holidays/${id}`],
    gives: readOnly,
  }),
  example({
    says: 'A holiday of the beginning gets further dates',
    given: newYear,
    when: ({ id, occurrences }) => [
      'PATCH',
      `/holidays/${id}`,
      { name: "New Year's Day", occurrences: [...(occurrences as string[]), '2040-01-01'], description: 'Day off' },
    ],
    gives: ({ occurrences }) => done({ occurrences: [...(occurrences as string[]), '2040-01-01'] }),
  }),
];

export const staffingTerms: readonly Case[] = [
  ...[...units, ...sides, ...bookings, ...costs, ...deletes, ...holidays],
  ...billed('resource-placeholder', '/resource-placeholders', 'rateCurrency'),
  ...billed('workspace-role', '/workspace-roles', 'currency'),
];
