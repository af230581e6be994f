// The write set of a group: every field of other records that a write can change, through figures and effects. Conditions that
// read one are deferred to the end of the write.
import type { Referrer, Registry } from '../../registry/model/model.ts';
import { type FigureField, rootKey } from './figures.ts';
import type { Dependent } from './watchers.ts';

/** Keys of the fields that may change, by group. */
type WriteSet = ReadonlyMap<string, ReadonlySet<string>>;

interface DependencyGraph {
  readonly registry: Registry;
  readonly figuresOf: (group: string) => readonly FigureField[];
  readonly watchersOf: (group: string) => readonly Dependent[];
}

type Event = 'create' | 'update' | 'delete' | 'becomes';

/** A group that a write comes to. */
interface Reached {
  readonly group: string;
  readonly keys: ReadonlySet<string> | 'all';
  /** What its effects may hang on. */
  readonly events: readonly Event[];
}

/** An update that gives one field another value. */
interface ChangeOf {
  readonly key: string;
}

/** Of what callers and effects write. */
const written: Reached['events'] = ['create', 'update', 'delete', 'becomes'];
/** Of what callers change. */
const changed: Reached['events'] = ['update', 'becomes'];
/** Of what is brought up to date alone. */
const keptUp: Reached['events'] = ['becomes'];

/**
 * @param group The group that callers write.
 * @param write A delete takes along what belongs to the record, too: conditions see that as it is before, and what hangs on it as
 * it will be.
 */
export function writeSetOf(
  group: string,
  write: 'save' | 'delete' | ChangeOf,
  { registry, figuresOf, watchersOf }: DependencyGraph,
): WriteSet {
  const reach = new Map<string, Set<string>>();
  const seen = new Map<string, Set<Event>>();
  const queue: Reached[] = [
    typeof write === 'string'
      ? { group, keys: 'all', events: written }
      : { group, keys: new Set([write.key]), events: changed },
  ];
  if (write === 'delete')
    for (const name of takenAlong(group, registry)) queue.push({ group: name, keys: 'all', events: written });
  const add = (name: string, keys: readonly string[], events: Reached['events']): void => {
    const isReached = grow(reach, name, keys);
    if (grow(seen, name, events) || isReached) queue.push({ group: name, keys: new Set(keys), events });
  };
  const allKeys = (name: string): readonly string[] => [...(registry.resources.get(name)?.byKey.keys() ?? [])];
  for (const { group: name, keys, events } of queue) {
    for (const { group: owner, figure, watch } of watchersOf(name)) {
      if (keys !== 'all' && ![...keys].some((key) => watch.keys.has(key))) continue;
      const states = registry.resources.get(owner)?.fields.filter(({ becomes }) => becomes.length > 0) ?? [];
      const figures = figure === undefined ? [] : withDependents(figure, figuresOf(owner));
      add(owner, [...figures, ...states.map(({ key }) => key)], keptUp);
    }
    for (const effect of registry.resources.get(name)?.effects ?? [])
      if (events.some((event) => effect.on.has(event))) add(effect.group, allKeys(effect.group), written);
  }
  return reach;
}

/** Adds to the set of a name. @returns whether any of it is new */
function grow<T>(sets: Map<string, Set<T>>, name: string, values: readonly T[]): boolean {
  const known = sets.get(name) ?? new Set();
  const before = known.size;
  sets.set(name, known);
  for (const value of values) known.add(value);
  return known.size > before;
}

/** The groups of the records that go with one, and with these. */
export function takenAlong(group: string, { referrers }: Registry): Set<string> {
  const names = new Set<string>();
  const add = (owner: string): void => {
    for (const { resource, field, list } of referrers.get(owner) ?? [])
      if (field.onDelete === 'cascade' && list === undefined) names.add(resource.name);
  };
  add(group);
  for (const name of names) add(name);
  return names;
}

/**
 * References to records that take along who names them, and that are let go of before: the records that go along may be named by
 * those that they go with, by a reference that cannot be unset, so that they can only go behind them.
 */
export function letGoFirst(registry: Registry): ReadonlySet<Referrer> {
  const within = (group: string): ReadonlySet<string> => takenAlong(group, registry).add(group);
  const cascades = [...registry.referrers].flatMap(([target, referrers]) =>
    referrers
      .filter(({ field, list }) => field.onDelete === 'cascade' && list === undefined)
      .map((referrer) => ({ target, referrer, isRequired: referrer.field.unset !== 'null' })),
  );
  const leadsBack = (target: string, { resource }: Referrer): boolean => {
    const along = within(resource.name);
    return cascades.some(
      (next) => next.isRequired && along.has(next.target) && within(next.referrer.resource.name).has(target),
    );
  };
  return new Set(
    cascades.flatMap(({ target, referrer, isRequired }) =>
      !isRequired && leadsBack(target, referrer) ? [referrer] : [],
    ),
  );
}

/** The groups of the records that may go at once with one that goes along with another. */
export function goingTogether(group: string, registry: Registry): ReadonlySet<string> {
  const together = new Set<string>();
  for (const owner of registry.resources.keys()) {
    const along = takenAlong(owner, registry);
    if (along.has(group)) for (const name of [owner, ...along]) together.add(name);
  }
  return together;
}

/** A figure, and those of the same record that look at it. */
function withDependents(figure: FigureField, all: readonly FigureField[]): readonly string[] {
  const keys = new Set([rootKey(figure)]);
  for (let size = 0; size < keys.size; ) {
    size = keys.size;
    for (const each of all) if (each.figure.keys.some((key) => keys.has(key))) keys.add(rootKey(each));
  }
  return [...keys];
}
