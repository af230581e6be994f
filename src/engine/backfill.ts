// Backfills computed fields that are new to existing records: computed in portions, in the order in which figures depend on each
// other.

import { ConfigurationFault } from '../configuration-fault.ts';
import { ReadFacts } from '../facts/read-facts.ts';
import { dependenciesOf, type Read } from '../formulas/analyse/dependencies.ts';
import { readsBehind } from '../registry/formulas/figures.ts';
import type { Field, Resource } from '../registry/model/model.ts';
import type { Session } from '../storage/schema/session.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { copyOf } from './changes/copy-values.ts';
import { Draft } from './draft/draft.ts';
import { knowBefore, type Stretch, stretchesOf } from './figures/along.ts';
import { computeFigures, factsFor } from './figures/compute-figure.ts';
import { followStates } from './figures/states.ts';
import { type FigureField, type Line, linesToFill } from './plan/figures.ts';
import type { Group, Groups } from './plan/groups.ts';
import { Scope } from './transaction/scope.ts';
import { readAhead } from './upkeep/recompute.ts';
import { effectsOf } from './write/write.ts';

export interface BackfillOptions {
  readonly groups: Groups;
  readonly unit: UnitOfWork;
  /** The fields whose figures are filled; what is always true and looks at these follows. */
  readonly fields: ReadonlySet<Field>;
  /** Called in the transaction of each portion. */
  readonly portion: (session: Session) => Promise<void>;
}

/** Records that are looked at together. */
const portionSize = 200;
/** Figures that look at themselves along a tree follow each other at most as often as it is deep. */
const mostPasses = 1000;
/** Records that a fault names. */
const named = 5;

/** A figure, or a field with states that follow. */
interface Node {
  readonly group: Group;
  readonly field: Field;
  readonly figure: FigureField | undefined;
  readonly reads: readonly Read[];
}

/** Nodes of one group that need no other pass between them. */
interface Pass {
  readonly group: Group;
  readonly figures: ReadonlySet<FigureField>;
  readonly hasStates: boolean;
}

/**
 * Gives all records the values of figures; those that have them already stay untouched, so that it can be begun again.
 * @throws ConfigurationFault that names records whose figure cannot be held
 */
export async function backfillFigures(options: BackfillOptions): Promise<void> {
  const { passes, isCircular } = passesOf(options);
  for (let count = 0; count < mostPasses; count++) {
    let changed = 0;
    for (const pass of passes) changed += await run(pass, options);
    if (!isCircular || changed === 0) return;
  }
  throw new ConfigurationFault('Figures cannot be computed: they do not come to rest.');
}

// --- The order

function passesOf({ groups, fields }: BackfillOptions): { passes: readonly Pass[]; isCircular: boolean } {
  const all = [...groups.registry.resources.values()].flatMap((resource) => nodesOf(resource, groups));
  const open = new Set(all.filter(({ field, figure }) => figure !== undefined && fields.has(field)));
  // Schemas keep formulas of figures, not those of states: states that follow from other records may be new ones.
  for (const node of all)
    if (open.size > 0 && node.figure === undefined && node.reads.some(({ isOwn }) => !isOwn)) open.add(node);
  // What looks at what is filled is another one, too.
  for (const node of open)
    for (const other of all) if (isKeptTrue(other) && looksAt(other, node) !== undefined) open.add(other);
  const { levels, isCircular } = levelsOf([...open]);
  const passes: Pass[] = [];
  for (let level = 0; level <= Math.max(-1, ...levels.values()); level++) {
    const nodes = [...open].filter((node) => levels.get(node) === level);
    for (const group of new Set(nodes.map((node) => node.group))) {
      const own = nodes.filter((node) => node.group === group);
      const figures = new Set(own.flatMap(({ figure }) => figure ?? []));
      passes.push({ group, figures, hasStates: own.some(({ figure }) => figure === undefined) });
    }
  }
  return { passes, isCircular };
}

function nodesOf(resource: Resource, groups: Groups): readonly Node[] {
  if (resource.computed !== undefined) return [];
  const group = groups.get(resource.name);
  const figures = group.figures.map(
    (figure): Node => ({ group, field: figure.field, figure, reads: readsBehind(figure.figure) }),
  );
  const states = group.states.map(
    (field): Node => ({
      group,
      field,
      figure: undefined,
      reads: field.becomes.flatMap(({ when }) => dependenciesOf(when.tree).reads),
    }),
  );
  return [...figures, ...states];
}

const isKeptTrue = ({ figure }: Node): boolean => figure === undefined || figure.figure.taken === 'always';

/** Whether a node looks at another one: in its own record, in other ones too, or not at all. */
function looksAt({ reads, group }: Node, other: Node): 'own' | 'far' | undefined {
  const { field, figure } = other;
  const found = reads.filter(
    ({ shape, key }) =>
      key === field.key &&
      (figure === undefined
        ? shape.kind === 'record' && shape.group === other.group.resource.name
        : shape === figure.figure.on),
  );
  if (found.length === 0) return undefined;
  return group === other.group && found.every(({ isOwn }) => isOwn) ? 'own' : 'far';
}

/** How many passes go before that of each node. */
function levelsOf(nodes: readonly Node[]): { levels: ReadonlyMap<Node, number>; isCircular: boolean } {
  const levels = new Map(nodes.map((node) => [node, 0]));
  const edges = nodes.flatMap((node) =>
    nodes.flatMap((other) => {
      const how = node === other && node.figure === undefined ? undefined : looksAt(node, other);
      return how === undefined ? [] : [{ node, other, steps: how === 'own' ? 0 : 1 }];
    }),
  );
  const between = edges.filter(({ node, other }) => node !== other);
  for (let round = 0; round <= nodes.length; round++) {
    let isStill = true;
    for (const { node, other, steps } of between) {
      const least = (levels.get(other) ?? 0) + steps;
      if ((levels.get(node) ?? 0) >= least) continue;
      levels.set(node, least);
      isStill = false;
    }
    if (isStill) return { levels, isCircular: edges.some(({ node, other, steps }) => node === other && steps > 0) };
  }
  return { levels: new Map(nodes.map((node) => [node, 0])), isCircular: true };
}

// --- The records

/**
 * Figures that look at the record before theirs are filled along its order, so that each sees what the one before has come to, and
 * states that look at these with the last of them.
 * @returns how many records have changed
 */
async function run(pass: Pass, options: BackfillOptions): Promise<number> {
  const lines = linesToFill(pass.group.resource, [...pass.figures]);
  const along = new Set(lines.flatMap(({ figures }) => figures));
  const beside = pass.figures.difference(along);
  const isBesideAll = lines.length === 0;
  let changed = 0;
  if (isBesideAll || beside.size > 0)
    changed += await fill({ ...pass, figures: beside, hasStates: pass.hasStates && isBesideAll }, options);
  for (const line of lines) {
    const hasStates = pass.hasStates && line === lines.at(-1);
    changed += await fill({ ...pass, figures: new Set(line.figures), hasStates, line }, options);
  }
  return changed;
}

/** What is filled at once, along an order or the other way. */
interface Filling extends Pass {
  readonly line?: Line;
}

async function fill(filling: Filling, { groups, unit, portion }: BackfillOptions): Promise<number> {
  const { rows } = groups.get(filling.group.resource.name);
  let changed = 0;
  for await (const stretch of stretchesOf(rows, unit.direct, { line: filling.line, size: portionSize }))
    changed += await unit.transact(async (session) => {
      const scope = new Scope({ groups, session, actingMember: null, effectsOf });
      const count = await fillPortion(scope, filling, stretch);
      await portion(session);
      return count;
    });
  return changed;
}

async function fillPortion(scope: Scope, filling: Filling, stretch: Stretch): Promise<number> {
  const { group, figures, hasStates, line } = filling;
  const { name } = group.resource;
  const ids = stretch.records.map(({ id }) => String(id));
  const records = await scope.records.lockedMany(name, ids);
  const drafts = records.map(
    (before) => new Draft({ scope, group, operation: 'update', before, values: copyOf(before), input: { values: {} } }),
  );
  const kept = new ReadFacts({ records: scope.records, today: () => scope.reached() });
  const taken = new ReadFacts({ records: scope.records, today: () => scope.today() });
  if (line !== undefined) {
    await knowBefore(scope, line, { ...stretch, records });
    await readAhead(drafts, line, kept);
  }
  let changed = 0;
  for (const some of line === undefined ? [drafts] : drafts.map((draft) => [draft])) {
    for (const figure of group.figures) if (figures.has(figure)) await compute(some, figure, { kept, taken });
    if (hasStates) for (const draft of some) await followStates(draft, { old: draft.before });
    for (const draft of some) changed += collect(draft);
  }
  refuseFaulty(drafts);
  await scope.flush();
  return changed;
}

/** Computes a figure as a write that changes nothing would: a formula that reads `old` sees the stored record. */
async function compute(
  drafts: readonly Draft[],
  figure: FigureField,
  { kept, taken }: { readonly kept: ReadFacts; readonly taken: ReadFacts },
): Promise<void> {
  if (figure.figure.taken === 'always') await computeFigures(drafts, figure, kept);
  else if (readsOld(figure)) for (const draft of drafts) await computeFigures([draft], figure, factsFor(draft));
  else await computeFigures(drafts, figure, taken);
}

const readsOld = ({ figure }: FigureField): boolean =>
  dependenciesOf(figure.tree).beyond.some(({ what, words }) => what === 'known' && words === 'old');

/** @returns how many records have changed: one, or none */
function collect(draft: Draft): 0 | 1 {
  const { scope, name: of, before, values: after } = draft;
  const keys = draft.changedKeys();
  if (keys.length === 0) return 0;
  scope.collect({ kind: 'update', ...of, before, after, keys, cause: { kind: 'figure', rule: 'formula', of } });
  return 1;
}

/** @throws ConfigurationFault that names the first records whose figures their fields cannot hold */
function refuseFaulty(drafts: readonly Draft[]): void {
  const faulty = drafts.filter(({ hasFaults }) => hasFaults);
  if (faulty.length === 0) return;
  const lines = faulty
    .slice(0, named)
    .flatMap(({ group, values, faults }) =>
      faults.first.map(({ text }) => `  ${group.resource.name} ${String(values['id'])}: ${text}`),
    );
  throw new ConfigurationFault(
    `Figures cannot be computed, for their fields cannot hold them:\n${lines.join('\n')}\nPut that right, and run it again.`,
  );
}
