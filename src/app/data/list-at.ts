// The list of a group at a path, for what reads all of it: summaries, exports.
import { checkLimits } from '../../access/limits.ts';
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import type { Sights } from '../../engine/sight/caller-sight.ts';
import { problems } from '../../problems.ts';
import type { Feature } from '../../registry/model/model.ts';
import type { Caller } from '../../request/intent.ts';

/** Makes the function that finds the list which a caller may read, as the caller knows it. @throws Problem 404, 403 */
export function listsAt(
  endpoints: readonly Endpoint[],
  { isEnabled, sights }: { readonly isEnabled: (feature: Feature) => boolean; readonly sights: Sights },
): (path: string, caller: Caller) => Endpoint {
  const lists = endpoints.filter(({ operation }) => operation === 'list');
  const byPath = new Map(lists.map((endpoint) => [endpoint.path.slice(1), endpoint]));
  return (path, caller) => {
    const list = byPath.get(path);
    if (list === undefined) throw problems.pathUnknown();
    const { feature } = list.resource;
    if (feature !== undefined && !isEnabled(feature)) throw problems.featureDisabled(feature.name);
    checkLimits(caller, 'list', list.resource);
    return caller.rights === undefined ? list : sights.endpoint(list, caller.rights);
  };
}
