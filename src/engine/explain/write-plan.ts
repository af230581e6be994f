// What a write of a group does, in its order, as data: read off what the engine runs on, for people and for tests.
import type { WriteOperation } from '../../facts/context.ts';
import { dependenciesOf } from '../../formulas/analyse/dependencies.ts';
import { lookupsOf } from '../../formulas/analyse/lookups.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { Effect, Field, RuleUse } from '../../registry/model/model.ts';
import type { RuleStep } from '../../rules/support/rule.ts';
import type { FigureField } from '../plan/figures.ts';
import { keysMoving, rootKey } from '../plan/figures.ts';
import type { Group, Groups } from '../plan/groups.ts';
import type { RulePart } from '../plan/rule-parts.ts';
import { isBlindUpdate, isSingleRow } from '../plan/single-statement.ts';
import { type FoundSpec, foundBy, foundByDay } from './found-by.ts';

/** What is read of records of a group. */
interface ReadSpec {
  readonly group: string;
  /** `looked for`: those that hold something in common with the record; else those that references lead to. */
  readonly how: 'looked for' | 'by reference';
  readonly keys: readonly string[];
}

/** One step of a write. */
interface StepSpec {
  readonly what: 'rule' | 'default' | 'presence' | 'derived' | 'figure' | 'state';
  readonly of: string;
}

interface ConditionSpec {
  readonly rule: string;
  readonly on: 'record' | 'items' | 'referenced';
  /** `body`: told with what the body alone tells; `record`: when all is computed; `final`: after what the write does elsewhere. */
  readonly phase: 'body' | 'record' | 'final';
  readonly source: string;
}

interface EffectSpec {
  readonly kind: Effect['kind'] | 'rule';
  readonly of: string;
}

interface DependentSpec {
  readonly group: string;
  /** The path of a figure; undefined for states. */
  readonly figure: string | undefined;
  readonly how: 'by delta' | 'anew';
}

export interface WritePlan {
  readonly way: 'single statement' | 'transaction';
  readonly reads: readonly ReadSpec[];
  /** The indexes by which it finds records, and by which the begin of a day finds those of its group. */
  readonly finds: readonly FoundSpec[];
  readonly steps: readonly StepSpec[];
  readonly conditions: readonly ConditionSpec[];
  readonly effects: readonly EffectSpec[];
  readonly dependents: readonly DependentSpec[];
}

/** A write as far as it is known before it comes. */
interface Asked {
  readonly operation: WriteOperation;
  /** Keys that the body sends; undefined where it may be any. */
  readonly sent: readonly string[] | undefined;
}

/** The plan of a write; of one that sends these fields alone, only what they call for. */
export function writePlanOf(groups: Groups, name: string, asked: Asked): WritePlan {
  const group = groups.get(name);
  const way = wayOf(group, asked);
  if (way === 'single statement' && asked.operation === 'update')
    return { way, reads: [], finds: [], steps: [], conditions: [], effects: [], dependents: [] };
  const changed = changedKeys(group, asked);
  const steps = stepsOf(group, { operation: asked.operation, changed });
  const writing = { operation: asked.operation, changed };
  const parts = ruleParts(group, ['check', 'last'], writing);
  const effects = effectsIn(group, asked, changed);
  const ruled = ruleParts(group, ['after'], writing);
  const trees = [
    ...steps.flatMap((each) => each.trees),
    ...parts.flatMap(({ use }) => Object.values(use.conditions).map(({ tree }) => tree)),
    ...effects.flatMap(treesOf),
  ];
  return {
    way,
    reads: readsOf(group, trees),
    finds: [...foundBy(groups.registry, trees), ...foundByDay(groups.registry, group.resource)],
    steps: steps.map(({ spec }) => spec),
    conditions: parts.map((part) => conditionOf(part)),
    effects: [
      ...ruled.map(({ use }): EffectSpec => ({ kind: 'rule', of: use.use })),
      ...effects.map(({ kind, group: of }): EffectSpec => ({ kind, of })),
    ],
    dependents: dependentsOf(groups, name, changed),
  };
}

/** Undefined: any may change. */
type Changed = ReadonlySet<string> | undefined;

interface Writing {
  readonly operation: WriteOperation;
  readonly changed: Changed;
}

const meets = (keys: Iterable<string>, changed: Changed): boolean =>
  changed === undefined || [...keys].some((key) => changed.has(key));

function wayOf(group: Group, { operation, sent }: Asked): WritePlan['way'] {
  if (operation === 'delete') return 'transaction';
  if (operation === 'update')
    return sent !== undefined &&
      isBlindUpdate(group.keysWithDependents, Object.fromEntries(sent.map((key) => [key, ''])))
      ? 'single statement'
      : 'transaction';
  return isSingleRow(group, Object.fromEntries((sent ?? []).map((key) => [key, ['']])))
    ? 'single statement'
    : 'transaction';
}

/** What an update of these may change in the record: what is computed of them, and of that. */
function changedKeys(group: Group, { operation, sent }: Asked): Changed {
  if (operation !== 'update' || sent === undefined) return undefined;
  const { resource, derivations, states, defaultOrder } = group;
  const changed = new Set(sent);
  for (let size = 0; size < changed.size; ) {
    size = changed.size;
    for (const each of derivations)
      if ('figure' in each ? isTaken(group, each.figure, changed) : isDerivedAnew(each.use, changed))
        changed.add(each.key);
    for (const { key, becomes } of states) if (becomes.some(({ when }) => meets(when.keys, changed))) changed.add(key);
    for (const { key, onlyWhen } of defaultOrder.late) if (meets(onlyWhen?.keys ?? [], changed)) changed.add(key);
    for (const { key, defaultFrom } of resource.fields)
      if (defaultFrom.some((source) => source.kind === 'formula' && meets(source.figure.again, changed)))
        changed.add(key);
  }
  return changed;
}

/** As `isComputed` tells it of a write that is there; what looks at nothing that changes stays the same. */
function isTaken({ resource }: Group, each: FigureField, changed: Changed): boolean {
  const { figure } = each;
  if (changed === undefined || figure.taken === 'atWrite') return true;
  if (figure.taken === 'onCreate') return meets(figure.again, changed);
  return meets([...keysMoving(resource.name, figure), rootKey(each)], changed);
}

const isDerivedAnew = ({ conditions, arguments: given }: RuleUse, changed: Changed): boolean =>
  meets(
    [...Object.values(conditions).flatMap(({ keys }) => keys), ...Object.values(given).flat().map(String)],
    changed,
  );

interface Step {
  readonly spec: StepSpec;
  readonly trees: readonly Tree[];
}

const step = (what: StepSpec['what'], of: string, ...trees: readonly (Tree | undefined)[]): Step => ({
  spec: { what, of },
  trees: trees.filter((tree) => tree !== undefined),
});

const defaultStep = ({ key, defaultFrom }: Field): Step =>
  step('default', key, ...defaultFrom.flatMap((source) => (source.kind === 'formula' ? [source.figure.tree] : [])));

/** In the order of the write. */
function stepsOf(group: Group, writing: Writing): readonly Step[] {
  const { operation, changed } = writing;
  if (operation === 'delete') return [];
  const { defaultOrder, derivations, states } = group;
  const { fixed, sourced, late } = defaultOrder;
  const isNew = operation === 'create';
  const computed = derivations.flatMap((each): Step[] => {
    if (!('figure' in each)) return isNew || isDerivedAnew(each.use, changed) ? [step('derived', each.key)] : [];
    const { tree, when } = each.figure.figure;
    return isTaken(group, each.figure, changed) ? [step('figure', each.figure.path, when?.tree, tree)] : [];
  });
  return [
    ...ruleParts(group, ['lock', 'fill'], writing).map(({ use }) => step('rule', use.use)),
    ...(isNew ? [...fixed, ...sourced].map(defaultStep) : []),
    ...late
      .filter(({ onlyWhen, key }) => meets([...(onlyWhen?.keys ?? []), key], changed))
      .map((field) => step('presence', field.key, field.onlyWhen?.tree, ...defaultStep(field).trees)),
    ...ruleParts(group, ['derive'], writing).map(({ use }) => step('rule', use.use)),
    ...computed,
    ...states
      .filter(({ becomes }) => becomes.some(({ when }) => meets(when.keys, changed)))
      .map(({ key, becomes }) => step('state', key, ...becomes.map(({ when }) => when.tree))),
  ];
}

const ruleParts = (
  { parts }: Group,
  steps: readonly RuleStep[],
  { operation, changed }: Writing,
): readonly RulePart<RuleStep>[] =>
  steps
    .flatMap((each) => parts[each][operation] as readonly RulePart<RuleStep>[])
    .filter(({ looksAt }) => looksAt === undefined || meets(looksAt, changed));

const judgedOn: Readonly<Record<string, ConditionSpec['on']>> = {
  requireInItems: 'items',
  requireInInner: 'items',
  requireOfEach: 'referenced',
};

function conditionOf({ use, isDeferred, isLocal, looksAtFigures }: RulePart<RuleStep>): ConditionSpec {
  const phase = isDeferred ? 'final' : isLocal && !looksAtFigures ? 'body' : 'record';
  return {
    rule: use.use,
    on: judgedOn[use.use] ?? 'record',
    phase,
    source: Object.values(use.conditions)
      .map(({ source }) => source)
      .join('; '),
  };
}

function effectsIn({ resource, states }: Group, { operation }: Asked, changed: Changed): readonly Effect[] {
  const becomes = operation !== 'delete' && states.some(({ key }) => meets([key], changed));
  return resource.effects.filter(
    ({ on, sent }) =>
      (on.has(operation) &&
        (sent.length === 0 ||
          meets(
            sent.map(({ key }) => key),
            changed,
          ))) ||
      (on.has('becomes') && becomes),
  );
}

const treesOf = (effect: Effect): readonly Tree[] => [
  ...(effect.when === undefined ? [] : [effect.when.tree]),
  ...(effect.kind === 'make' ? [] : [effect.targets]),
  ...(effect.kind === 'remove' ? [] : effect.settings.map(({ tree }) => tree)),
];

function readsOf({ resource }: Group, trees: readonly Tree[]): readonly ReadSpec[] {
  const looked = new Set(trees.flatMap(lookupsOf).map(({ group }) => group));
  const keys = new Map<string, Set<string>>();
  for (const { shape, key, isOwn } of trees.flatMap((tree) => dependenciesOf(tree).reads)) {
    if (isOwn && shape.group === resource.name) continue;
    keys.set(shape.group, (keys.get(shape.group) ?? new Set()).add([...shape.lists, key].join('.')));
  }
  return [...keys]
    .filter(([group]) => group !== '')
    .map(
      ([group, found]): ReadSpec => ({
        group,
        how: looked.has(group) ? 'looked for' : 'by reference',
        keys: [...found].sort(),
      }),
    )
    .sort((a, b) => (a.group < b.group ? -1 : 1));
}

const dependentsOf = (groups: Groups, name: string, changed: Changed): readonly DependentSpec[] =>
  groups
    .dependentsOf(name)
    .filter(({ watch }) => meets(watch.keys, changed))
    .map(({ group, figure }) => ({
      group,
      figure: figure?.path,
      how: figure?.sums?.groups.has(name) === true ? 'by delta' : 'anew',
    }));
