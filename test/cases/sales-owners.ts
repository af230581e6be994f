// Whose contacts, companies and opportunities are: by default those of who enters them.
import { type Case, done, example, type Made, refused, type World } from './case.ts';
import { stage } from './sales-pipeline.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a group needs besides, and how its records tell the owner. */
interface Group {
  readonly what: string;
  readonly path: string;
  readonly body: (world: World) => Promise<Values>;
  readonly owner: (member: Made | null) => Values;
}
const reference = (member: Made | null): Values => ({ owner: member && { id: member.id } });
const groups: readonly Group[] = [
  {
    what: 'contact',
    path: '/contacts',
    body: async () => ({ firstName: 'Ada' }),
    owner: (member) => ({ ownerId: member === null ? null : member.id }),
  },
  {
    what: 'company',
    path: '/companies',
    body: async ({ unique }) => ({ name: `Owned ${unique}` }),
    owner: reference,
  },
  {
    what: 'opportunity',
    path: '/opportunities',
    body: async ({ make }) => ({
      name: 'Relaunch',
      companyId: (await make('company')).id,
      opportunityStageId: (await stage(make)).id,
    }),
    owner: reference,
  },
];

const owners: readonly Case[] = groups.flatMap(({ what, path, body, owner }) => {
  const scene = async (world: World) => ({
    sent: await body(world),
    actor: world.actor,
    other: await world.make('member'),
  });
  return [
    example({
      says: `A new ${what} is that of the member who enters it`,
      given: scene,
      when: ({ sent }) => ['POST', path, sent],
      gives: ({ actor }) => done(owner(actor)),
      byMember: true,
    }),
    example({
      says: `A new ${what} can be that of somebody else`,
      given: scene,
      when: ({ sent, other }) => ['POST', path, { ...sent, ownerId: other.id }],
      gives: ({ other }) => done(owner(other)),
      byMember: true,
    }),
    example({
      says: `A new ${what} can be that of nobody`,
      given: scene,
      when: ({ sent }) => ['POST', path, { ...sent, ownerId: null }],
      gives: done(owner(null)),
      byMember: true,
    }),
    example({
      says: `A new ${what} that a program enters is that of nobody`,
      given: scene,
      when: ({ sent }) => ['POST', path, sent],
      gives: done(owner(null)),
    }),
    example({
      says: `Whoever changes a ${what} does not take it over`,
      given: async (world) => {
        const { sent, other } = await scene(world);
        return { other, one: await world.send('POST', path, { ...sent, ownerId: other.id }) };
      },
      when: ({ one }) => ['PATCH', `${path}/${one.id}`, { description: 'Changed' }],
      gives: ({ other }) => done({ ...owner(other), description: 'Changed' }),
      byMember: true,
    }),
  ];
});

const contacts: readonly Case[] = [
  example({
    says: 'Who has entered a contact stays known, also where the contact is that of somebody else',
    given: async (world: World) => ({ other: await world.make('member'), actor: world.actor }),
    when: ({ other }) => ['POST', '/contacts', { firstName: 'Ada', ownerId: other.id }],
    gives: ({ actor, other }) => done({ createdBy: actor.id, ownerId: other.id }),
    byMember: true,
  }),
  example({
    says: 'Whoever changes a contact has not entered it',
    given: ({ send }: World) => send('POST', '/contacts', { firstName: 'Ada' }),
    when: ({ id }) => ['PATCH', `/contacts/${id}`, { lastName: 'Byron' }],
    gives: done({ createdBy: null, name: 'Ada Byron' }),
    byMember: true,
  }),
  example({
    says: 'Nobody says who has entered a contact',
    given: async ({ actor }: World) => actor.id,
    when: (createdBy) => ['POST', '/contacts', { firstName: 'Ada', createdBy }],
    gives: refused("'createdBy' is not allowed"),
  }),
];

const currencies: readonly Case[] = [
  example({
    says: 'The revenue of a company is in the main currency unless it says otherwise',
    given: async ({ unique }: World) => unique,
    when: (unique) => ['POST', '/companies', { name: `Main ${unique}`, revenue: 5 }],
    gives: done({ currency: 'USD', revenue: 5 }),
  }),
  example({
    says: 'A class of spend is in the main currency unless it says otherwise',
    given: async ({ unique }: World) => unique,
    when: (unique) => ['POST', '/company-spend-tiers', { name: `Gold ${unique}`, amount: 5 }],
    gives: done({ currency: 'USD', amount: 5 }),
  }),
];

export const salesOwners: readonly Case[] = [...owners, ...contacts, ...currencies];
