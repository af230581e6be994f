// Backfills computed fields and states that are new, or have changed, in the order in which they depend on each other. Records are
// read without locks; only those that change are locked, a few in each short transaction, so that other writers go on.
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationFault } from '../configuration-fault.ts';
import { ReadFacts } from '../facts/read-facts.ts';
import { dependenciesOf, type Read } from '../formulas/analyse/dependencies.ts';
import { readsBehind } from '../registry/formulas/figures.ts';
import type { Field, Resource, Values } from '../registry/model/model.ts';
import type { Session } from '../storage/schema/session.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { copyOf } from './changes/copy-values.ts';
import { Draft } from './draft/draft.ts';
import { readMissingLists } from './draft/missing-lists.ts';
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
  /** Computed fields and states that are filled; those that depend on them follow. */
  readonly fields: ReadonlySet<Field>;
  /** Called at the end of each transaction that changes records. */
  readonly portion: (session: Session) => Promise<void>;
  /** Called after each chunk of records. */
  readonly onProgress?: ((progress: BackfillProgress) => void) | undefined;
}

/** How many records are done, and how many there are, each as often as it is read. */
interface BackfillProgress {
  readonly doneRows: number;
  readonly totalRows: number;
}

/** Records that are read together, and the most that one transaction changes. */
const chunkSize = 200;
/** Records of the first transaction, and the fewest of any. */
const minChangedRecords = 20;
/** Time that a transaction aims to take: other writers of its records, or of an embedded database, wait for it. */
const transactionMs = 40;
/** Figures that look at themselves along a tree follow each other at most as often as it is deep. */
const mostPasses = 1000;
/** Records that a fault names. */
const named = 5;

/** A figure, or a field with computed states. */
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
  const fillings = passes.flatMap((pass) => toFillings(pass));
  const run = new Run(options);
  for (let count = 0; count < mostPasses; count++) {
    await run.expect(fillings);
    let changed = 0;
    for (const filling of fillings) changed += await run.fill(filling);
    if (!isCircular || changed === 0) return;
  }
  throw new ConfigurationFault('Figures cannot be computed: they do not come to rest.');
}

// --- The order

function passesOf({ groups, fields }: BackfillOptions): { passes: readonly Pass[]; isCircular: boolean } {
  const all = [...groups.registry.resources.values()].flatMap((resource) => nodesOf(resource, groups));
  const open = new Set(all.filter(({ field }) => fields.has(field)));
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

/** Records that are filled in one pass through their group, along an order if `line` is set. */
interface Filling extends Pass {
  readonly line?: Line;
}

/**
 * Splits a pass: figures that read the previous record are filled along its order, so that each sees the value of the one before,
 * and states that read these with the last of them.
 */
function toFillings(pass: Pass): readonly Filling[] {
  const lines = linesToFill(pass.group.resource, [...pass.figures]);
  const along = new Set(lines.flatMap(({ figures }) => figures));
  const others = pass.figures.difference(along);
  const first: Filling = { ...pass, figures: others, hasStates: pass.hasStates && lines.length === 0 };
  return [
    ...(lines.length === 0 || others.size > 0 ? [first] : []),
    ...lines.map((line) => ({
      ...{ ...pass, figures: new Set(line.figures), line },
      hasStates: pass.hasStates && line === lines.at(-1),
    })),
  ];
}

class Run {
  readonly #options: BackfillOptions;
  #progress: BackfillProgress = { doneRows: 0, totalRows: 0 };
  #changedAtOnce = minChangedRecords;

  constructor(options: BackfillOptions) {
    this.#options = options;
  }

  /** Counts the records that are read next, if anything shows how far it is. */
  async expect(fillings: readonly Filling[]): Promise<void> {
    const { unit, groups, onProgress } = this.#options;
    if (onProgress === undefined) return;
    let { totalRows } = this.#progress;
    for (const [group, of] of Map.groupBy(fillings, (filling) => filling.group)) {
      const table = groups.dialect.quote(group.rows.table);
      const [row] = await unit.read(`select count(*) from ${table}`, []);
      totalRows += Number(row?.[0]) * of.length;
    }
    this.#progress = { ...this.#progress, totalRows };
  }

  /** Fills all records of a group. @returns the number of records that have changed */
  async fill(filling: Filling): Promise<number> {
    const { unit, onProgress } = this.#options;
    const { rows } = filling.group;
    let changed = 0;
    for await (const stretch of stretchesOf(rows, unit.direct, { line: filling.line, size: chunkSize })) {
      changed += await this.#change(filling, await this.#differing(filling, stretch));
      const doneRows = this.#progress.doneRows + stretch.records.length;
      // More may have been added since they were counted.
      this.#progress = { doneRows, totalRows: Math.max(doneRows, this.#progress.totalRows) };
      onProgress?.(this.#progress);
    }
    return changed;
  }

  /**
   * Reads records without locks, and computes what is filled. @returns those that are to change. Along an order also the records
   * after the first of them, because each may depend on the one before.
   */
  async #differing(filling: Filling, stretch: Stretch): Promise<Stretch> {
    const { line } = filling;
    const scope = this.#scopeOn(this.#options.unit.direct);
    const drafts = stretch.records.map((record) => createDraft(scope, filling.group, record));
    const computing = await beginComputing(scope, filling, { stretch, drafts });
    if (line === undefined) {
      await computing(drafts);
      return { records: drafts.filter(isToChange).map(({ before }) => before ?? {}), before: undefined };
    }
    for (const [place, draft] of drafts.entries()) {
      await computing([draft]);
      if (isToChange(draft)) return slicePart(stretch, place);
    }
    return { records: [], before: undefined };
  }

  /** Computes records again and writes them, a few in each transaction. @returns the number that has changed */
  async #change(filling: Filling, stretch: Stretch): Promise<number> {
    const { unit, portion } = this.#options;
    let changed = 0;
    for (let place = 0; place < stretch.records.length; ) {
      const part = slicePart(stretch, place, place + this.#changedAtOnce);
      place += part.records.length;
      const start = performance.now();
      changed += await unit.transactRecords(async (session) => {
        const count = await changeRecords(this.#scopeOn(session), filling, part);
        await portion(session);
        return count;
      });
      await this.#giveWay(performance.now() - start);
    }
    return changed;
  }

  /** Adapts the size of the next transaction to the time of the last. Other processes that write to an embedded database come next. */
  async #giveWay(tookMs: number): Promise<void> {
    const factor = Math.min(2, Math.max(0.5, transactionMs / Math.max(1, tookMs)));
    this.#changedAtOnce = Math.min(chunkSize, Math.max(minChangedRecords, Math.floor(this.#changedAtOnce * factor)));
    if (this.#options.groups.dialect.hasOneWriter) await delay(tookMs);
  }

  #scopeOn(session: Session): Scope {
    return new Scope({ groups: this.#options.groups, session, actingMember: null, effectsOf });
  }
}

/** A part of a stretch, from one place to the one before another. */
const slicePart = ({ records, before }: Stretch, from: number, to?: number): Stretch => ({
  records: records.slice(from, to),
  before: from === 0 ? before : records[from - 1],
});

const createDraft = (scope: Scope, group: Group, before: Readonly<Values>): Draft =>
  new Draft({ scope, group, operation: 'update', before, values: copyOf(before), input: { values: {} } });

/** Whether a record is to be written; one that its field cannot hold is read again, and named if it stays so. */
const isToChange = (draft: Draft): boolean => draft.hasFaults || draft.changedKeys().length > 0;

interface Computed {
  readonly stretch: Stretch;
  readonly drafts: readonly Draft[];
}

/** Reads what all of these records need together. @returns what computes some of them, along an order one by one */
async function beginComputing(
  scope: Scope,
  { group, figures, hasStates, line }: Filling,
  { stretch, drafts }: Computed,
): Promise<(some: readonly Draft[]) => Promise<void>> {
  const reachedFacts = new ReadFacts({ records: scope.records, today: () => scope.reached() });
  const todayFacts = new ReadFacts({ records: scope.records, today: () => scope.today() });
  if (line !== undefined) {
    await knowBefore(scope, line, stretch);
    await readAhead(drafts, line, reachedFacts);
  }
  const filledFigures = group.figures.filter((figure) => figures.has(figure));
  for (const { lists } of filledFigures) await readMissingLists(drafts, lists);
  if (hasStates) await readMissingLists(drafts, group.stateLists);
  return async (some) => {
    for (const figure of filledFigures) await computeField(some, figure, { reachedFacts, todayFacts });
    if (hasStates) for (const draft of some) await followStates(draft, { old: draft.before });
  };
}

/** Locks records, computes them again and writes those that differ. @returns the number that has changed */
async function changeRecords(scope: Scope, filling: Filling, { records, before }: Stretch): Promise<number> {
  const { group, line } = filling;
  const ids = records.map(({ id }) => String(id));
  const stored = await scope.records.toChange(group.resource.name, ids.toSorted());
  const lockedRecords = ids.map((id) => stored.get(id)).filter((record) => record !== undefined);
  const drafts = lockedRecords.map((record) => createDraft(scope, group, record));
  const compute = await beginComputing(scope, filling, { stretch: { records: lockedRecords, before }, drafts });
  let changed = 0;
  for (const some of line === undefined ? [drafts] : drafts.map((draft) => [draft])) {
    await compute(some);
    for (const draft of some) changed += collect(draft);
  }
  refuseFaulty(drafts);
  await scope.flush();
  return changed;
}

/** Computes a figure as a write that changes nothing would: a formula that reads `old` sees the stored record. */
async function computeField(
  drafts: readonly Draft[],
  figure: FigureField,
  { reachedFacts, todayFacts }: { readonly reachedFacts: ReadFacts; readonly todayFacts: ReadFacts },
): Promise<void> {
  if (figure.figure.taken === 'always') await computeFigures(drafts, figure, reachedFacts);
  else if (readsOld(figure)) for (const draft of drafts) await computeFigures([draft], figure, factsFor(draft));
  else await computeFigures(drafts, figure, todayFacts);
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
