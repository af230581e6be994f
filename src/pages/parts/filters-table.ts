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
  if (filters.size === 0) return html`<p>The list takes none but ${paging}.</p>${sorts}`;
  return html`<table class="stack filters">
<thead><tr><th scope="col">Parameter</th><th scope="col">Looks at</th><th scope="col">Takes</th></tr></thead>
<tbody>${[...filters].map(([path, family]) => filterRow(path, family, at))}</tbody></table>
<p class="quiet">And ${paging}. Several are joined with <em>and</em>.</p>${sorts}`;
}

/** By what the list can be sorted. */
function sortsText(resource: Resource): Content {
  const names = sortsOf(resource).flatMap(({ name, isDescending }) => (isDescending ? [] : [name]));
  const [name] = names;
  if (name === undefined) return undefined;
  return html`<p id="sorting">Sorted by ${codes(names)}: <code>sort=${name}</code>, or <code>sort=-${name}</code> the other way round. Texts without regard to case, nothing before everything, equals by the time of making. Newest first without it.</p>`;
}

/** The parameters of one field. */
function filterRow(path: string, family: readonly FilterParameter[], at: string): Html {
  const names = family.map(({ name }) => html`<code>${breakable(name)}</code>`);
  const isFolded = family.some(({ comparison }) => comparison.startsWith('folded'));
  return html`<tr><th scope="row">${joined(names, ' ')}</th>
<td data-label="Looks at"><a href="${at}#${fieldAnchor(path)}"><code>${path}</code></a>${sub(isFolded ? 'in any letter case' : undefined)}</td>
<td data-label="Takes">${family[0] && rowOf(family[0].accepts).words(family[0].accepts)}</td></tr>`;
}
