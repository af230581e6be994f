// What proves roles without a service: examples that are run and findings.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Roles } from '../../src/access/model.ts';
import { exampleFaults } from '../../src/access/proof/examples.ts';
import { accessTable } from '../../src/access/proof/table.ts';
import { writableAuthors } from '../../src/access/proof/writable-authors.ts';
import { RightsBook } from '../../src/access/rights.ts';
import { listRoleFindings as findingsOf, loadRoles } from '../../src/app/registry.ts';
import { parseSource } from '../../src/registry/read/source.ts';
import { buildRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { folders, registryOf } from '../support/service/praxis.ts';

const registry = registryOf('studio');
const root = mkdtempSync(join(tmpdir(), 'praxis-proof-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let made = 0;
function rolesOf(files: Readonly<Record<string, object>>, of = registry): Roles {
  made += 1;
  const folder = join(root, String(made));
  mkdirSync(folder);
  for (const [name, role] of Object.entries(files))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ title: name, description: name, allow: [], ...role }));
  const roles = loadRoles(folder, of);
  if (roles === undefined) throw new Error('there is no folder');
  return roles;
}

describe('examples', () => {
  test('that end as they say are no faults', () => {
    const roles = loadRoles(join(folders.studio, 'roles'), registry);
    expect(roles?.byName.get('worker')?.examples).toHaveLength(5);
    expect(roles && exampleFaults(roles, registry)).toEqual([]);
  });

  const allow = [
    {
      id: 'own',
      on: ['entry'],
      to: ['read', 'create', 'update'],
      when: 'memberId == actor',
      fields: { write: ['notes', 'memberId'] },
    },
    {
      id: 'led',
      on: ['project'],
      to: ['read'],
      when: 'staffings.exists(s, s.projectId == id && s.member.manager.name == me.name)',
    },
    { id: 'late', on: ['entry'], to: ['update'], after: "sent.notes && old.notes == null && statusId == 'open'" },
  ];
  const asked = { as: { id: 'm1', name: 'Ada' }, on: 'entry' };
  test.each([
    ['allowed where it is', { ...asked, to: 'get', record: { memberId: 'm1' }, is: 'allowed', by: 'own' }, undefined],
    ['refused, where nobody acts', { on: 'entry', to: 'get', record: { memberId: null }, is: 'refused' }, undefined],
    [
      'allowed, though it is refused',
      { ...asked, to: 'get', record: { memberId: 'm2' }, is: 'allowed' },
      'is refused, not as it says; considered: clerk/own does not hold',
    ],
    [
      'decided by another rule',
      { ...asked, to: 'get', record: { memberId: 'm1' }, is: 'allowed', by: 'late' },
      'is allowed by clerk/own, not by late; considered: clerk/own allows it',
    ],
    [
      'refused for a field',
      { ...asked, to: 'create', record: { memberId: 'm1', rate: '5' }, is: 'allowed' },
      'is refused, not as it says; considered: clerk/own allows it; no rule that holds lets rate be written',
    ],
    [
      'left where nobody may write it',
      { ...asked, to: 'update', record: { memberId: 'm1', notes: 'x' }, body: { memberId: 'm2' }, is: 'allowed' },
      'is refused, not as it says; considered: clerk/own does not hold, clerk/late does not hold',
    ],
    [
      'allowed by what a body names',
      { ...asked, to: 'update', record: { memberId: 'm1' }, body: { notes: 'x' }, is: 'allowed', by: 'late' },
      undefined,
    ],
    [
      'over records behind records',
      {
        as: { id: 'm1', name: 'Ada' },
        to: 'list',
        on: 'project',
        record: { id: 'p1' },
        records: { staffing: { s1: { projectId: 'p1', member: { id: 'm2', manager: { name: 'Ada' } } } } },
        is: 'allowed',
      },
      undefined,
    ],
    [
      'about what nothing grants',
      { ...asked, to: 'delete', is: 'allowed' },
      'is refused, not as it says; no rule is about it',
    ],
  ])('%s', (_what, example, text) => {
    const faults = exampleFaults(rolesOf({ clerk: { allow, examples: [example] } }), registry);
    expect(faults.map((fault) => fault.text)).toEqual(text === undefined ? [] : [text]);
    expect(faults.map(({ pointer }) => pointer)).toEqual(text === undefined ? [] : ['/examples/0']);
  });
});

test.each<[code: string, files: Readonly<Record<string, object>>, text: string]>([
  [
    'allow-covered',
    {
      a: {
        allow: [
          { on: ['*'], to: ['read'] },
          { id: 'again', on: ['entry'], to: ['get'], when: 'minutes > 1' },
        ],
      },
    },
    'a/again adds nothing: a/allow[0] allows all of it already',
  ],
  [
    'allow-always-forbidden',
    { a: { allow: [{ id: 'no', on: ['entry'], to: ['read'] }], forbid: [{ on: ['area:Work'], to: ['*'] }] } },
    'a/no allows operations that the role always forbids',
  ],
  [
    'condition-never',
    {
      a: {
        allow: [
          { id: 'one', on: ['entry'], to: ['read'], when: "statusId == 'open' && statusId in ['pending', 'approved']" },
          { id: 'two', on: ['entry'], to: ['read'], when: 'minutes > 10 && (minutes < 10 || minutes == 3)' },
          {
            id: 'sometimes',
            on: ['entry'],
            to: ['read'],
            when: "minutes >= 10 && minutes <= 10 || statusId == 'open'",
          },
        ],
      },
    },
    'a/one can never hold, because "when" contradicts itself for one field',
  ],
  [
    'write-unseen',
    { a: { allow: [{ on: ['client'], to: ['create', 'update'] }] } },
    '"a" may create and update client, and read none of it',
  ],
  [
    'field-nowhere',
    { a: { allow: [{ id: 'x', on: ['client'], to: ['read'], fields: { keep: ['code'] } }] } },
    'a/x says which fields may be written, and allows to write nothing',
  ],
  [
    'figure-shows',
    { a: { allow: [{ on: ['project'], to: ['read'] }] } },
    'project.minutes looks at entry.projectId, which "a" cannot read',
  ],
  [
    'figure-shows',
    {
      a: { allow: [{ on: ['project', 'entry'], to: ['read'] }] },
      b: {
        allow: [
          { on: ['project'], to: ['read'] },
          { on: ['entry'], to: ['read'], fields: { hide: ['minutes'] } },
        ],
      },
    },
    'project.minutes looks at entry.minutes, which "b" cannot read',
  ],
  [
    'list-unindexed',
    { a: { allow: [{ id: 'x', on: ['member'], to: ['list'], when: 'manager == me || isActive' }] } },
    'a/x: no index finds the member records of which "isActive" holds, so a list reads all of them; add "filter": "exact" to member.isActive',
  ],
  [
    'list-unindexed',
    { a: { allow: [{ id: 'x', on: ['entry'], to: ['list'], when: 'minutes > 60' }] } },
    'a/x: no index finds the entry records of which "minutes > 60" holds, so a list reads all of them; add a condition on a reference, such as "ownerId == actor", or on a state with "filter": "exact"',
  ],
  [
    'list-unindexed',
    { a: { allow: [{ id: 'x', on: ['entry'], to: ['list'], when: 'me.isActive || member == me' }] } },
    'a/x: no index finds the entry records of which "me.isActive" holds, so a list reads all of them; use it as the "heldBy" of another role',
  ],
  ['group-unreachable', { a: { allow: [{ on: ['client'], to: ['get'] }] } }, 'no role may list client'],
  [
    'role-grants',
    {
      a: { allow: [{ on: ['member'], to: ['read', 'update'] }] },
      b: { heldBy: 'me.profile.isChief', allow: [{ on: ['*'], to: ['*'] }] },
    },
    '"a" may write member.profile, which decides who holds "b"',
  ],
])('%s is found', (code, files, text) => {
  const found = findingsOf(rolesOf(files), registry).filter((finding) => finding.code === code);
  expect(found.map((finding) => finding.text)).toContain(text);
  if (code === 'condition-never') expect(found).toHaveLength(2);
});

test('a role that can steer a computed state of records that it writes is found, unless it may do everything', () => {
  const product = registryOf('product');
  const steered = (...allow: readonly object[]): readonly string[] =>
    findingsOf(rolesOf({ a: { allow } }, product), product)
      .filter(({ code }) => code === 'state-steered')
      .map(({ text }) => text);
  const time = { on: ['time-entry'], to: ['read', 'create'] };
  const project = { on: ['project'], to: ['read', 'update'] };
  const text =
    '"a" may update project.timeApprovalMode and create time-entry, whose computed statusId reads that field';
  expect(steered(time, project)).toEqual([text]);
  expect(steered(time, { ...project, fields: { write: ['timeApprovalMode'] } })).toEqual([text]);
  expect(steered(time, { ...project, fields: { keep: ['timeApprovalMode'] } })).toEqual([]);
  expect(steered({ ...time, to: ['read'] }, project)).toEqual([]);
  // Records that a state gathers are no field of another record: whoever writes them does what they are for.
  expect(steered({ on: ['timesheet', 'time-entry'], to: ['read', 'write'] })).toEqual([]);
  expect(steered({ on: ['*'], to: ['*'] })).toEqual([]);
});

test.each([
  'memberId == actor',
  'member == me',
  'member.manager == me && minutes > 60',
  "statusId == 'open' || project.client.owner == me",
  "statusId in ['open', 'pending']",
  'staffings.exists(s, s.project == project && s.member == me)',
])('an index serves lists under %s', (when) => {
  const found = findingsOf(rolesOf({ a: { allow: [{ on: ['entry'], to: ['list'], when }] } }), registry);
  expect(found.filter(({ code }) => code === 'list-unindexed')).toEqual([]);
});

test('a field that is named like an author and that callers can send is found', () => {
  const author = { reference: 'person', nullable: true, onDelete: 'clear', description: 'Member' };
  const acting = { ...author, defaultFrom: 'actingMember' };
  const descriptor = (title: string, properties: object) => ({
    ...{ title, description: title, type: 'object' },
    properties: { name: { type: 'string', maxLength: 40, description: 'Name' }, ...properties },
    required: ['name'],
    resource: { path: `/${title.toLowerCase()}s`, shownAs: '{name}', operations: ['list', 'create', 'update'] },
  });
  const files = {
    person: descriptor('Person', {}),
    note: descriptor('Note', {
      createdBy: { ...acting, readOnly: true },
      submittedBy: { ...acting, immutable: true },
      author: { ...author, defaultFrom: [{ formula: 'actor' }] },
      // Callers choose an owner, and a reporter without such a default.
      owner: acting,
      reporter: author,
    }),
  };
  const sources = Object.entries(files).flatMap(([name, data]) => {
    const { source } = parseSource(`${name}.json`, name, JSON.stringify(data));
    return source === undefined ? [] : [source];
  });
  const text = (name: string) => `note.${name} can be sent by callers and name another member; make it "readOnly"`;
  const found = writableAuthors(buildRegistry(sources, ruleSignatures));
  expect(found.map(({ code }) => code)).toEqual(['author-writable', 'author-writable']);
  expect(found.map((finding) => finding.text)).toEqual([text('submittedBy'), text('author')]);
  expect(writableAuthors(registryOf('product'))).toEqual([]);
});

test('files need no list: they are had by the records that name them', () => {
  const files = registryOf('files');
  const named = [...files.resources.keys()].filter((name) => name !== 'file');
  const roles = rolesOf({ a: { allow: [{ on: named, to: ['read'] }] } }, files);
  expect(findingsOf(roles, files).filter(({ code }) => code === 'group-unreachable')).toEqual([]);
});

test('who may write by what others sign in is found where these may do more', () => {
  const product = registryOf('product');
  const chief = { heldBy: 'me.securityRole.readOnly', allow: [{ on: ['*'], to: ['*'] }] };
  const told = (write: readonly string[]): readonly string[] => {
    const desk = { allow: [{ on: ['member'], to: ['read', 'update'], fields: { write } }] };
    return findingsOf(rolesOf({ chief, desk }, product), product)
      .filter(({ code }) => code === 'role-grants')
      .map(({ text }) => text);
  };
  expect(told(['email'])).toEqual(['"desk" may write member.email, by which those sign in who hold "chief"']);
  expect(told(['name'])).toEqual([]);
});

test('a role that needs more truth values a record than 16 is a fault, and roles held together that do are found', () => {
  const product = registryOf('product');
  const names = [...(product.resources.get('invoice')?.fields ?? [])]
    .filter(({ name, shown }) => shown && name !== 'id')
    .map(({ name }) => name);
  const allow = (count: number, from = 0) =>
    names.slice(from, from + count).map((name, n) => ({
      ...{ id: `r${from + n}`, on: ['invoice'], to: ['read'], fields: { show: [name] } },
      when: `total > ${n}`,
    }));
  const heldBy = 'me.isActive';
  const load = (files: Readonly<Record<string, object>>) => rolesOf(files, product);
  expect(() => load({ a: { allow: allow(17) } })).toThrow(
    '/allow: needs 17 truth values for each record of "invoice" to know which fields to show, and 16 are allowed',
  );
  const roles = load({ a: { heldBy, allow: allow(16) }, b: { heldBy, allow: allow(2, 16) } });
  expect(
    findingsOf(roles, product)
      .filter(({ code }) => code === 'truths-many')
      .map(({ text }) => text),
  ).toEqual([
    'who holds all roles needs 18 truth values for each record of "invoice" to know which fields to show, and 16 are allowed; let rules show the same fields',
  ]);
});

test('the roles to begin with fit the groups of the product, end as their examples say, and grant no other', () => {
  const product = registryOf('product');
  const roles = loadRoles(join(import.meta.dirname, '../../.package/new-access'), product);
  expect([...(roles?.byName.keys() ?? [])]).toEqual([
    ...['administrator', 'agent', 'billing', 'manager', 'member', 'project-lead'],
  ]);
  if (roles === undefined) return;
  expect([...roles.byName.values()].filter(({ examples }) => examples.length === 0)).toEqual([]);
  expect(exampleFaults(roles, product)).toEqual([]);
  expect([...new Set(findingsOf(roles, product).map(({ code }) => code))]).toEqual(['figure-shows', 'state-steered']);
  const { rows } = accessTable(roles, product);
  // Administrator, agent, billing, manager, member, project lead.
  expect(rows.find(({ group }) => group === 'cost-period')?.cells).toEqual([
    ...['CRUDLH', '------', '------', '-R--LH', '------', '------'],
  ]);
  expect(rows.find(({ group }) => group === 'invoice')?.cells).toEqual([
    ...['CRUDLH', 'cRu-L-', 'CRUDL-', '-R--LH', '------', '------'],
  ]);
});

test('the roles to begin with show what people cost, and what is earned by them, to those alone who manage', () => {
  const product = registryOf('product');
  const roles = loadRoles(join(import.meta.dirname, '../../.package/new-access'), product);
  const isTelling = /costPer|(services|total)Cost|gross|memberRates/i;
  const toldBy = (role: string): readonly string[] => {
    const rights = new RightsBook(roles).of({ roles: [role] });
    return [...product.resources.values()].flatMap(({ name: group, fields }) => {
      const read = [rights?.on(group, 'list'), rights?.on(group, 'get')].flatMap((grants) => grants ?? []);
      return fields
        .filter(({ name, shown }) => shown && isTelling.test(name))
        .filter(({ name }) => read.some(({ allows }) => allows.some(({ shows }) => shows?.has(name) !== false)))
        .map(({ name }) => `${group}.${name}`);
    });
  };
  expect(toldBy('manager').length).toBeGreaterThan(10);
  for (const role of ['member', 'project-lead', 'billing', 'agent']) expect(toldBy(role), role).toEqual([]);
});
