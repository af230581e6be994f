// Conditions, judged on the state after all that a write does.
import type { Draft } from './draft.ts';
import { evaluate, type Standing } from './evaluate.ts';
import { hasMoved, wordsIn } from './figures.ts';
import type { Condition, Group, Model } from './model.ts';
import { keysRead } from './reads.ts';
import { datesOverlap, inUse, Open, type Refusal, readOnly } from './refusal.ts';
import type { Named, Shape } from './shape.ts';
import { type Node, namesThrough, partsOf } from './syntax.ts';
import { textOf, type Value } from './values.ts';

/**
 * Judges the conditions that a write calls for.
 * @param which Those that the record alone decides; those that ask who names a record that goes, while it is named; or all else.
 */
export function judge(draft: Draft, which: 'local' | 'named' | 'all'): void {
  const { group, world, row, before, operation, sent } = draft;
  for (const condition of group.conditions) {
    const looks = looksOf(condition, group, world.model);
    if (!condition.on.includes(operation) || (which === 'local' && (looks.isBeyond || looks.hasFigures))) continue;
    if ((operation === 'delete' && looks.asksWhoNamesIt) !== (which === 'named')) continue;
    if (!isAsked(draft, condition, looks)) continue;
    // What looks at a wrong value says nothing.
    if (![condition.key, ...looks.keys].every((key) => draft.isSound(key))) continue;
    const standing: Standing = {
      world,
      self: row,
      old: operation === 'create' ? null : (before ?? null),
      sent,
      past: draft.past,
    };
    const { value, throughNull } = evaluate(condition.that, standing);
    if (which === 'named' && draft.cause === 'cascade' && value !== valueBefore(draft, condition)) throw new Open();
    if (value === true || throughNull) continue;
    const conflict = conflictOf(condition, draft);
    if (conflict !== undefined) draft.conflicts.push(conflict);
    else draft.refuse(condition.key, textFor(condition, draft, standing));
  }
}

/** What a condition would come to if nothing but the record itself had gone. */
function valueBefore({ write, row }: Draft, { that }: Condition): Value {
  const world = write.origin.fork();
  world.drop(row);
  return evaluate(that, { world, self: row, old: row }).value;
}

/** Every conflict that a condition may answer a delete with. */
export const conflictsOfDelete = ({ group, world }: Draft): readonly Refusal[] =>
  group.conditions
    .filter(({ on }) => on.includes('delete'))
    .flatMap((condition) => conflictOf(condition, { group, world }) ?? []);

function conflictOf(
  { answers, about }: Condition,
  { group, world }: Pick<Draft, 'group' | 'world'>,
): Refusal | undefined {
  const target = group.shape.fields.find(({ name, key }) => name === about || key === about)?.target;
  const { title } = (target === undefined ? undefined : world.model.groups.get(target)) ?? group;
  if (answers === 'readOnly') return readOnly(title);
  if (answers === 'inUse') return inUse(title);
  return answers === 'datesOverlap' ? datesOverlap(title) : undefined;
}

function textFor({ answers, message, key }: Condition, { before, row }: Draft, standing: Standing): string {
  if (answers === 'notAllowed') return 'is not allowed';
  if (answers === 'required') return 'is required';
  if (answers === 'cannotChange')
    return `cannot change from '${textOf(before?.values[key])}' to '${textOf(row.values[key])}'`;
  return message.map((part) => (typeof part === 'string' ? part : textOf(evaluate(part, standing).value))).join('');
}

interface Looks {
  /** Keys of the record at which it looks. */
  readonly keys: readonly string[];
  /** Keys of records of its group at which it looks: an update that changes none of them does not call for it. */
  readonly calling: readonly string[];
  /** Whether it looks at anything but the record. */
  readonly isBeyond: boolean;
  readonly hasFigures: boolean;
  /** Whether it looks through records that name the one on which it stands. */
  readonly asksWhoNamesIt: boolean;
}

const known = new WeakMap<Condition, Looks>();

function looksOf(condition: Condition, { shape }: Group, model: Model): Looks {
  const found = known.get(condition) ?? findLooks(condition, shape, model);
  known.set(condition, found);
  return found;
}

function findLooks({ that }: Condition, shape: Shape, model: Model): Looks {
  const { collections } = model;
  const names = namesThrough(that, shape.named);
  const isField = (name: string): boolean => shape.fields.some((field) => field.key === name);
  const isBeyond =
    names.some((name) => !isField(name) && name !== 'old' && name !== 'id' && name !== 'sent') ||
    names.some((name) => collections.has(name) && !isField(name)) ||
    passesReference(that, shape);
  const fields = shape.fields.filter(({ key }) => names.includes(key) || membersOfOld(that).includes(key));
  return {
    keys: fields.map(({ key }) => key),
    calling: [...fields.map(({ key }) => key), ...keysRead(that, shape, model)],
    isBeyond,
    hasFigures: fields.some(({ figure }) => figure !== undefined),
    asksWhoNamesIt: asksWhoNames(that, shape.named),
  };
}

const isOwnId = (node: Node): boolean => node.op === 'name' && node.name === 'id';

/** Whether records are narrowed by the id of the record itself: `x.areaId == id`, `id in x.markIds`. */
function asksWhoNames(node: Node, named: Named): boolean {
  const isNaming =
    node.op === 'binary' &&
    ((node.sign === '==' && (isOwnId(node.left) || isOwnId(node.right))) ||
      (node.sign === 'in' && isOwnId(node.left) && node.right.op === 'member'));
  const formula = node.op === 'name' || node.op === 'call' ? named[node.name]?.is : undefined;
  return (
    [...partsOf(node), ...(formula === undefined ? [] : [formula])].some((part) => asksWhoNames(part, named)) ||
    isNaming
  );
}

const membersOfOld = (node: Node): readonly string[] => [
  ...(node.op === 'member' && node.of.op === 'name' && node.of.name === 'old' ? [node.name] : []),
  ...partsOf(node).flatMap(membersOfOld),
];

/** Whether the record behind a reference of an item is read. */
function passesReference(node: Node, { fields }: Shape): boolean {
  const names = fields.flatMap(({ items }) => items?.fields ?? []).filter(({ kind }) => kind === 'reference');
  const isPast = node.op === 'member' && names.some(({ key, name }) => node.name === name && name !== key);
  return isPast || partsOf(node).some((part) => passesReference(part, { fields } as Shape));
}

/** Whether a write calls for a condition: one over the record alone only where it sends or changes what that looks at. */
function isAsked(draft: Draft, condition: Condition, { calling }: Looks): boolean {
  const { operation, before, row, sent, group } = draft;
  if (operation === 'delete') return true;
  const { changed } = condition;
  if (changed !== undefined) {
    const field = group.shape.fields.find(({ name, key }) => name === changed || key === changed);
    if (field !== undefined && !hasMoved(before, row, field.key)) return false;
  }
  if (operation === 'create') return true;
  if (isOtherDecision(draft, condition)) return false;
  const named = changed === undefined ? [] : [changed, `${changed}Id`];
  const every = group.shape.fields.map(({ key }) => key);
  const looked = condition.isAlways ? every : [...calling, ...every.filter((key) => named.includes(key))];
  return looked.some((key) => sent.has(key) || hasMoved(before, row, key));
}

/** Whether nothing is changed but decisions, none of which the condition names; where nothing is changed, as if all were. */
function isOtherDecision({ group, before, row, sent, world }: Draft, { that, key }: Condition): boolean {
  const { decisions } = group;
  const changed = [...sent].filter((one) => hasMoved(before, row, one));
  if (decisions.size === 0 || changed.some((one) => !decisions.has(one))) return false;
  const decided = changed.length === 0 ? [...decisions] : changed;
  const words = allWords(that, world.model);
  return decided.every((one) => one !== key && !words.has(one));
}

/** All words of a formula, those of the formulas that it names too. */
function allWords(node: Node, model: Model): ReadonlySet<string> {
  const words = new Set(wordsIn(node));
  for (const word of words)
    for (const { formulas } of model.groups.values()) {
      const { is } = formulas[word] ?? {};
      for (const other of is === undefined ? [] : wordsIn(is)) words.add(other);
    }
  return words;
}
