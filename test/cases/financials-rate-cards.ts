// Rate cards of a project: a chain of days, of which one card prices the budget.
import { type Case, conflict, done, example, type Made, refused, type World } from './case.ts';

const path = '/project-rate-cards';
const at = ({ id }: Made) => `${path}/${id}`;

/** A project with cards from the beginning and from these days on. */
async function cards({ make, send }: World, ...starts: readonly string[]) {
  const { id: projectId } = await make('project', { billingTypeId: 'tm' });
  const first = await send('POST', path, { projectId });
  const later: Made[] = [];
  for (const start of starts) later.push(await send('POST', path, { projectId, start }));
  const [second = first, third = first] = later;
  return { projectId, first, second, third };
}

const three = (world: World) => cards(world, '2026-03-01', '2026-04-01');
const days = (start: string | null, end: string | null) => ({ start, end });
const budget = (isBudgetRateCard: boolean) => ({ isBudgetRateCard });

const creates: readonly Case[] = [
  example({
    says: 'The first card of a project holds for all days, and prices the budget',
    given: ({ make }) => make('project'),
    when: ({ id }) => ['POST', path, { projectId: id }],
    gives: done({ ...days(null, null), ...budget(true) }),
  }),
  example({
    says: 'The first card of a project has no start',
    given: ({ make }) => make('project'),
    when: ({ id }) => ['POST', path, { projectId: id, start: '2026-03-01' }],
    gives: refused("'start' is not allowed"),
  }),
  example({
    says: 'The cards of other projects do not count',
    given: async (world) => {
      await three(world);
      return world.make('project');
    },
    when: ({ id }) => ['POST', path, { projectId: id, start: null, isBudgetRateCard: true }],
    gives: done({ ...days(null, null), ...budget(true) }),
  }),
  example({
    says: 'A card ends the one before it on the day before',
    given: (world) => cards(world),
    when: ({ projectId }) => ['POST', path, { projectId, start: '2026-03-01' }],
    gives: done({ ...days('2026-03-01', null), ...budget(false) }),
    also: ({ first }) => [[at(first), { ...days(null, '2026-02-28'), ...budget(true) }]],
  }),
  example({
    says: 'In a leap year that day is the 29th of February',
    given: (world) => cards(world),
    when: ({ projectId }) => ['POST', path, { projectId, start: '2028-03-01' }],
    gives: done(days('2028-03-01', null)),
    also: ({ first }) => [[at(first), days(null, '2028-02-29')]],
  }),
  example({
    says: 'A card between two others ends the one and is ended by the other',
    given: three,
    when: ({ projectId }) => ['POST', path, { projectId, start: '2026-03-15' }],
    gives: done(days('2026-03-15', '2026-03-31')),
    also: ({ first, second, third }) => [
      [at(first), days(null, '2026-02-28')],
      [at(second), days('2026-03-01', '2026-03-14')],
      [at(third), days('2026-04-01', null)],
    ],
  }),
  example({
    says: 'A card for a single day ends on that day',
    given: three,
    when: ({ projectId }) => ['POST', path, { projectId, start: '2026-03-31' }],
    gives: done(days('2026-03-31', '2026-03-31')),
    also: ({ second }) => [[at(second), days('2026-03-01', '2026-03-30')]],
  }),
  ...[undefined, null].map((start) =>
    example({
      says: `A further card needs a start, and ${start} is none`,
      given: (world) => cards(world),
      when: ({ projectId }) => ['POST', path, { projectId, start }],
      gives: refused("'start' is required"),
    }),
  ),
  example({
    says: 'Two cards of a project do not start on the same day',
    given: three,
    when: ({ projectId }) => ['POST', path, { projectId, start: '2026-04-01' }],
    gives: conflict('A Project Rate Card with the same start already exists.'),
  }),
  example({
    says: 'The card before a further one has a last day',
    given: (world) => cards(world),
    when: ({ projectId }) => ['POST', path, { projectId, start: '1000-01-01' }],
    gives: refused("'start' must be at least 1000-01-02"),
  }),
  example({
    says: 'That may be the first day that there is',
    given: (world) => cards(world),
    when: ({ projectId }) => ['POST', path, { projectId, start: '1000-01-02' }],
    gives: done(days('1000-01-02', null)),
    also: ({ first }) => [[at(first), days(null, '1000-01-01')]],
  }),
];

const updates: readonly Case[] = [
  example({
    says: 'A card that starts later leaves its days to the one before',
    given: three,
    when: ({ second }) => ['PATCH', at(second), { start: '2026-03-10' }],
    gives: done(days('2026-03-10', '2026-03-31')),
    also: ({ first, third }) => [
      [at(first), days(null, '2026-03-09')],
      [at(third), days('2026-04-01', null)],
    ],
  }),
  example({
    says: 'A card may move behind the next one',
    given: three,
    when: ({ second }) => ['PATCH', at(second), { start: '2026-05-01' }],
    gives: done(days('2026-05-01', null)),
    also: ({ first, third }) => [
      [at(first), days(null, '2026-03-31')],
      [at(third), days('2026-04-01', '2026-04-30')],
    ],
  }),
  example({
    says: 'A card may move before the one before it',
    given: three,
    when: ({ third }) => ['PATCH', at(third), { start: '2026-02-01' }],
    gives: done(days('2026-02-01', '2026-02-28')),
    also: ({ first, second }) => [
      [at(first), days(null, '2026-01-31')],
      [at(second), days('2026-03-01', null)],
    ],
  }),
  example({
    says: 'A card does not move to the start of another',
    given: three,
    when: ({ third }) => ['PATCH', at(third), { start: '2026-03-01' }],
    gives: conflict('A Project Rate Card with the same start already exists.'),
  }),
  example({
    says: 'The earliest card gets no start',
    given: three,
    when: ({ first }) => ['PATCH', at(first), { start: '2026-01-01' }],
    gives: refused("'start' is not allowed"),
  }),
  example({
    says: 'A further card does not lose its start',
    given: three,
    when: ({ second }) => ['PATCH', at(second), { start: null }],
    gives: refused("'start' is required"),
  }),
  example({
    says: 'A further card does not move to the first day that there is',
    given: three,
    when: ({ second }) => ['PATCH', at(second), { start: '1000-01-01' }],
    gives: refused("'start' must be at least 1000-01-02"),
  }),
  example({
    says: 'Other notes leave the days of all cards, and the budget',
    given: three,
    when: ({ second }) => ['PATCH', at(second), { notes: 'Spring' }],
    gives: done({ ...days('2026-03-01', '2026-03-31'), ...budget(false) }),
    also: ({ first, third }) => [
      [at(first), { ...days(null, '2026-02-28'), ...budget(true) }],
      [at(third), { ...days('2026-04-01', null), ...budget(false) }],
    ],
  }),
];

const deletes: readonly Case[] = [
  example({
    says: 'The days of a deleted card go to the one before',
    given: three,
    when: ({ second }) => ['DELETE', at(second)],
    gives: done(),
    also: ({ first, third }) => [
      [at(first), { ...days(null, '2026-03-31'), ...budget(true) }],
      [at(third), { ...days('2026-04-01', null), ...budget(false) }],
    ],
  }),
  example({
    says: 'Without the last card the one before has no end',
    given: three,
    when: ({ third }) => ['DELETE', at(third)],
    gives: done(),
    also: ({ second }) => [[at(second), days('2026-03-01', null)]],
  }),
  example({
    says: 'Without the earliest card the next one has no start, and prices the budget',
    given: three,
    when: ({ first }) => ['DELETE', at(first)],
    gives: done(),
    also: ({ second, third }) => [
      [at(second), { ...days(null, '2026-03-31'), ...budget(true) }],
      [at(third), { ...days('2026-04-01', null), ...budget(false) }],
    ],
  }),
  example({
    says: 'The only card of a project is deleted',
    given: (world) => cards(world),
    when: ({ first }) => ['DELETE', at(first)],
    gives: done(),
    also: ({ projectId }) => [[`${path}?projectId=${projectId}`, { results: [] }]],
  }),
  example({
    says: 'After the only card has gone a project begins anew',
    given: async (world) => {
      const scene = await cards(world);
      await world.send('DELETE', at(scene.first));
      return scene;
    },
    when: ({ projectId }) => ['POST', path, { projectId }],
    gives: done({ ...days(null, null), ...budget(true) }),
  }),
  example({
    says: 'A deleted project takes its cards along',
    given: three,
    when: ({ projectId }) => ['DELETE', `/projects/${projectId}`],
    gives: done(),
    also: ({ projectId }) => [[`${path}?projectId=${projectId}`, { results: [] }]],
  }),
];

const takes = refused("'isBudgetRateCard' must be true until another Project Rate Card takes it");
const budgets: readonly Case[] = [
  example({
    says: 'The first card prices the budget, whatever is sent',
    given: ({ make }) => make('project'),
    when: ({ id }) => ['POST', path, { projectId: id, isBudgetRateCard: false }],
    gives: takes,
  }),
  example({
    says: 'A new card may take the budget over',
    given: three,
    when: ({ projectId }) => ['POST', path, { projectId, start: '2026-05-01', isBudgetRateCard: true }],
    gives: done(budget(true)),
    also: ({ first, second, third }) => [first, second, third].map((card) => [at(card), budget(false)]),
  }),
  example({
    says: 'A new card may leave the budget alone',
    given: three,
    when: ({ projectId }) => ['POST', path, { projectId, start: '2026-05-01', isBudgetRateCard: false }],
    gives: done(budget(false)),
    also: ({ first }) => [[at(first), budget(true)]],
  }),
  example({
    says: 'A card may take the budget over later',
    given: three,
    when: ({ third }) => ['PATCH', at(third), budget(true)],
    gives: done(budget(true)),
    also: ({ first, second }) => [first, second].map((card) => [at(card), budget(false)]),
  }),
  example({
    says: 'The card that prices the budget does so until another takes it over',
    given: three,
    when: ({ first }) => ['PATCH', at(first), budget(false)],
    gives: takes,
  }),
  example({
    says: 'A card that does not price the budget may say so',
    given: three,
    when: ({ second }) => ['PATCH', at(second), budget(false)],
    gives: done(budget(false)),
    also: ({ first }) => [[at(first), budget(true)]],
  }),
  example({
    says: 'A deleted card leaves the budget to the earliest that remains',
    given: async (world) => {
      const scene = await three(world);
      await world.send('PATCH', at(scene.third), budget(true));
      return scene;
    },
    when: ({ third }) => ['DELETE', at(third)],
    gives: done(),
    also: ({ first, second }) => [
      [at(first), { ...days(null, '2026-02-28'), ...budget(true) }],
      [at(second), { ...days('2026-03-01', null), ...budget(false) }],
    ],
  }),
  example({
    says: 'The earliest card goes, and leaves the budget to the card that has it',
    given: async (world) => {
      const scene = await three(world);
      await world.send('PATCH', at(scene.third), budget(true));
      return scene;
    },
    when: ({ first }) => ['DELETE', at(first)],
    gives: done(),
    also: ({ second, third }) => [
      [at(second), { ...days(null, '2026-03-31'), ...budget(false) }],
      [at(third), { ...days('2026-04-01', null), ...budget(true) }],
    ],
  }),
];

/** A project with a member and a role, and a member and a role of another project. */
async function team(world: World) {
  const { projectId, first } = await cards(world);
  const { id: otherId } = await world.make('project', { billingTypeId: 'tm' });
  const member = async (owner: string) => {
    const { id } = await world.make('member');
    await world.make('project-member', { projectId: owner, memberId: id });
    return id;
  };
  const role = async (owner: string) => (await world.make('project-role', { projectId: owner })).id;
  return {
    ...{ projectId, first, member: await member(projectId), stranger: await member(otherId) },
    ...{ role: await role(projectId), otherRole: await role(otherId) },
  };
}

const rates: readonly Case[] = [
  example({
    says: 'A card has rates for members and roles of its project, or none',
    given: team,
    when: ({ first, member, role }) => [
      'PATCH',
      at(first),
      { memberRates: [{ memberId: member, rate: 80.5 }], roleRates: [{ projectRoleId: role, rate: null }] },
    ],
    gives: ({ member, role }) =>
      done({ memberRates: [{ memberId: member, rate: 80.5 }], roleRates: [{ projectRoleId: role, rate: null }] }),
  }),
  example({
    says: 'A card has no rates for members and roles of other projects',
    given: team,
    when: ({ first, member, stranger, role, otherRole }) => [
      'PATCH',
      at(first),
      {
        memberRates: [{ memberId: member }, { memberId: stranger }],
        roleRates: [{ projectRoleId: role }, { projectRoleId: otherRole }],
      },
    ],
    gives: refused(
      "'memberRates[1].memberId' must be of the same project",
      "'roleRates[1].projectRoleId' must be of the same project",
    ),
  }),
  example({
    says: 'A new card is made with rates of its project',
    given: team,
    when: ({ projectId, member, role }) => [
      'POST',
      path,
      {
        ...{ projectId, start: '2026-03-01' },
        ...{ memberRates: [{ memberId: member, rate: 0 }], roleRates: [{ projectRoleId: role, rate: 90 }] },
      },
    ],
    gives: done({ memberRates: [{ rate: 0 }], roleRates: [{ rate: 90 }] }),
  }),
  example({
    says: 'A new card is not made with rates of others',
    given: team,
    when: ({ projectId, stranger, otherRole }) => [
      'POST',
      path,
      {
        ...{ projectId, start: '2026-03-01' },
        ...{ memberRates: [{ memberId: stranger }], roleRates: [{ projectRoleId: otherRole }] },
      },
    ],
    gives: refused(
      "'memberRates[0].memberId' must be of the same project",
      "'roleRates[0].projectRoleId' must be of the same project",
    ),
  }),
];

export const financialsRateCards: readonly Case[] = [...creates, ...updates, ...deletes, ...budgets, ...rates];
