// Which groups the words of rules mean, and which operations a group has.
import type { Registry, Resource } from '../registry/model/model.ts';
import { didYouMean } from '../text/nearest.ts';
import type { AccessOperation } from './model.ts';

const areaPrefix = 'area:';

/** The groups that `client`, `area:Tasks` or `*` means; a text of what is wrong where it means none. */
export function groupsOf(word: string, { resources }: Registry): readonly Resource[] | string {
  if (word === '*') return [...resources.values()];
  if (word.startsWith(areaPrefix)) {
    const area = word.slice(areaPrefix.length);
    const found = [...resources.values()].filter((resource) => resource.area === area);
    const areas = new Set([...resources.values()].map((resource) => resource.area));
    return found.length > 0 ? found : `there is no area "${area}"${didYouMean(area, areas)}`;
  }
  const found = resources.get(word);
  return found === undefined ? `"${word}" is not a group${didYouMean(word, resources.keys())}` : [found];
}

/** What of the operations of rules a group has: those that it serves, and the history of what it keeps. */
export function operationsIn({ operations, computed }: Resource): ReadonlySet<AccessOperation> {
  return new Set<AccessOperation>([...operations, ...(computed === undefined ? (['history'] as const) : [])]);
}
