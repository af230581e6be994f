// The rule `require`: a condition on the record, on records that it refers to, or on all records that share a reference.

import { isChanged } from '../../facts/record-values.ts';
import type { Condition, Conflicts, Resource, RuleUse, Value } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import { isOtherDecision } from '../support/approval-only.ts';
import { ownText, valueText } from '../support/message-text.ts';
import { isOverOne } from '../support/over-references.ts';
import { type Judgement, keyArgument, keyOfName, type PlannedCondition, type Rule } from '../support/rule.ts';
import {
  answerNames,
  changedNames,
  conflictIn,
  isCalledBySent,
  isOn,
  keysLookedAt,
  operationsIn,
  refusalIn,
  refusalsIn,
  wrongRequire,
} from './require-arguments.ts';

const operation = { oneOf: ['create', 'update', 'delete'] } as const;

/**
 * `'<field>' must be <must>` unless `that` holds, or `'<field>' <text>`, or what `answers` names: a text of the interface, or a
 * conflict once nothing else is wrong, `about` the group of a reference. Nothing where a reference of the record on a path of `that` is null. `on` limits
 * it to operations, `changed` to writes that give that field another value. An update is judged where it changes something that
 * `that` looks at in the record, or always where `always` is true. Where `that` looks through records of the
 * same group, it holds among writes at once too; on a delete
 * also against writes of others that guard the record by which they are found.
 */
export const require = {
  says: '[{field} must be {must}: ][{field} {text}: ][Answered with {answers} unless ]{that}[. Looked at on {on} alone][. Looked at where {changed} changes][. Looked at in every update: {always}].',
  example: {
    properties: {
      capHours: { type: 'boolean', default: false },
      hours: { type: 'integer', minimum: 0, maximum: 1000, default: 0 },
    },
    rules: [
      { use: 'require', field: 'hours', that: '!capHours || hours <= 40', must: 'at most 40 while hours are capped' },
    ],
  },
  refuses: (given) => refusalsIn(given, '{field}'),
  parameters: {
    that: 'judgement',
    field: { field: 'any' },
    must: 'message',
    text: 'message',
    answers: { oneOf: answerNames },
    about: { field: 'reference' },
    on: { either: [operation, { list: operation }] },
    changed: { field: 'any' },
    always: 'flag',
  },
  optional: ['field', 'must', 'text', 'answers', 'about', 'on', 'changed', 'always'],
  wrong: wrongRequire,
  conflicts: (given): Conflicts => {
    const kind = conflictIn(given);
    const writes = operationsIn(given).flatMap((on) => (on === 'delete' ? ['delete', 'cascade'] : [String(on)]));
    return kind === undefined ? {} : Object.fromEntries(writes.map((write) => [write, kind]));
  },
  conflictsAbout: { argument: 'about' },
  isLocal: ({ conditions, messages }) =>
    [conditions['that'], ...Object.values(messages).flatMap(({ parts }) => parts)].every(
      (part) => part === undefined || typeof part === 'string' || isOverOne('tree' in part ? part.tree : part),
    ),
  isCalledBySent,
  looksAt: (use, resource) => (isOn(use.arguments, 'update') ? keysLookedAt(resource, use) : []),
  takesPart: ({ use, step, operation: write }) => {
    const isConflict = conflictIn(use.arguments) !== undefined;
    return isOn(use.arguments, write) && !(step === 'check' && isConflict) && !(step === 'last' && !isConflict);
  },
  plan: (use, resource) => {
    const looked = lookedIn(use, resource);
    const { tree } = looked.condition;
    const kind = conflictIn(use.arguments);
    const { conflictsAbout: about } = use;
    return {
      condition: { tree, sound: looked.sound, isAsked: isAskedBy(looked) },
      ...(kind === undefined
        ? { check: (moment) => refuse(moment, looked.key) }
        : { last: (moment) => moment.conflict(kind, typeof about === 'object' ? about.group : undefined) }),
    };
  },
} as const satisfies Rule;

/** What of a use each write looks at. */
interface Looked {
  /** The key of the field that is answered about. */
  readonly key: string;
  readonly condition: Condition;
  /** Keys of the fields whose change alone calls for it; none where others call for it too. */
  readonly changed: readonly string[];
  /** What must be sound. */
  readonly sound: readonly string[];
}

function lookedIn(use: RuleUse, resource: Resource): Looked {
  const key = keyArgument(resource, use, 'field');
  const condition = conditionOf(use);
  const changed = changedNames(use).map((name) => keyOfName(resource, name));
  return { key, condition, changed, sound: [key, ...condition.keys] };
}

function conditionOf({ use, conditions }: RuleUse): Condition {
  const { that } = conditions;
  if (that === undefined) unreachable(`${use} without a condition`);
  return that;
}

/** Whether a write calls for the condition. */
const isAskedBy =
  ({ key, condition, changed }: Looked): PlannedCondition['isAsked'] =>
  (write) => {
    const { before, values, operation: on } = write;
    if (changed.length > 0 && !changed.some((one) => isChanged(before, values, one))) return false;
    return on !== 'update' || !isOtherDecision(write, key, condition);
  };

async function refuse(moment: Judgement, key: string): Promise<void> {
  moment.refuse(key, await refusalText(moment, key));
}

async function refusalText(moment: Judgement, key: string): Promise<string> {
  const { use, before, values, self, sent } = moment;
  const told = (isSeen: boolean, value: Value | undefined): string => (isSeen ? `'${valueText(value)}'` : '…');
  switch (refusalIn(use.arguments)) {
    case 'cannotChange':
      return `cannot change from ${told(moment.isTold(key), before?.[key])} to ${told(sent.has(key) || moment.isTold(key), values[key])}`;
    case 'notAllowed':
      return 'is not allowed';
    case 'required':
      return 'is required';
    default: {
      const { facts } = moment;
      return ownText(use, async (tree) => (await facts.evaluate(tree, self)).value);
    }
  }
}
