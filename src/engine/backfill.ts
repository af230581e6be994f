// Backfills computed fields that are new to existing records: computed in portions, in the order in which figures depend on each
// other.

import { ConfigurationFault } from '../configuration-fault.ts';
import { ReadFacts } from '../facts/read-facts.ts';
import { dependenciesOf, type Read } from '../formulas/analyse/dependencies.ts';
import { recordValue } from '../formulas/evaluate/facts.ts';
import { ordersIn } from '../formulas/language/index-keys.ts';
import type { Order } from '../formulas/language/tree.ts';
import { isRecord } from '../formulas/language/value.ts';
import { readsBehind } from '../registry/formulas/figures.ts';
import type { Field, Resource, Values } from '../registry/model/model.ts';
import type { Session } from '../storage/schema/session.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { copyOf } from './changes/copy-values.ts';
import { Draft } from './draft/draft.ts';
import { computeFigures } from './figures/compute-figure.ts';
import { followStates } from './figures/states.ts';
import type { FigureField } from './plan/figures.ts';
import type { Group, Groups } from './plan/groups.ts';
import { Scope } from './transaction/scope.ts';
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

/** @returns how many records have changed */
async function run(pass: Pass, options: BackfillOptions): Promise<number> {
  const { groups, unit } = options;
  const { rows, resource } = groups.get(pass.group.resource.name);
  const reader = unit.direct;
  let changed = 0;
  for (let after: Readonly<Values> | undefined; ; ) {
    const page = await rows.page(reader, {}, { after, limit: portionSize });
    after = page.at(-1);
    if (after === undefined) return changed;
    const ids = page.map(({ id }) => String(id));
    changed += await unit.transact(async (session) => {
      const scope = new Scope({ groups, session, actingMember: null, effectsOf });
      const count = await fillPortion(scope, pass, await scope.records.wholeMany(resource.name, ids, { lock: 'own' }));
      await options.portion(session);
      return count;
    });
    changed += await runInOrder(pass, page, options);
    if (page.length < portionSize) return changed;
  }
}

/**
 * Figures that look at the record before theirs: from each of these records that is the first of its order one after the other, so
 * that each sees what the one before has come to.
 */
async function runInOrder(pass: Pass, page: readonly Readonly<Values>[], options: BackfillOptions): Promise<number> {
  const { groups, unit } = options;
  const ordered = [...pass.figures].flatMap((figure) =>
    ordersIn(figure.figure.tree).map((order) => ({ figure, order })),
  );
  const scopeOf = (session: Session): Scope => new Scope({ groups, session, actingMember: null, effectsOf });
  let changed = 0;
  for (const those of Map.groupBy(ordered, ({ order }) => order.label).values()) {
    const figures = new Set(those.map(({ figure }) => figure));
    const [{ order } = {}] = those;
    if (order === undefined) continue;
    const facts = new ReadFacts({ records: scopeOf(unit.direct).records });
    const before = await facts.evaluateAll(order.previous, page.map(recordValue));
    const firsts = page.filter((_record, place) => before[place]?.value === null);
    for (const { id: first } of firsts)
      for (let id: string | undefined = String(first); id !== undefined; ) {
        const from: string = id;
        const part = await unit.transact(async (session) => {
          const done = await fillFrom(scopeOf(session), {
            pass: { ...pass, figures, hasStates: false },
            order,
            id: from,
          });
          if (done.changed > 0) await options.portion(session);
          return done;
        });
        changed += part.changed;
        id = part.next;
      }
  }
  return changed;
}

interface FillingFrom {
  readonly pass: Pass;
  readonly order: Order;
  readonly id: string;
}

/** Fills a portion of records, each behind the one before. @returns where it goes on */
async function fillFrom(
  scope: Scope,
  { pass, order, id }: FillingFrom,
): Promise<{ readonly changed: number; readonly next: string | undefined }> {
  const group = pass.group.resource.name;
  let changed = 0;
  let next: string | undefined = id;
  for (let count = 0; next !== undefined && count < portionSize; count += 1) {
    const [record]: readonly Readonly<Values>[] = await scope.records.wholeMany(group, [next], { lock: 'own' });
    if (record === undefined) return { changed, next: undefined };
    changed += await fillPortion(scope, pass, [record]);
    const { value } = await new ReadFacts({ records: scope.records }).evaluate(order.next, recordValue(record));
    next = isRecord(value) ? value.id : undefined;
  }
  return { changed, next };
}

async function fillPortion(scope: Scope, pass: Pass, records: readonly Readonly<Values>[]): Promise<number> {
  const { group, figures, hasStates } = pass;
  const drafts = records.map(
    (before) => new Draft({ scope, group, operation: 'update', before, values: copyOf(before), input: { values: {} } }),
  );
  const kept = new ReadFacts({ records: scope.records, today: () => scope.reached() });
  const taken = new ReadFacts({ records: scope.records, today: () => scope.today() });
  for (const figure of group.figures)
    if (figures.has(figure)) await computeFigures(drafts, figure, figure.figure.taken === 'always' ? kept : taken);
  if (hasStates) for (const draft of drafts) await followStates(draft, { old: draft.before });
  refuseFaulty(drafts);
  let changed = 0;
  for (const draft of drafts) {
    const keys = draft.changedKeys();
    if (keys.length === 0) continue;
    changed += 1;
    const of = { group: group.resource.name, id: String(draft.values['id']) };
    const cause = { kind: 'figure', rule: 'formula', of } as const;
    scope.collect({ kind: 'update', ...of, before: draft.before, after: draft.values, keys, cause });
  }
  await scope.flush();
  return changed;
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
