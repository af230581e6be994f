// What commands read of a service over HTTP, instead of the database of the configuration.
import { documentOf, rootOf } from '../../../codegen/import/calls.ts';
import { Shapes } from '../../../codegen/import/document.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';

export interface RemoteOptions {
  readonly url: string;
  readonly token?: string | undefined;
}

/** The document of a service, which tells its groups. @throws ConfigurationFault */
export async function groupsOf(url: string): Promise<unknown> {
  const document = await documentOf({ url }).catch((error: unknown) => {
    throw new ConfigurationFault(`${url} does not respond.`, error);
  });
  if (document === undefined)
    throw new ConfigurationFault(`${url} is not a Praxis service, because it has no OpenAPI document.`);
  return document;
}

interface Reading {
  readonly what: 'export' | 'summary';
  /** A group by name or path. */
  readonly group: string;
  readonly query: string;
}

/** Reads what stands below the path of a group. @throws ConfigurationFault where it is not answered with 200 */
export async function readFrom({ url, token }: RemoteOptions, { what, group, query }: Reading): Promise<Response> {
  const shapes = new Shapes(await groupsOf(url));
  const path = shapes.find(group)?.path;
  if (path === undefined) throw new ConfigurationFault(`There is no group '${group}'${shapes.didYouMean(group)}`);
  const address = `${rootOf(url)}/api/${what}${path}`;
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(`${address}?${query}`, { headers }).catch((error: unknown) => {
    throw new ConfigurationFault(`${url} does not respond.`, error);
  });
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => undefined);
  const message = typeof problem === 'object' && problem !== null && 'message' in problem ? problem.message : '';
  throw new ConfigurationFault(`${address} answers ${response.status}: ${String(message)}`);
}

/** Filters as they are given to commands. @param filters `name=value` @throws ConfigurationFault */
export function addFilters(query: URLSearchParams, filters: readonly string[]): void {
  for (const each of filters) {
    const at = each.indexOf('=');
    if (at < 1) throw new ConfigurationFault(`--filter must be a filter and a value, name=value, not '${each}'.`);
    query.append(each.slice(0, at), each.slice(at + 1));
  }
}
