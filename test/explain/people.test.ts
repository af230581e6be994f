// Formulas as they are told to people who know none.
import { expect, test } from 'vitest';
import {
  conditionForPeople,
  formulaForPeople,
  nameForPeople,
  ruleForPeople,
  valueForPeople,
} from '../../src/formulas/words/people.ts';

test.each([
  ['projectId == null || seat.isActive', 'project is not set or seat is active'],
  ['!isBillable', 'it is not billable'],
  ['sent.rate || old == null', 'the request contains rate or the record is new'],
  ['!sent.rate && old != null', 'the request does not contain rate and the record already exists'],
  ['!loans.exists(l, l.isLost || l.fee > 5)', '(it is lost or its fee > 5) for none of the loans'],
  ['!member.isActive && old.isActive', 'member is not active and it was active'],
  ["statusId == 'not_submitted'", 'status is not submitted'],
  ['minutes <= old.minutes', 'minutes ≤ minutes before the write'],
  ['workspace.timeZone == zone', "the workspace's time zone is zone"],
  ['client.ratesId == null', "client's rates is not set"],
  ['x == old', 'x is the record before the write'],
  [
    'loans.filter(l, l.bookId == bookId && l.isLost).count() < 3',
    'the number of (the loans whose book is this book and that are lost) < 3',
  ],
  ['all.timesheets.exists(s, s.end >= today)', 'its end ≥ today for at least one of all records of timesheets'],
])('%s', (formula, words) => {
  expect(conditionForPeople(formula)).toBe(words);
});

test.each([
  ['coalesce(limit, 10) * 2', '(limit, or 10 if not set) × 2'],
  ['loans.filter(l, l.id != id).count()', 'the number of the loans for which it is not this record'],
  ['loans.sum(l, l.fee)', 'the sum of the fees of all loans'],
  ['template.isBillable ? 1 : 2', '1 if template is billable, otherwise 2'],
  ['old.isActive == isActive', 'active before the write is active'],
  ['isActive', 'it is active'],
  ['client.isActive', 'client is active'],
  ['memberIds', 'members'],
  ['a ? null : b', 'nothing if a is true, otherwise b'],
  ['seats.first().projectRoleId', 'project role of the first of the seats'],
  ['items.filter(i, i.n > 1).first(i, i.n).partId', 'part of the first of (the items whose n > 1) by its n'],
  ['is no formula (', 'is no formula ('],
])('what gives a value: %s', (formula, words) => {
  expect(formulaForPeople(formula)).toBe(words);
});

test('names, values and rules', () => {
  expect(['dueStatusId', 'isBillable', 'id', 'labelIds'].map(nameForPeople)).toEqual([
    'due status',
    'billable',
    'id',
    'labels',
  ]);
  expect(
    ['not_submitted', 'A_1', 'null', '2026-03-01T20:00:00.000Z', '2026-03-01T20:00:01.500Z'].map(valueForPeople),
  ).toEqual(['not submitted', 'A_1', 'nothing', '2026-03-01 20:00 UTC', '2026-03-01 20:00:01.500 UTC']);
  expect(ruleForPeople('[None by {from}.]At most 5 by {parent}.', { parent: 'parentTaskId' })).toBe(
    'At most 5 by parent task.',
  );
});
