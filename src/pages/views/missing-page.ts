// The 404 page, with suggestions.
import { nearest } from '../../text/nearest.ts';
import { frame } from '../site/frame.ts';
import { type Content, type Html, html } from '../site/html.ts';
import { guideAddress, guidesAddress } from '../site/manual.ts';
import { groupAddress, linkTo, type Site } from '../site/site.ts';

/** The page of a path that there is not. */
export function missingPage(site: Site, path: string): Html {
  const content = html`
<div class="welcome"><p class="quiet">404</p>
<h1>Page not found</h1>
<p class="lead">${hintOf(site, path) ?? html`No page exists at <code>${path}</code>.`}</p>
<p class="find"><button type="button" class="main" data-act="search" hidden>Search everything <kbd>Ctrl K</kbd></button></p>
<p><a href="/docs">Home</a>, <a href="/docs/guides">Guides</a>, <a href="/docs/groups">Groups</a>, <a href="/docs/rules">Rules</a>, <a href="/docs/map">Map</a></p></div>`;
  return frame(site, { title: 'Page not found', place: 'none', content, files: ['home.css'] });
}

function guideHint(site: Site, name: string): Content {
  const { guides } = site.manual();
  const meant = nearest(
    name,
    guides.map((guide) => guide.name),
  );
  const found = guides.find((guide) => guide.name === meant);
  const suggestion = found && html` Did you mean <a href="${guideAddress(found.name)}">${found.title}</a>?`;
  return html`The guide <code>${name}</code> does not exist.${suggestion}`;
}

/** Of a group that there is not, or an operation that a group does not have. */
function hintOf(site: Site, path: string): Content {
  if (path.startsWith(`${guidesAddress}/`)) return guideHint(site, path.slice(guidesAddress.length + 1));
  const [, name, operation] = /^\/docs\/groups\/([^/]+)(?:\/(.*))?$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const known = site.registry.resources.get(name);
  if (known !== undefined) return html`${linkTo(site, name)} has no operation <code>${operation ?? ''}</code>.`;
  const meant = nearest(name, site.registry.resources.keys());
  const suggestion =
    meant === undefined
      ? undefined
      : html` Did you mean <a href="${groupAddress(meant)}">${site.registry.resources.get(meant)?.title ?? meant}</a>?`;
  return html`The group <code>${name}</code> does not exist.${suggestion}`;
}
