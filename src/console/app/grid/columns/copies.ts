// A list to copy: as curl, as code for the typed client.

import { base } from '../../service/api.ts';
import type { FilterModel, GroupModel } from '../../service/model.ts';

/** The token stands in a variable: what is copied may be sent to somebody. @param path With its query. */
export const curlOf = (path: string): string =>
  `curl -H "Authorization: Bearer $TOKEN" '${location.origin}${base}${path}'`;

export const asCurl = ({ path }: GroupModel, filters: URLSearchParams): string =>
  curlOf(filters.size === 0 ? path : `${path}?${filters}`);

/** `/cost-periods` → costPeriods */
const camelCase = (path: string): string =>
  path.slice(1).replaceAll(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

export function asClientCode({ path, filters: known }: GroupModel, filters: URLSearchParams): string {
  const pairs = [...filters].map(([name, value]) => `${name}: ${literal(known, name, value)}`);
  const query = pairs.length === 0 ? '' : `{ ${pairs.join(', ')} }`;
  return `const { results } = await praxis.${camelCase(path)}.list(${query});`;
}

function literal(known: readonly FilterModel[], name: string, value: string): string {
  const kind = known.find((filter) => filter.name === name)?.kind;
  return kind === 'boolean' || kind === 'integer' || kind === 'decimal' ? value : JSON.stringify(value);
}
