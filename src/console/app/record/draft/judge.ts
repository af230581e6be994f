// Checks a group's conditions while somebody types, with the service's compiled trees and evaluator. Conditions that
// need the service are left out. Loaded when a record is opened.
import { evaluate } from '../../../../formulas/evaluate/evaluate.ts';
import { atHand, type Facts, recordValue } from '../../../../formulas/evaluate/facts.ts';
import type { Tree } from '../../../../formulas/language/tree.ts';
import type { RecordValue } from '../../../../formulas/language/value.ts';
import { notKnown } from '../../../../formulas/language/value.ts';
import { trimDecimal } from '../../../../values/decimal.ts';
import type {
  ConditionModel,
  GroupConditions,
  LockModel,
  MustModel,
  NeedModel,
  WireTree,
} from '../../../conditions.ts';
import { type Draft, draftOf, numeral } from '../../controls/draft.ts';
import { get } from '../../service/api.ts';
import { type FieldModel, type GroupModel, groups } from '../../service/model.ts';

/** A tree as the evaluation takes it: references lead to a shape that knows its group, formulas to their tree. */
function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== 'object' || value === null) return value;
  const part: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, revived(inside)]),
  );
  if (part.member !== undefined) {
    const { group, ...member } = part.member as Record<string, unknown>;
    part.member = group === undefined ? member : { ...member, shape: () => ({ group }) };
  }
  if (part['op'] === 'named') {
    const { tree } = part['formula'] as { tree: Tree };
    part['formula'] = { tree: () => tree };
  }
  return part;
}

const trees = new WeakMap<WireTree, Tree>();
function treeOf(wire: WireTree): Tree {
  const known = trees.get(wire) ?? (revived(wire) as Tree); // The service made it of one.
  trees.set(wire, known);
  return known;
}

/** The values of a draft as formulas know them. */
function engineValues(fields: readonly FieldModel[], draft: Draft): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.key, engineValue(field, draft[field.key])]));
}

function engineValue(field: FieldModel, control: unknown): unknown {
  switch (field.kind) {
    case 'integer':
    case 'decimal':
      return engineNumber(numeral(field, String(control ?? '')));
    case 'objects':
      return Array.isArray(control) ? control.map((item) => engineValues(field.fields ?? [], item as Draft)) : [];
    case 'object':
      return control === null ? null : engineValues(field.fields ?? [], control as Draft);
    case 'references':
    case 'list':
      return control;
    default:
      return control === '' && field.unset !== 'empty' ? null : (control ?? null);
  }
}

const engineNumber = (text: string): string | null => (/^-?\d+(?:\.\d+)?$/.test(text) ? trimDecimal(text) : null);

/** Records that conditions look at, read as they are wanted. */
const records = new Map<string, RecordValue | null>();
const asked = new Set<string>();

/** @param onRead Called when something is known that was not. */
function factsOf(old: RecordValue | null, onRead: () => void): Facts {
  return {
    ...atHand,
    old: () => old,
    record: (name, id) => {
      const key = `${name}/${id}`;
      const known = records.get(key);
      if (known !== undefined) return known;
      const group = groups().named(name);
      if (!asked.has(key) && group?.operations.includes('get') === true) {
        asked.add(key);
        get(group.path, id).then(
          ({ record }) => {
            records.set(key, recordValue({ ...engineValues(group.fields, draftOf(group.fields, record)), id }));
            onRead();
          },
          () => undefined,
        );
      }
      return notKnown;
    },
  };
}

/** What is to be said of a record that is written. */
export interface Judgement {
  /** Places of fields that do not apply, and why: `lines[0].rate`, by the names of bodies. */
  readonly unapplied: ReadonlyMap<string, string>;
  /** Places of fields that the service computes now, and why. */
  readonly made: ReadonlyMap<string, string>;
  /** Keys of fields on which it hangs whether others apply or are required. */
  readonly deciding: ReadonlySet<string>;
  readonly required: ReadonlyMap<string, string>;
  /** What the service would refuse, in its words without the place. */
  readonly faults: ReadonlyMap<string, string>;
  /** Keys of fields that cannot be changed now, and why. */
  readonly locked: ReadonlyMap<string, string>;
  /** Why nothing of it can be changed, or it cannot be deleted. */
  /** States that cannot follow now, and why: `statusId/draft`. */
  readonly refusedStates: ReadonlyMap<string, string>;
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
  const record = whole(draft);
  const holds = ({ tree }: ConditionModel, self: RecordValue): boolean | undefined => {
    const { value } = evaluate(treeOf(tree), self, facts);
    return value === notKnown ? undefined : value === true;
  };
  const unapplied = new Map<string, string>();
  const required = new Map<string, string>();
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
    deciding: decidingIn(conditions),
    required,
    faults: faultsIn(judged, { record, facts }),
    refusedStates: refusedStates(judged, whole, facts),
    locked: new Map(update.flatMap(({ when, keys }) => (keys ?? []).map((key) => [key, when.words] as const))),
    lockedWhole: update.find(({ keys }) => keys === undefined)?.when.words,
    lockedDelete: reasonOf(conditions.delete)[0]?.when.words,
  };
}

const deciding = new WeakMap<GroupConditions, ReadonlySet<string>>();

/** Fields of the record that the conditions of other fields look at. */
function decidingIn(conditions: GroupConditions): ReadonlySet<string> {
  const known = deciding.get(conditions) ?? new Set<string>();
  if (deciding.has(conditions)) return known;
  deciding.set(conditions, known);
  const note = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { op, of, member } = value as { op?: string; of?: { op?: string }; member?: { key?: string } };
    if (op === 'field' && of?.op === 'self' && member?.key !== undefined) (known as Set<string>).add(member.key);
    for (const part of Object.values(value)) note(part);
  };
  for (const { only, required } of conditions.fields) note([only?.tree, required?.tree]);
  return known;
}

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
  if (needs !== undefined) return `Only possible while ${missing(needs, self, facts).join(' and ')}`;
  const parts = says.map((part) => {
    if (typeof part === 'string') return part;
    const { value } = evaluate(treeOf(part), self, facts);
    return value === notKnown || (typeof value === 'object' && value !== null) ? undefined : String(value ?? 'nothing');
  });
  if (parts.includes(undefined)) return undefined;
  const text = parts.join('');
  return isMust ? `Must be ${text}` : text.charAt(0).toUpperCase() + text.slice(1);
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

/** Reads records anew: what was read before may have been changed since. */
export function forgetRecords(): void {
  records.clear();
  asked.clear();
}
