// Conditions on each item of a list, as `require` has them on the record.
import { type RecordValue, recordValue } from '../formulas/facts.ts';
import type { Condition, RuleUse } from '../registry/model.ts';
import { guardsOf } from './collection-guards.ts';
import { factsOf } from './going.ts';
import { isOtherDecision, keysInGroup } from './lone-change.ts';
import { ownText, type ValueOf } from './message-text.ts';
import { itemsOf } from './record-values.ts';
import { isOn, refusalIn, wrongAnswer } from './require-arguments.ts';
import { keyArgument, keyOfName, type Moment, type Rule, textArgument } from './rule.ts';

const operation = { oneOf: ['create', 'update'] } as const;

/**
 * `'<list>[0].<field>' must be <must>` for each item of which `that` does not hold, or the text that `answers` names. Names
 * are those of the item, then those of the record. Nothing where a reference of the item on a path of `that` is null.
 */
export const requireInItems = {
  says: 'In {list}: [{field} must be {must}: ][{field} {text}: ][{field} is answered with {answers} unless ]{that}[. Looked at on {on} alone].',
  parameters: {
    list: { field: 'objects' },
    that: 'judgement',
    field: { field: 'any', in: 'list' },
    must: 'message',
    text: 'message',
    answers: { oneOf: ['notAllowed', 'required'] },
    on: { either: [operation, { list: operation }] },
  },
  optional: ['must', 'text', 'answers', 'on'],
  wrong: wrongAnswer,
  on: ['create', 'update'],
  looksAt: (use, resource) => (isOn(use.arguments, 'update') ? [...resource.byKey.keys()] : []),
  guard: (moment) => (isAsked(moment) ? guardsOf(conditionOf(moment.use), moment, itemsOn(moment)) : []),
  check: async (moment) => {
    const { use, values } = moment;
    const condition = conditionOf(use);
    // It runs on sound bodies alone: what is refused by then, conditions before have refused, and each tells what it finds.
    if (!isAsked(moment)) return;
    const items = itemsOn(moment)(recordValue(values));
    const facts = factsOf(moment);
    const judged = await facts.evaluateAll(condition.tree, items);
    const key = fieldKey(moment);
    for (const [index, item] of items.entries()) {
      const place = `${listKey(moment)}[${index}]`;
      const { value, throughNull } = judged[index] ?? { value: true, throughNull: false };
      if (value === true || throughNull) continue;
      if (moment.isSound(...[key, ...condition.keys].map((one) => `${place}.${one}`)))
        moment.refuse(
          `${place}.${key}`,
          await refusalText(use, async (tree) => (await facts.evaluate(tree, item)).value),
        );
    }
  },
} as const satisfies Rule;

function conditionOf({ use, conditions }: RuleUse): Condition {
  const { that } = conditions;
  if (that === undefined) throw new Error(`${use} without a condition`);
  return that;
}

async function refusalText(use: RuleUse, valueOfPart: ValueOf): Promise<string> {
  const answer = refusalIn(use.arguments);
  if (answer === undefined) return ownText(use, valueOfPart);
  return answer === 'required' ? 'is required' : 'is not allowed';
}

const listKey = ({ resource, use }: Moment): string => keyArgument(resource, use, 'list');

/** The key of the field in the items. */
function fieldKey(moment: Moment): string {
  const { resource, use } = moment;
  const list = resource.byKey.get(listKey(moment));
  const name = textArgument(use, 'field');
  const field = list?.kind === 'objects' ? list.fields.find((one) => one.name === name || one.key === name) : undefined;
  return field?.key ?? keyOfName(resource, name);
}

/** The items of a record, each knowing it. */
const itemsOn =
  (moment: Moment) =>
  (record: RecordValue): readonly RecordValue[] => {
    const list = record.values[listKey(moment)];
    return itemsOf({ list: Array.isArray(list) ? list : [] }, 'list').map((item, place) => ({
      ...recordValue(item),
      owner: record,
      place,
    }));
  };

function isAsked(moment: Moment): boolean {
  const { use, resource, operation: write } = moment;
  if (!isOn(use.arguments, write)) return false;
  return !isOtherDecision(moment, [listKey(moment), ...keysInGroup(resource, conditionOf(use))]);
}
