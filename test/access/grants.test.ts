// What a change of role files grants or takes.
import { expect, test } from 'vitest';
import { compareGrants, grantFactsOf, grantsOfTexts, grantTexts } from '../../src/access/proof/grants.ts';
import { registryOf } from '../support/service/praxis.ts';
import { type RoleText, rolesIn } from './callers.ts';

const registry = registryOf('studio');
const own = 'memberId == actor';
const open = "statusId == 'open'";

const factsOf = (files: Readonly<Record<string, RoleText>>) => {
  const { roles } = rolesIn(registry, files);
  if (roles === undefined) throw new Error('there are no roles');
  // As a snapshot keeps them.
  return grantsOfTexts(JSON.parse(JSON.stringify(grantTexts(grantFactsOf(roles)))));
};

const differences = (before: RoleText, now: RoleText): readonly string[] =>
  compareGrants(factsOf({ a: before }), factsOf({ a: now })).map(({ code, role, text }) => `${code} ${role}: ${text}`);

const allow = (...rules: readonly object[]): RoleText => ({
  allow: rules.map((rule) => ({ on: ['entry'], to: ['read'], ...rule })),
});

test.each<[what: string, before: RoleText, now: RoleText, told: readonly string[]]>([
  [
    'nothing where rules are in another order',
    allow({ when: own }, { when: open }),
    allow({ when: open }, { when: own }),
    [],
  ],
  ['nothing where one is covered by another', allow({}), allow({}, { when: own, fields: { hide: ['rate'] } }), []],
  ['a condition that is gone', allow({ when: own }), allow({}), ['grant-widened a: read of entry widened']],
  ['one that is new', allow({}), allow({ when: own }), ['grant-narrowed a: read of entry narrowed']],
  ['one for another', allow({ when: own }), allow({ when: open }), ['grant-changed a: read of entry changed']],
  [
    'a field that is hidden',
    allow({}),
    allow({ fields: { hide: ['rate'] } }),
    ['grant-narrowed a: read of entry narrowed'],
  ],
  [
    'a field that is shown any more',
    allow({ fields: { hide: ['rate', 'notes'] } }),
    allow({ fields: { hide: ['notes'] } }),
    ['grant-widened a: read of entry widened'],
  ],
  [
    'all but some instead of some',
    allow({ fields: { show: ['date', 'notes'] } }),
    allow({ fields: { hide: ['rate'] } }),
    ['grant-widened a: read of entry widened'],
  ],
  [
    'an operation, and a group that is gone',
    allow({ to: ['read'] }, { on: ['client'] }),
    allow({ to: ['*'] }),
    ['grant-narrowed a: read of client narrowed', 'grant-widened a: create, update, delete, history of entry widened'],
  ],
  [
    'what a forbid takes',
    allow({}),
    { ...allow({}), forbid: [{ on: ['entry'], to: ['get'], when: open }] },
    ['grant-narrowed a: get of entry narrowed'],
  ],
  [
    'what an update may leave, though less is asked of it before',
    allow({ to: ['read'] }, { to: ['update'], when: own, after: open }),
    allow({ to: ['read'] }, { to: ['update'], when: own }),
    ['grant-changed a: update of entry changed'],
  ],
  [
    'who holds it, and what it may besides',
    { ...allow({}), heldBy: 'me.isActive', may: ['metrics'] },
    { ...allow({}), may: ['changes'] },
    ['holders-changed a: held by me.isActive → tokens', 'may-changed a: may changes, may not metrics any more'],
  ],
])('tells %s', (_what, before, now, told) => {
  expect(differences(before, now)).toEqual(told);
});

test('tells of roles that are new, and that are gone', () => {
  const [a, b] = [factsOf({ a: allow({}) }), factsOf({ b: allow({}) })];
  expect(compareGrants(a, b).map(({ code, role }) => `${code} ${role}`)).toEqual(['role-removed a', 'role-added b']);
});
