// The list of guides, and the page of each.
import { frame } from '../site/frame.ts';
import { type Content, type Html, html, plainText } from '../site/html.ts';
import { type Guide, guideAddress, guidesAddress, type ManualPart } from '../site/manual.ts';
import { listOldAnchors } from '../site/moved-guides.ts';
import { areaAnchor, type Site } from '../site/site.ts';

/** The page at `/docs/guides`. */
export function guidesPage(site: Site): Html {
  const content = html`
<h1>Guides</h1>
<p class="lead">How to use the API, describe resource groups, and run and extend the service. The search covers every section.</p>
${site.manual().parts.map(
  (
    part,
  ) => html`<section aria-labelledby="${areaAnchor(part.title)}"><h2 id="${areaAnchor(part.title)}">${part.title}</h2>
<ul class="ways">${part.guides.map(
    ({ name, title, about }) =>
      html`<li><a href="${guideAddress(name)}"><strong>${title}</strong><span>${about}</span></a></li>`,
  )}</ul></section>\n`,
)}`;
  return frame(site, { title: 'Guides', place: 'guides', content, files: ['home.css'] });
}

/** The page of one guide: what it says, the others beside it, and what comes before and after. */
export function guidePage(site: Site, guide: Guide): Html {
  const { parts, guides } = site.manual();
  const [title, ...sections] = guide.sections;
  const at = guides.indexOf(guide);
  const content = html`
<div class="manual">
<nav class="shelf" aria-label="Guides">${parts.map((part) => shelfOf(part, guide))}</nav>
<article class="guide">
<p class="crumbs"><a href="${guidesAddress}">Guides</a> / ${guide.part}</p>
<h1>${title?.heading}</h1>
${title?.content}
${tocOf(guide)}
${sections.map(
  ({
    level,
    id,
    heading,
    content: text,
  }) => html`${headingOf({ level, id, title: heading, oldIds: listOldAnchors(guide.name, id) })}
${text}`,
)}
<nav class="turn" aria-label="Previous and next guide">${turnTo(guides[at - 1], 'Previous')}${turnTo(guides[at + 1], 'Next')}</nav>
</article>
</div>`;
  return frame(site, {
    title: guide.title,
    place: 'guides',
    content,
    files: ['tables.css', 'guides.css'],
  });
}

const shelfOf = ({ title, guides }: ManualPart, current: Guide): Html =>
  html`<h2>${title}</h2>
<ul>${guides.map(
    ({ name, title: words }) =>
      html`<li><a href="${guideAddress(name)}"${name === current.name ? html` aria-current="page"` : undefined}>${words}</a></li>`,
  )}</ul>\n`;

/** What stands on the page, where it is more than one sees at once. */
function tocOf({ sections }: Guide): Html | undefined {
  const chapters = sections.filter(({ level }) => level === 2);
  if (chapters.length < 3) return undefined;
  return html`<nav class="toc" aria-label="On this page"><ul>${chapters.map(
    ({ id, heading }) => html`<li><a href="#${id}">${plainText(heading)}</a></li>`,
  )}</ul></nav>`;
}

interface GuideHeading {
  readonly level: number;
  readonly id: string;
  /** Anchors of earlier versions, which still lead here. */
  readonly oldIds: readonly string[];
  readonly title: Html;
}

function headingOf({ level, id, oldIds, title }: GuideHeading): Html {
  const inside = html`${oldIds.map((old) => html`<span id="${old}"></span>`)}${title} <a class="anchor" href="#${id}" aria-label="Link to ${plainText(title)}">#</a>`;
  return level === 2 ? html`<h2 id="${id}">${inside}</h2>` : html`<h3 id="${id}">${inside}</h3>`;
}

const turnTo = (guide: Guide | undefined, way: string): Content =>
  guide === undefined ? undefined : html`<a href="${guideAddress(guide.name)}"><span>${way}</span>${guide.title}</a>`;
