// What a write tells the rules and formulas that judge it: the record before and after, who writes, what it may refuse.

import { Befores } from '../../facts/befores.ts';
import { Results } from '../../facts/results.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import { problems } from '../../problems.ts';
import type { ConflictKind, Message, RuleUse } from '../../registry/model/model.ts';
import type { Moment } from '../../rules/support/rule.ts';
import type { Draft } from './draft.ts';
import { keepingOf } from './locks-of-reads.ts';

/** @param key That of the field which the use derives, when it stands on one. */
export const momentOf = (draft: Draft, use: RuleUse, key = ''): Moment => ({
  ...writeOf(draft),
  use: draft.scope.judge === undefined ? use : toldUse(draft, use),
  key,
  conflict: (kind, about) => conflict(draft, use, { kind, about }),
});

/** Whether the caller may be told what a field of a record holds: of the one that it writes, what it sees. */
function isTold(draft: Draft, key: string): boolean {
  const { judge } = draft.scope;
  return judge === undefined || (judge.isAbout(draft) && !judge.hides(key));
}

/** A use whose texts say, of all values, those alone of fields of the record that its caller sees. */
function toldUse(draft: Draft, use: RuleUse): RuleUse {
  const isSaid = (part: Tree): boolean =>
    part.op === 'field' &&
    part.of.op === 'self' &&
    part.of.up === 0 &&
    part.member.kind === 'value' &&
    isTold(draft, part.member.key);
  const told = ({ parts }: Message): Message => ({
    parts: parts.map((part) => (typeof part === 'string' || isSaid(part) ? part : '…')),
  });
  const messages = Object.fromEntries(Object.entries(use.messages).map(([word, message]) => [word, told(message)]));
  return { ...use, messages };
}

type Write = Omit<Moment, 'use' | 'key' | 'conflict'>;

const writes = new WeakMap<Draft, Write>();
const none: ReadonlySet<string> = new Set();

/** What all that judges and computes is handed of a write. */
export function writeOf(draft: Draft): Write {
  const known = writes.get(draft);
  if (known !== undefined) return known;
  const made = newWrite(draft);
  writes.set(draft, made);
  return made;
}

function newWrite(draft: Draft): Write {
  const { scope, group, operation, before, values, isCascade } = draft;
  return {
    resource: group.resource,
    operation,
    before,
    values,
    self: recordValue(values),
    sent: draft.isRestored ? none : draft.sent,
    actingMember: scope.actingMember,
    today: () => scope.today(),
    records: scope.records,
    refuse: (place, text, code = 'condition-unmet') => draft.refuse(place, text, code),
    isSound: (...keys) => draft.isSound(...keys),
    isTold: (key) => isTold(draft, key),
    isCascade,
    results: new Results(values, group.keysBehind, scope.records.facts.encounters),
    befores: new Befores(),
    keeping: keepingOf(draft),
    beingDeleted: scope.beingDeleted,
  };
}

interface Conflict {
  readonly kind: ConflictKind;
  /** The group that it is about; this record's own without it. */
  readonly about: string | undefined;
}

/** The document shows the conflicts that rules name, so that they answer with no others. */
function conflict({ scope, group, operation, isCascade }: Draft, use: RuleUse, { kind, about }: Conflict): never {
  const write = isCascade ? 'cascade' : operation;
  if (use.conflicts[write] !== kind || (use.conflictsAbout === 'own') !== (about === undefined))
    throw new Error(`rule ${use.use} does not name the conflict ${kind} on ${write}`);
  const resource = about === undefined ? group.resource : scope.records.resource(about);
  throw problems[kind](resource.title);
}
