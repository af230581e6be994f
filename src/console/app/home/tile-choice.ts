// Chooses the tiles of an area: views that its groups allow, the most referenced groups first.
import { can, type GroupModel, groups } from '../service/model.ts';
import { daysOf, firstMeasure, rangeFilters, spansOf, stateOf } from '../views/shape/shapes.ts';

export type TileKind = 'chart' | 'states' | 'now' | 'newest';

export interface TileChoice {
  readonly group: GroupModel;
  readonly kind: TileKind;
}

/** Tiles of an area. */
const most = 3;

/** The pictures that tell something of a group, the most telling first. */
function kindsOf(group: GroupModel): readonly TileKind[] {
  const [day] = daysOf(group);
  const isMeasured =
    day?.unset === 'never' && rangeFilters(group, day) !== undefined && firstMeasure(group) !== undefined;
  const [span] = spansOf(group);
  const lasts = span !== undefined && (rangeFilters(group, span.start) ?? rangeFilters(group, span.end)) !== undefined;
  return [
    ...(isMeasured && stateOf(group) === undefined && lasts ? (['now'] as const) : []),
    ...(isMeasured ? (['chart'] as const) : []),
    ...(stateOf(group) === undefined ? [] : (['states'] as const)),
    ...(!isMeasured && lasts ? (['now'] as const) : []),
  ];
}

/** How much of a workspace hangs on a group. */
const weightOf = ({ name, filters }: GroupModel): number => groups().referringTo(name).length * 2 + filters.length;

/** The best of each group, and a second of the first one. */
export function tilesOf(members: readonly GroupModel[]): readonly TileChoice[] {
  const ranked = members
    .filter((group) => can(group, 'list') && !group.isSingle)
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .map((group) => ({ group, kinds: kindsOf(group) }));
  const pictured = ranked.filter(({ kinds }) => kinds.length > 0);
  const rest = ranked.filter(({ kinds }) => kinds.length === 0);
  const [first, ...others] = pictured;
  return [
    ...(first === undefined ? [] : first.kinds.slice(0, 2).map((kind) => ({ group: first.group, kind }))),
    ...others.flatMap(({ group, kinds: [kind] }) => (kind === undefined ? [] : [{ group, kind }])),
    ...rest.map(({ group }) => ({ group, kind: 'newest' as const })),
  ].slice(0, most);
}
