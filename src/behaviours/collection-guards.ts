// What holds under concurrency by declaration: a condition that looks through records of the group which is written is
// guarded by what all that it finds have in common, so that two writes which could find each other come one after the other.
import { evaluate } from '../formulas/evaluate.ts';
import { atHand, type Facts, type RecordValue, recordValue } from '../formulas/facts.ts';
import { Gaps, withGaps } from '../formulas/gaps.ts';
import { looksOf } from '../formulas/looks.ts';
import { partsOf } from '../formulas/narrow.ts';
import type { Narrowing, Tree, TreeOf } from '../formulas/tree.ts';
import { isRecord, notKnown } from '../formulas/value.ts';
import type { Condition, Resource } from '../registry/model.ts';
import { type Guarded, type Moment, workspaceRow } from './rule.ts';

/** Which record a reference must name. */
interface Naming {
  readonly equals: Tree;
  /** Of an id of one of several groups the enum beside it says which. */
  readonly group:
    | string
    | { readonly of: Tree; readonly by: string; readonly groups: Readonly<Record<string, string>> };
}

/** One place where a condition looks through records of a group. */
interface Lookup {
  /** References that narrow it, and which record each must name: in the order of the formula, those that the record tells. */
  readonly by: readonly Naming[];
  /** How many comparisons narrow it. */
  readonly narrowings: number;
}

/**
 * What to guard for a condition, for the record as it was and as it will be. What is not known yet (a value that a default
 * gives) is guarded when it is.
 */
export function guardsOf({ tree }: Condition, moment: Guarding, standsOn: StandsOn = onRecord): readonly Guarded[] {
  const lookups = lookupsOf(tree, moment.of ?? moment.resource.name);
  if (lookups.length === 0) return [];
  const { before, values } = moment;
  const facts = ownFacts(moment);
  const states = before === undefined || before === values ? [values] : [before, values];
  return states
    .flatMap((state) => standsOn(recordValue(state)))
    .map(withGaps)
    .flatMap((self) => lookups.flatMap((lookup) => guardOf(lookup, self, facts)));
}

/** Whether a condition looks through records of the group at all. */
export const looksThroughGroup = ({ tree }: Condition, { name }: Pick<Resource, 'name'>): boolean =>
  lookupsOf(tree, name).length > 0;

/**
 * What to guard for a condition of a delete that looks through records of other groups: what they and the record both name.
 * Whoever writes such a record and guards the same comes before or after. Those that name the record itself are held back by
 * the keys of the database.
 */
export function guardsAcross({ tree }: Condition, moment: Guarding): readonly Guarded[] {
  const own = moment.resource.name;
  const self = withGaps(recordValue(moment.values));
  const facts = ownFacts(moment);
  return lookupsOf(tree, own, 'others')
    .filter(({ by }) => by.length > 0)
    .flatMap((lookup) => guardOf(lookup, self, facts))
    .filter(({ group }) => group !== undefined && group !== own);
}

/** What records that a condition looks for must name, so that it finds them by what they and the record have in common. */
export interface CommonName {
  /** The group of those that are looked for. */
  readonly group: string;
  /** Keys of the lists that lead to the items, where it looks for items. */
  readonly lists: readonly string[];
  readonly up: number;
  readonly key: string;
  /** The group of what both name. */
  readonly target: string;
  /** Keys of the items by which it finds them. */
  readonly keys: readonly string[];
}

/** The other side of `guardsAcross`: what is guarded there, by the first that both name at each place. */
export function* commonNamesIn(tree: Tree, own: string): Generator<CommonName> {
  if (tree.op === 'gather' && tree.collection.group !== own) {
    const { group, lists } = tree.collection;
    const first = tree.narrowing.find((narrowing) => referenceIn(narrowing).length > 0);
    const [naming] = first === undefined ? [] : referenceIn(first);
    if (first !== undefined && typeof naming?.group === 'string' && naming.group !== own) {
      const keys = tree.narrowing.map(({ member }) => member.key);
      yield { group, lists, up: first.up, key: first.member.key, target: naming.group, keys };
    }
  }
  for (const part of partsOf(tree)) yield* commonNamesIn(part, own);
}

/**
 * Whether the record alone tells that a condition holds, so that nothing is looked for and nothing need be guarded. What later
 * stages of the write may change does not count: figures, states that follow, what other records take away.
 */
export function isTrueAlready({ tree }: Condition, moment: Guarding): boolean {
  const self = { ...recordValue(moment.values), unsound: new Unsettled(moment) };
  return evaluate(tree, self, ownFacts(moment)).value === true;
}

/** The write, and the group of which the condition looks for records: that of the write itself where it is not said. */
type Guarding = Pick<Moment, 'resource' | 'before' | 'values' | 'actingMember'> & { readonly of?: string };

/** What a condition stands on: the record, or some of its items. */
type StandsOn = (record: RecordValue) => readonly RecordValue[];
const onRecord: StandsOn = (record) => [record];

function guardOf({ by, narrowings }: Lookup, self: RecordValue, facts: Facts): readonly Guarded[] {
  for (const naming of by) {
    const { value } = evaluate(naming.equals, self, facts);
    if (value === notKnown) return [];
    const group = groupOf(naming, self, facts);
    if (typeof value === 'string' && group !== undefined) return [{ group, ids: [value] }];
    // Nothing is found by null alone; beside others, all that are found have it, and the next of these is as good.
    if (narrowings === 1) return [];
  }
  return workspaceRow;
}

function groupOf({ group }: Naming, self: RecordValue, facts: Facts): string | undefined {
  if (typeof group === 'string') return group;
  const { value } = evaluate(group.of, self, facts);
  return value !== notKnown && isRecord(value) ? group.groups[String(value.values[group.by])] : undefined;
}

/** What no default has filled in yet, and what later stages may change. */
class Unsettled extends Gaps {
  readonly #unsettled: ReadonlySet<string>;

  constructor({ values, resource }: Pick<Guarding, 'values' | 'resource'>) {
    super(values);
    this.#unsettled = unsettledKeys(resource);
  }

  override has(key: string): boolean {
    return super.has(key) || this.#unsettled.has(key);
  }
}

const unsettled = new WeakMap<Resource, ReadonlySet<string>>();

function unsettledKeys(resource: Resource): ReadonlySet<string> {
  const keys =
    unsettled.get(resource) ??
    new Set(
      resource.fields
        .filter(
          ({ figure, derived, becomes, onlyWhen }) =>
            figure !== undefined ||
            derived !== undefined ||
            becomes.length > 0 ||
            (onlyWhen !== undefined && looksOf(onlyWhen.tree).beyond.length > 0),
        )
        .map(({ key }) => key),
    );
  unsettled.set(resource, keys);
  return keys;
}

/** What is known before anything is read. */
const ownFacts = ({ before, actingMember }: Guarding): Facts => ({
  ...atHand,
  old: () => (before === undefined ? null : recordValue(before)),
  actor: () => actingMember,
});

/** Through whose records: of the group alone, or of all but it. */
type Through = 'own' | 'others';

const known = new WeakMap<Tree, Map<string, readonly Lookup[]>>();

function lookupsOf(tree: Tree, group: string, through: Through = 'own'): readonly Lookup[] {
  const byGroup = known.get(tree) ?? new Map<string, readonly Lookup[]>();
  known.set(tree, byGroup);
  const key = `${through} ${group}`;
  const isMeant = (other: string): boolean => (other === group) === (through === 'own');
  const lookups = byGroup.get(key) ?? [...lookupsIn(tree, isMeant)];
  byGroup.set(key, lookups);
  return lookups;
}

function* lookupsIn(tree: Tree, isMeant: (group: string) => boolean): Generator<Lookup> {
  if (tree.op === 'gather' && isMeant(tree.collection.group))
    yield { by: tree.narrowing.flatMap(referenceIn), narrowings: tree.narrowing.length };
  if (tree.op === 'field' && tree.member.kind === 'others' && isMeant(tree.member.shape().group)) yield sidesOf(tree);
  for (const part of partsOf(tree)) yield* lookupsIn(part, isMeant);
  if (tree.op !== 'named') return;
  // What a formula of another record compares with, this one does not tell.
  const isOwn = tree.of.op === 'self' && tree.of.up === 0;
  for (const lookup of lookupsIn(tree.formula.tree(), isMeant)) yield isOwn ? lookup : { ...lookup, by: [] };
}

/** A narrowing by a reference to a record that this one tells by itself. */
function referenceIn({ member, equals }: Narrowing): Lookup['by'] {
  const { type, key, isAmong, branches } = member;
  if (branches !== undefined && isTold(equals)) return choiceIn(equals);
  if (type.kind !== 'id' || type.group === undefined || key === 'id' || isAmong === true || !isTold(equals)) return [];
  return [{ group: type.group, equals }];
}

/** An id of one of several groups that is compared with such an id of this record. */
function choiceIn(equals: Tree): Lookup['by'] {
  if (equals.op !== 'field' || equals.member.kind !== 'value' || equals.member.branches === undefined) return [];
  return [{ equals, group: { of: equals.of, ...equals.member.branches } }];
}

/** The other side of a reference is narrowed by that reference. */
function sidesOf({ of }: TreeOf<'field'>): Lookup {
  const [group, id] = of.type.kind === 'record' ? [of.type.shape.group, idTree(of)] : ['', undefined];
  return { by: id !== undefined && isTold(id) ? [{ group, equals: id }] : [], narrowings: 1 };
}

/** The id of a record, without a look at it. */
function idTree(of: Tree): Tree | undefined {
  const type = { kind: 'id', group: undefined } as const;
  if (of.op === 'field' && of.member.kind === 'reference') {
    const { key, name } = of.member;
    return { ...of, member: { kind: 'value', name, key, type, nullable: true, isSought: true }, type };
  }
  if (of.op !== 'self') return undefined;
  const member = { kind: 'value', name: 'id', key: 'id', type, nullable: false, isSought: true } as const;
  return { op: 'field', of, member, type, nullable: false, start: of.start, end: of.end };
}

/** Whether a value hangs on nothing but the record, as it is or was, and who acts. */
function isTold(tree: Tree): boolean {
  switch (tree.op) {
    case 'gather':
    case 'macro':
    case 'variable':
    case 'named':
    case 'sent':
      return false;
    case 'known':
      return tree.name === 'old' || tree.name === 'actor';
    case 'field':
      return (tree.member.kind === 'value' || tree.member.kind === 'object') && isTold(tree.of);
    default:
      return partsOf(tree).every(isTold);
  }
}
