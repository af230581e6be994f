// Why somebody may do something with a record, or may not: the rules that decide, and what their conditions have seen.
import type { AccessOperation, Rule } from '../../access/model.ts';
import type { Rights } from '../../access/rights.ts';
import { type Truth, truthOf } from '../../access/truth.ts';
import { type Verdict, verdictOf } from '../../access/verdict.ts';
import { operationsIn } from '../../access/words.ts';
import { ReadFacts } from '../../facts/read-facts.ts';
import { evaluate } from '../../formulas/evaluate/evaluate.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import { isList, isRecord, type Known, notKnown, type Unknown } from '../../formulas/language/value.ts';
import type { Condition, Resource, Values } from '../../registry/model/model.ts';
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

/** What decides on each operation on a record that is stored; undefined where the record is not visible. */
export function reasonsFor({ records }: Scope, asked: Asked): Promise<Reasons | undefined> {
  const { resource, record, rights, actor, today } = asked;
  const facts = new ReadFacts({ records, actor, today: () => Promise.resolve(today()) });
  const self = recordValue(record);
  return facts.known((): Reasons | undefined | Unknown => {
    let isKnown = true;
    const truth = ({ tree }: Condition): Truth => {
      const found = truthOf(tree, self, facts);
      if (found !== notKnown) return found;
      isKnown = false;
      return 'undecided';
    };
    const values = ({ tree }: Condition): RuleTold['parts'] =>
      seenBy(tree).map((part) => {
        const value = isKnown ? evaluate(part, self, facts).value : null;
        if (value === notKnown) isKnown = false;
        return { [textOf(part)]: value === notKnown ? null : plain(value) };
      });
    const reasons = judged(resource, rights, truth);
    const rules = (rights?.rulesOf(resource.name) ?? []).map((rule) => toldOf(rule, truth, values));
    if (!isKnown) return notKnown;
    return reasons && { ...reasons, rules };
  });
}

function judged(
  resource: Resource,
  rights: Rights | undefined,
  truth: (condition: Condition) => Truth,
): Omit<Reasons, 'rules'> | undefined {
  const { name, fields } = resource;
  const verdict = (operation: AccessOperation): Verdict =>
    verdictOf(rights === undefined ? [] : rights.on(name, operation), {
      operation,
      changed: [],
      knowsNew: false,
      truth,
    });
  const reads = [verdict('list'), verdict('get')].filter(({ isAllowed }) => isAllowed);
  if (reads.length === 0) return undefined;
  const operations: Record<string, Reason> = {};
  for (const operation of operationsIn(resource)) {
    if (operation === 'create') continue;
    operations[operation] = reasonOf(
      verdict(operation),
      operation === 'update' ? rights?.on(name, 'update') : undefined,
    );
  }
  const update = verdict('update');
  const covers = (by: readonly Rule[], what: 'shows' | 'writes', field: string): boolean =>
    rights === undefined || by.some((rule) => rule[what]?.has(field) !== false);
  const mayUpdate = resource.operations.has('update') && update.isAllowed;
  return {
    operations,
    hidden: fields
      .filter((field) => field.shown && field.name !== 'id')
      .filter((field) => !reads.some(({ by }) => covers(by, 'shows', field.name)))
      .map((field) => field.name),
    kept: fields
      .filter((field) => mayUpdate && field.onUpdate && !covers(update.by, 'writes', field.key))
      .map((field) => field.key),
  };
}

function reasonOf(
  { isAllowed, by, forbiddenBy }: Verdict,
  update: readonly { readonly allows: readonly Rule[]; readonly forbids: readonly Rule[] }[] | undefined,
): Reason {
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
  truth: (condition: Condition) => Truth,
  values: (condition: Condition) => RuleTold['parts'],
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
