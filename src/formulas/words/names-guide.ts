// Documentation of the names that formulas know besides fields; a test evaluates the examples.
import type { Guided } from '../language/function-row.ts';

/** By themselves. */
export const knownNames: Readonly<Record<string, Guided>> = {
  today: {
    usage: 'today: the day in the time zone of the workspace',
    takes: {},
    gives: 'a date',
    example: { formula: 'dueOn < today', over: { dueOn: '1999-12-31' }, gives: 'true' },
  },
  actor: {
    usage: 'actor: the id of the acting member; null where nobody acts',
    takes: {},
    gives: 'an id, or null',
    example: { formula: 'actor == null', gives: 'true' },
  },
  workspace: {
    usage: 'workspace: the record with the settings of the workspace',
    takes: {},
    gives: 'a record',
    example: { formula: "workspace.currency == 'EUR'", gives: 'true' },
  },
  old: {
    usage:
      'old: the record before the write, null on create; in conditions, effects, and computed fields with "compute": "onWrite" or "onCreate"',
    takes: {},
    gives: 'a record, or null',
    example: { formula: 'old == null || old.rate <= rate', over: { rate: 40 }, gives: 'true' },
  },
  sent: {
    usage: 'sent.field: whether the body of the write names the field, with whatever value; in conditions',
    takes: { field: 'a field of the record' },
    gives: 'true or false',
    example: { formula: '!sent.rate || rate > 0', over: { rate: 40 }, gives: 'true' },
  },
  index: {
    usage: 'index: the place of an item in its list, from 0',
    takes: {},
    gives: 'a number',
    example: { formula: 'index + 1', gives: '1' },
  },
  record: {
    usage: 'record: of an item the record, or the item, in whose list it stands',
    takes: {},
    gives: 'a record',
    example: { formula: 'hours * record.rate', over: { hours: 2, rate: 40 }, gives: '80' },
  },
  all: {
    usage: 'all.group: all records of a group, by its path in camel case, where a field has the name of the group',
    takes: { group: 'the path of a group in camel case' },
    gives: 'a list of records, to be narrowed',
    example: { formula: 'all.tasks.filter(t, t.id == taskId).count()', over: { taskId: 'a1' }, gives: '0' },
  },
};
