// Adds up the records that pass filters, slice by slice on one moment of the database, and puts the slices together.
import { yieldToLoop } from '../../admission/event-loop.ts';
import { problems } from '../../problems.ts';
import type { Field, Value } from '../../registry/model/model.ts';
import { measureKinds, type SummaryIntent } from '../../request/long-reads/summary.ts';
import type { Bound, Row } from '../../storage/schema/cells.ts';
import { decode } from '../../storage/schema/columns.ts';
import { bind, type Statement } from '../../storage/schema/compiler.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Session } from '../../storage/schema/session.ts';
import { type Slice, type SliceWay, wayOf } from '../../storage/statements/slice-sql.ts';
import {
  cellsOf,
  coverOf,
  type MeasureCells,
  SummaryQueries,
  type SummaryShape,
  typeOfValue,
} from '../../storage/statements/summary-sql.ts';
import { exactly } from '../../values/decimal.ts';
import type { Group, Groups } from '../plan/groups.ts';
import { narrowingBy } from '../read/seen-first.ts';
import type { Viewer } from '../sight/caller-sight.ts';
import { bucketOf } from './buckets.ts';
import { readNames } from './names.ts';
import type { MeasureTally, Tally } from './tally.ts';
import { writeSummary } from './write-summary.ts';

/** Entries of an index that one slice reads, with the record of each; where no record is read, more in the same time. */
const sliceEntries = 5000;
const coverEntries = 10_000;
/** Entries of an index that one step of the size check reads, without their records. */
const countedEntries = 25_000;
/** Records that a summary looks at. */
const mostRows = 2_000_000;
/** What is held at once. */
const mostGroups = 10_000;

interface Summarising {
  readonly groups: Groups;
  /** Sees one moment. */
  readonly session: Pick<Session, 'all'>;
  /** The workspace's time zone: asked for only where moments are put together. */
  readonly zone: () => Promise<string>;
  /** Whoever asks; undefined: somebody who sees everything. */
  readonly viewer: Viewer | undefined;
  /** Instead of the usual number of records, for tests. */
  readonly mostRows?: number | undefined;
}

/** The summary as JSON. @throws Problem 400 where it looks at too many records, or tells too many groups apart */
export async function summarise(summarising: Summarising, intent: SummaryIntent): Promise<string> {
  const { groups, session, viewer } = summarising;
  const { name } = intent.resource;
  const group = viewer?.sight.group(name, 'list') ?? groups.get(name);
  const seen = viewer?.sight.summed(intent);
  const adding = new Adding(intent, groups.dialect, await zoneFor(summarising, intent));
  const filters = [...intent.filters, ...(seen?.filters ?? [])];
  await addSlices(summarising, { group, intent: { ...intent, filters } }, adding);
  const tallies = adding.tallies(intent.by.length === 0);
  return writeSummary(intent, tallies, await readNames({ groups, session, viewer }, intent.by, tallies));
}

const zoneFor = ({ zone }: Summarising, { by }: SummaryIntent): Promise<string> =>
  by.some(({ path }) => path.at(-1)?.kind === 'dateTime') ? zone() : Promise.resolve('UTC');

async function addSlices(
  { groups, session, viewer, mostRows: most = mostRows }: Summarising,
  { group, intent }: { readonly group: Group; readonly intent: SummaryIntent },
  adding: Adding,
): Promise<void> {
  const { dialect, statements, registry } = groups;
  const { pages, counts, view } = group.queries;
  const summaries = new SummaryQueries(registry, view, { dialect, kept: statements });
  const seen = viewer?.values;
  const asking = {
    ...{ queries: group.queries, dialect },
    ask: (statement: Statement, bound: Readonly<Record<string, Bound>>) =>
      session.all(statement.sql, bind(statement, { ...seen, ...bound })),
  };
  const { filters, values: narrowed, isNothing } = await narrowingBy(asking, intent.filters);
  if (isNothing) return;
  const plan = pages.plan(filters);
  const cover = filters.length === 0 ? coverOf(view, adding.shape) : undefined;
  const entries = Math.min(most, cover === undefined ? sliceEntries : coverEntries);
  const values: Record<string, Bound> = {
    ...{ ...seen, ...narrowed },
    ...{ entries: BigInt(entries), passed: BigInt(entries - 1) },
  };
  const ask = (statement: Statement, own: Readonly<Record<string, Bound>> = {}): Promise<Row[]> =>
    session.all(statement.sql, bind(statement, { ...values, ...own }));
  const paths = cover ?? [wayOf(plan)];
  // Before the first slice: a summary that is too large is refused without its work.
  const firstEnds = await findFirstEnds(paths, {
    ...{ entries, maxEntries: most },
    findEnd: async (path, isBehind, own) => (await ask(counts.end(plan, path, isBehind), own))[0],
  });
  const addAlong = async (way: SliceWay): Promise<void> => {
    for (let isBehind = false; ; isBehind = true) {
      const [end] = isBehind ? await ask(counts.end(plan, way, isBehind)) : [firstEnds.get(way)];
      const isBounded = end !== undefined;
      const [toTime = null, toId = null, toValue = null] = end ?? [];
      Object.assign(values, { toTime, toId, toValue });
      const slice: Slice = { isBehind, isBounded };
      adding.add(await ask(summaries.slice(plan, way, { shape: adding.shape, slice })));
      if (!isBounded) return;
      Object.assign(values, { fromTime: toTime, fromId: toId, fromValue: toValue });
      await yieldToLoop();
    }
  };
  for (const way of paths) await addAlong(way);
}

interface SizeCheck {
  /** Entries of one slice. */
  readonly entries: number;
  /** Maximum number of entries of all ranges. */
  readonly maxEntries: number;
  /** Finds the last of the next entries of an index; undefined if there are fewer. */
  findEnd(path: SliceWay, isBehind: boolean, own: Readonly<Record<string, Bound>>): Promise<Row | undefined>;
}

/**
 * Counts the entries of the index ranges, up to the maximum, in steps that leave others their turn.
 * @returns the end of the first slice of each range; undefined if it has less than a slice
 * @throws Problem 400 if there are too many entries
 */
async function findFirstEnds(
  paths: readonly SliceWay[],
  { entries, maxEntries, findEnd }: SizeCheck,
): Promise<ReadonlyMap<SliceWay, Row | undefined>> {
  const firstEnds = new Map<SliceWay, Row | undefined>();
  let left = maxEntries;
  for (const path of paths) {
    let step = Math.min(entries, left);
    let end = await findEnd(path, false, toStep(step));
    firstEnds.set(path, end);
    while (end !== undefined) {
      left -= step;
      if (left <= 0) throw problems.summaryTooLarge();
      await yieldToLoop();
      step = Math.min(left, countedEntries);
      const [fromTime = null, fromId = null, fromValue = null] = end;
      end = await findEnd(path, true, { ...toStep(step), fromTime, fromId, fromValue });
    }
  }
  return firstEnds;
}

const toStep = (entries: number) => ({ entries: BigInt(entries), passed: BigInt(entries - 1) });

/** Puts rows of slices together. */
class Adding {
  readonly shape: SummaryShape;
  readonly #intent: SummaryIntent;
  readonly #dialect: Dialect;
  readonly #cells: readonly MeasureCells[];
  readonly #buckets: readonly ((value: Value) => { readonly key: string; readonly value: Value })[];
  readonly #tallies = new Map<string, Tally>();

  constructor(intent: SummaryIntent, dialect: Dialect, zone: string) {
    const { by, asked, list } = intent;
    const measures = intent.measures.map(({ name, field }) => ({
      field,
      isCounted: asked.avg.includes(name),
      isAdded: asked.sum.includes(name) || asked.avg.includes(name),
      hasLeast: asked.min.includes(name),
      hasGreatest: asked.max.includes(name),
    }));
    const groups = by.map(({ path }) => path.map(({ key }) => key).join('.')).join();
    const kindsOf = (name: string) => measureKinds.filter((kind) => asked[kind].includes(name));
    const text = `${groups} ${intent.measures.map(({ name }) => `${name} ${kindsOf(name).join(' ')}`).join()}`;
    this.shape = { by: by.map(({ path }) => path), measures, list, text };
    this.#intent = intent;
    this.#dialect = dialect;
    this.#cells = cellsOf(this.shape, dialect);
    this.#buckets = by.map((dimension) => bucketOf(dimension, zone));
  }

  /** @throws Problem 400 where there are too many groups */
  add(rows: readonly Row[]): void {
    for (const row of rows) this.#addRow(row, Number(row[this.shape.by.length]));
  }

  #addRow(row: Row, count: number): void {
    const parts = this.shape.by.map((path, place) => {
      const field = path.at(-1) as Field;
      const value = decode(row[place], typeOfValue(field), this.#dialect);
      return this.#buckets[place]?.(value) ?? { key: '', value };
    });
    const key = parts.map((part) => part.key).join('\0');
    let tally = this.#tallies.get(key);
    if (tally === undefined) {
      if (this.#tallies.size === mostGroups) throw problems.summaryTooLarge();
      tally = this.#empty(parts.map(({ value }) => value));
      this.#tallies.set(key, tally);
    } else tally.by = tally.by.map((known, place) => first(known, parts[place]?.value ?? null));
    tally.count += count;
    for (const [place, measure] of tally.measures.entries()) this.#addMeasure(row, place, measure);
  }

  #addMeasure(row: Row, place: number, measure: MeasureTally): void {
    const cells = this.#cells[place];
    const field = this.#intent.measures[place]?.field;
    if (cells === undefined || field === undefined) return;
    const type = typeOfValue(field);
    if (cells.count !== undefined) measure.count += Number(row[cells.count]);
    const parts = cells.sum.map((cell) => row[cell] ?? null);
    if (parts.length > 0 && !parts.includes(null)) {
      const scale = field.kind === 'decimal' ? field.scale : 0;
      measure.sum = exactly['+'](measure.sum, this.#dialect.sums.read(parts.map(String), scale));
    }
    const [least, greatest] = [cells.least, cells.greatest].map((cell) =>
      cell === undefined ? null : decode(row[cell], type, this.#dialect),
    );
    measure.least = further(field, measure.least, least ?? null, -1);
    measure.greatest = further(field, measure.greatest, greatest ?? null, 1);
  }

  #empty(by: readonly Value[]): Tally {
    const measures = this.shape.measures.map(() => ({ count: 0, sum: '0', least: null, greatest: null }));
    return { by, count: 0, measures };
  }

  /** @param isOne Whether there is one in any case. */
  tallies(isOne: boolean): readonly Tally[] {
    const all = [...this.#tallies.values()];
    return all.length === 0 && isOne ? [this.#empty([])] : all;
  }
}

/** Texts that differ in case alone are one group, under the first of them, whichever comes first. */
const first = (one: Value, other: Value): Value => (one !== other && String(other) < String(one) ? other : one);

/** The value that lies further in a direction. */
// biome-ignore lint/complexity/useMaxParams: two values of a field, and which way
function further(field: Field, one: Value, other: Value, sign: 1 | -1): Value {
  if (one === null || other === null) return one ?? other;
  const isNumber = field.kind === 'decimal' || field.kind === 'integer';
  const order = isNumber ? exactly.compare(String(one), String(other)) : String(one) < String(other) ? -1 : 1;
  return order * sign >= 0 ? one : other;
}
