// Groups whose states wait in upkeep until all figures are right. A round of it knows figures of one step further alone: what a
// state makes of some that are right and some that are not yet would be entered, and acted on, for values that never stand.
import type { Registry } from '../registry/model.ts';
import { type FigureField, figuresIn, keysBehind } from './figures.ts';

/** What is looked at in the records of a group. */
interface Looked {
  readonly group: string;
  readonly keys: ReadonlySet<string>;
}

/** The groups whose states look at figures that follow other records' figures, or are acted on. */
export function waitingGroups({ resources }: Registry): ReadonlySet<string> {
  const all = [...resources.values()].map((resource) => ({ resource, figures: figuresIn(resource) }));
  /** Of each group what changes when other records do. */
  const moved = new Map(
    all.map(({ resource, figures }) => [
      resource.name,
      withDependents(figures, ({ figure }) => figure.watches.length > 0),
    ]),
  );
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

/** Keys of the figures of a record of which something holds, and of those that hang on these. */
function withDependents(figures: readonly FigureField[], holds: (each: FigureField) => boolean): ReadonlySet<string> {
  const keys = new Set<string>();
  for (let size = -1; size < keys.size; ) {
    size = keys.size;
    for (const each of figures) {
      const { figure, inside, field } = each;
      const behind = figure.taken === 'always' ? keysBehind(figure) : figure.again;
      if (holds(each) || behind.some((key) => keys.has(key))) keys.add(inside[0] ?? field.key);
    }
  }
  return keys;
}
