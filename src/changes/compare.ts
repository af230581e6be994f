// Facts before × facts now → the differences, each with its code.
import { isKind, kinds } from '../registry/model/kinds.ts';
import type { ChangeCode } from './effects.ts';
import type { Facts, FieldFacts, GroupFacts, Json } from './facts.ts';
import { lastWord, Renames } from './renames.ts';

export interface Change {
  readonly code: ChangeCode;
  readonly group: string;
  /** Path of the field: `name`, `lines.quantity`; undefined for the group itself. */
  readonly field: string | undefined;
  /** What was and what is, in words. */
  readonly text: string;
}

type Note = (code: ChangeCode, text: string) => void;

/** Every difference, by group and field in the order of the facts now; what is gone comes last. */
export function compareFacts(before: Facts, now: Facts): Change[] {
  const changes: Change[] = [];
  const renames = new Renames(before, now);
  const renamed = new Set<string>();
  for (const [name, group] of Object.entries(now)) {
    const note = noteFor(changes, name);
    const old = renames.group(name);
    if (old === undefined) {
      note('group-added', 'new');
      continue;
    }
    if (old !== name) {
      renamed.add(old);
      note('group-renamed', `was ${old}`);
    }
    const turn = { before: before[old] ?? group, now: group, renames };
    compareGroups(turn, note);
    compareFields(name, turn, (field) => noteFor(changes, name, field));
  }
  for (const name of Object.keys(before)) {
    if (now[name] === undefined && !renamed.has(name)) noteFor(changes, name)('group-removed', 'gone');
  }
  return changes;
}

const noteFor =
  (changes: Change[], group: string, field?: string): Note =>
  (code, text) =>
    changes.push(Object.freeze({ code, group, field, text }));

/** The same thing then and now. */
interface Turn<T> {
  readonly before: T;
  readonly now: T;
  readonly renames: Renames;
}

function compareGroups(turn: Turn<GroupFacts>, note: Note): void {
  const { renames } = turn;
  const [before, now] = [turn.before.group, turn.now.group];
  if (before.path !== now.path) note('path-changed', `${before.path} → ${now.path}`);
  if (before.title !== now.title) note('title-changed', `${show(before.title)} → ${show(now.title)}`);
  const { added, removed } = difference(before.operations, now.operations);
  for (const operation of added) note('operation-added', operation);
  for (const operation of removed) {
    const isReading = operation === 'list' || operation === 'get';
    note(isReading ? 'reading-operation-removed' : 'writing-operation-removed', operation);
  }
  if (before.feature !== now.feature) {
    note(now.feature === undefined ? 'gate-opened' : 'gate-closed', `${show(before.feature)} → ${show(now.feature)}`);
  }
  if (before.ifMatch !== now.ifMatch)
    note(now.ifMatch === undefined ? 'rule-removed' : 'rule-added', 'writes must send If-Match');
  const keys = difference(before.unique, now.unique, renames);
  for (const key of keys.added) note('key-added', `(${key}) must be unique`);
  for (const key of keys.removed) note('key-removed', `(${key}) need not be unique`);
  const rules = difference(before.rules, now.rules, renames);
  for (const rule of rules.added) note('rule-added', rule);
  for (const rule of rules.removed) note('rule-removed', rule);
  compareFormulas({ before: before.formulas, now: now.formulas, renames }, note);
  const decisions = difference(before.decisions ?? [], now.decisions ?? [], renames);
  for (const field of decisions.added) note('rule-removed', `conditions that do not read ${field}, if only it changes`);
  for (const field of decisions.removed) note('rule-added', `conditions that do not read ${field}, if only it changes`);
  const effects = difference(before.effects, now.effects, renames);
  for (const effect of effects.added) note('effect-added', effect);
  for (const effect of effects.removed) note('effect-removed', effect);
  if (!renames.isSame(before.computed, now.computed))
    note('source-of-value-changed', `computed ${show(before.computed)} → ${show(now.computed)}`);
  for (const word of ['mayAct', 'signIn', 'lockedUpdate', 'lockedDelete'])
    compareCondition(word, { before: before[word], now: now[word], renames }, note);
}

/** A new one changes nothing by itself: fields that use it say so. */
function compareFormulas({ before, now, renames }: Turn<Json | undefined>, note: Note): void {
  const formulas = new Map(entriesOf(now));
  for (const [name, old] of entriesOf(before)) {
    const current = formulas.get(name);
    if (current !== undefined && !renames.isSame(old, current))
      note('formula-changed', `${name} ${show(old)} → ${show(current)}`);
  }
}

function compareFields(group: string, turn: Turn<GroupFacts>, noteOf: (field: string) => Note): void {
  const { before, now, renames } = turn;
  const found = new Set<string>();
  for (const [path, field] of Object.entries(now.fields)) {
    const old = renames.field(group, path);
    const note = noteOf(path);
    if (old === undefined) note(codeOfNew(field), kindOf(field));
    else {
      found.add(old);
      const { key: oldKey, ...older } = before.fields[old] ?? field;
      if (lastWord(old) !== lastWord(path)) note('field-renamed', `was ${old}`);
      else if (oldKey !== field.key && oldKey !== undefined && field.key !== undefined)
        note('body-name-changed', `${show(oldKey)} → ${show(field.key)}`);
      compareField({ before: older, now: field, renames }, note);
    }
  }
  for (const [path, field] of Object.entries(before.fields)) {
    if (found.has(path)) continue;
    noteOf(path)(field.stored === true ? 'field-removed' : 'unstored-field-removed', kindOf(field));
    for (const filter of textsOf(field.filters)) noteOf(path)('filter-removed', filter);
  }
}

function codeOfNew(field: FieldFacts): ChangeCode {
  if (field.create === 'required') return 'required-field-added';
  return field.stored === true ? 'field-added' : 'shown-field-added';
}

function compareField(turn: Turn<FieldFacts>, note: Note): void {
  const { before, now } = turn;
  if (before.kind !== now.kind) {
    const converted = [before.kind, now.kind].every(
      (kind) => family(kind) !== undefined && family(kind) === family(now.kind),
    );
    note(converted ? 'kind-converted' : 'kind-replaced', `${kindOf(before)} → ${kindOf(now)}`);
  } else compareTargets(turn, note);
  compareValues(before, now, note);
  compareBounds(before, now, note);
  compareUse(before, now, note);
  compareMeaning(turn, note);
  const filters = difference(before.filters, now.filters);
  for (const filter of filters.added) note('filter-added', filter);
  for (const filter of filters.removed) note('filter-removed', filter);
}

/** Groups that come and go with the values of the enum beside an id are told there. */
function compareTargets({ before, now, renames }: Turn<FieldFacts>, note: Note): void {
  const isOther = (old: Json | undefined, target: Json | undefined): boolean =>
    old !== target && (typeof target !== 'string' || renames.group(target) !== old);
  if (isOther(before.target, now.target)) note('target-changed', `${show(before.target)} → ${show(now.target)}`);
  const groups = new Map(groupsOf(now));
  for (const [value, group] of groupsOf(before)) {
    const current = groups.get(value);
    if (current !== undefined && isOther(group, current))
      note('target-changed', `${value}: ${show(group)} → ${show(current)}`);
  }
}

const groupsOf = ({ groups }: FieldFacts): [string, Json][] => entriesOf(groups);

const entriesOf = (facts: Json | undefined): [string, Json][] =>
  typeof facts === 'object' && facts !== null ? Object.entries(facts) : [];

/** Kinds whose values become each other's. */
const family = (kind: Json | undefined): string | undefined => (isKind(kind) ? kinds[kind].family : undefined);

function compareValues(before: FieldFacts, now: FieldFacts, note: Note): void {
  const { added, removed } = difference(before.values, now.values);
  const older = typeof now.renamedValues === 'object' ? new Map(Object.entries(now.renamedValues ?? {})) : new Map();
  const renamed = new Map(
    added.flatMap((value) => (removed.includes(older.get(value)) ? [[value, String(older.get(value))]] : [])),
  );
  for (const [value, old] of renamed) note('value-renamed', `${old} → ${value}`);
  for (const value of added) if (!renamed.has(value)) note('value-added', value);
  const kept = new Set(renamed.values());
  for (const value of removed) if (!kept.has(value) && now.values !== undefined) note('value-removed', value);
  compareInitialStates(before, now, note);
}

/** Reports values of both enums that a create may send in one of them only. Without `initialStates`, it may send all. */
function compareInitialStates(before: FieldFacts, now: FieldFacts, note: Note): void {
  const { added, removed } = difference(before.initialStates ?? before.values, now.initialStates ?? now.values);
  for (const state of removed) if (textsOf(now.values).includes(state)) note('initial-state-refused', state);
  for (const state of added) if (textsOf(before.values).includes(state)) note('initial-state-accepted', state);
}

/** Facts that bound a value, and which way is tighter. */
const bounds: Readonly<Record<string, 'least' | 'most'>> = {
  minimum: 'least',
  exclusiveMinimum: 'least',
  minItems: 'least',
  maximum: 'most',
  maxLength: 'most',
  maxItems: 'most',
  scale: 'most',
};

function compareBounds(before: FieldFacts, now: FieldFacts, note: Note): void {
  if (before.kind !== now.kind) return;
  for (const [name, side] of Object.entries(bounds)) {
    const [old, value] = [before[name], now[name]];
    if (old === value) continue;
    const isTighter =
      old === undefined ||
      (value !== undefined && (side === 'least' ? Number(value) > Number(old) : Number(value) < Number(old)));
    note(isTighter ? 'bound-tightened' : 'bound-widened', `${name} ${show(old)} → ${show(value)}`);
  }
  const whole = (field: FieldFacts): number => Number(field.precision ?? 0) - Number(field.scale ?? 0);
  if (whole(before) !== whole(now)) {
    const isTighter = whole(now) < whole(before);
    note(isTighter ? 'bound-tightened' : 'bound-widened', `digits before the point ${whole(before)} → ${whole(now)}`);
  }
  for (const name of ['format', 'pattern', 'distinct']) {
    if (before[name] === now[name]) continue;
    note(
      now[name] === undefined ? 'bound-widened' : 'bound-tightened',
      `${name} ${show(before[name])} → ${show(now[name])}`,
    );
  }
}

/** Who may send it, and who sees it. */
function compareUse(before: FieldFacts, now: FieldFacts, note: Note): void {
  const turned = (fact: string, on: ChangeCode, off: ChangeCode): void => {
    if ((before[fact] === true) !== (now[fact] === true)) note(now[fact] === true ? on : off, fact);
  };
  turned('null', 'null-allowed', 'null-refused');
  turned('shown', 'shown-now', 'hidden-now');
  turned('update', 'update-accepted', 'update-refused');
  turned('stored', 'now-stored', 'no-longer-stored');
  turned('deprecated', 'deprecated-now', 'deprecated-no-more');
  if (before.create !== now.create) {
    if (now.create === 'required') note('now-required', 'required on create');
    else if (now.create === undefined) note('create-refused', 'no longer accepted on create');
    else if (before.create === undefined) note('create-accepted', 'accepted on create');
    else note('no-longer-required', 'optional on create');
  }
  if (before.as !== now.as) note('shape-of-reference-changed', `${show(before.as)} → ${show(now.as)}`);
  const include = difference(before.include, now.include);
  for (const name of include.added) note('included-added', name);
  for (const name of include.removed) note('included-removed', name);
}

/** What a value means, where it comes from and when it is taken. */
function compareMeaning({ before, now, renames }: Turn<FieldFacts>, note: Note): void {
  for (const name of ['onlyWhen', 'requiredWhen', 'lockedWhen'])
    compareCondition(name, { before: before[name], now: now[name], renames }, note);
  // 10 and "10": an integer that becomes a decimal is written as text.
  const differs = (name: string): boolean =>
    name === 'default' ? show(before[name]) !== show(now[name]) : !renames.isSame(before[name], now[name]);
  const report = (code: ChangeCode, ...names: string[]): void => {
    for (const name of names.filter(differs)) note(code, `${name} ${show(before[name])} → ${show(now[name])}`);
  };
  report('default-changed', 'default', 'defaultFrom');
  report('source-of-value-changed', 'from', 'derived', 'inherits', 'via', 'empty');
  if (before.formula === undefined && now.formula !== undefined) note('figure-added', show(now.formula));
  else if (now.formula === undefined && before.formula !== undefined)
    note('figure-removed', `was ${show(before.formula)}`);
  else report('figure-changed', 'formula', 'taken', 'again', 'when');
  report('states-changed', 'becomes');
  // Said for the first time it changes no amount.
  report(before.in === undefined || now.in === undefined ? 'currency-told' : 'currency-changed', 'in');
  report('transitions-changed', 'transitions');
  report('delete-rule-changed', 'onDelete');
}

function compareCondition(name: string, { before, now, renames }: Turn<Json | undefined>, note: Note): void {
  if (renames.isSame(before, now)) return;
  note(now === undefined ? 'condition-removed' : 'condition-added', `${name} ${show(before)} → ${show(now)}`);
}

/** @param renames Where texts may name fields or groups. */
function difference(
  before: Json | undefined,
  now: Json | undefined,
  renames?: Renames,
): { added: string[]; removed: string[] } {
  const [old, current] = [textsOf(before), textsOf(now)];
  const isSame = (one: string, other: string): boolean => one === other || renames?.isSame(one, other) === true;
  return {
    added: current.filter((text) => !old.some((each) => isSame(each, text))),
    removed: old.filter((text) => !current.some((each) => isSame(text, each))),
  };
}

const textsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

const show = (value: Json | undefined): string =>
  value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

/** `text(255)`, `reference to client`. */
function kindOf({ kind, maxLength, target }: FieldFacts): string {
  if (target !== undefined) return `${show(kind)} to ${show(target)}`;
  return maxLength === undefined ? show(kind) : `${show(kind)}(${show(maxLength)})`;
}
