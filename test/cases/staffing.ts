import { type Case, done, type Expected, example, type Made, refused, type World } from './case.ts';
import { chain } from './chains.ts';
import { oneDefault } from './one-default.ts';
import { staffingRules } from './staffing-rules.ts';

const path = '/allocations';
const at = ({ id }: { readonly id: string }) => `${path}/${id}`;
const day = { start: '2026-03-02', end: '2026-03-06', unit: 'day', hoursPerDay: 4 };
type Values = Readonly<Record<string, unknown>>;

/** Five days of a member on a project that are so. */
const body = async ({ make }: World, values: object = {}) => ({
  ...{ resourceTypeId: 'member', memberId: (await make('member')).id },
  ...{ assignmentTypeId: 'project', projectId: (await make('project')).id, ...day },
  ...values,
});
const planning = (says: string, values: object, gives: Expected) =>
  example({ says, given: (world: World) => body(world, values), when: (sent) => ['POST', path, sent], gives });
const replanning = (says: string, values: object, sent: object, gives: Expected) =>
  example({
    says,
    given: async (world: World) => world.send('POST', path, await body(world, values)),
    when: (one) => ['PATCH', at(one), sent],
    gives,
  });

const backwards = refused("'end' must be on or after start");
const tooLong = refused("'end' must be at most 5 years after start");
const days: readonly Case[] = [
  planning('Work can be planned for one day', { end: '2026-03-02' }, done({ start: '2026-03-02', end: '2026-03-02' })),
  planning('Planned work does not end before it starts', { end: '2026-03-01' }, backwards),
  replanning('The end of planned work does not move before its start', {}, { end: '2026-03-01' }, backwards),
  replanning('The start of planned work does not move behind its end', {}, { start: '2026-03-07' }, backwards),
  planning(
    'Work can be planned for five years',
    { start: '2026-01-01', end: '2030-12-31' },
    done({ end: '2030-12-31' }),
  ),
  planning('Work is not planned for more than five years', { start: '2026-01-01', end: '2031-01-01' }, tooLong),
  // 2033 has no 29 February, so the five years end on the 28th.
  planning(
    'Five years from a leap day end in February',
    { start: '2028-02-29', end: '2033-02-28' },
    done({ end: '2033-02-28' }),
  ),
  planning('Five years from a leap day do not reach March', { start: '2028-02-29', end: '2033-03-01' }, tooLong),
  planning(
    'Work can be planned for the last days that there are',
    { start: '9996-01-01', end: '9999-12-31' },
    done({ end: '9999-12-31' }),
  ),
  replanning('The end of planned work does not move beyond five years', {}, { end: '2031-03-02' }, tooLong),
  replanning('The start of planned work does not move beyond five years', {}, { start: '2021-03-06' }, tooLong),
  replanning(
    'The end of planned work can move as far as five years',
    {},
    { end: '2031-03-01' },
    done({ end: '2031-03-01' }),
  ),
];

/** Somebody or something that stopped is planned for, or has been planned for already. */
const stopped = (
  says: string,
  { group, key, stop, must, off = {} }: { group: string; key: string; stop: object; must: string; off?: object },
) => {
  const paths: Record<string, string> = {
    member: '/members',
    project: '/projects',
    'resource-placeholder': '/resource-placeholders',
  };
  const end = ({ send }: World, id: unknown) => send('PATCH', `${paths[group]}/${String(id)}`, stop);
  const scene = async (world: World) => body(world, { [key]: (await world.make(group)).id, ...off });
  const stoppedBody = async (world: World) => {
    const sent: Values = await scene(world);
    await end(world, sent[key]);
    return sent;
  };
  const gives = refused(`'${key}' must be ${must}`);
  return [
    example({ says: `No work is planned ${says}`, given: stoppedBody, when: (sent) => ['POST', path, sent], gives }),
    example({
      says: `Planned work does not move to ${says.replace(/^(for|on) /, '')}`,
      given: async (world: World) => {
        const one = await world.send('POST', path, await scene(world));
        return { one, other: (await stoppedBody(world))[key] };
      },
      when: ({ one, other }) => ['PATCH', at(one), { [key]: other }],
      gives,
    }),
    example({
      says: `Planned work does not change ${says}`,
      given: async (world: World) => {
        const sent: Values = await scene(world);
        const one = await world.send('POST', path, sent);
        await end(world, sent[key]);
        return one;
      },
      when: (one) => ['PATCH', at(one), { notes: 'Later' }],
      gives,
    }),
  ];
};
const held = { resourceTypeId: 'placeholder', memberId: undefined };
const active: readonly Case[] = [
  ...stopped('for a member who is inactive', {
    group: 'member',
    key: 'memberId',
    stop: { isActive: false },
    must: 'an active member',
  }),
  ...stopped('for a placeholder that is inactive', {
    ...{ group: 'resource-placeholder', key: 'resourcePlaceholderId', stop: { isActive: false } },
    ...{ must: 'an active placeholder', off: held },
  }),
  ...stopped('on a project that is archived', {
    ...{ group: 'project', key: 'projectId', stop: { recordStatusId: 'archived' }, must: 'an active project' },
  }),
  example({
    says: 'Work is planned for a placeholder until somebody is found',
    given: async (world: World) =>
      body(world, { ...held, resourcePlaceholderId: (await world.make('resource-placeholder')).id }),
    when: (sent) => ['POST', path, sent],
    gives: (sent: Values) => done({ member: null, resourcePlaceholder: { id: sent['resourcePlaceholderId'] } }),
  }),
];

/** Time off of a member, or of what has other values. */
const timeOff = async (world: World, values: object = {}) =>
  body(world, {
    ...{ assignmentTypeId: 'time_off', projectId: undefined, timeOffTypeId: (await world.make('time-off-type')).id },
    ...values,
  });
const onlyProject = refused("'assignmentTypeId' must be project unless the resource is a member");
const off: readonly Case[] = [
  example({
    says: 'Time off is planned for members',
    given: timeOff,
    when: (sent) => ['POST', path, sent],
    gives: done({ assignmentTypeId: 'time_off', project: null, isBillable: false }),
  }),
  example({
    says: 'A placeholder has no time off',
    given: async (world: World) =>
      timeOff(world, { ...held, resourcePlaceholderId: (await world.make('resource-placeholder')).id }),
    when: (sent) => ['POST', path, sent],
    gives: onlyProject,
  }),
  example({
    says: 'Time off does not move to a placeholder',
    given: async (world: World) => ({
      one: await world.send('POST', path, await timeOff(world)),
      placeholder: await world.make('resource-placeholder'),
    }),
    when: ({ one, placeholder }) => [
      'PATCH',
      at(one),
      { ...held, memberId: null, resourcePlaceholderId: placeholder.id },
    ],
    gives: onlyProject,
  }),
];

const team = ({ projectId, memberId }: { projectId: unknown; memberId: unknown }) =>
  `/project-members?projectId=${String(projectId)}&memberId=${String(memberId)}`;
const teams: readonly Case[] = [
  example({
    says: 'Who is planned for a project joins its team',
    given: (world: World) => body(world),
    when: (sent) => ['POST', path, sent],
    gives: done(),
    also: (sent) => [
      [team(sent), { results: [{ typeId: 'collaborator', isActive: true, isBillable: true, projectRoles: [] }] }],
    ],
  }),
  example({
    says: 'Who is on the team already stays as before',
    given: async (world: World) => {
      const sent = await body(world);
      await world.make('project-member', {
        ...{ projectId: sent.projectId, memberId: sent.memberId },
        ...{ typeId: 'administrator', isActive: false, isBillable: false },
      });
      return sent;
    },
    when: (sent) => ['POST', path, sent],
    gives: done(),
    also: (sent) => [[team(sent), { results: [{ typeId: 'administrator', isActive: false, isBillable: false }] }]],
  }),
  example({
    says: 'Being on another project makes nobody a member of this one',
    given: async (world: World) => {
      const sent = await body(world);
      await world.make('project-member', { memberId: sent.memberId });
      await world.make('project-member', { projectId: sent.projectId });
      return sent;
    },
    when: (sent) => ['POST', path, sent],
    gives: done(),
    also: (sent) => [[team(sent), { results: [{ typeId: 'collaborator' }] }]],
  }),
  example({
    says: 'A placeholder joins no team',
    given: async (world: World) =>
      body(world, { ...held, resourcePlaceholderId: (await world.make('resource-placeholder')).id }),
    when: (sent) => ['POST', path, sent],
    gives: done(),
    also: ({ projectId }) => [[`/project-members?projectId=${projectId}`, { results: [] }]],
  }),
  example({
    says: 'Time off makes nobody join a team',
    given: timeOff,
    when: (sent) => ['POST', path, sent],
    gives: done(),
    also: ({ memberId }) => [[`/project-members?memberId=${memberId}`, { results: [] }]],
  }),
  example({
    says: 'Who takes over planned work joins no team by that',
    given: async (world: World) => ({
      one: await world.send('POST', path, await body(world)),
      other: await world.make('member'),
    }),
    when: ({ one, other }) => ['PATCH', at(one), { memberId: other.id }],
    gives: ({ other }) => done({ member: { id: other.id } }),
    also: ({ other }) => [[`/project-members?memberId=${other.id}`, { results: [] }]],
  }),
];

const holidayDates = (says: string, sent: readonly string[], shown: readonly string[]) =>
  example({
    says,
    given: async ({ unique }: World) => ({ name: `Holiday ${unique}`, occurrences: sent }),
    when: (values) => ['POST', '/holidays', values],
    gives: done({ occurrences: shown }),
  });
const unsorted = ['2027-04-05', '2026-12-26', '2026-04-06'];
const sorted = ['2026-04-06', '2026-12-26', '2027-04-05'];
const holidays: readonly Case[] = [
  holidayDates('Dates of a holiday come in their order', unsorted, sorted),
  holidayDates('Dates of a holiday that are in order stay so', sorted, sorted),
  holidayDates('A holiday may have no dates yet', [], []),
  example({
    says: 'New dates of a holiday come in their order',
    given: ({ send, unique }: World) =>
      send('POST', '/holidays', { name: `Holiday ${unique}`, occurrences: ['2025-01-01'] }),
    when: ({ id }) => ['PATCH', `/holidays/${id}`, { occurrences: unsorted }],
    gives: done({ occurrences: sorted }),
  }),
  example({
    says: 'Another name leaves the dates of a holiday as they are',
    given: async ({ send, unique }: World) => ({
      name: `Renamed ${unique}`,
      one: await send('POST', '/holidays', { name: `Holiday ${unique}`, occurrences: sorted }),
    }),
    when: ({ one, name }) => ['PATCH', `/holidays/${(one as Made).id}`, { name }],
    gives: done({ occurrences: sorted }),
  }),
];

export const staffing: readonly Case[] = [
  ...[...days, ...active, ...off, ...teams, ...staffingRules, ...holidays],
  ...oneDefault({ path: '/holiday-schedules', human: 'Holiday Schedule' }),
  ...chain({
    ...{ path: '/availability-periods', human: 'Availability Period' },
    body: { hoursPerDay: [8, 8, 8, 8, 7.25, 0, 0] },
  }),
];
