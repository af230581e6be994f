// Answers what the records of a group come to.
import { checkLimits } from '../access/limits.ts';
import type { Endpoint } from '../endpoints/routes/endpoint.ts';
import type { Service } from '../http/request/service.ts';
import { problems } from '../problems.ts';
import type { Feature } from '../registry/model/model.ts';
import { parseSummary } from '../request/summary.ts';
import type { Workspace } from './workspace.ts';

/** Makes the function that answers summaries of groups that can be listed. */
export function createSummaryAnswer({ engine, book }: Workspace, endpoints: readonly Endpoint[]): Service['summarise'] {
  const lists = endpoints.filter(({ operation }) => operation === 'list');
  const byPath = new Map(lists.map((endpoint) => [endpoint.path.slice(1), endpoint]));
  const isEnabled = (feature: Feature): boolean => book.isEnabled(feature);
  return async ({ caller, path, query, deadline }) => {
    const list = byPath.get(path);
    if (list === undefined) throw problems.pathUnknown();
    const { feature } = list.resource;
    if (feature !== undefined && !isEnabled(feature)) throw problems.featureDisabled(feature.name);
    checkLimits(caller, 'list', list.resource);
    return engine.summarise(parseSummary(list, query, isEnabled), deadline);
  };
}
