// What becomes of weeks that members have handed in, and what they confirm with them.
import { type Case, conflict, done, example, type Made, refused, type World } from './case.ts';
import { change, enter, entered, roleScene, scene } from './time-scene.ts';
import { at, first, handedIn, handIn, monday, worked } from './timesheets.ts';

/** A week that is handed in where nothing need be confirmed. */
const plain = async (world: World) => {
  await world.send('PATCH', '/workspace-settings', { timesheetAttestationStatement: null });
  return handedIn(world, monday);
};
const decide = (statusId: string) => (given: { readonly path: string }) => ['PATCH', given.path, { statusId }] as const;
const decided = (statusId: string) => async (world: World) => {
  const found = await plain(world);
  await world.send('PATCH', found.path, { statusId });
  return found;
};

/** A week of billed time that waits, on an issued invoice or on none. */
async function invoiced(world: World) {
  const found = await plain(world);
  await world.send('PATCH', at(found.entries[0]), { statusId: 'approved' });
  const { client } = (await world.send('GET', `/projects/${found.projectId}`)) as unknown as { client: Made };
  const sources = [{ typeId: 'time_entry', id: found.entries[0]?.id }];
  const lines = [{ amount: 100, taxable: false, projectId: found.projectId, sources }];
  const invoice = await world.make('invoice', { clientId: client.id, statusId: 'issued', lines });
  return { ...found, invoice };
}

/** An hour by role at 80, of a project that has ceased to use roles since. */
async function withoutRoles(world: World) {
  const found = await entered(world, await roleScene(world, 1));
  const { projectId, memberId, one, entry } = found;
  await world.send('PATCH', `/project-roles/${one.id}`, { rate: 80 });
  await world.send('PATCH', at(entry), { notes: 'by role' });
  await world.send('PATCH', `/projects/${projectId}`, { useRoles: false });
  return { ...found, memberId, entries: [entry] };
}
const byRole = { rate: 80, notes: 'by role' };

const statusAlone: readonly Case[] = [
  example({
    says: 'A timesheet that is made changes the status of its time alone: role and rate stay',
    given: withoutRoles,
    when: (given) => handIn(given),
    gives: done({ statusId: 'pending_approval' }),
    also: ({ entry, one }) => [[at(entry), { ...byRole, statusId: 'pending_approval', projectRole: { id: one.id } }]],
  }),
  example({
    says: 'A timesheet that is taken back changes the status of its time alone: role and rate stay',
    given: async (world) => {
      const found = await withoutRoles(world);
      const { id } = await world.send(...handIn(found));
      return { ...found, sheet: id };
    },
    when: ({ sheet }) => ['DELETE', `/timesheets/${sheet}`],
    gives: done(),
    also: ({ entry, one }) => [[at(entry), { ...byRole, statusId: 'not_submitted', projectRole: { id: one.id } }]],
  }),
  example({
    says: "The next write of time by its caller drops the role where the project uses none, and takes the member's rate",
    given: withoutRoles,
    when: (given) => change(given, { notes: 'by member' }),
    gives: done({ projectRole: null, rate: null, notes: 'by member' }),
  }),
];

const decisions: readonly Case[] = [
  ...(
    [
      ['pending_approval', 'approved'],
      ['pending_approval', 'rejected'],
      ['rejected', 'approved'],
    ] as const
  ).map(([from, to]) =>
    example({
      says: `A timesheet that is ${from} can become ${to}`,
      given: from === 'rejected' ? decided('rejected') : plain,
      when: decide(to),
      gives: done({ statusId: to, hours: 1 }),
    }),
  ),
  ...(
    [
      ['approved', 'rejected'],
      ['approved', 'pending_approval'],
      ['rejected', 'pending_approval'],
    ] as const
  ).map(([from, to]) =>
    example({
      says: `A timesheet that is ${from} cannot become ${to}`,
      given: decided(from),
      when: decide(to),
      gives: refused(`'statusId' cannot change from '${from}' to '${to}'`),
    }),
  ),
  example({
    says: 'A timesheet that is taken back leaves its time to itself, and its attestation goes',
    given: async (world) => {
      const found = await handedIn(world, monday, ['2026-03-03', 30]);
      await world.make('timesheet-attestation', { timesheetId: found.sheet.id, isConfirmed: true });
      await world.send('PATCH', found.path, { statusId: 'approved' });
      return found;
    },
    when: ({ path }) => ['DELETE', path],
    gives: done(),
    also: ({ memberId, entries: [one, two] }) => [
      [`/timesheets?memberId=${memberId}`, { results: [] }],
      [`/timesheet-attestations?memberId=${memberId}`, { results: [] }],
      [at(one), { timesheet: null, minutes: 60, statusId: 'not_submitted' }],
      [at(two), { timesheet: null, minutes: 30, statusId: 'not_submitted' }],
    ],
  }),
  example({
    says: 'A timesheet with time that is invoiced is not taken back',
    given: invoiced,
    when: ({ path }) => ['DELETE', path],
    gives: conflict('The Timesheet is in use and cannot be deleted.'),
  }),
  example({
    says: 'A timesheet is taken back once the invoice over its time is void',
    given: async (world) => {
      const found = await invoiced(world);
      await world.send('PATCH', `/invoices/${found.invoice.id}`, { statusId: 'void' });
      return found;
    },
    when: ({ path }) => ['DELETE', path],
    gives: done(),
    also: ({ entries: [one] }) => [[at(one), { timesheet: null, statusId: 'not_submitted' }]],
  }),
];

const states = ['not_submitted', 'pending_approval', 'approved', 'rejected'] as const;

/** A member with half an hour a day from Monday to Thursday: not submitted, waiting, approved and rejected. */
async function mixed(world: World) {
  const found = await scene(world);
  const entries: Made[] = [];
  for (const [day, statusId] of states.entries())
    entries.push((await entered(world, found, { date: `2026-03-0${day + 2}`, minutes: 30, statusId })).entry);
  return { ...found, entries };
}
const mixedIn = async (world: World) => {
  const found = await mixed(world);
  const sheet = await world.send(...handIn(found));
  return { ...found, sheet, path: `/timesheets/${sheet.id}` };
};
const become = (entries: readonly Made[], ...statuses: readonly string[]) =>
  statuses.map((statusId, place) => [at(entries[place]), { statusId }] as const);

const submitting: readonly Case[] = [
  example({
    says: 'A week that is handed in submits the time that is not submitted or rejected; what waits or is approved stays',
    given: mixed,
    when: (given) => handIn(given),
    gives: done({ statusId: 'pending_approval', hours: 2 }),
    also: ({ entries }) => become(entries, 'pending_approval', 'pending_approval', 'approved', 'pending_approval'),
  }),
  example({
    says: 'A week whose time is approved already is approved',
    given: async (world) => {
      const found = await scene(world);
      return { ...found, ...(await entered(world, found, { statusId: 'approved' })) };
    },
    when: (given) => handIn(given),
    gives: done({ statusId: 'approved' }),
    also: ({ entry }) => [[at(entry), { statusId: 'approved' }]],
  }),
  example({
    says: 'A week of projects that approve by themselves is approved when it is handed in',
    given: async (world) => {
      const found = await scene(world, { project: { timeApprovalMode: 'auto' } });
      return { ...found, ...(await entered(world, found)) };
    },
    when: (given) => handIn(given),
    gives: done({ statusId: 'approved', hours: 1 }),
    also: ({ entry }) => [[at(entry), { statusId: 'approved' }]],
  }),
  example({
    says: 'A week waits for the time of the one project that does not approve by itself',
    given: async (world) => {
      const found = await scene(world, { project: { timeApprovalMode: 'auto' } });
      const { id: projectId } = await world.make('project', { billingTypeId: 'tm', useRoles: false });
      await world.make('project-member', { projectId, memberId: found.memberId });
      const { entry: auto } = await entered(world, found);
      const { entry: manual } = await entered(world, found, { projectId });
      return { ...found, entries: [auto, manual] };
    },
    when: (given) => handIn(given),
    gives: done({ statusId: 'pending_approval' }),
    also: ({ entries }) => become(entries, 'approved', 'pending_approval'),
  }),
  example({
    says: 'A week is handed in although its project is locked by now, for no time changes',
    given: async (world) => {
      const found = await worked(world, monday);
      await world.send('PATCH', `/projects/${found.projectId}`, { lockTimeAndExpenses: true });
      return found;
    },
    when: (given) => handIn(given),
    gives: done({ statusId: 'pending_approval' }),
  }),
  example({
    says: 'Time that is handed in is locked',
    given: plain,
    when: (given) => change(first(given), { minutes: 90 }),
    gives: conflict('The Time Entry is read-only.'),
  }),
  example({
    says: 'An approved week approves all that waits or is rejected',
    given: async (world) => {
      const found = await mixedIn(world);
      await world.send('PATCH', at(found.entries[0]), { statusId: 'rejected' });
      return found;
    },
    when: decide('approved'),
    gives: done({ statusId: 'approved', hours: 2 }),
    also: ({ entries }) => become(entries, 'approved', 'approved', 'approved', 'approved'),
  }),
  example({
    says: 'A rejected week rejects all that waits, and leaves what is approved',
    given: mixedIn,
    when: decide('rejected'),
    gives: done({ statusId: 'rejected' }),
    also: ({ entries }) => become(entries, 'rejected', 'rejected', 'approved', 'rejected'),
  }),
  example({
    says: 'A week that is rejected for one of its days is rejected once more: what waits is rejected, too',
    given: async (world) => {
      const found = await mixedIn(world);
      await world.send('PATCH', at(found.entries[0]), { statusId: 'rejected' });
      return found;
    },
    when: decide('rejected'),
    gives: done({ statusId: 'rejected' }),
    also: ({ entries }) => become(entries, 'rejected', 'rejected', 'approved', 'rejected'),
  }),
  example({
    says: 'A body that says nothing decides on nothing',
    given: async (world) => {
      const found = await mixedIn(world);
      await world.send('PATCH', at(found.entries[0]), { statusId: 'rejected' });
      return found;
    },
    when: ({ path }) => ['PATCH', path, {}],
    gives: done({ statusId: 'rejected' }),
    also: ({ entries }) => become(entries, 'rejected', 'pending_approval', 'approved', 'pending_approval'),
  }),
  example({
    says: 'An approved week that is taken back takes its approved time back as well, and it may change again',
    given: decided('approved'),
    when: ({ path }) => ['DELETE', path],
    gives: done(),
    also: ({ entries }) => become(entries, 'not_submitted'),
  }),
  example({
    says: 'A week that was taken back takes time again',
    given: async (world) => {
      const found = await decided('approved')(world);
      await world.send('DELETE', found.path);
      return found;
    },
    when: (given) => enter(given),
    gives: done({ timesheet: null, statusId: 'not_submitted' }),
  }),
  example({
    says: 'A week that is taken back leaves the time of other weeks',
    given: async (world) => {
      const found = await plain(world);
      const { entry } = await entered(world, found, { date: '2026-03-09' });
      await world.send(...handIn(found, { start: '2026-03-09', end: '2026-03-09' }));
      return { ...found, entry };
    },
    when: ({ path }) => ['DELETE', path],
    gives: done(),
    also: ({ entry }) => [[at(entry), { statusId: 'pending_approval' }]],
  }),
];

const stated = async (world: World, timesheetAttestationStatement: string | null) => {
  const found = await plain(world);
  await world.send('PATCH', '/workspace-settings', { timesheetAttestationStatement });
  return found;
};
const confirm = ({ sheet }: { readonly sheet: Made }) =>
  ['POST', '/timesheet-attestations', { timesheetId: sheet.id, isConfirmed: true }] as const;
const confirmed = async (world: World) => {
  const found = await stated(world, 'I have worked.');
  return { ...found, attestation: await world.send(...confirm(found)) };
};
const remove = ({ attestation }: { readonly attestation: Made }) =>
  ['DELETE', `/timesheet-attestations/${attestation.id}`] as const;

const unconfirmed = "'statusId' must be pending_approval or rejected until the member has confirmed the timesheet";

const attestations: readonly Case[] = [
  example({
    says: 'A week is not approved before its member has confirmed the statement of the workspace',
    given: (world) => stated(world, 'I have worked.'),
    when: decide('approved'),
    gives: refused(unconfirmed),
    also: ({ path, entries }) => [[path, { statusId: 'pending_approval' }], ...become(entries, 'pending_approval')],
  }),
  example({
    says: 'A week is not approved when its member has denied the statement',
    given: async (world) => {
      const found = await stated(world, 'I have worked.');
      await world.make('timesheet-attestation', { timesheetId: found.sheet.id, isConfirmed: false });
      return found;
    },
    when: decide('approved'),
    gives: refused(unconfirmed),
  }),
  example({
    says: 'A week is rejected whether its member has confirmed it or not',
    given: (world) => stated(world, 'I have worked.'),
    when: decide('rejected'),
    gives: done({ statusId: 'rejected' }),
  }),
  example({
    says: 'A week is approved once its member has confirmed it',
    given: (world) => confirmed(world),
    when: decide('approved'),
    gives: done({ statusId: 'approved' }),
    also: ({ entries }) => become(entries, 'approved'),
  }),
  example({
    says: 'A member confirms the statement of the workspace for a timesheet of theirs',
    given: (world) => stated(world, 'I have worked.'),
    when: confirm,
    gives: ({ memberId, sheet }) =>
      done({
        statement: 'I have worked.',
        isConfirmed: true,
        member: { id: memberId },
        timesheet: { id: sheet.id },
      }),
    also: ({ memberId, sheet }) => [
      [`/timesheet-attestations?memberId=${memberId}`, { results: [{ timesheet: { id: sheet.id } }] }],
    ],
  }),
  example({
    says: 'Nobody confirms the timesheet of another member',
    given: (world) => stated(world, 'I have worked.'),
    when: confirm,
    gives: refused("'timesheetId' must be a timesheet of the acting member"),
    byMember: true,
  }),
  example({
    says: 'The acting member confirms a timesheet of their own',
    given: async (world) => {
      await stated(world, 'I have worked.');
      return { sheet: await world.make('timesheet', { memberId: world.actor.id }), actor: world.actor };
    },
    when: confirm,
    gives: ({ actor }) => done({ statement: 'I have worked.', member: { id: actor.id } }),
    byMember: true,
  }),
  ...[null, '', '  '].map((statement) =>
    example({
      says: `Nothing is confirmed while the workspace states ${JSON.stringify(statement)}`,
      given: (world) => stated(world, statement),
      when: confirm,
      gives: refused("'statement' must be set in the workspace settings first"),
    }),
  ),
  example({
    says: 'A timesheet is confirmed once',
    given: confirmed,
    when: confirm,
    gives: conflict('A Timesheet Attestation with the same timesheet already exists.'),
  }),
  example({
    says: 'Another statement of the workspace leaves what has been confirmed',
    given: confirmed,
    when: () => ['PATCH', '/workspace-settings', { timesheetAttestationStatement: 'I have rested.' }],
    gives: done({ timesheetAttestationStatement: 'I have rested.' }),
    also: ({ attestation }) => [[`/timesheet-attestations/${attestation.id}`, { statement: 'I have worked.' }]],
  }),
  ...(['pending_approval', 'rejected'] as const).map((statusId) =>
    example({
      says: `What is confirmed for a timesheet that is ${statusId} may be taken back`,
      given: async (world) => {
        const found = await confirmed(world);
        if (statusId === 'rejected') await world.send('PATCH', found.path, { statusId });
        return found;
      },
      when: remove,
      gives: done(),
      also: ({ memberId, path }) => [
        [`/timesheet-attestations?memberId=${memberId}`, { results: [] }],
        [path, { statusId }],
      ],
    }),
  ),
  example({
    says: 'What is confirmed for a timesheet that is approved stays',
    given: async (world) => {
      const found = await confirmed(world);
      await world.send('PATCH', found.path, { statusId: 'approved' });
      return found;
    },
    when: remove,
    gives: conflict('The Timesheet Attestation is read-only.'),
  }),
];

export const timesheetDecisions: readonly Case[] = [...statusAlone, ...decisions, ...submitting, ...attestations];
