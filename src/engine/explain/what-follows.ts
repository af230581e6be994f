// What follows from a write of a group: figures that it maintains and writes that its effects cause. Read off the descriptors alone.
import type { WriteOperation } from '../../facts/context.ts';
import type { Effect } from '../../registry/model/model.ts';
import { rootKey } from '../plan/figures.ts';
import type { Group, Groups } from '../plan/groups.ts';

/** What may follow from a write. */
export interface Following {
  readonly group: string;
  /** `maintenance`: figures and states of its records are brought up to date, or references of theirs are cleared. */
  readonly what: WriteOperation | 'maintenance';
  readonly because: string;
}

const writes: Readonly<Record<Effect['kind'], (effect: Effect) => WriteOperation>> = {
  make: () => 'create',
  change: () => 'update',
  remove: (effect) => (effect.kind === 'remove' && effect.lists.length > 0 ? 'update' : 'delete'),
};

/** What follows from one of these at once; each of that has what follows from it. */
export function followingOf(groups: Groups, name: string, what: Following['what']): readonly Following[] {
  const group = groups.get(name);
  const all = [...keptUp(groups, group, what), ...byEffects(group, what), ...byDelete(groups, name, what)];
  const byName = new Map(all.map((each) => [JSON.stringify(each), each]));
  return [...byName.values()].toSorted((a, b) => compare(a.group, b.group) || compare(a.what, b.what));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function keptUp(groups: Groups, { resource, figures, states }: Group, what: Following['what']): readonly Following[] {
  // Of a record that is brought up to date nothing else changes.
  const moved = new Set([...figures.map(rootKey), ...states.map(({ key }) => key)]);
  return groups
    .dependentsOf(resource.name)
    .filter(({ watch }) => what !== 'maintenance' || [...watch.keys].some((key) => moved.has(key)))
    .map(({ group }) => ({ group, what: 'maintenance', because: `its figures and states look at ${resource.name}` }));
}

function byEffects({ resource: { effects }, states }: Group, what: Following['what']): readonly Following[] {
  const isMeant = ({ on }: Effect): boolean =>
    (what !== 'maintenance' && on.has(what)) || (what !== 'delete' && states.length > 0 && on.has('becomes'));
  return effects
    .filter(isMeant)
    .map((effect) => ({ group: effect.group, what: writes[effect.kind](effect), because: 'effect' }));
}

function byDelete({ registry }: Groups, name: string, what: Following['what']): readonly Following[] {
  if (what !== 'delete') return [];
  return (registry.referrers.get(name) ?? []).flatMap(({ resource, field, list }): readonly Following[] => {
    if (field.onDelete === 'restrict') return [];
    const isAlong = field.onDelete === 'cascade' && list === undefined && field.kind === 'reference';
    const because = isAlong ? 'it goes along' : 'it is let go of';
    return [{ group: resource.name, what: isAlong ? 'delete' : 'maintenance', because }];
  });
}
