// Conditions: over the record, over those it refers to, over all records that a reference has in common.
import type { Condition, Conflicts, RuleUse } from '../registry/model.ts';
import { factsOf } from './going.ts';
import { isOtherDecision } from './lone-change.ts';
import { ownText, valueText } from './message-text.ts';
import { isOverOne, keysLookedAt } from './over-references.ts';
import { isChanged } from './record-values.ts';
import {
  answerNames,
  changedIn,
  conflictIn,
  isOn,
  operationsIn,
  refusalIn,
  refusalsIn,
  wrongRequire,
} from './require-arguments.ts';
import { keyArgument, keyOfName, type Moment, type Rule } from './rule.ts';

const operation = { oneOf: ['create', 'update', 'delete'] } as const;

/**
 * `'<field>' must be <must>` unless `that` holds, or `'<field>' <text>`, or what `answers` names: a text of the interface, or a
 * conflict once nothing else is wrong, `about` the group of a reference. Nothing where a reference of the record on a path of `that` is null. `on` limits
 * it to operations, `changed` to writes that give that field another value. Where `that` looks through records of the
 * same group, it holds among writes at once too; on a delete
 * also against writes of others that guard the record by which they are found.
 */
export const require = {
  says: '[{field} must be {must}: ][{field} {text}: ][Answered with {answers} unless ]{that}[. Looked at on {on} alone][. Looked at where {changed} changes].',
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
  },
  optional: ['field', 'must', 'text', 'answers', 'about', 'on', 'changed'],
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
  looksAt: (use, resource) => (isOn(use.arguments, 'update') ? keysLookedAt(resource, use.conditions['that']) : []),
  takesPart: ({ use, step, operation: write }) => {
    const isConflict = conflictIn(use.arguments) !== undefined;
    return isOn(use.arguments, write) && !(step === 'check' && isConflict) && !(step === 'last' && !isConflict);
  },
  foresee: (moment) => (isAsked(moment) ? [{ tree: conditionOf(moment.use).tree, lists: [] }] : []),
  check: async (moment) => {
    const { use, resource } = moment;
    if (!(await isBroken(moment))) return;
    const key = keyArgument(resource, use, 'field');
    moment.refuse(key, await refusalText(moment, key));
  },
  last: async (moment) => {
    const kind = conflictIn(moment.use.arguments);
    if (kind === undefined || !(await isBroken(moment))) return;
    const { conflictsAbout: about } = moment.use;
    moment.conflict(kind, typeof about === 'object' ? about.group : undefined);
  },
} as const satisfies Rule;

function conditionOf({ use, conditions }: RuleUse): Condition {
  const { that } = conditions;
  if (that === undefined) throw new Error(`${use} without a condition`);
  return that;
}

/** Whether this write calls for the condition. */
function isAsked(moment: Moment): boolean {
  const { use, resource, before, values } = moment;
  const changed = changedIn(use);
  if (changed !== undefined && !isChanged(before, values, keyOfName(resource, changed))) return false;
  return !isOtherDecision(moment, keyArgument(resource, use, 'field'), conditionOf(use));
}

/** Whether the condition is judged and does not hold. */
async function isBroken(moment: Moment): Promise<boolean> {
  const { use, resource } = moment;
  if (!isAsked(moment)) return false;
  const { keys, tree } = conditionOf(use);
  if (!moment.isSound(keyArgument(resource, use, 'field'), ...keys)) return false;
  const { value, throughNull } = await factsOf(moment).evaluate(tree, moment.self);
  return !throughNull && value !== true;
}

async function refusalText(moment: Moment, key: string): Promise<string> {
  const { use, before, values, self } = moment;
  switch (refusalIn(use.arguments)) {
    case 'cannotChange':
      return `cannot change from '${valueText(before?.[key])}' to '${valueText(values[key])}'`;
    case 'notAllowed':
      return 'is not allowed';
    case 'required':
      return 'is required';
    default: {
      const facts = factsOf(moment);
      return ownText(use, async (tree) => (await facts.evaluate(tree, self)).value);
    }
  }
}
