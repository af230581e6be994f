// The list of groups by area.
import { operations, type Resource } from '../../registry/model/model.ts';
import { frame } from '../site/frame.ts';
import { type Html, html, prose } from '../site/html.ts';
import { placedFields } from '../site/references.ts';
import { areaAnchor, areasOf, counted, groupAddress, type Site } from '../site/site.ts';

/** Only what is not usual: most groups offer everything. */
const offered = ({ operations: some }: Resource): string =>
  some.size === operations.length ? '' : ` · ${[...some].join(', ')}`;

/** The page of all groups. */
export function groupsPage(site: Site): Html {
  const { registry, endpoints, references } = site;
  const areas = areasOf(registry);
  const all = [...registry.resources.values()];
  const fields = all.reduce((sum, resource) => sum + placedFields(resource.fields).length, 0);
  const links = all.reduce((sum, { name }) => sum + references.of(name).length, 0);
  const content = html`
<h1>Groups</h1>
<p class="lead">${counted(all.length, 'group')} with ${counted(fields, 'field')}, ${counted(links, 'reference')} and ${counted(endpoints.length, 'operation')}. Press <kbd>Ctrl K</kbd> to search, or open the <a href="/docs/map">map</a>.</p>
<nav class="areas" aria-label="Areas"><ul>${areas.map(([area, groups]) => html`<li><a href="#${areaAnchor(area)}">${area} <span class="tally">${groups.length}</span></a></li>`)}</ul></nav>
${areas.map(
  ([area, groups]) => html`<section class="area" id="${areaAnchor(area)}" aria-labelledby="${areaAnchor(area)}-title">
<h2 id="${areaAnchor(area)}-title">${area}</h2>
<ul class="cards">${groups.map(card)}</ul></section>`,
)}`;
  return frame(site, { title: 'Groups', place: 'groups', content, files: ['groups.css'] });
}

const card = (resource: Resource): Html => {
  const { name, title, description, path, fields, feature } = resource;
  const badge = feature === undefined ? undefined : html`<span class="badge">${feature.name}</span>`;
  return html`<li><a href="${groupAddress(name)}"><strong>${title}</strong><code>${path}</code><span class="what">${prose(description)}</span><span class="tags">${counted(fields.length, 'field')}${offered(resource)}${badge}</span></a></li>`;
};
