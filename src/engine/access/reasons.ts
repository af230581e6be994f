// Why somebody may do something with a record, or may not: the rules that decide, and what their conditions have seen.
import { type AccessOperation, type Rule, writes } from '../../access/model.ts';
import type { Grants, Rights } from '../../access/rights.ts';
import { judgedBy, type RoleCondition, type Truth } from '../../access/truth.ts';
import { areAllowed, areShowing, type Case, type Verdict, verdictOf, verdictsOf } from '../../access/verdict.ts';
import { operationsIn } from '../../access/words.ts';
import { ReadFacts } from '../../facts/read-facts.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import { isList, isRecord, type Known } from '../../formulas/language/value.ts';
import type { Resource, Values } from '../../registry/model/model.ts';
import type { Scope } from '../transaction/scope.ts';

/** What decides on one operation. */
interface Reason {
  readonly allowed: boolean;
  readonly by: readonly string[];
  readonly forbiddenBy: readonly string[];
  /** Of a forbid that says so. */
  readonly because?: string;
  /** Whether a rule looks at what the write will leave, which counts as holding here. */
  readonly mayDependOnChange?: true;
}

/** A rule, whether it holds, and the values that its condition has seen. */
interface RuleTold {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly effect: Rule['effect'];
  readonly operations: readonly AccessOperation[];
  readonly holds: boolean;
  readonly condition: string | null;
  readonly parts: readonly Readonly<Record<string, Known>>[];
}

export interface Reasons {
  /** Whether the record is seen at all: of one that is not, nothing but the rules is told. */
  readonly isVisible: boolean;
  readonly operations: Readonly<Record<string, Reason>>;
  /** Names of the fields that are not shown of this record, and keys of those that cannot be written. */
  readonly hidden: readonly string[];
  readonly kept: readonly string[];
  /** Every rule about the group, by who looks for others. */
  readonly rules: readonly RuleTold[];
}

interface Asked {
  readonly resource: Resource;
  readonly record: Readonly<Values>;
  readonly rights: Rights | undefined;
  /** The member who acts. */
  readonly actor: string | null;
  readonly today: () => string;
}

/** What decides on each operation on a record that is stored. */
export function reasonsFor({ records }: Scope, asked: Asked): Promise<Reasons> {
  const { resource, record, rights, actor, today } = asked;
  const facts = new ReadFacts({ records, actor, today: () => Promise.resolve(today()) });
  const self = recordValue(record);
  return judgedBy(facts, (asking) => {
    const truth = (condition: RoleCondition): Truth => asking.truth(condition, self);
    const values = ({ tree }: RoleCondition): RuleTold['parts'] =>
      seenBy(tree).map((part) => ({ [textOf(part)]: plain(asking.value(part, self)) }));
    const reasons = judged(resource, rights, truth);
    const rules = (rights?.rulesOf(resource.name) ?? []).map((rule) => toldOf(rule, truth, values));
    return { ...(reasons ?? nothingVisible), isVisible: reasons !== undefined, rules };
  });
}

const nothingVisible = { operations: {}, hidden: [], kept: [] };

/** @returns undefined where the record is not seen */
function judged(
  resource: Resource,
  rights: Rights | undefined,
  truth: Case['truth'],
): Omit<Reasons, 'rules' | 'isVisible'> | undefined {
  const { name, fields } = resource;
  const asked = { changed: [], knowsNew: false, truth };
  const grants = (operation: AccessOperation) => (rights === undefined ? [] : rights.on(name, operation));
  const reads = (['list', 'get'] as const)
    .map((operation) => verdictsOf(grants(operation), { operation, ...asked }))
    .filter(areAllowed);
  if (reads.length === 0) return undefined;
  const operations: Record<string, Reason> = {};
  for (const operation of operationsIn(resource))
    if (operation !== 'create')
      operations[operation] = reasonOf(
        verdictOf(grants(operation), { operation, ...asked }),
        operation === 'update' ? grants(operation) : undefined,
      );
  const updates = verdictsOf(grants('update'), { operation: 'update', ...asked });
  const mayUpdate = resource.operations.has('update') && areAllowed(updates);
  const isWritten = (key: string): boolean => updates.every(({ by }) => by.some((rule) => writes(rule, key)));
  return {
    operations,
    hidden: fields
      .filter((field) => field.shown && field.name !== 'id')
      .filter((field) => !reads.some((verdicts) => areShowing(verdicts, field.name)))
      .map((field) => field.name),
    kept: fields.filter((field) => mayUpdate && field.onUpdate && !isWritten(field.key)).map((field) => field.key),
  };
}

function reasonOf({ isAllowed, by, forbiddenBy }: Verdict, update: readonly Grants[] | undefined): Reason {
  const because = forbiddenBy.find((rule) => rule.because !== undefined)?.because;
  const looksAfter = update?.some(({ allows, forbids }) =>
    [...allows, ...forbids].some((rule) => rule.after !== undefined),
  );
  return {
    allowed: isAllowed,
    by: by.map(({ id }) => id),
    forbiddenBy: forbiddenBy.map(({ id }) => id),
    ...(because !== undefined && { because }),
    ...(looksAfter === true && { mayDependOnChange: true as const }),
  };
}

function toldOf(
  rule: Rule,
  truth: (condition: RoleCondition) => Truth,
  values: (condition: RoleCondition) => RuleTold['parts'],
): RuleTold {
  const { when } = rule;
  const found = when === undefined ? true : truth(when);
  return {
    rule: rule.id,
    file: rule.place.file,
    line: rule.place.line,
    effect: rule.effect,
    operations: [...rule.operations],
    holds: rule.effect === 'forbid' ? found !== false : found === true,
    condition: when?.source ?? null,
    parts: when === undefined ? [] : values(when),
  };
}

/** The values that a condition looks at by itself: fields, paths, what is known of who acts; each once. */
function seenBy(tree: Tree): readonly Tree[] {
  const found = new Map<string, Tree>();
  const visit = (part: Tree): void => {
    if (part.op === 'gather' || part.op === 'macro') return;
    const text = textOf(part);
    if (text !== '' && part.type.kind !== 'record' && part.type.kind !== 'list') found.set(text, part);
    else for (const each of partsOf(part)) visit(each);
  };
  visit(tree);
  return [...found.values()];
}

/** `member.managerId`, `actor`; '' for what is no path. */
function textOf(tree: Tree): string {
  if (tree.op === 'known') return tree.name;
  if (tree.op !== 'field') return '';
  if (tree.of.op === 'self') return tree.member.name;
  const before = textOf(tree.of);
  return before === '' ? '' : `${before}.${tree.member.name}`;
}

const plain = (value: Known): Known => (isList(value) || isRecord(value) ? null : value);
