import { type Case, done, type Expected, example, refused, type World } from './case.ts';

const path = '/project-health-reports';
const at = ({ id }: { readonly id: string }) => `${path}/${id}`;
const report = async ({ make, send }: World, values: object = {}) =>
  send('POST', path, { projectId: (await make('project')).id, date: '2026-03-02', ...values });

const scored = (says: string, ratings: object, score: number | null) =>
  example({
    says,
    given: ({ make }: World) => make('project'),
    when: ({ id }) => ['POST', path, { projectId: id, date: '2026-03-02', ...ratings }],
    gives: done({ score, ...ratings }),
  });
const rescored = (says: string, ratings: object, sent: object, score: number | null) =>
  example({
    says,
    given: (world: World) => report(world, ratings),
    when: (one) => ['PATCH', at(one), sent],
    gives: done({ score }),
  });
const best = {
  ...{ budgetHealthId: 'excellent', scheduleHealthId: 'excellent' },
  ...{ clientSatisfactionId: 'excellent', teamSatisfactionId: 'excellent' },
};
const scores: readonly Case[] = [
  scored('Four excellent ratings are worth 12', best, 12),
  // 3 + 2 + 1 + 1
  scored(
    'An excellent rating is worth 3, a fair one 2, a poor one 1',
    {
      ...{ budgetHealthId: 'excellent', scheduleHealthId: 'fair' },
      ...{ clientSatisfactionId: 'poor', teamSatisfactionId: 'poor' },
    },
    7,
  ),
  ...Object.keys(best).map((rating) =>
    scored(`One rating makes a score (${rating.replace(/[A-Z].*/, '')})`, { [rating]: 'fair' }, 2),
  ),
  scored('What is not rated is worth nothing', { budgetHealthId: 'poor', teamSatisfactionId: 'poor' }, 2),
  scored('Without a rating there is no score, not 0', { budgetHealthId: null }, null),
  // 12 − 3 + 1
  rescored('Another rating makes another score', best, { teamSatisfactionId: 'poor' }, 10),
  rescored('A rating that is taken back counts no more', best, { budgetHealthId: null }, 9),
  rescored(
    'A report that loses its last rating has no score',
    { budgetHealthId: 'fair' },
    { budgetHealthId: null },
    null,
  ),
  rescored('Words change no score', best, { notes: 'Fine', budgetHealthNotes: 'poor' }, 12),
];

const byMember = (says: string, sent: object, isChange: boolean) =>
  example({
    says,
    byMember: true,
    given: async (world: World) => ({ actor: world.actor, one: await report(world, { notes: 'As ever' }) }),
    when: ({ one }) => ['PATCH', at(one), sent],
    gives: ({ actor }) => done({ modifiedBy: isChange ? { id: actor.id } : null }),
  });
const actors: readonly Case[] = [
  example({
    says: 'Who makes a report has not changed it yet',
    byMember: true,
    given: async ({ actor, make }: World) => ({ actor, one: await make('project') }),
    when: ({ one }) => ['POST', path, { projectId: one.id, date: '2026-03-02' }],
    gives: ({ actor }) => done({ createdBy: { id: actor.id }, modifiedBy: null }),
  }),
  byMember('A report shows who changed it last', { notes: 'Better' }, true),
  byMember('Who sends what a report says already has not changed it', { notes: 'As ever' }, false),
  byMember('Who sends nothing has not changed a report', {}, false),
  byMember('One change among what is sent is a change', { notes: 'As ever', teamSatisfactionId: 'fair' }, true),
];

const item = async (world: World, typeId: string) => {
  const { id } = await world.make('invoice-item', { typeId });
  return { id, name: `Type ${world.unique}` };
};
const noIncome = refused("'invoiceItemId' must be an income item");
const typed = (says: string, typeId: string, gives: Expected) => [
  example({
    says,
    given: (world: World) => item(world, typeId),
    when: ({ id, name }) => ['POST', '/project-types', { name, invoiceItemId: id }],
    gives,
  }),
  example({
    says: `${says} (later)`,
    given: async (world: World) => ({ type: await world.make('project-type'), other: await item(world, typeId) }),
    when: ({ type, other }) => ['PATCH', `/project-types/${type.id}`, { invoiceItemId: other.id }],
    gives,
  }),
];
const types: readonly Case[] = [
  ...typed('Services of a type of project are invoiced as income', 'income', done()),
  ...typed('Services of a type of project are not invoiced as expenses', 'expense', noIncome),
  example({
    says: 'Services of a type of project are invoiced as services unless it says otherwise',
    given: async ({ unique }: World) => ({ name: `Type ${unique}` }),
    when: (body) => ['POST', '/project-types', body],
    gives: done({ invoiceItem: { name: 'Service' } }),
  }),
];

export const projectReports: readonly Case[] = [...scores, ...actors, ...types];
