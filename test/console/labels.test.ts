// Words of the API as people write them.
import { expect, it } from 'vitest';
import { labelOf, peopleText, wordsOf } from '../../src/console/labels.ts';

it('are words of names, with those that people write otherwise', () => {
  expect(['not_submitted', 'ratioOfCapacity', 'poNumber', 'tm', 'cloudFolderUrl'].map(wordsOf)).toEqual([
    'Not submitted',
    'Ratio of capacity',
    'PO number',
    'T&M',
    'Cloud folder URL',
  ]);
});

it('are what a descriptor says, and of enums, references and truths what people ask for', () => {
  expect(labelOf({ name: 'minutes', kind: 'integer', label: 'Time' })).toBe('Time');
  expect(labelOf({ name: 'statusId', kind: 'enum' })).toBe('Status');
  expect(labelOf({ name: 'isBillable', kind: 'boolean' })).toBe('Billable');
  expect(labelOf({ name: 'id', kind: 'reference', target: 'credit-note' })).toBe('Credit note');
});

it('stand in texts of the service instead of code', () => {
  expect(peopleText('Required for `project_time`; otherwise null')).toBe('Required for “Project time”');
  expect(peopleText('today if paid is true, otherwise null')).toBe('today if paid is true');
  expect(peopleText('null without useBudget; made from the name when not sent')).toBe(
    'empty without use budget; made from the name when not given',
  );
  expect(peopleText("before the member's activeStartDate")).toBe("before the member's active start date");
});
