// The map: groups and references as a drawing and as a list.

import { layoutMap, type MapEdge, type MapLayout, nodeHeight } from '../parts/map-layout.ts';
import { frame } from '../site/frame.ts';
import { type Content, type Html, html, joined } from '../site/html.ts';
import { areasOf, counted, groupAddress, groupLink, type Site } from '../site/site.ts';

/** The page of the map. */
export function mapPage(site: Site): Html {
  const layout = layoutMap(site);
  const content = html`
<div class="intro">
<h1>Map</h1>
<p class="lead">${counted(layout.nodes.length, 'group')} and ${counted(layout.edges.length, 'line')}. Each line leads from a group to a group that it refers to. Point to a group, or move to it with Tab, to highlight its lines. The references are also <a href="#list">below, as a list</a>.</p>
</div>
<div class="map">
<div class="head"><p class="key" aria-hidden="true"><span class="line out"></span>refers to <span class="line in"></span>referred to by</p>
<div class="seek" hidden><input type="search" aria-label="Find a group" placeholder="Find a group" autocomplete="off" spellcheck="false"></div>
<div class="tools" role="group" aria-label="Zoom" hidden><button type="button" data-zoom="in" aria-label="Zoom in">+</button><button type="button" data-zoom="out" aria-label="Zoom out">−</button><button type="button" data-zoom="all">Fit</button></div></div>
<details class="switches" hidden><summary>Areas</summary><div>${layout.areas.map(({ title }) => html`<label><input type="checkbox" checked autocomplete="off" value="${title}">${title}</label>`)}<button type="button" class="small" data-areas="all">All</button><button type="button" class="small" data-areas="none">None</button></div></details>
<p class="found" role="status"></p>
${drawing(site, layout)}
</div>
<section id="list" aria-labelledby="list-title" class="page">
<h2 id="list-title">List of references</h2>
${areasOf(site.registry).map(
  ([area, groups]) => html`<h3>${area}</h3>
<table class="stack"><thead><tr><th scope="col">Group</th><th scope="col">Refers to</th><th scope="col">Referred to by</th></tr></thead>
<tbody>${groups.map(
    (group) =>
      html`<tr><th scope="row">${groupLink(group)}</th><td data-label="Refers to">${listOf(site.references.of(group.name).map(({ to }) => to))}</td><td data-label="Referred to by">${listOf(site.references.to(group.name).map(({ from }) => from))}</td></tr>`,
  )}</tbody></table>`,
)}
</section>`;
  return frame(site, { title: 'Map', place: 'map', content, files: ['tables.css', 'map.css', 'map.js'], isWide: true });
}

/** Each once, with a link. */
function listOf(groups: readonly { readonly name: string; readonly title: string }[]): Content {
  const distinct = [...new Map(groups.map((group) => [group.name, group])).values()];
  return distinct.length === 0 ? html`<span class="quiet">–</span>` : joined(distinct.map(groupLink), ', ');
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Numbers are attributes, never styles: the policy of the pages allows no styles in a document. */
function drawing(site: Site, { width, height, areas, nodes, edges }: MapLayout): Html {
  return html`<svg id="map" viewBox="0 0 ${round(width)} ${round(height)}" role="group" aria-label="Groups and their references, by area">
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0.5L8 4L0 7.5z"/></marker></defs>
<g class="areas">${areas.map(
    (area) =>
      html`<g data-area="${area.title}"><rect x="${round(area.x)}" y="${round(area.y)}" width="${round(area.width)}" height="${round(area.height)}" rx="12"/><text x="${round(area.x + 14)}" y="${round(area.y + 22)}">${area.title}</text></g>`,
  )}</g>
<g class="edges" aria-hidden="true">${edges.map(edge)}</g>
<g class="nodes">${nodes.map(({ resource, x, y, width: wide }) => {
    const [out, into] = [site.references.of(resource.name).length, site.references.to(resource.name).length];
    return html`<a class="node" href="${groupAddress(resource.name)}" data-name="${resource.name}" data-area="${resource.area}" aria-label="${resource.title}: ${counted(out, 'outgoing reference')}, ${into} incoming"><rect x="${round(x)}" y="${round(y)}" width="${round(wide)}" height="${nodeHeight}" rx="7"/><text x="${round(x + 12)}" y="${round(y + 19.5)}">${resource.title}</text></a>`;
  })}</g>
</svg>`;
}

const edge = ({ from, to, path }: MapEdge): Html =>
  html`<path d="${path.replaceAll(/\d+\.\d+/g, (number) => String(round(Number(number))))}" data-from="${from.resource.name}" data-to="${to.resource.name}"/>`;
