// What figures over other records need against writes at once: who looks for records by what both name, and who makes or
// changes such records, raise the counter of the record that both name before either reads.
//
// A record that is found by its id needs none: those who bring its figures up to date lock it.
import { type Guarded, workspaceRow } from '../../behaviours/rule.ts';
import type { ColumnPath, JoinEdge } from '../../formulas/analyse/reverse-dependencies.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { itemsWithin } from '../../formulas/evaluate/record-items.ts';
import type { Field, Resource, Values } from '../../registry/model.ts';
import type { Draft } from '../draft.ts';
import type { FigureField } from '../figures.ts';
import { sameValue } from '../same-value.ts';
import type { Watcher } from '../upkeep.ts';

/** Values of a record that name what is guarded. */
interface GuardSpot {
  /** Undefined where nothing that the record holds tells whom it concerns: all of its group. */
  readonly spot: ColumnPath | undefined;
  /** The group of the records that they name; undefined where they name none, so that the workspace's row stands for them. */
  readonly target: string | undefined;
  /** Keys without whose change an update needs no guard. */
  readonly keys: ReadonlySet<string>;
}

export interface FigureGuards {
  readonly spots: readonly GuardSpot[];
}

/** What writes of a group guard for its own figures, and for those that look at its records. */
export function figureGuardsOf(
  resource: Resource,
  { figures, watchers }: { readonly figures: readonly FigureField[]; readonly watchers: readonly Watcher[] },
): FigureGuards {
  const own = figures.flatMap(({ figure, inside }) =>
    figure.watches.flatMap(({ ways, isFound }) =>
      ways.flatMap((way) => {
        const link = way.at(-1);
        const keys = new Set([...figure.keys, ...inside.slice(0, 1)]);
        if (link === undefined || (isFound && isById(link))) return [];
        if (link.pairs.length === 0) return ofAll(isFound ? keys : new Set());
        return spotOf(resource, link.pairs[0]?.to, keys) ?? [];
      }),
    ),
  );
  const others = watchers.flatMap(({ watch }) =>
    watch.isFound
      ? watch.ways.flatMap(([link]) =>
          link === undefined || isById(link) ? [] : (spotOf(resource, link.pairs[0]?.from, watch.keys) ?? []),
        )
      : [],
  );
  const spots = new Map(
    [...own, ...others].map((each) => [JSON.stringify([each.spot, each.target, [...each.keys]]), each]),
  );
  return { spots: [...spots.values()] };
}

/**
 * What looks at the settings is computed again, record by record, by whoever changes these; but nobody finds a record that is
 * being made meanwhile.
 */
const ofAll = (keys: ReadonlySet<string>): GuardSpot => ({ spot: undefined, target: undefined, keys });

/** Whether whom a change concerns is told by their id. */
export const isById = ({ pairs: [first] }: JoinEdge): boolean => first?.to.key === 'id' && first.to.lists.length === 0;

function spotOf(resource: Resource, spot: ColumnPath | undefined, keys: ReadonlySet<string>): GuardSpot | undefined {
  if (spot === undefined) return undefined;
  const field = fieldAt(resource.fields, spot.lists, spot.key);
  return { spot, target: field?.kind === 'reference' || field?.kind === 'references' ? field.target : undefined, keys };
}

/** A field of a record, or of the items of its lists. */
export function fieldAt(
  fields: readonly Field[],
  [list, ...deeper]: readonly string[],
  key: string,
): Field | undefined {
  const found = fields.find((field) => field.key === (list ?? key));
  if (list === undefined) return found;
  return found?.kind === 'objects' ? fieldAt(found.fields, deeper, key) : undefined;
}

/** What this write guards for figures, as far as the body and the stored record tell. */
export function guardedForFigures({ scope, group, before, values, operation }: Draft): readonly Guarded[] {
  if (scope.groups.dialect.hasOneWriter) return [];
  const states = before === undefined || operation === 'delete' ? [values] : [before, values];
  return group.figureGuards.spots.flatMap(({ spot, target, keys }) => {
    const isConcerned = operation !== 'update' || [...keys].some((key) => !sameValue(before?.[key], values[key]));
    if (!isConcerned) return [];
    if (spot === undefined || target === undefined) return workspaceRow;
    return [{ group: target, ids: [...new Set(states.flatMap((state) => idsAt(state, spot)))] }];
  });
}

/** The ids that a record has at a spot. */
export function idsAt(values: Readonly<Values>, { lists, up, key, when }: ColumnPath): readonly string[] {
  return itemsWithin(recordValue(values), lists).flatMap((item) => {
    let here = item;
    for (let step = 0; step < up; step += 1) here = here.owner ?? here;
    if (when !== undefined && here.values[when.key] !== when.value) return [];
    const value = here.values[key];
    return typeof value === 'string'
      ? [value]
      : Array.isArray(value)
        ? value.filter((one) => typeof one === 'string')
        : [];
  });
}
