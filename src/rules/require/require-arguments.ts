// Checks combinations of the arguments of `require`: which of them have no effect beside each other.

import { dependenciesOf } from '../../formulas/analyse/dependencies.ts';
import type { ConflictKind, Refusal, Resource, RuleUse, WrongArgument } from '../../registry/model/model.ts';
import { keyOfName, type Moment } from '../support/rule.ts';

type Given = Readonly<Record<string, unknown>>;

const conflictKinds = ['readOnly', 'inUse', 'datesOverlap'] as const satisfies readonly ConflictKind[];
/** Texts of the interface that answer with 400, each about one field. */
const refusalNames = ['cannotChange', 'notAllowed', 'required'] as const;
type RefusalName = (typeof refusalNames)[number];

export const answerNames = [...refusalNames, ...conflictKinds];

/** The conflict that a use answers with. */
export const conflictIn = ({ answers }: Given): ConflictKind | undefined =>
  conflictKinds.find((kind) => kind === answers);

/** The text of the interface that a use refuses a field with. */
export const refusalIn = ({ answers }: Given): RefusalName | undefined =>
  refusalNames.find((refusal) => refusal === answers);

const refusalTexts: Readonly<Record<RefusalName, string>> = {
  cannotChange: "cannot change from '…' to '…'",
  notAllowed: 'is not allowed',
  required: 'is required',
};

/** What a use refuses: none where it answers with a conflict. @param at Where the field stands. */
export function refusalsIn(given: Given, at: string): readonly Refusal[] {
  if (conflictIn(given) !== undefined) return [];
  const refusal = refusalIn(given);
  if (refusal === 'cannotChange') return [{ at, text: refusalTexts[refusal], on: 'update' }];
  if (refusal !== undefined) return [{ at, text: refusalTexts[refusal] }];
  return [{ at, text: given['text'] === undefined ? 'must be {must}' : '{text}' }];
}

/** The operations in which a use is judged: create and update, where it does not say. */
export function operationsIn({ on, answers }: Given): readonly unknown[] {
  // What a create brings changes nothing.
  return on === undefined ? (answers === 'cannotChange' ? ['update'] : ['create', 'update']) : [on].flat();
}

/** Names of the fields whose change alone calls for a use, whatever its condition looks at; none where others call for it too. */
export function changedNames({
  arguments: { changed, answers, field },
}: Pick<RuleUse, 'arguments'>): readonly string[] {
  if (changed !== undefined) return [changed].flat().map(String);
  return answers === 'cannotChange' ? [String(field)] : [];
}

/** Whether an operation calls for a use. */
export const isOn = (given: Given, operation: Moment['operation']): boolean => operationsIn(given).includes(operation);

/** One thing answers: what the field must be, a text of its own, a text of the interface. */
export function wrongAnswer(given: Given): readonly WrongArgument[] {
  const [one, other] = ['must', 'text', 'answers'].filter((name) => given[name] !== undefined);
  if (one === undefined)
    return [
      {
        text: 'needs "must", what the field must be, or "text", all that is said of it, or "answers", a text of the interface',
      },
    ];
  if (other !== undefined) return [{ argument: other, text: `has no effect with "${one}": one of the two answers` }];
  if (conflictIn(given) === undefined && given['field'] === undefined)
    return [{ text: 'needs "field": the answer is about one' }];
  return [];
}

/** Faults of arguments that are right by themselves. */
export function wrongRequire(given: Given): readonly WrongArgument[] {
  const { answers, about, on, changed } = given;
  const wrong: WrongArgument[] = [];
  const conflict = conflictIn(given);
  const isOnDelete = isOn(given, 'delete');
  wrong.push(...wrongAnswer(given));
  if (about !== undefined && conflict === undefined)
    wrong.push({
      argument: 'about',
      text: `has no effect without a conflict in "answers": ${conflictKinds.join(', ')}`,
    });
  if (isOnDelete && conflict === undefined)
    wrong.push({
      argument: 'on',
      text: `a delete has no fields to refuse; say "answers": ${conflictKinds.join(', ')}`,
    });
  if (answers === 'cannotChange' && on !== undefined && (isOnDelete || !isOn(given, 'update') || isOn(given, 'create')))
    wrong.push({ argument: 'on', text: 'only an update changes what there is' });
  if (changed !== undefined && isOnDelete) wrong.push({ argument: 'changed', text: 'means nothing on a delete' });
  return wrong;
}

/** Reports whether an update that only sends fields calls for a condition: by `always`, or because it reads `sent`. */
export const isCalledBySent = ({ arguments: { always }, conditions: { that } }: RuleUse): boolean =>
  always === true ||
  (that !== undefined &&
    dependenciesOf(that.tree).beyond.some(({ what, words }) => what === 'known' && words === 'sent'));

/**
 * Keys of the record whose change calls for a condition at an update: what it reads of the record, the references through which
 * it reads others, and what it reads of records of the same group, of which the record is one. What has changed elsewhere is no
 * matter of this write, unless the use says `always`.
 */
export function keysLookedAt(resource: Resource, use: RuleUse): readonly string[] {
  const { that } = use.conditions;
  const every = [...resource.byKey.keys()];
  if (that === undefined || isCalledBySent(use)) return every;
  const { keys, reads } = dependenciesOf(that.tree);
  const own = reads.flatMap(({ shape, key }) =>
    shape.group === resource.name ? [shape.objectKey ?? shape.lists[0] ?? key] : [],
  );
  const named = changedNames(use).map((name) => keyOfName(resource, name));
  return [...new Set([...keys, ...own, ...named])];
}
