// Predicate locks of figures: which references of a record name what two writes share that could see each other's rows. Both bump
// the version of that row, so that one waits.
//
// A record that is found by its id needs none: those who maintain its figures lock it.
import type { WriteOperation } from '../../facts/context.ts';
import type { ColumnPath, JoinEdge } from '../../formulas/analyse/reverse-paths.ts';
import type { Field, Resource } from '../../registry/model/model.ts';
import type { FigureField } from './figures.ts';
import type { FoundBy } from './lookers.ts';
import type { RuleParts } from './rule-parts.ts';
import type { Dependent } from './watchers.ts';

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
  { figures, watchers }: { readonly figures: readonly FigureField[]; readonly watchers: readonly Dependent[] },
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
          link === undefined || isById(link)
            ? []
            : link.pairs.length === 0
              ? ofAll(watch.keys)
              : (spotOf(resource, link.pairs[0]?.from, watch.keys) ?? []),
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
  for (const field of fields) {
    if (field.key !== (list ?? key)) continue;
    return list === undefined ? field : field.kind === 'objects' ? fieldAt(field.fields, deeper, key) : undefined;
  }
  return undefined;
}

interface LockKeysInput {
  readonly parts: RuleParts;
  readonly figureGuards: FigureGuards;
  readonly foundBy: readonly FoundBy[];
  readonly watchers: readonly Dependent[];
}

/** By the write; undefined where what it locks is found out each time. */
export type LockKeys = Readonly<Partial<Record<WriteOperation, readonly string[]>>>;

/** Keys of a record that tell what its writes lock: as long as none of them has another value, they lock the same. */
export function lockKeysOf({ fields }: Resource, { parts, figureGuards, foundBy, watchers }: LockKeysInput): LockKeys {
  const paths: readonly Pick<ColumnPath, 'lists' | 'key' | 'when'>[] = [
    ...figureGuards.spots.flatMap(({ spot }) => spot ?? []),
    ...foundBy.flatMap(({ names }) => names),
    ...watchers.flatMap(({ watch }) => watch.ways.flatMap(([link]) => link?.pairs.map(({ from }) => from) ?? [])),
  ];
  const named = paths.flatMap(({ lists, key, when }) =>
    (when === undefined ? [key] : [key, when.key]).map((one) => [lists, one] as const),
  );
  if (named.some(([lists, key]) => isFilledWithin(fields, lists, key))) return {};
  const create = [...new Set(named.map(([[list], key]) => list ?? key))];
  const moving = [...figureGuards.spots, ...foundBy, ...watchers.map(({ watch }) => watch)];
  const update = [...new Set([...create, ...moving.flatMap(({ keys }) => [...keys])])];
  return { ...(parts.guard.create.length === 0 && { create }), ...(parts.guard.update.length === 0 && { update }) };
}

/** Whether a value in an object, or in the items of a list, may be given to it by a write that has not sent it. */
function isFilledWithin(fields: readonly Field[], lists: readonly string[], key: string): boolean {
  if (lists.length === 0 && !key.includes('.')) return false;
  const field = fieldAt(fields, lists, key);
  if (field === undefined) return true;
  const { onlyWhen, derived, figure, from, defaultFrom } = field;
  return [field.default, onlyWhen, derived, figure, from].some((one) => one !== undefined) || defaultFrom.length > 0;
}
