// Conditions on stored records: evaluates the conditions of rules (`require`, `must`) on all records of a group, because writes
// of other groups do not evaluate them, and older descriptors did not have them.
import { ReadFacts } from '../../facts/read-facts.ts';
import { dependenciesOf } from '../../formulas/analyse/dependencies.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { RecordValue } from '../../formulas/language/value.ts';
import type { RuleUse, Values } from '../../registry/model/model.ts';
import { type Rule, ruleOf } from '../../rules/support/rule.ts';
import { Draft } from '../draft/draft.ts';
import { momentOf } from '../draft/moment.ts';
import { stretchesOf } from '../figures/along.ts';
import type { Group, Groups } from '../plan/groups.ts';
import type { Scope } from '../transaction/scope.ts';
import type { VerifyContext, VerifyOptions } from './verify.ts';

/** A condition of a group. */
export interface ConditionName {
  readonly group: string;
  readonly rule: string;
  /** `lines.amount`: the field that the condition is about; '' if it is about the record. */
  readonly field: string;
  /** The formula on one line. */
  readonly source: string;
}

export interface CheckedCondition extends ConditionName {
  /** Number of records that break the condition. */
  readonly broken: number;
  /** Ids of the first records that break the condition, in the order of creation. */
  readonly firstIds: readonly string[];
}

export interface UncheckedCondition extends ConditionName {
  /** Why the condition cannot be evaluated on stored records. */
  readonly reason: string;
}

export interface ConditionReport {
  readonly checked: readonly CheckedCondition[];
  readonly unchecked: readonly UncheckedCondition[];
}

interface StoredCondition {
  readonly name: ConditionName;
  readonly group: Group;
  readonly tree: Tree;
  readonly rule: Rule;
  readonly use: RuleUse;
}

/** Number of records that are read together. */
const chunkSize = 200;
/** Number of ids that the report keeps for each condition. */
const maxIds = 5;

/** Names in formulas that only a write has, with the reason for the report. */
const reasonByName: Readonly<Record<string, string>> = {
  old: 'reads old',
  before: 'reads old',
  sent: 'reads the body',
  actor: 'reads the caller',
  me: 'reads the caller',
};

/** Evaluates the conditions of a group on all its records, in memory that does not grow with the group. */
export async function checkConditions(
  { groups, direct, createScope }: VerifyContext,
  name: string,
  { onRecords }: Pick<VerifyOptions, 'onRecords'>,
): Promise<ConditionReport> {
  const group = groups.get(name);
  if (group.resource.computed !== undefined) return { checked: [], unchecked: [] };
  const all = group.resource.rules.flatMap((use) => toCondition(groups, group, use));
  const unchecked = all.filter((one) => 'reason' in one);
  const conditions = all.flatMap((one) => ('tree' in one ? [{ ...one, broken: 0, firstIds: [] as string[] }] : []));
  if (conditions.length > 0)
    for await (const { records } of stretchesOf(group.rows, direct, { line: undefined, size: chunkSize })) {
      const scope = createScope(direct);
      const whole = await scope.records.wholeMany(name, records.map(getId));
      for (const condition of conditions) {
        const ids = await listBreaking(scope, condition, whole);
        condition.broken += ids.length;
        condition.firstIds.push(...ids.slice(0, maxIds - condition.firstIds.length));
      }
      onRecords?.(records.length);
    }
  return { checked: conditions.map(({ name: of, broken, firstIds }) => ({ ...of, broken, firstIds })), unchecked };
}

const getId = ({ id }: Readonly<Values>): string => String(id);

/** Lists the ids of the records that break a condition. */
async function listBreaking(
  scope: Scope,
  condition: StoredCondition,
  records: readonly Values[],
): Promise<readonly string[]> {
  const facts = new ReadFacts({ records: scope.records, today: () => scope.today() });
  const places = records.flatMap((record) => {
    const id = getId(record);
    return listItems(scope, condition, record).map((item) => ({ id, item }));
  });
  const results = await facts.evaluateAll(
    condition.tree,
    places.map(({ item }) => item),
  );
  const isBroken = (index: number): boolean => results[index]?.value !== true && results[index]?.throughNull !== true;
  return [...new Set(places.flatMap(({ id }, index) => (isBroken(index) ? [id] : [])))];
}

function toCondition(groups: Groups, group: Group, use: RuleUse): readonly (StoredCondition | UncheckedCondition)[] {
  const { that } = use.conditions;
  const rule = ruleOf(groups.rules, use);
  const { list, inner, field, changed, on } = use.arguments;
  const name: ConditionName = {
    ...{ group: group.resource.name, rule: use.use },
    ...{
      field: [list, inner, field].filter((part) => part !== undefined).join('.'),
      source: that?.source.replaceAll(/\s+/g, ' ') ?? '',
    },
  };
  if (that === undefined)
    return rule.check === undefined && rule.last === undefined ? [] : [{ ...name, reason: 'is a rule in code' }];
  const operations = on === undefined ? ['create', 'update'] : [on].flat();
  if (!operations.includes('create') && !operations.includes('update'))
    return [{ ...name, reason: 'is about deletes' }];
  const reason = findReason(that.tree, operations, changed);
  if (reason !== undefined) return [{ ...name, reason }];
  const isPlanned = rule.plan?.(use, group.resource).condition !== undefined;
  if (!isPlanned && rule.prefetch === undefined) return [{ ...name, reason: 'is a rule in code' }];
  return [{ name, group, tree: that.tree, rule, use }];
}

/** Finds why stored records cannot show whether a condition was kept. */
function findReason(tree: Tree, operations: readonly unknown[], changed: unknown): string | undefined {
  const names = dependenciesOf(tree).beyond.flatMap(({ what, words }) => (what === 'known' ? [words] : []));
  const name = names.find((each) => reasonByName[each] !== undefined);
  if (name !== undefined) return reasonByName[name];
  if (readsBody(tree)) return 'reads the body';
  if (!operations.includes('create') || !operations.includes('update')) return `is about each ${operations.join()}`;
  return changed === undefined ? undefined : `is about changes of ${[changed].flat().join(', ')}`;
}

/** Reports whether a formula reads a field that only the body of a write has. */
const readsBody = (tree: Tree): boolean =>
  (tree.op === 'field' && tree.member.isTransient === true) || partsOf(tree).some(readsBody);

/** Lists the values that a condition is evaluated on: the record, or the items that its rule reads ahead. */
function listItems(scope: Scope, { group, rule, use, tree }: StoredCondition, record: Values): readonly RecordValue[] {
  const self = recordValue(record);
  if (rule.plan !== undefined) return [self];
  const draft = new Draft({
    ...{ scope, group, operation: 'create', before: undefined },
    ...{ values: record, input: { values: {} } },
  });
  const formula = rule.prefetch?.(momentOf(draft, use)).find((each) => each.tree === tree);
  return formula?.items?.(self) ?? [];
}
