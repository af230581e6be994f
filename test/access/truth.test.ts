// Conditions of roles in three values: what looks at an acting member that is not there, or at an unset field of it, decides
// nothing.
import { expect, test } from 'vitest';
import { truthBy } from '../../src/access/truth.ts';
import type { Facts } from '../../src/formulas/evaluate/facts.ts';
import { noFacts, recordValue } from '../../src/formulas/evaluate/facts.ts';
import { compileCondition } from '../../src/registry/formulas/conditions.ts';
import { registryOf } from '../support/service/praxis.ts';

const registry = registryOf('studio');
const scope = { ...registry.scopeOf('entry'), me: registry.scopeOf('member').record };
type Values = Readonly<Record<string, unknown>>;

const members: Readonly<Record<string, Values>> = {
  ada: { id: 'ada', name: 'Ada', isActive: true, managerId: 'bob', profileId: null },
  bob: { id: 'bob', name: 'Bob', isActive: false, managerId: null, profileId: null },
};
const factsOf = (actor: string | null): Facts => ({
  ...noFacts,
  actor: () => actor,
  record: (_group, id) => (members[id] === undefined ? null : recordValue(members[id])),
  collection: () => [recordValue({ id: 's1', memberId: 'ada', leads: true })],
});

function truth(condition: string, actor: string | null, values: Values = {}): unknown {
  const compiled = compileCondition(condition, scope);
  if (typeof compiled !== 'object') throw new Error(compiled ?? 'unresolved');
  const record = { id: 'e1', memberId: 'ada', projectId: null, minutes: 60, statusId: 'open', notes: null, ...values };
  return truthBy(compiled.tree)(recordValue(record), factsOf(actor));
}

test.each([
  ['memberId == actor', 'ada', true],
  ['memberId == actor', 'bob', false],
  ['memberId == actor', null, 'undecided'],
  ['memberId != actor', null, 'undecided'],
  ['!(memberId == actor)', null, 'undecided'],
  ['memberId == actor && minutes > 100', null, false],
  ['memberId == actor || minutes > 10', null, true],
  ['memberId == actor || minutes > 100', null, 'undecided'],
  ['actor == null', null, true],
  ['actor != null', null, false],
  ['!me.isActive', 'bob', true],
  ['!me.isActive', null, 'undecided'],
  ['me.isActive || true', null, true],

  ['me.managerId == memberId', 'bob', 'undecided'],
  ['memberId == me.managerId', 'ada', false],
  ['me.managerId == null', 'bob', true],
  ['me.managerId == null', null, true],
  ['me.manager.name == notes', 'bob', 'undecided'],
  ['memberId in [me.managerId, actor]', 'ada', true],
  ['memberId in [me.managerId, actor]', 'bob', 'undecided'],
  ['staffings.exists(s, s.projectId == projectId && s.memberId == actor)', null, 'undecided'],
  ['staffings.exists(s, s.memberId == me.managerId)', 'bob', 'undecided'],
  ['minutes > 10 && !staffings.exists(s, s.memberId == actor && s.leads)', null, 'undecided'],
  // The record's own side is plainly null.
  ['projectId == null', null, true],
  ["notes == 'x'", null, false],
  ["!(notes == 'x')", null, true],
] as const)('%s, as %s, is %s', (condition, actor, is) => {
  expect(truth(condition, actor)).toBe(is);
});
