// Answers what the records of a group come to.
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import type { Service } from '../../http/request/service.ts';
import type { Feature } from '../../registry/model/model.ts';
import { parseSummary } from '../../request/long-reads/summary.ts';
import type { Workspace } from '../workspace.ts';
import { listsAt } from './list-at.ts';

/** Makes the function that answers summaries of groups that can be listed. */
export function createSummaryAnswer({ engine, book }: Workspace, endpoints: readonly Endpoint[]): Service['summarise'] {
  const isEnabled = (feature: Feature): boolean => book.isEnabled(feature);
  const listAt = listsAt(endpoints, { isEnabled, sights: engine.sights });
  return async ({ caller, path, query, deadline }) =>
    engine.summarise(parseSummary(listAt(path, caller), query, isEnabled), { caller, deadline });
}
