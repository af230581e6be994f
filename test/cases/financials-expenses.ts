// Costs of a project that no member has paid.
import { type Case, done, type Expected, example, refused, type World } from './case.ts';

const path = '/project-expenses';

/** A project, and the body of a cost of it. */
async function ground({ make }: World, project: object = {}) {
  const { id: projectId } = await make('project', { billingTypeId: 'tm', currency: 'USD', ...project });
  return { projectId, expenseCategoryId: (await make('expense-category')).id, date: '2026-03-01' };
}

const cost = async (world: World, more: object, project: object = {}) =>
  world.send('POST', path, { ...(await ground(world, project)), amount: 100, ...more });

interface Cost {
  readonly currency?: string;
  readonly body: object;
}
const billed = (says: string, { currency = 'USD', body }: Cost, gives: Expected): Case =>
  example({
    says,
    given: (world) => ground(world, { currency }),
    when: (base) => ['POST', path, { ...base, isBillable: true, ...body }],
    gives,
  });

const changed = (says: string, { stored, body }: { stored: object; body: object }, gives: Expected): Case =>
  example({
    says,
    given: (world) => cost(world, { isBillable: true, ...stored }),
    when: ({ id }) => ['PATCH', `${path}/${id}`, body],
    gives,
  });

const share = (markupRatio: number) => ({ markupMethod: 'percentage', markupRatio });
const extra = (markupAmount: number) => ({ markupMethod: 'amount', markupAmount });

const markups: readonly Case[] = [
  billed(
    'A cost is billed with a share of it, rounded to cents, half a cent up',
    { body: { amount: 0.5, ...share(0.05) } },
    // 0.025
    done({ markup: 0.03, total: 0.53 }),
  ),
  billed(
    'A share of a cost in yen is rounded to whole yen',
    { currency: 'JPY', body: { amount: 50, ...share(0.05) } },
    // 2.5
    done({ markup: 3, total: 53 }),
  ),
  billed(
    'A share of a cost in dinars has three decimals',
    { currency: 'KWD', body: { amount: 0.05, ...share(0.05) } },
    // 0.0025
    done({ markup: 0.003, total: 0.053 }),
  ),
  billed('A share may be nothing', { body: { amount: 100, ...share(0) } }, done({ markup: 0, total: 100 })),
  billed('A share may be the whole cost', { body: { amount: 100, ...share(1) } }, done({ markup: 100, total: 200 })),
  billed(
    'A share is no more than the whole cost',
    { body: { amount: 100, ...share(1.000001) } },
    refused("'markupRatio' must be from 0 to 1"),
  ),
  billed('A share of nothing is nothing', { body: { amount: 0, ...share(0.5) } }, done({ markup: 0, total: 0 })),
  billed(
    'A cost is billed with an amount on top, not rounded',
    { body: { amount: 0.1, ...extra(0.2001) } },
    done({ markup: 0.2001, markupRatio: null, total: 0.3001 }),
  ),
  billed(
    'The amount on top may be 0',
    { body: { amount: 100, ...extra(0) } },
    done({ markupAmount: 0, markup: 0, total: 100 }),
  ),
  billed(
    'A cost without markup is billed as it is',
    { body: { amount: 12.3456 } },
    done({ ...{ markupMethod: null, markupRatio: null, markupAmount: null, markup: null }, total: 12.3456 }),
  ),
  billed(
    'A share needs its ratio',
    { body: { amount: 100, markupMethod: 'percentage' } },
    refused("'markupRatio' is required"),
  ),
  billed(
    'An amount on top needs its amount, and has no ratio',
    { body: { amount: 100, markupMethod: 'amount', markupRatio: 0.1 } },
    refused("'markupRatio' is not allowed", "'markupAmount' is required"),
  ),
  billed(
    'A cost that is not billed has no markup',
    { body: { amount: 100, isBillable: false, ...share(0.1) } },
    refused("'markupMethod' is not allowed"),
  ),
  billed(
    'A cost is billed with no more than can be written',
    { body: { amount: 99_999_999_999_999, ...extra(1) } },
    refused("'total' must be a number with at most 15 digits"),
  ),
  changed(
    'Another cost has another markup',
    { stored: share(0.1), body: { amount: 50.05 } },
    // 5.005
    done({ markup: 5.01, total: 55.06 }),
  ),
  changed(
    'Another share makes another total',
    { stored: share(0.1), body: { markupRatio: 0.2 } },
    done({ total: 120 }),
  ),
  changed(
    'A share becomes an amount on top',
    { stored: share(0.1), body: extra(7.5) },
    done({ markupRatio: null, markupAmount: 7.5, markup: 7.5, total: 107.5 }),
  ),
  changed(
    'A cost that loses its markup is billed as it is',
    { stored: extra(7.5), body: { markupMethod: null } },
    done({ markupAmount: null, markup: null, total: 100 }),
  ),
  changed(
    'A cost that is not billed any more loses its markup',
    { stored: share(0.1), body: { isBillable: false } },
    done({ ...{ markupMethod: null, markupRatio: null, markup: null }, total: 100 }),
  ),
  changed(
    'Other notes leave the markup',
    { stored: share(0.1), body: { notes: 'n' } },
    done({ markup: 10, total: 110 }),
  ),
];

const notBilled = refused("'isBillable' must be false on a project that is not billable");
const closed = refused("'projectId' must be an active project that takes expenses");
const locked = refused("'projectId' must be a project that is not locked for time and expenses");

const conditions: readonly Case[] = [
  example({
    says: 'A cost of a project that is not billed is not billed',
    given: (world) => ground(world, { billingTypeId: 'non_billable' }),
    when: (base) => ['POST', path, { ...base, amount: 1, isBillable: true }],
    gives: notBilled,
  }),
  example({
    says: 'A project that is not billed has costs all the same',
    given: (world) => ground(world, { billingTypeId: 'non_billable' }),
    when: (base) => ['POST', path, { ...base, amount: 1 }],
    gives: done({ isBillable: false, markup: null, total: 1 }),
  }),
  example({
    says: 'A cost of a billed project is billed, where nothing is said',
    given: ground,
    when: (base) => ['POST', path, { ...base, amount: 1 }],
    gives: done({ isBillable: true }),
  }),
  example({
    says: 'A cost does not come to be billed on a project that is not',
    given: (world) => cost(world, {}, { billingTypeId: 'non_billable' }),
    when: ({ id }) => ['PATCH', `${path}/${id}`, { isBillable: true }],
    gives: notBilled,
  }),
  example({
    says: 'The amount of a billed cost is changed once its project is not billed any more',
    given: (world) => formerlyBilled(world),
    when: ({ id }) => ['PATCH', `${path}/${id}`, { amount: 2 }],
    gives: done({ amount: 2 }),
  }),
  example({
    says: 'A cost follows its project when it is not billed any more',
    given: (world) => formerlyBilled(world),
    when: ({ id }) => ['PATCH', `${path}/${id}`, { amount: 2, isBillable: false }],
    gives: done({ amount: 2, isBillable: false, total: 2 }),
  }),
  ...['tentative', 'completed', 'cancelled'].map((statusId) =>
    example({
      says: `A project that is ${statusId} takes no new costs`,
      given: (world) => ground(world, { statusId }),
      when: (base) => ['POST', path, { ...base, amount: 1 }],
      gives: closed,
    }),
  ),
  ...['not_started', 'in_progress', 'paused'].map((statusId) =>
    example({
      says: `A project that is ${statusId} takes costs`,
      given: (world) => ground(world, { statusId }),
      when: (base) => ['POST', path, { ...base, amount: 1 }],
      gives: done({ amount: 1 }),
    }),
  ),
  example({
    says: 'An archived project takes no new costs',
    given: (world) => ground(world, { recordStatusId: 'archived' }),
    when: (base) => ['POST', path, { ...base, amount: 1 }],
    gives: closed,
  }),
  ...[{ statusId: 'completed' }, { recordStatusId: 'archived' }].map((project) =>
    example({
      says: `A cost of a project that is ${Object.values(project).join()} may still be changed`,
      given: async (world) => {
        const made = await cost(world, {});
        await world.send('PATCH', `/projects/${projectOf(made)}`, project);
        return made;
      },
      when: ({ id }) => ['PATCH', `${path}/${id}`, { amount: 2 }],
      gives: done({ amount: 2 }),
    }),
  ),
  example({
    says: 'A locked project takes no new costs',
    given: (world) => ground(world, { lockTimeAndExpenses: true }),
    when: (base) => ['POST', path, { ...base, amount: 1 }],
    gives: locked,
  }),
  example({
    says: 'A cost of a locked project is not changed',
    given: (world) => lockedCost(world),
    when: ({ id }) => ['PATCH', `${path}/${id}`, { notes: 'Late' }],
    gives: locked,
  }),
  example({
    says: 'A cost of a project that is unlocked again is',
    given: async (world) => {
      const made = await lockedCost(world);
      await world.send('PATCH', `/projects/${projectOf(made)}`, { lockTimeAndExpenses: false });
      return made;
    },
    when: ({ id }) => ['PATCH', `${path}/${id}`, { notes: 'In time' }],
    gives: done({ notes: 'In time' }),
  }),
  example({
    says: 'A cost of a locked project may be deleted',
    given: (world) => lockedCost(world),
    when: ({ id }) => ['DELETE', `${path}/${id}`],
    gives: done(),
  }),
];

const projectOf = (made: object): string => ('project' in made ? (made.project as { id: string }).id : '');

async function formerlyBilled(world: World) {
  const made = await cost(world, { isBillable: true });
  await world.send('PATCH', `/projects/${projectOf(made)}`, { billingTypeId: 'non_billable' });
  return made;
}

async function lockedCost(world: World) {
  const made = await cost(world, {});
  await world.send('PATCH', `/projects/${projectOf(made)}`, { lockTimeAndExpenses: true });
  return made;
}

export const financialsExpenses: readonly Case[] = [...markups, ...conditions];
