// Groups whose automatic transitions wait until all figures are maintained. Halfway, some figures are right and some are not yet: a
// state entered then, and acted on, would rest on values that never stand.
import type { Registry } from '../../registry/model/model.ts';
import { type FigureField, figuresIn, keysBehind, rootKey } from './figures.ts';

/** What is looked at in the records of a group. */
interface Looked {
  readonly group: string;
  readonly keys: ReadonlySet<string>;
}

/** The groups whose states look at figures that follow other records' figures, or are acted on. */
export function waitingGroups({ resources }: Registry): ReadonlySet<string> {
  const all = [...resources.values()].map((resource) => ({ resource, figures: figuresIn(resource) }));
  /** Of each group what changes when other records do. */
  const moved = new Map(all.map(({ resource, figures }) => [resource.name, movedKeys(figures)]));
  const isMoved = ({ group, keys }: Looked): boolean => moved.get(group)?.isDisjointFrom(keys) === false;
  const waits = ({ resource, figures }: (typeof all)[number]): boolean => {
    if (resource.effects.some(({ on }) => on.has('becomes'))) return true;
    const late = withDependents(figures, ({ figure }) => figure.watches.some(isMoved));
    return resource.fields
      .flatMap(({ becomes }) => becomes)
      .some(({ when, watches }) => watches.some(isMoved) || when.keys.some((key) => late.has(key)));
  };
  return new Set(all.filter(waits).map(({ resource }) => resource.name));
}

/** Keys of the figures that follow other records, and of those that hang on these. */
export const movedKeys = (figures: readonly FigureField[]): ReadonlySet<string> =>
  withDependents(figures, ({ figure }) => figure.watches.length > 0);

/** Keys of the figures of a record of which something holds, and of those that hang on these. */
function withDependents(figures: readonly FigureField[], holds: (each: FigureField) => boolean): ReadonlySet<string> {
  const keys = new Set<string>();
  for (let size = -1; size < keys.size; ) {
    size = keys.size;
    for (const each of figures) {
      const { figure } = each;
      const behind = figure.taken === 'always' ? keysBehind(figure) : figure.again;
      if (holds(each) || behind.some((key) => keys.has(key))) keys.add(rootKey(each));
    }
  }
  return keys;
}
