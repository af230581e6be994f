// Normalises uses of named rules, and conditions on fields; formulas in their arguments are compiled.
import type { Scope } from '../../formulas/compile/scope.ts';
import { unreachable } from '../../unreachable.ts';
import { compileCondition, withBefore, withBody } from '../formulas/conditions.ts';
import { requirements, scopeAround } from '../formulas/field-conditions.ts';
import { compileMessage } from '../formulas/messages.ts';
import type { Shapes } from '../formulas/shapes.ts';
import type { Condition, ConflictsAbout, Field, Message, RuleSignature, RuleUse } from '../model/model.ts';
import type { RawDescriptor, RawRule } from '../model/vocabulary.ts';
import { listWholeAmountRules } from './whole-amounts.ts';

interface RuleContext {
  readonly scope: Scope;
  readonly signatures: Readonly<Record<string, RuleSignature>>;
}

interface GroupContext extends Pick<RuleContext, 'signatures'> {
  readonly group: string;
  readonly fields: readonly Field[];
  readonly shapes: Shapes;
}

/** Returns the rules of a group, then the conditions on its fields, then those that its amounts imply. */
export const rulesOf = (raw: RawDescriptor, { group, fields, shapes, signatures }: GroupContext): RuleUse[] =>
  [
    ...(raw.resource.rules ?? []),
    ...requirements(raw.properties).map(({ rule }) => rule),
    ...listWholeAmountRules(fields),
  ].map((rule) => ruleUse(rule, { signatures, scope: scopeAround(rule, { name: group, raw }, shapes) }));

/** A use of a rule, with the formulas among its arguments compiled. */
export function ruleUse(raw: RawRule, { scope, signatures }: RuleContext): RuleUse {
  const { use, ...rest } = raw;
  const { parameters = {}, conflicts = {}, conflictsAbout = 'own', computed = {} } = signatures[use] ?? {};
  const conditions: Record<string, Condition> = {};
  const messages: Record<string, Message> = {};
  for (const [name, type] of Object.entries(parameters)) {
    if (rest[name] === undefined) continue;
    if (type === 'condition') conditions[name] = condition(String(rest[name]), scope);
    if (type === 'judgement') conditions[name] = condition([rest[name]].flat().join('\n'), withBefore(withBody(scope)));
    if (type === 'message') messages[name] = message(String(rest[name]), scope);
  }
  return Object.freeze({
    use,
    arguments: Object.freeze(rest),
    conditions,
    messages,
    conflicts: typeof conflicts === 'function' ? conflicts(rest) : conflicts,
    conflictsAbout: aboutOf(conflictsAbout, rest, scope),
    computed: Object.entries(computed).flatMap(([argument, { whileSet }]) => {
      const [name, other] = [rest[argument], rest[whileSet]];
      return typeof name === 'string' && typeof other === 'string' ? [{ name, whileSet: other }] : [];
    }),
  });
}

/** Whose records the conflicts of a use are about: those that the reference in an argument leads to. */
function aboutOf(
  about: NonNullable<RuleSignature['conflictsAbout']>,
  given: Readonly<Record<string, unknown>>,
  { record }: Scope,
): ConflictsAbout {
  if (typeof about === 'string' || 'group' in about) return about;
  const member = record.member(String(given[about.argument]));
  if (member?.kind === 'reference') return { group: member.shape().group };
  if (member?.kind === 'value' && member.branches !== undefined) return 'choices';
  const group = member?.kind === 'value' && member.type.kind === 'id' ? member.type.group : undefined;
  return group === undefined ? 'own' : { group };
}

/** A condition that the checks have accepted. */
export function condition(source: string, scope: Scope): Condition {
  const compiled = compileCondition(source, scope);
  if (typeof compiled !== 'object') unreachable(`unchecked condition: ${source}`);
  return compiled;
}

function message(text: string, scope: Scope): Message {
  const compiled = compileMessage(text, withBefore(withBody(scope)));
  if (typeof compiled !== 'object') unreachable(`unchecked text: ${text}`);
  return compiled;
}
