// What becomes of weeks that members have handed in, and what they confirm with them.
import { type Case, conflict, done, example, type Made, refused, type World } from './case.ts';
import { at, handedIn, monday } from './timesheets.ts';

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
  for (const statusId of ['pending_approval', 'approved'])
    await world.send('PATCH', at(found.entries[0]), { statusId });
  const { client } = (await world.send('GET', `/projects/${found.projectId}`)) as unknown as { client: Made };
  const sources = [{ typeId: 'time_entry', id: found.entries[0]?.id }];
  const lines = [{ amount: 100, taxable: false, projectId: found.projectId, sources }];
  const invoice = await world.make('invoice', { clientId: client.id, statusId: 'issued', lines });
  return { ...found, invoice };
}

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
      [at(one), { timesheet: null, minutes: 60 }],
      [at(two), { timesheet: null, minutes: 30 }],
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
    also: ({ entries: [one] }) => [[at(one), { timesheet: null }]],
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

const attestations: readonly Case[] = [
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

export const timesheetDecisions: readonly Case[] = [...decisions, ...attestations];
