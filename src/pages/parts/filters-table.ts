// The filter parameters of a list as a table.
import { type FilterParameter, filtersOf, sortsOf } from '../../endpoints/routes/endpoint.ts';
import { rowOf } from '../../endpoints/values/kinds.ts';
import type { Resource } from '../../registry/model/model.ts';
import { type Content, type Html, html, joined } from '../site/html.ts';
import { fieldAnchor } from '../site/site.ts';
import { codes } from '../words/condition.ts';
import { breakable, sub } from './cells.ts';

/** @param at Address of the page with the fields; '' for the same page. */
export function filtersTable(resource: Resource, at = ''): Html {
  const filters = Map.groupBy(filtersOf(resource), ({ field, list }) =>
    list === undefined ? field.name : `${list.name}[].${field.name}`,
  );
  const paging = html`<code>limit</code>, <code>startingAfter</code> and <code>endingBefore</code>`;
  const sorts = sortsText(resource);
  if (filters.size === 0) return html`<p>This list has no filters. It accepts ${paging}.</p>${sorts}`;
  return html`<table class="stack filters">
<thead><tr><th scope="col">Parameter</th><th scope="col">Field</th><th scope="col">Value</th></tr></thead>
<tbody>${[...filters].map(([path, family]) => filterRow(path, family, at))}</tbody></table>
<p class="quiet">The list also accepts ${paging}. A record must match all filters.</p>${sorts}`;
}

/** By what the list can be sorted. */
function sortsText(resource: Resource): Content {
  const names = sortsOf(resource).flatMap(({ name, isDescending }) => (isDescending ? [] : [name]));
  const [name] = names;
  if (name === undefined) return undefined;
  return html`<p id="sorting">Without <code>sort</code>, the newest records come first. To sort by ${codes(names)}, send <code>sort=${name}</code> for ascending or <code>sort=-${name}</code> for descending order. Strings are sorted without regard to case. Null comes first in ascending order. Records with equal values are sorted by creation time.</p>`;
}

/** The parameters of one field. */
function filterRow(path: string, family: readonly FilterParameter[], at: string): Html {
  const names = family.map(({ name }) => html`<code>${breakable(name)}</code>`);
  const isFolded = family.some(({ comparison }) => comparison.startsWith('folded'));
  return html`<tr><th scope="row">${joined(names, ' ')}</th>
<td data-label="Field"><a href="${at}#${fieldAnchor(path)}"><code>${path}</code></a>${sub(isFolded ? 'ignores case' : undefined)}</td>
<td data-label="Value">${family[0] && rowOf(family[0].accepts).words(family[0].accepts)}</td></tr>`;
}
