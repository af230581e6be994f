// What somebody is shown of the log: everything, or what a caller may see. An entry is judged by the record as it is now, whatever
// it was when it was written.
import type { Rights } from '../../access/rights.ts';
import { keysJudged, type PastSight, type PastState, pastSights } from '../../engine/access/past-sight.ts';
import type { Engine } from '../../engine/engine.ts';
import { seesAll } from '../../past/entry-json.ts';
import type { Judged, LogGround, LogReader } from '../../past/page.ts';
import type { Registry, Resource, Values } from '../../registry/model/model.ts';
import type { Caller } from '../../request/intent.ts';
import type { KeptEntry } from '../../storage/log/entry.ts';
import { readDeletes, readLater } from '../../storage/log/read-log.ts';

/** Who has the database sees everything. */
export const everythingReader: LogReader = {
  namesMembers: true,
  judge: async (entries) => entries.map(() => seesAll),
  sees: async () => true,
};

/** What readers of a workspace stand on. */
export interface ReaderGround {
  readonly engine: Engine;
  readonly registry: Registry;
  /** The day of the workspace. */
  readonly book: { today(): string };
}

/** What a caller is shown of entries. */
export function readerOf(workspace: ReaderGround, ground: LogGround, { rights, memberId }: Caller): LogReader {
  if (rights === undefined) return everythingReader;
  const { engine, registry, book } = workspace;
  const isNamed = (group: string): boolean => engine.sights.of(rights).names(group);
  const looking = { rights, actor: memberId, today: () => book.today() };
  const sightsOf = (states: readonly PastState[]) => engine.inspect((scope) => pastSights(scope, states, looking));
  const judging = new Judging({ ground, engine, rights, isNamed, sightsOf });
  return {
    namesMembers: registry.actors !== undefined && isNamed(registry.actors),
    judge: (entries) => judging.judge(entries),
    sees: async (resource, id) => {
      const [state] = (await judging.statesOf(resource, [id])).values();
      const [seen] = state === undefined ? [] : await sightsOf([state]);
      return seen !== undefined;
    },
  };
}

interface JudgingParts {
  readonly ground: LogGround;
  readonly engine: Engine;
  readonly rights: Rights;
  readonly isNamed: (group: string) => boolean;
  readonly sightsOf: (states: readonly PastState[]) => Promise<readonly (PastSight | undefined)[]>;
}

/** So many entries of records tell what these were before, in portions: what was longer ago is told to nobody. */
const mostLater = 10_000;
const laterAtOnce = 500;

/** Entries that are judged by their records, by the place that they have on the page. */
type Placed = readonly (readonly [number, KeptEntry])[];

class Judging {
  readonly #parts: JudgingParts;

  constructor(parts: JudgingParts) {
    this.#parts = parts;
  }

  async judge(entries: readonly KeptEntry[]): Promise<readonly Judged[]> {
    const judged: Judged[] = [];
    const byRecord = new Map<Resource, (readonly [number, KeptEntry])[]>();
    for (const [place, entry] of entries.entries()) {
      const found = this.#byGroup(entry);
      if (found === undefined || typeof found === 'string' || 'isSeen' in found) judged[place] = found ?? 'hidden';
      else byRecord.set(found, [...(byRecord.get(found) ?? []), [place, entry]]);
    }
    for (const [resource, placed] of byRecord)
      for (const [place, one] of await this.#byRecord(resource, placed)) judged[place] = one;
    return judged;
  }

  /** What is known without looking at the record; the group where that must be done. */
  #byGroup({ group, operation }: KeptEntry): Judged | Resource | undefined {
    const { ground, rights, isNamed } = this.#parts;
    if (group === '' && operation === 'reset') return seesAll;
    const resource = ground.names.registry.resources.get(group);
    if (resource === undefined || rights.on(resource.name, 'history') === undefined) return 'hidden';
    const isWhole = rights.isWhole(resource.name, 'get') && rights.isWhole(resource.name, 'history');
    if (isWhole || operation === 'reset') return { ...seesAll, isNamed: isNamed(resource.name) };
    return resource;
  }

  async #byRecord(resource: Resource, placed: Placed): Promise<readonly (readonly [number, Judged])[]> {
    const { sightsOf, rights } = this.#parts;
    const states = await this.statesOf(resource, [...new Set(placed.map(([, { record }]) => record))]);
    const seen = await sightsOf([...states.values()]);
    const sights = new Map([...states.keys()].map((id, place) => [id, seen[place]]));
    const keys = keysJudged(rights, resource);
    const left = placed.filter(
      ([, { record, operation, data }]) =>
        operation === 'update' &&
        sights.get(record) === undefined &&
        states.get(record)?.isThere === true &&
        Object.keys(data.changes ?? {}).some((key) => keys.has(key)),
    );
    const gone = left.length === 0 ? new Set<number>() : await this.#goneBy(resource, left, states);
    return placed.map(([place, { id, record }]) => [place, gone.has(id) ? 'gone' : (sights.get(record) ?? 'hidden')]);
  }

  /** Records as they are now; of those that are gone, as they were at last. Those of which neither is known are left out. */
  async statesOf(resource: Resource, ids: readonly string[]): Promise<ReadonlyMap<string, PastState>> {
    const { engine, ground } = this.#parts;
    const there = await engine.inspect(async ({ records }) => records.many(resource.name, ids));
    const missing = ids.filter((id) => !there.has(id));
    const groups = ground.names.namesOf(resource);
    const { unit, dialect, names } = ground;
    const deletes = missing.length === 0 ? [] : await readDeletes(unit.direct, dialect, { groups, records: missing });
    return new Map<string, PastState>([
      ...[...there].map(([id, values]) => [id, { resource, values, isThere: true }] as const),
      ...names.ofEntries(deletes).map((entry) => {
        const values = before({ id: entry.record }, entry);
        return [entry.record, { resource, values, isThere: false }] as const;
      }),
    ]);
  }

  /** Which entries have taken their record out of sight: it was seen before, and not behind. */
  async #goneBy(
    resource: Resource,
    placed: Placed,
    states: ReadonlyMap<string, PastState>,
  ): Promise<ReadonlySet<number>> {
    const { ground, sightsOf } = this.#parts;
    const { unit, dialect, names } = ground;
    const records = [...new Set(placed.map(([, { record }]) => record))];
    const from = Math.min(...placed.map(([, { id }]) => id));
    const wanted = new Set(placed.map(([, { id }]) => id));
    const values = new Map(records.map((id) => [id, states.get(id)?.values ?? {}]));
    const steps: { readonly id: number; readonly states: readonly [PastState, PastState] }[] = [];
    // From what they are now, back to what they were.
    const of = { groups: names.namesOf(resource), records, from, limit: laterAtOnce };
    let last: number | undefined;
    for (let seen = 0; seen < mostLater; seen += laterAtOnce) {
      const later = await readLater(unit.direct, dialect, { ...of, before: last });
      for (const entry of names.ofEntries(later)) {
        const after = values.get(entry.record) ?? {};
        const earlier = before(after, entry);
        values.set(entry.record, earlier);
        const state = (held: Readonly<Values>): PastState => ({ resource, values: held, isThere: true });
        if (wanted.has(entry.id)) steps.push({ id: entry.id, states: [state(earlier), state(after)] });
      }
      last = later.at(-1)?.id;
      if (later.length < laterAtOnce) break;
    }
    const seen = await sightsOf(steps.flatMap((step) => step.states));
    return new Set(
      steps.flatMap(({ id }, nth) => (seen[nth * 2] !== undefined && seen[nth * 2 + 1] === undefined ? [id] : [])),
    );
  }
}

/** What a record was before an entry. */
function before(after: Readonly<Values>, { data }: KeptEntry): Values {
  const earlier: Values = { ...after };
  for (const [key, { from }] of Object.entries(data.changes ?? {})) if (from !== undefined) earlier[key] = from;
  return earlier;
}
