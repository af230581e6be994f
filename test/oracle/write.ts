// A write, in the order that the language gives it: defaults, figures, states, effects, what is always true elsewhere, conditions.
import { conflictsOfDelete, judge } from './conditions.ts';
import { type Acts, type Cause, Draft, type Write } from './draft.ts';
import { declaredEffects, effectsOfDelete } from './effects.ts';
import { evaluate, holds } from './evaluate.ts';
import {
  figuresOf,
  hasMoved,
  heldValue,
  keptValue,
  ownKeys,
  type Placed,
  rightWords,
  rowsInside,
  sameKept,
  takeFigure,
} from './figures.ts';
import { isHeld } from './held.ts';
import { type Group, groupIn } from './model.ts';
import { checkReferences, refuseCircle, refuseLines } from './references.ts';
import { inUse, type Refusal, Refused, readOnly, unknownRecord } from './refusal.ts';
import { followStates, isAgainMoved, settle } from './settle.ts';
import type { Field, Shape } from './shape.ts';
import { namesIn } from './syntax.ts';
import { listOf, type Row, rowsOf, textOf, type Value } from './values.ts';
import { copyOf, type World } from './world.ts';

export interface Request {
  /** Its number in the history. */
  readonly tag: number;
  readonly group: string;
  readonly operation: 'create' | 'update' | 'delete';
  readonly id?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Whether it goes in one batch with the next. */
  readonly isFollowed?: true;
}

export type Foretold =
  | { readonly kind: 'done'; readonly world: World; readonly row: Row | undefined }
  | { readonly kind: 'refused'; readonly any: readonly Refusal[] };

/** Foretells what a request does. The world that is given stays as it is. @throws Open */
export function foretell(before: World, { tag, group: name, operation, id = '', body = {} }: Request): Foretold {
  const write: Write = { origin: before, world: before.fork(), acts, judged: [], held: [] };
  write.world.tag = tag;
  const group = groupIn(before.model, name);
  try {
    const values = bodyValues(group.shape, body);
    const row =
      operation === 'create'
        ? createRecord(write, group, values, 'caller')
        : operation === 'update'
          ? updateRecord(write, { group, id, values, cause: 'caller' })
          : removeRecord(write, name, id, 'caller');
    refuseHeld(write);
    settle(write);
    conclude(write);
    return { kind: 'done', world: write.world, row };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: 'refused', any: once([...refusalsOf(write), ...error.any]) };
  }
}

const acts: Acts = {
  create: (write, group, values) => void createRecord(write, group, values, 'effect'),
  update: (write, row, values) =>
    void updateRecord(write, { group: groupIn(write.world.model, row.group), id: row.id, values, cause: 'effect' }),
  remove: (write, { group, id }) => removeRecord(write, group, id, 'effect'),
};

/** What still names a record that goes stops it, before anything follows. @throws Refused, Open */
function refuseHeld(write: Write): void {
  const { judged } = write;
  if (judged.some(isHeld)) {
    // What is said of a delete that does not come about hangs on how far it has come, and an effect on how far its write has.
    for (const draft of judged) {
      if (draft.holders.length > 0) draft.conflicts.push(inUse(draft.group.title));
      if (draft.operation === 'delete') draft.conflicts.push(...conflictsOfDelete(draft));
      judge(draft, 'all');
    }
    throw new Refused(judged.flatMap(({ conflicts }) => conflicts));
  }
  if (judged.some(({ conflicts }) => conflicts.length > 0)) conclude(write);
}

/** Judges all that the write has made, changed and taken away. @throws Refused */
function conclude(write: Write): void {
  for (const draft of write.judged) judge(draft, 'all');
  const any = refusalsOf(write);
  if (any.length > 0) throw new Refused(any);
}

const once = (any: readonly Refusal[]): readonly Refusal[] => [
  ...new Map(any.map((refusal) => [JSON.stringify(refusal), refusal])).values(),
];

/** What is wrong is told before conflicts. */
function refusalsOf({ judged }: Write): readonly Refusal[] {
  const faults = judged.flatMap(({ refusal }) => refusal ?? []);
  return once(faults.length > 0 ? faults : judged.flatMap(({ conflicts }) => conflicts));
}

function bodyValues(shape: Shape, body: Readonly<Record<string, unknown>>): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const field of shape.fields)
    if (Object.hasOwn(body, field.key)) values[field.key] = bodyValue(field, body[field.key]);
  return values;
}

function bodyValue(field: Field, json: unknown): Value {
  const { items } = field;
  if (items === undefined || !Array.isArray(json)) return keptValue(field, json);
  return json.map((one, index) => ({
    group: items.group,
    lists: items.lists,
    id: '',
    owner: undefined,
    index,
    values: bodyValues(items, one as Readonly<Record<string, unknown>>),
  }));
}

/** Puts values into a row, and the items of its lists under it. */
function assign(row: Row, values: Readonly<Record<string, Value>>): void {
  for (const [key, value] of Object.entries(values))
    row.values[key] = rowsOf(value).length > 0 ? rowsOf(value).map((item) => copyOf(item, row)) : value;
}

function createRecord(write: Write, group: Group, values: Readonly<Record<string, Value>>, cause: Cause): Row {
  const row: Row = { group: group.name, lists: [], id: write.world.nextId(), owner: undefined, index: 0, values: {} };
  assign(row, values);
  const past = pastOf(write);
  write.world.put(row);
  const draft = new Draft({
    write,
    group,
    operation: 'create',
    row,
    before: undefined,
    sent: new Set(Object.keys(values)),
    cause,
    past,
  });
  if (cause === 'caller') refuseInitialStates(draft);
  prepare(draft);
  affect(draft);
  return row;
}

function refuseInitialStates(draft: Draft): void {
  const { group, row, sent } = draft;
  for (const { key, initialStates } of group.shape.fields) {
    if (!Array.isArray(initialStates) || !sent.has(key)) continue;
    if (!initialStates.includes(textOf(row.values[key])))
      draft.refuse(key, `must be one of ${initialStates.join(', ')}`);
  }
}

/** Where anything asks for it. */
const pastOf = ({ world }: Write): World | undefined => (world.model.hasBefore ? world.fork() : undefined);

interface Update {
  readonly group: Group;
  readonly id: string;
  readonly values: Readonly<Record<string, Value>>;
  readonly cause: Cause;
}

function updateRecord(write: Write, { group, id, values, cause }: Update): Row {
  const row = write.world.find(group.name, id);
  if (row === undefined) throw new Refused([unknownRecord(id)]);
  const before = copyOf(row);
  const draft = new Draft({
    write,
    group,
    operation: 'update',
    row,
    before,
    sent: new Set(Object.keys(values)),
    cause,
    past: pastOf(write),
  });
  if (cause === 'caller') refuseLocked(draft, values);
  assign(row, values);
  for (const { key, target } of group.shape.fields) if (target === row.group) refuseCircle(write.world, row, key);
  if (cause === 'caller') refuseTransitions(draft);
  prepare(draft);
  affect(draft);
  return row;
}

function refuseLocked({ group, world, row }: Draft, values: Readonly<Record<string, Value>>): void {
  const standing = { world, self: row };
  const isChanged = (key: string): boolean =>
    Object.hasOwn(values, key) && !sameKept(values[key] ?? null, row.values[key] ?? null);
  const isLocked =
    (group.lockedUpdate !== undefined && holds(group.lockedUpdate, standing)) ||
    group.lockedFields.some(({ when, keys }) => [...keys].some(isChanged) && holds(when, standing));
  if (isLocked) throw new Refused([readOnly(group.title)]);
}

function refuseTransitions(draft: Draft): void {
  const { group, before, row, sent } = draft;
  for (const { key, transitions } of group.shape.fields) {
    const [from, to] = [textOf(before?.values[key]), textOf(row.values[key])];
    if (transitions !== undefined && sent.has(key) && from !== to && transitions[from]?.includes(to) !== true)
      draft.refuse(key, `cannot change from '${from}' to '${to}'`);
  }
}

/** Defaults, what must be there, figures, states. @throws Refused for what the body alone tells */
function prepare(draft: Draft): void {
  const { write, group, world, row, before, sent } = draft;
  write.judged.push(draft);
  const claimed = claimsOf(draft);
  fill(draft);
  checkPresence(draft);
  if (draft.cause === 'effect') checkReferences(draft);
  if (draft.isFaulty) {
    refuseComputed(draft);
    judge(draft, 'local');
    throw new Refused([]);
  }
  refuseLines(draft);
  if (draft.isFaulty) throw new Refused([]);
  for (const placed of figuresOf(group.shape)) takeIfDue(draft, placed, claimed);
  followStates({ world, row, old: before, standing: sent });
}

/** Of a body that is wrong already: what it sends of fields that are computed, as far as it tells that they are. */
function refuseComputed(draft: Draft): void {
  const { group, row, sent, world } = draft;
  for (const { key, figure } of group.shape.fields) {
    if (figure?.when === undefined || figure.isAccepted || !sent.has(key)) continue;
    const isSound = namesIn(figure.when).every((name) => draft.isSound(name));
    if (isSound && holds(figure.when, { world, self: row })) draft.refuse(key, 'is not allowed');
  }
}

/** What the body says of fields that follow from formulas, before these are taken. */
function claimsOf({ group, row, sent }: Draft): ReadonlyMap<string, Value> {
  const claims = new Map<string, Value>();
  for (const { key, figure } of group.shape.fields)
    if (figure !== undefined && sent.has(key)) claims.set(key, row.values[key] ?? null);
  return claims;
}

function fill({ group, world, row, before, sent, operation }: Draft): void {
  const standing = { world, self: row, old: before ?? null };
  for (const field of group.shape.fields) {
    const { key } = field;
    if (
      operation === 'create' &&
      row.values[key] === undefined &&
      field.default !== undefined &&
      field.figure?.when === undefined
    )
      row.values[key] = keptValue(field, field.default);
  }
  for (const field of byDefaults(group.shape.fields)) {
    const { key, defaults } = field;
    const isAgain = operation === 'update' && defaults.some(({ again }) => isAgainMoved(world, row, before, again));
    if (sent.has(key) || (operation === 'update' && !isAgain)) continue;
    const given = defaults.map(({ formula }) => evaluate(formula, standing).value).find((value) => value !== null);
    row.values[key] = given === undefined ? null : heldValue(field, given);
  }
  for (const field of group.shape.fields) row.values[field.key] ??= emptyValue(field);
  for (const item of itemsOf(group.shape, row)) fillItem(item.shape, item.row);
}

/** Fields with formulas as defaults, each after those that it looks at. */
const byDefaults = (fields: readonly Field[]): readonly Field[] => fields.filter(({ defaults }) => defaults.length > 0);

function fillItem({ fields }: Shape, row: Row): void {
  for (const field of fields) {
    const { key } = field;
    if (row.values[key] === undefined && field.figure === undefined)
      row.values[key] = field.default === undefined ? emptyValue(field) : keptValue(field, field.default);
  }
}

function* itemsOf({ fields }: Shape, row: Row): Generator<{ readonly shape: Shape; readonly row: Row }> {
  for (const { key, items } of fields)
    if (items !== undefined)
      for (const item of rowsOf(row.values[key])) {
        yield { shape: items, row: item };
        yield* itemsOf(items, item);
      }
}

const emptyValue = ({ kind, figure, default: usual, ...field }: Field): Value => {
  if (kind === 'items' || kind === 'references') return [];
  if (figure?.when !== undefined && usual !== undefined)
    return keptValue({ kind, figure, default: usual, ...field }, usual);
  return null;
};

function checkPresence(draft: Draft): void {
  for (const { key, isRequired, figure, kind } of draft.group.shape.fields)
    if (isRequired && figure === undefined && draft.row.values[key] === null && kind !== 'bool')
      draft.refuse(key, 'is required');
}

function takeIfDue(draft: Draft, placed: Placed, claims: ReadonlyMap<string, Value>): void {
  const { world, row, before, operation } = draft;
  const { field, lists } = placed;
  const { figure } = field;
  const claim = lists.length === 0 ? claims.get(field.key) : undefined;
  if (figure === undefined) return;
  if (isDue(draft, placed)) {
    const judged = (place: string, item: Row, isComputed: boolean): void => {
      if (claim === undefined || !isComputed) return;
      if (!figure.isAccepted) draft.refuse(place, 'is not allowed');
      else claimRight(draft, place, claim, item.values[field.key] ?? null);
    };
    const refuse = (place: string, text: string): void => draft.refuse(place, text);
    takeFigure(placed, { world, row, old: operation === 'create' ? null : (before ?? null), refuse, judged });
  } else if (claim !== undefined && figure.isAccepted) {
    row.values[field.key] = before?.values[field.key] ?? null;
    claimRight(draft, field.key, claim, row.values[field.key] ?? null);
  }
}

function claimRight(draft: Draft, place: string, claim: Value, right: Value): void {
  if (!sameKept(claim, right)) draft.refuse(place, `must be ${rightWords(right)}`);
}

/** Whether a write takes a figure. */
function isDue({ operation, cause, world, row, before, group, sent }: Draft, placed: Placed): boolean {
  const { figure, key } = placed.field;
  if (operation === 'create' || figure === undefined || figure.taken === 'always') return true;
  if (figure.when !== undefined && sent.has(key)) return true;
  if (figure.taken === 'onCreate') return isAgainMoved(world, row, before, figure.again);
  return cause === 'caller' || ownKeys(group.shape, placed).some((each) => hasMoved(before, row, each));
}

/** Effects, and states that were sent and follow later. */
function affect({ write, group, row, before, operation, sent, past }: Draft): void {
  const states = group.shape.fields.filter(({ becomes }) => becomes.length > 0);
  const hasBecome = states.some(({ key }) => !sent.has(key) && hasMoved(before, row, key));
  const events = hasBecome ? ([operation, 'becomes'] as const) : ([operation] as const);
  declaredEffects(write, { row, before, events, operation, sent, past });
  if (states.some(({ key }) => sent.has(key))) write.held.push({ row, old: before });
}

/** @returns nothing, as nothing is left of it */
function removeRecord(write: Write, name: string, id: string, cause: Cause): undefined {
  const { world } = write;
  const group = groupIn(world.model, name);
  const row = world.find(name, id);
  if (row === undefined) {
    if (cause === 'cascade') return;
    throw new Refused([unknownRecord(id)]);
  }
  const past = pastOf(write);
  const draft = new Draft({ write, group, operation: 'delete', row, before: row, sent: new Set(), cause, past });
  write.judged.push(draft);
  if (cause !== 'effect' && group.lockedDelete !== undefined && holds(group.lockedDelete, { world, self: row }))
    draft.conflicts.push(readOnly(group.title));
  draft.holders.push(...holdersOf(write.origin, row));
  world.drop(row);
  judge(draft, 'named');
  const carryOut = effectsOfDelete(write, row, draft.past);
  for (const each of referrersOf(world, name)) release(draft, each);
  carryOut();
}

interface Referrer {
  readonly group: Group;
  readonly field: Field;
  readonly lists: readonly string[];
}

function referrersOf({ model }: World, target: string): readonly Referrer[] {
  const within = (group: Group, { fields, lists }: Shape): readonly Referrer[] =>
    fields.flatMap((field) => [
      ...(field.target === target && field.figure?.taken !== 'onRead' ? [{ group, field, lists }] : []),
      ...(field.items === undefined ? [] : within(group, field.items)),
    ]);
  return [...model.groups.values()].flatMap((group) => within(group, group.shape));
}

const isNamedBy = (row: Row, holder: Row, { field: { key }, lists }: Referrer): boolean =>
  rowsInside(holder, lists).some(({ values }) => listOf([values[key] ?? null].flat()).includes(row.id));

/** Records that stop a delete as long as they are there. */
const holdersOf = (world: World, row: Row): readonly Row[] =>
  referrersOf(world, row.group)
    .filter(({ field }) => field.onDelete === 'restrict')
    .flatMap((each) => world.rows(each.group.name).filter((holder) => isNamedBy(row, holder, each)));

/** Lets go of a record that goes: what names it stops that, goes along, or names it no more. */
function release({ write, row }: Draft, { group, field, lists }: Referrer): void {
  const { key, onDelete, kind } = field;
  for (const holder of write.world.rows(group.name)) {
    const named = rowsInside(holder, lists).filter(({ values }) =>
      listOf([values[key] ?? null].flat()).includes(row.id),
    );
    if (named.length === 0) continue;
    if (onDelete === 'restrict') continue;
    if (kind === 'references')
      for (const one of named) one.values[key] = listOf(one.values[key]).filter((each) => each !== row.id);
    else if (onDelete === 'clear') for (const one of named) one.values[key] = null;
    else removeRecord(write, group.name, holder.id, 'cascade');
  }
}
