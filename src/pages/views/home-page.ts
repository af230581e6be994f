// The home page: what there is, where to begin, all groups by area.
import { frame } from '../site/frame.ts';
import { type Html, html } from '../site/html.ts';
import { guideAddress, guidesAddress } from '../site/manual.ts';
import { areaAnchor, areasOf, base, counted, groupAddress, operationAddress, type Site } from '../site/site.ts';

/** The page at `/docs`. */
export function homePage(site: Site): Html {
  const { registry, endpoints } = site;
  const areas = areasOf(registry);
  const first = endpoints.find(({ operation }) => operation === 'list');
  const content = html`
<div class="welcome">
<h1>API reference</h1>
<p class="lead">${counted(registry.resources.size, 'resource group')} with ${counted(endpoints.length, 'operation')}. Each operation has a page with its parameters, response and errors. You can send requests from there.</p>
<p class="find"><button type="button" class="main" data-act="search" hidden>Search everything <kbd>Ctrl K</kbd></button> <button type="button" data-act="token" hidden>Add an access token</button></p>
</div>
<ul class="ways">
${site.hasConsole ? html`<li><a href="/console"><strong>Console</strong><span>View and edit the records</span></a></li>` : undefined}
<li><a href="/docs/guides"><strong>Guides</strong><span>Tutorial, recipes, and how to use, describe and run the service</span></a></li>
<li><a href="/docs/groups"><strong>Groups</strong><span>Operations, fields, filters, rules and states of each resource group</span></a></li>
<li><a href="/docs/rules"><strong>Rules and formulas</strong><span>${counted(Object.keys(site.signatures).length, 'named rule')}, functions and operators, with arguments, examples and uses</span></a></li>
<li><a href="/docs/map"><strong>Map</strong><span>Diagram of the groups and their references</span></a></li>
<li><a href="/docs/writes"><strong>Safe writes and batches</strong><span>Versions, idempotency keys, dry runs and batch requests</span></a></li>
${site.hasLog ? html`<li><a href="/docs/changes"><strong>Changes</strong><span>Change log: who changed which record, when and why</span></a></li>` : undefined}
<li><a href="/openapi.json"><strong>OpenAPI document</strong><span>The complete API for tools and code generators, in OpenAPI 3.1</span></a></li>
</ul>
<section class="begin" aria-labelledby="begin-title"><h2 id="begin-title">First request</h2>
<pre tabindex="0" role="region" aria-label="Example request"><code>export TOKEN=praxis_…
curl -H "Authorization: Bearer $TOKEN" '<span data-slot="origin">http://127.0.0.1:3000</span>${base}${first?.path ?? '/'}'</code></pre>
${first === undefined ? undefined : html`<p><a href="${operationAddress(first)}">Send this request</a></p>`}
</section>
<section aria-labelledby="guides-title"><h2 id="guides-title">Guides</h2>
<div class="chapters">${site
    .manual()
    .parts.map(
      ({ title, guides }) =>
        html`<section aria-labelledby="guides-${areaAnchor(title)}"><h3 id="guides-${areaAnchor(title)}"><a href="${guidesAddress}#${areaAnchor(title)}">${title}</a></h3><ul>${guides.map(({ name, title: words }) => html`<li><a href="${guideAddress(name)}">${words}</a></li>`)}</ul></section>`,
    )}</div></section>
<section aria-labelledby="areas-title"><h2 id="areas-title">Groups by area</h2>
<div class="chapters">${areas.map(
    ([area, groups]) =>
      html`<section aria-labelledby="area-${areaAnchor(area)}"><h3 id="area-${areaAnchor(area)}"><a href="/docs/groups#${areaAnchor(area)}">${area}</a></h3><ul>${groups.map(({ name, title }) => html`<li><a href="${groupAddress(name)}">${title}</a></li>`)}</ul></section>`,
  )}</div></section>`;
  return frame(site, { title: 'Praxis', place: 'home', content, files: ['home.css'] });
}
