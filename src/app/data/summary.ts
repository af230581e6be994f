// Answers what the records of a group come to.
import { ConfigurationFault } from '../../configuration-fault.ts';
import { type Endpoint, endpointsOf } from '../../endpoints/routes/endpoint.ts';
import type { Service } from '../../http/request/service.ts';
import { Problem } from '../../problems.ts';
import type { Feature } from '../../registry/model/model.ts';
import { nobody } from '../../request/intent.ts';
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

/** What summarises lists of a workspace for who has opened it: a path and a query → JSON. @throws ConfigurationFault */
export function summaryOf(workspace: Workspace): (path: string, query: string) => Promise<string> {
  const answer = createSummaryAnswer(workspace, endpointsOf(workspace.registry));
  return async (path, query) => {
    const deadline = { since: performance.now(), isDisconnected: () => false };
    try {
      return String((await answer({ caller: nobody, path, query, deadline })).body);
    } catch (error) {
      throw error instanceof Problem ? new ConfigurationFault(error.message, error) : error;
    }
  };
}
