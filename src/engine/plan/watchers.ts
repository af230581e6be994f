// Who depends on the records of a group: figures of other records, and states, that look at them.
import type { Registry, Watched } from '../../registry/model/model.ts';
import { type FigureField, figuresIn } from './figures.ts';

/** A figure of another group, or of other records, that looks at records of this one; or the states of records that do. */
export interface Dependent {
  readonly group: string;
  readonly figure: FigureField | undefined;
  readonly watch: Watched;
}

/** Who looks at the records of each group. */
export function dependentsIn({ resources }: Registry): ReadonlyMap<string, readonly Dependent[]> {
  const watchers = new Map<string, Dependent[]>();
  const add = (watcher: Dependent): void => {
    const { group } = watcher.watch;
    watchers.set(group, [...(watchers.get(group) ?? []), watcher]);
  };
  for (const resource of resources.values()) {
    const { name: group, fields } = resource;
    for (const figure of figuresIn(resource)) for (const watch of figure.figure.watches) add({ group, figure, watch });
    for (const { becomes } of fields)
      for (const { watches } of becomes) for (const watch of watches) add({ group, figure: undefined, watch });
  }
  return watchers;
}

/** Keys that figures of other records look at need the stored record as well. */
export const withKeysOfDependents = (
  keys: ReadonlySet<string> | undefined,
  watchers: readonly Dependent[],
): typeof keys => keys && new Set([...keys, ...watchers.flatMap(({ watch }) => [...watch.keys])]);
