// What role files may say: the exact faults of those that are wrong, and the rules that come of those that are right.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Roles } from '../../src/access/model.ts';
import { RightsBook } from '../../src/access/rights.ts';
import { loadRoles } from '../../src/app/registry.ts';
import { DescriptorFaults } from '../../src/registry/model/faults.ts';
import { folders, registryOf } from '../support/service/praxis.ts';

const registry = registryOf('studio');
const root = mkdtempSync(join(tmpdir(), 'praxis-roles-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let made = 0;
type Files = Readonly<Record<string, object | string>>;
function load(files: Files): Roles | undefined {
  made += 1;
  const folder = join(root, String(made));
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return loadRoles(folder, registry);
}

/** The faults of a folder, without the folder: `clerk.json:6:7 /allow/0/on/0: …`, first lines alone. */
function faultsOf(files: Files): readonly string[] {
  try {
    load(files);
    return [];
  } catch (error) {
    if (!(error instanceof DescriptorFaults)) throw error;
    return error.message
      .split('\n')
      .filter((line) => line.startsWith(root))
      .map((line) => line.slice(join(root, String(made)).length + 1));
  }
}

const role = (part: object): object => ({ title: 'Clerk', description: 'Writes.', allow: [], ...part });
const rule = (part: object): object => ({ on: ['entry'], to: ['read'], ...part });
const clerk = (part: object): Files => ({ 'clerk.json': role(part) });

test('without a folder there are no roles, and an empty one is a fault', () => {
  expect(loadRoles(join(root, 'none'), registry)).toBeUndefined();
  expect(() => load({})).toThrow(/ holds no role; remove the folder, or add one$/);
});

test.each<readonly [string, Files, readonly string[]]>([
  [
    'unknown operations',
    clerk({ allow: [rule({}), rule({}), rule({ to: ['creat'] })] }),
    ['clerk.json:26:9 /allow/2/to/0: "creat" is not allowed; did you mean "create"?'],
  ],
  [
    'unknown groups and areas',
    clerk({ allow: [rule({ on: ['entri'] }), rule({ on: ['area:Wrk'] })] }),
    [
      'clerk.json:7:9 /allow/0/on/0: "entri" is not a group; did you mean "entry"?',
      'clerk.json:15:9 /allow/1/on/0: there is no area "Wrk"; did you mean "Work"?',
    ],
  ],
  [
    'unknown fields, and names of the other kind',
    clerk({
      allow: [
        rule({ fields: { hide: ['rat'] } }),
        rule({ fields: { show: ['memberId'] } }),
        rule({ to: ['update'], fields: { write: ['member', 'createdAt'] } }),
      ],
    }),
    [
      'clerk.json:14:11 /allow/0/fields/hide/0: names "rat", which the record does not have; did you mean "rate"?',
      'clerk.json:27:11 /allow/1/fields/show/0: names "memberId", which the record does not have; did you mean "member"?',
      'clerk.json:40:11 /allow/2/fields/write/0: names "member", which bodies do not have; did you mean "memberId"?',
      'clerk.json:41:11 /allow/2/fields/write/1: names "createdAt", which bodies cannot hold',
    ],
  ],
  [
    'a condition that no list can be narrowed by, at its place',
    clerk({
      allow: [
        rule({
          on: ['project'],
          when: 'entries.filter(e, e.projectId == id).sum(e, e.minutes) > 60',
        }),
      ],
    }),
    [
      'clerk.json:12:15 /allow/0/when: the database cannot filter a list by "sum"; put it in a computed field of the record, and compare that field',
    ],
  ],
  [
    'conditions with unknown names, and where a group of several lacks them',
    clerk({ allow: [rule({ when: 'memberIds == actor' }), rule({ on: ['*'], when: 'memberId == actor' })] }),
    [
      'clerk.json:12:15 /allow/0/when: names "memberIds", which the record does not have; did you mean "memberId"?',
      'clerk.json:21:15 /allow/1/when: on "settings": names "memberId", which the record does not have; did you mean "members"?',
    ],
  ],
  [
    'paths that lead too far, and `exists` that stand too deep',
    clerk({
      allow: [
        rule({ when: 'member.manager.manager.manager.isActive' }),
        rule({
          on: ['client'],
          when: 'projects.exists(p, p.clientId == id && staffings.exists(s, s.projectId == p.id && entries.exists(e, e.memberId == s.memberId)))',
        }),
      ],
    }),
    [
      'clerk.json:12:15 /allow/0/when: the database cannot filter a list by "a path through 4 references"; put it in a computed field of the record, and compare that field',
      'clerk.json:21:15 /allow/1/when: the database cannot filter a list by "exists in exists in exists"; put it in a computed field of the record, and compare that field',
    ],
  ],
  [
    'keywords that do not go together',
    clerk({
      allow: [
        rule({ after: 'minutes > 1' }),
        rule({ fields: { show: ['rate'], hide: ['notes'] } }),
        rule({ to: ['create'], names: 'all' }),
        rule({ id: 'one' }),
        rule({ id: 'one' }),
        rule({ on: ['settings'], to: ['delete'] }),
      ],
      forbid: [rule({ fields: { hide: ['rate'] } })],
    }),
    ['clerk.json:74:7 /forbid/0/fields: unknown keyword "fields"; allowed: id, on, to, when, after, because'],
  ],
  [
    'keywords that do not go together, where the form is right',
    clerk({
      allow: [
        rule({ after: 'minutes > 1' }),
        rule({ fields: { show: ['rate'], hide: ['notes'] } }),
        rule({ to: ['create'], names: 'all' }),
        rule({ id: 'one' }),
        rule({ id: 'one' }),
        rule({ on: ['settings'], to: ['delete'] }),
      ],
    }),
    [
      'clerk.json:12:16 /allow/0/after: is evaluated on the written record, but "list" writes no record',
      'clerk.json:25:17 /allow/1/fields/hide: contradicts "show"; keep one of the two',
      'clerk.json:37:16 /allow/2/names: has no effect unless the rule allows "list" or "get"',
      'clerk.json:55:13 /allow/4/id: "one" is twice in the role',
      'clerk.json:59:9 /allow/5/on/0: "settings" has none of these operations',
    ],
  ],
  [
    'roles that there are not, and circles',
    {
      'clerk.json': role({ includes: ['writer', 'riter'] }),
      'writer.json': role({ includes: ['third'] }),
      'third.json': role({ includes: ['clerk'] }),
    },
    [
      'clerk.json:5:15 /includes: includes itself: clerk → writer → third → clerk',
      'clerk.json:7:5 /includes/1: "riter" is not a role; did you mean "writer"?',
    ],
  ],
  [
    'who holds it',
    clerk({ heldBy: "me.profle.name == 'Clerk'" }),
    ['clerk.json:5:13 /heldBy: names "profle", which "member" does not have; did you mean "profile"?'],
  ],
  [
    'names in examples',
    clerk({
      examples: [{ to: 'get', on: 'entry', record: { minuts: 1 }, records: { membr: { m1: {} } }, is: 'allowed' }],
    }),
    [
      'clerk.json:10:19 /examples/0/record/minuts: names "minuts", which the record does not have; did you mean "minutes"?',
      'clerk.json:13:18 /examples/0/records/membr: "membr" is not a group; did you mean "member"?',
    ],
  ],
  ['a file that is no role', { 'Clerk.json': role({}), 'notes.txt': '' }, []],
])('%s are faults', (_what, files, faults) => {
  const found = faultsOf(files);
  if (faults.length > 0) return expect(found).toEqual(faults);
  expect(found).toEqual([
    'Clerk.json:1:1 /: the file name "Clerk" must be a small letter, then small letters, digits and "-", 40 at most',
    'notes.txt:1:1 /: is not a descriptor; rename it to "notes.json", or move it to another folder',
  ]);
});

test('`me` is a name of conditions of roles alone', () => {
  expect(registry.scopeOf('entry').me).toBeUndefined();
  expect(faultsOf(clerk({ allow: [rule({ when: 'memberId == me.id' })] }))).toEqual([]);
});

test('the roles of the studio are rules by group, with those that they include', () => {
  const roles = loadRoles(join(folders.studio, 'roles'), registry);
  const worker = roles?.byName.get('worker');
  expect(worker?.rules.map(({ id, group }) => `${id} ${group}`)).toEqual([
    'worker/allow[0] project',
    'worker/own-time entry',
    'worker/write-own-time entry',
    'worker/decide entry',
    'worker/colleagues member',
    'worker/not-oneself entry',
    'reader/allow[0] client',
    'reader/allow[1] settings',
    'reader/allow[2] profile',
  ]);
  const book = new RightsBook(roles);
  const rights = book.of({ roles: ['worker', 'gone'] });
  expect(rights?.roles).toEqual(['worker']);
  expect(rights?.on('entry', 'update')?.[0]?.forbids.map(({ id }) => id)).toEqual(['worker/not-oneself']);
  expect(rights?.on('client', 'list')?.[0]?.isPlain).toBe(false);
  expect(rights?.on('profile', 'list')?.[0]?.isPlain).toBe(true);
  expect(rights?.on('client', 'create')).toBeUndefined();
  expect(rights?.may('access')).toBe(false);
  // The same roles are the same rights, in whatever order they are named; both must allow where one acts for another.
  expect(book.of({ roles: ['reader', 'worker'] })).toBe(book.of({ roles: ['worker', 'reader'] }));
  const both = book.of({ roles: ['chief'], others: ['desk'] });
  expect(both?.on('client', 'create')).toHaveLength(2);
  expect(both?.on('client', 'delete')).toBeUndefined();
  expect(both?.may('access')).toBe(true);
  expect(both?.may('act')).toBe(false);
  expect(book.of({ roles: undefined })).toBeUndefined();
  expect(book.of({ roles: [] })?.on('client', 'list')).toBeUndefined();
});
