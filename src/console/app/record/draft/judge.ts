// Checks a group's conditions while somebody types, with the service's compiled trees and evaluator. Conditions that
// need the service are left out. Loaded when a record is opened.
import { evaluate } from '../../../../formulas/evaluate/evaluate.ts';
import { type Facts, recordValue } from '../../../../formulas/evaluate/facts.ts';
import type { RecordValue } from '../../../../formulas/language/value.ts';
import { notKnown } from '../../../../formulas/language/value.ts';
import type { ConditionModel, GroupConditions, LockModel, MustModel, NeedModel } from '../../../conditions.ts';
import { type Draft, emptyDraft } from '../../controls/draft.ts';
import { explainMessages, recordMessages } from '../../messages/record.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { type Filled, filledIn, keysIn } from './defaults.ts';
import { engineValues, factsOf, treeOf } from './standing.ts';

export { forgetRecords } from './standing.ts';

/** What is to be said of a record that is written. */
export interface Judgement {
  /** Places of fields that do not apply, and why: `lines[0].rate`, by the names of bodies. */
  readonly unapplied: ReadonlyMap<string, string>;
  /** Places of fields that the service computes now, and why. */
  readonly made: ReadonlyMap<string, string>;
  /** Keys of fields on which it hangs whether others are required. */
  readonly deciding: ReadonlySet<string>;
  /** On which of the record's own fields it hangs whether a field applies or is required; all by their keys. */
  readonly hangsOn: ReadonlyMap<string, readonly string[]>;
  readonly required: ReadonlyMap<string, string>;
  /** Keys of fields without which a new record cannot begin, or that others of these hang on. */
  readonly first: ReadonlySet<string>;
  /** What fields would hold of which nothing is said, by their keys. */
  readonly defaults: ReadonlyMap<string, unknown>;
  /** What the service would refuse, in its words without the place. */
  readonly faults: ReadonlyMap<string, string>;
  /** Keys of fields that cannot be changed now, and why. */
  readonly locked: ReadonlyMap<string, string>;
  /** States that cannot follow now, and why: `statusId/draft`. */
  readonly refusedStates: ReadonlyMap<string, string>;
  /** Why nothing of it can be changed, or it cannot be deleted. */
  readonly lockedWhole: string | undefined;
  readonly lockedDelete: string | undefined;
}

export interface Judged {
  readonly group: GroupModel;
  readonly conditions: GroupConditions;
  /** As it is kept; undefined for a new one. */
  readonly stored: Draft | undefined;
  readonly draft: Draft;
  /** Keys of fields that somebody has changed. */
  readonly changed: ReadonlySet<string>;
  readonly onRead: () => void;
}

const nothingFilled: Omit<Filled, 'record'> = { values: new Map(), missing: new Set() };

/** Judges a record; what is not known yet is asked for, and `onRead` says when to judge again. */
export function judge(judged: Judged): Judgement {
  const { group, conditions, stored, draft, onRead } = judged;
  const whole = (values: Draft): RecordValue =>
    recordValue({
      ...engineValues(group.fields, values),
      ...(stored?.['id'] === undefined ? {} : { id: stored['id'] }),
    });
  const old = stored === undefined ? null : whole(stored);
  const facts = factsOf(old, onRead);
  const filled =
    stored === undefined ? filledIn(judged, whole(draft), facts) : { ...nothingFilled, record: whole(draft) };
  const { record } = filled;
  const holds = ({ tree }: ConditionModel, self: RecordValue): boolean | undefined => {
    const { value } = evaluate(treeOf(tree), self, facts);
    return value === notKnown ? undefined : value === true;
  };
  const unapplied = new Map<string, string>();
  const start = stored === undefined ? startOf(conditions, group) : new Set<string>();
  const missing = [...filled.missing].filter((key) => start.has(key));
  const required = new Map(missing.map((key) => [key, recordMessages.noDefault]));
  const made = new Map<string, string>();
  for (const { path, only, required: must, made: when } of conditions.fields)
    for (const { place, self } of placesOf(group.fields, path, record)) {
      if (when !== undefined && holds(when, self) === true) made.set(place, when.words);
      if (only !== undefined && holds(only, self) === false) unapplied.set(place, only.words);
      if (must !== undefined && holds(must, self) === true) required.set(place, must.words);
    }
  const reasonOf = (locks: readonly LockModel[]): readonly LockModel[] =>
    old === null ? [] : locks.filter(({ when }) => holds(when, old) === true);
  const update = reasonOf(conditions.update);
  return {
    unapplied,
    made,
    deciding: decidingIn(conditions, group),
    hangsOn: hangingIn(conditions, group),
    required,
    first: firstOf(judged, start, required),
    defaults: filled.values,
    faults: faultsIn(judged, { record, facts }),
    refusedStates: refusedStates(judged, whole, facts),
    locked: new Map(update.flatMap(({ when, keys }) => (keys ?? []).map((key) => [key, when.words] as const))),
    lockedWhole: update.find(({ keys }) => keys === undefined)?.when.words,
    lockedDelete: reasonOf(conditions.delete)[0]?.when.words,
  };
}

/** Fields of the record on which it hangs whether others are required. */
const decidingIn = kept(({ fields }) => new Set(fields.flatMap(({ required }) => [...keysIn(required?.tree)])));

const hangingIn = kept(
  ({ fields: conditions }, { fields }) =>
    new Map(
      conditions.flatMap((one) => {
        const key = fields.find(({ name, key }) => one.path === name || one.path === key)?.key;
        return key === undefined ? [] : [[key, keysOf(one)] as const];
      }),
    ),
);

/** What follows from the conditions of a group alone is found once. */
function kept<T>(find: (conditions: GroupConditions, group: GroupModel) => T) {
  const known = new WeakMap<GroupConditions, T>();
  return (conditions: GroupConditions, group: GroupModel): T => {
    const found = known.get(conditions) ?? find(conditions, group);
    known.set(conditions, found);
    return found;
  };
}

/** Of the record's own fields, at which the conditions of a field look. */
const keysOf = ({ only, required }: GroupConditions['fields'][number]): readonly string[] =>
  [only, required].flatMap((condition) => [...keysIn(condition?.tree)]);

/** A choice that every record has, and that nothing makes before somebody chooses. */
const isOpen = ({ kind, unset, default: first, onCreate }: FieldModel): boolean =>
  kind === 'enum' && unset === 'never' && first === undefined && onCreate;

/**
 * What is asked first of a new record. It is found on an empty one, so that no field moves under a hand: what must be said, what others
 * hang on, and what may be required by these. Fields that come to be required later join them where they hang on them.
 */
function firstOf(
  { group, conditions }: Judged,
  start: ReadonlySet<string>,
  required: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const first = new Set(start);
  const hanging = hangingIn(conditions, group);
  for (const { key } of group.fields)
    if (required.has(key) && hanging.get(key)?.some((one) => first.has(one)) === true) first.add(key);
  return first;
}

const startOf = kept((conditions, group): ReadonlySet<string> => {
  const { fields } = group;
  const draft = emptyDraft(fields);
  const told = fields.filter((field) => field.required);
  const unsound = new Set(told.map(({ key }) => key));
  const facts = factsOf(null, () => {});
  const { record, missing } = filledIn(
    { group, conditions, draft },
    { ...recordValue(engineValues(fields, draft)), unsound },
    facts,
  );
  const hungOn = new Set([...hangingIn(conditions, group).values()].flat());
  const mayBeRequired = fields.filter(({ key, name }) => {
    const tree = conditions.fields.find(({ path }) => path === name || path === key)?.required?.tree;
    if (tree === undefined || ![...keysIn(tree)].some((one) => missing.has(one))) return false;
    return evaluate(treeOf(tree), record, facts).value === notKnown;
  });
  const decides = fields.filter((field) => hungOn.has(field.key) && isOpen(field));
  return new Set([...told, ...mayBeRequired, ...decides].map(({ key }) => key).concat([...missing]));
});

/** What the conditions would say of each state that may follow on that of the record. */
function refusedStates(
  judged: Judged,
  whole: (values: Draft) => RecordValue,
  facts: Facts,
): ReadonlyMap<string, string> {
  const { group, stored } = judged;
  if (stored === undefined) return new Map();
  return new Map(
    group.fields.flatMap(({ key, transitions, onUpdate }) =>
      (onUpdate ? (transitions?.[String(stored[key])] ?? []) : []).flatMap((to): [string, string][] => {
        const draft = { ...stored, [key]: to };
        const faults = faultsIn({ ...judged, draft, changed: new Set([key]) }, { record: whole(draft), facts });
        const text = faults.get(key);
        return text === undefined ? [] : [[`${key}/${to}`, text]];
      }),
    ),
  );
}

interface Standing {
  readonly record: RecordValue;
  readonly facts: Facts;
}

function faultsIn({ group, conditions, stored, changed }: Judged, { record, facts }: Standing): Map<string, string> {
  const faults = new Map<string, string>();
  const operation = stored === undefined ? 'create' : 'update';
  for (const must of conditions.musts) {
    if (!must.on.includes(operation) || !isOfInterest(must, group, changed)) continue;
    for (const { place, self } of placesOf(group.fields, must.path, record)) {
      const { value, throughNull } = evaluate(treeOf(must.that), self, facts);
      const text = value === true || value === notKnown || throughNull ? undefined : saidBy(must, self, facts);
      if (text !== undefined && !faults.has(place)) faults.set(place, text);
    }
  }
  return faults;
}

/** Nobody is told of what he has not come to yet. */
function isOfInterest(
  { path, changed: only }: MustModel,
  { fields }: GroupModel,
  changed: ReadonlySet<string>,
): boolean {
  const keyOf = (name: string): string =>
    fields.find((field) => field.name === name || field.key === name)?.key ?? name;
  if (only !== undefined && !changed.has(keyOf(only))) return false;
  return changed.has(keyOf(path.split('.')[0] ?? ''));
}

/** What of a need is not there; of several ways, the one that says what must be rather than what must not. */
function missing(need: NeedModel, self: RecordValue, facts: Facts): readonly string[] {
  if (need.op === 'one') return evaluate(treeOf(need.tree), self, facts).value === true ? [] : [need.words];
  const parts = need.of.map((part) => missing(part, self, facts));
  if (need.op === 'all') return parts.flat();
  if (parts.some((words) => words.length === 0)) return [];
  return parts.find(([words = '']) => !words.startsWith('not (')) ?? parts[0] ?? [];
}

function saidBy({ says, isMust, needs }: MustModel, self: RecordValue, facts: Facts): string | undefined {
  if (needs !== undefined) return recordMessages.onlyWhile(missing(needs, self, facts).join(' and '));
  const parts = says.map((part) => {
    if (typeof part === 'string') return part;
    const { value } = evaluate(treeOf(part), self, facts);
    return value === notKnown || (typeof value === 'object' && value !== null)
      ? undefined
      : String(value ?? explainMessages.nothing);
  });
  if (parts.includes(undefined)) return undefined;
  const text = parts.join('');
  return isMust ? recordMessages.must(text) : text.charAt(0).toUpperCase() + text.slice(1);
}

interface Place {
  /** By the names of bodies: `lines[0].projectId`. */
  readonly place: string;
  readonly self: RecordValue;
}

/** All places of a path in a record, and what conditions stand on there: the record, or the items of its lists. */
function placesOf(fields: readonly FieldModel[], path: string, record: RecordValue): readonly Place[] {
  const [first = '', ...rest] = path.split('.');
  const field = fields.find(({ name, key }) => name === first || key === first);
  const key = field?.key ?? first;
  if (rest.length === 0 || field?.fields === undefined) return [{ place: key, self: record }];
  const inside = record.values[key];
  const items = Array.isArray(inside) ? inside : inside === null || inside === undefined ? [] : [inside];
  return items.flatMap((values: Record<string, unknown>, index) => {
    const item: RecordValue = { values, id: undefined, owner: record, place: index };
    return placesOf(field.fields ?? [], rest.join('.'), item).map(({ place, self }) => ({
      place: Array.isArray(inside) ? `${key}[${index}].${place}` : `${key}.${place}`,
      self,
    }));
  });
}
