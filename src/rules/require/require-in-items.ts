// The rules `requireInItems`, `requireInInner` and `requireOfEach`: a condition on each item of a list, of a nested list, or on
// each record of a list of references.

import type { ReadFacts } from '../../facts/read-facts.ts';
import { isChanged, textsOf } from '../../facts/record-values.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { itemsWithin } from '../../formulas/evaluate/record-items.ts';
import type { RecordValue } from '../../formulas/language/value.ts';
import { keyOf } from '../../registry/model/field-names.ts';
import type { Condition, Conflicts, Field, RuleUse, Values } from '../../registry/model/model.ts';
import { reservedFault } from '../../registry/model/vocabulary.ts';
import { unreachable } from '../../unreachable.ts';
import { isOtherDecision } from '../support/approval-only.ts';
import { ownText, type ValueOf } from '../support/message-text.ts';
import { type Judgement, keyArgument, keyOfName, type Moment, type Rule, textArgument } from '../support/rule.ts';
import {
  changedNames,
  conflictIn,
  isCalledBySent,
  isOn,
  keysLookedAt,
  operationsIn,
  refusalIn,
  refusalsIn,
  wrongAnswer,
} from './require-arguments.ts';

const operation = { oneOf: ['create', 'update'] } as const;
/** What stands beside the items, their condition and the field that is answered about. */
const besides = {
  must: 'message',
  text: 'message',
  answers: { oneOf: ['notAllowed', 'required', 'inUse'] },
  on: { either: [operation, { list: operation }] },
  changed: { either: [{ field: 'any' }, { list: { field: 'any' } }] },
  always: 'flag',
} as const;
const optional = ['must', 'text', 'answers', 'on', 'changed', 'always'] as const;

type ItemRule = Rule & Required<Pick<Rule, 'check' | 'last'>>;

const moments = {
  wrong: wrongAnswer,
  on: ['create', 'update'],
  conflicts: (given): Conflicts => {
    const kind = conflictIn(given);
    return kind === undefined ? {} : Object.fromEntries(operationsIn(given).map((write) => [String(write), kind]));
  },
  conflictsAbout: { argument: 'field' },
  isCalledBySent,
  looksAt: (use, resource) =>
    isOn(use.arguments, 'update') ? [keyArgument(resource, use, 'list'), ...keysLookedAt(resource, use)] : [],
  takesPart: ({ use, step, operation: write }) => {
    const isConflict = conflictIn(use.arguments) !== undefined;
    return isOn(use.arguments, write) && !(step === 'check' && isConflict) && !(step === 'last' && !isConflict);
  },
  prefetch: (moment) =>
    isAsked(moment) ? [{ tree: conditionOf(moment.use).tree, lists: listKeys(moment), items: itemsOn(moment) }] : [],
  check: async (moment) => {
    const { use } = moment;
    for (const { item, place, facts } of await brokenIn(moment))
      moment.refuse(place, await refusalText(use, async (tree) => (await facts.evaluate(tree, item)).value));
  },
  last: async (moment) => {
    const kind = conflictIn(moment.use.arguments);
    const [broken] = kind === undefined ? [] : await brokenIn(moment);
    if (kind !== undefined && broken !== undefined) moment.conflict(kind, groupNamedBy(moment, broken.item));
  },
} as const satisfies Partial<ItemRule>;

/**
 * `'<list>[0].<field>' must be <must>` for each item of which `that` does not hold, or the text that `answers` names; or a
 * conflict, once nothing else is wrong, about the record that the field names. Names are those of the item, then those of
 * the record. Nothing where a reference of the item on a path of `that` is null. `changed` limits it to writes that give one
 * of these fields of the record another value.
 */
export const requireInItems = {
  says: 'In {list}: [{field} must be {must}: ][{field} {text}: ][{field} is answered with {answers} unless ]{that}[. Looked at on {on} alone][. Looked at where {changed} changes][. Looked at in every update: {always}].',
  example: {
    properties: {
      lines: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          properties: {
            quantity: { type: 'integer', minimum: 0, maximum: 1000 },
            isFree: { type: 'boolean', default: false },
          },
          required: ['quantity'],
        },
      },
    },
    rules: [
      { use: 'requireInItems', list: 'lines', field: 'quantity', that: 'isFree || quantity > 0', must: 'above 0' },
    ],
  },
  refuses: (given) => refusalsIn(given, '{list}[0].{field}'),
  parameters: {
    list: { field: 'objects' },
    that: 'judgement',
    field: { field: 'any', in: 'list' },
    ...besides,
  },
  optional,
  ...moments,
} as const satisfies Rule;

/** The same for the items of the list `inner` in each item of `list`. */
export const requireInInner = {
  says: 'In {inner} of {list}: [{field} must be {must}: ][{field} {text}: ][{field} is answered with {answers} unless ]{that}[. Looked at on {on} alone][. Looked at where {changed} changes][. Looked at in every update: {always}].',
  example: {
    properties: {
      lines: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          properties: {
            parts: {
              type: 'array',
              maxItems: 100,
              items: {
                type: 'object',
                properties: { share: { type: 'integer', minimum: 0, maximum: 100 } },
                required: ['share'],
              },
            },
          },
        },
      },
    },
    rules: [
      { use: 'requireInInner', list: 'lines', inner: 'parts', field: 'share', that: 'share > 0', must: 'above 0' },
    ],
  },
  refuses: (given) => refusalsIn(given, '{list}[0].{inner}[0].{field}'),
  parameters: {
    list: { field: 'objects' },
    inner: { field: 'objects', in: 'list' },
    that: 'judgement',
    field: { field: 'any', in: 'inner' },
    ...besides,
  },
  optional,
  ...moments,
} as const satisfies Rule;

/** The same for each record that `list` names: it goes by the name `each`, and the answer is about its place, `'<list>[0]'`. */
export const requireOfEach = {
  says: 'Each {each} of {list}: [must be {must}: ][{text}: ][{answers} unless ]{that}[. Looked at on {on} alone][. Looked at where {changed} changes][. Looked at in every update: {always}].',
  example: {
    properties: {
      room: { reference: 'room', onDelete: 'restrict' },
      desks: { references: 'desk', onDelete: 'clear' },
    },
    required: ['room'],
    rules: [
      { use: 'requireOfEach', list: 'desks', each: 'desk', that: 'desk.roomId == roomId', must: 'in the same room' },
    ],
    beside: {
      room: { properties: { name: { type: 'string', maxLength: 255 } }, required: ['name'] },
      desk: { properties: { room: { reference: 'room', onDelete: 'cascade' } }, required: ['room'] },
    },
  },
  refuses: (given) => refusalsIn(given, '{list}[0]'),
  parameters: {
    list: { field: 'references', kept: true },
    each: 'text',
    that: 'judgement',
    ...besides,
  },
  optional,
  ...moments,
  wrong: (given) => {
    const text = reservedFault(String(given['each']));
    const fault = text === undefined ? [] : [{ argument: 'each', text }];
    return [...fault, ...wrongAnswer({ ...given, field: given['list'] })];
  },
  conflictsAbout: { argument: 'each' },
} as const satisfies Rule;

function conditionOf({ use, conditions }: RuleUse): Condition {
  const { that } = conditions;
  if (that === undefined) unreachable(`${use} without a condition`);
  return that;
}

async function refusalText(use: RuleUse, valueOfPart: ValueOf): Promise<string> {
  const answer = refusalIn(use.arguments);
  if (answer === undefined) return ownText(use, valueOfPart);
  return answer === 'required' ? 'is required' : 'is not allowed';
}

interface Broken {
  readonly item: RecordValue;
  /** `lines[0].sources[1].id` */
  readonly place: string;
  readonly facts: ReadFacts;
}

/** The items of which the condition is judged and does not hold. */
async function brokenIn(moment: Judgement): Promise<readonly Broken[]> {
  const { use } = moment;
  // It runs on sound bodies alone: what is refused by then, conditions before have refused, and each tells what it finds.
  if (!isAsked(moment)) return [];
  const condition = conditionOf(use);
  const items = itemsOn(moment)(moment.self);
  const { facts } = moment;
  const judged = await facts.evaluateAll(condition.tree, items);
  const broken: Broken[] = [];
  let key: string | undefined;
  for (const [index, item] of items.entries()) {
    const { value, throughNull } = judged[index] ?? { value: true, throughNull: false };
    // Most hold, and are not asked where they stand.
    if (value === true || throughNull) continue;
    key ??= eachOf(moment) === undefined ? (fieldOf(moment)?.key ?? textArgument(use, 'field')) : '';
    const around = placeOf(moment, item);
    const place = key === '' ? around : `${around}.${key}`;
    if (moment.isSound(place, ...condition.keys.map((one) => `${around}.${one}`))) broken.push({ item, place, facts });
  }
  return broken;
}

/** Keys of the lists that lead to the items. */
function listKeys({ resource, use }: Moment): readonly string[] {
  const inner = textArgument(use, 'inner');
  return [keyArgument(resource, use, 'list'), ...(inner === '' ? [] : [inner])];
}

/** The field of the items. */
function fieldOf(moment: Moment): Field | undefined {
  const name = textArgument(moment.use, 'field');
  let fields: readonly Field[] = moment.resource.fields;
  for (const key of listKeys(moment)) {
    const list = fields.find((one) => one.key === key);
    fields = list?.kind === 'objects' ? list.fields : [];
  }
  return fields.find((one) => one.name === name || one.key === name);
}

/** The key under which the id of each record of a list of references stands in what the condition looks at. */
function eachOf({ use }: Moment): string | undefined {
  const each = textArgument(use, 'each');
  return each === '' ? undefined : keyOf(each, { reference: each });
}

/** The group of the record that the field of an item names, or the list. */
function groupNamedBy(moment: Moment, { values }: RecordValue): string | undefined {
  const [list = ''] = listKeys(moment);
  const field = eachOf(moment) === undefined ? fieldOf(moment) : moment.resource.byKey.get(list);
  if (field?.kind === 'reference' || field?.kind === 'references') return field.target;
  return field?.kind === 'choice'
    ? field.branches.find(({ value }) => value === values[field.by])?.reference.target
    : undefined;
}

const itemsOn =
  (moment: Moment) =>
  (record: RecordValue): readonly RecordValue[] => {
    const each = eachOf(moment);
    const lists = listKeys(moment);
    if (each === undefined) return itemsWithin(record, lists);
    const [list = ''] = lists;
    const ids = textsOf(record.values as Readonly<Values>, list);
    return ids.map((id, place) => ({ ...recordValue({ [each]: id }), owner: record, place }));
  };

/** `lines[0].sources[1]` */
function placeOf(moment: Moment, item: RecordValue): string {
  const places: number[] = [];
  for (let here: RecordValue | undefined = item; here?.owner !== undefined; here = here.owner)
    places.unshift(here.place);
  return listKeys(moment)
    .map((key, depth) => `${key}[${places[depth]}]`)
    .join('.');
}

function isAsked(moment: Moment): boolean {
  const { use, resource, operation: write, before, values } = moment;
  const changed = changedNames(use).map((name) => keyOfName(resource, name));
  if (write === 'update' && changed.length > 0 && !changed.some((key) => isChanged(before, values, key))) return false;
  return !isOtherDecision(moment, keyArgument(resource, use, 'list'), conditionOf(use));
}
