// What every page has around its content: head, navigation, search.
import type { FileName } from './files.ts';
import { type Content, type Html, html } from './html.ts';
import type { Site } from './site.ts';

export interface Framed {
  readonly title: string;
  /** Which entry of the navigation is lit. */
  readonly place: 'reference' | 'groups' | 'map';
  readonly content: Content;
  /** Style sheets and scripts besides those of all pages. */
  readonly files: readonly FileName[];
  /** The content takes the whole width. */
  readonly isWide?: boolean;
}

const entries = [
  { place: 'reference', href: '/docs', text: 'Reference' },
  { place: 'groups', href: '/docs/groups', text: 'Groups' },
  { place: 'map', href: '/docs/map', text: 'Map' },
] as const;

const everywhere = ['site.css', 'site.js'] as const;

/** A whole document. The search field works with the script alone, and is hidden without it. */
export function frame(site: Site, { title, place, content, files, isWide }: Framed): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === 'Praxis' ? title : `${title} – Praxis`}</title>
<link rel="icon" href="${site.files.addressOf('icon.svg')}" type="image/svg+xml">
${[...everywhere, ...files].map((name) => tagOf(site, name))}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<div class="bar">
<a class="brand" href="/docs/groups"><img src="${site.files.addressOf('icon.svg')}" alt="" width="22" height="22">Praxis</a>
<nav aria-label="Pages">${entries.map(
    (entry) =>
      html`<a href="${entry.href}"${entry.place === place ? html` aria-current="page"` : undefined}>${entry.text}</a>`,
  )}</nav>
<div class="search" role="search" hidden>
<input id="search" type="search" role="combobox" aria-label="Search groups, fields, filters, rules" aria-expanded="false" aria-controls="hits" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search">
<kbd aria-hidden="true">/</kbd>
<div class="hits" hidden><p class="count" role="status"></p><ul id="hits" role="listbox" aria-label="Found"></ul></div>
</div>
</div>
</header>
<main id="content" class="${isWide ? 'wide' : 'page'}" tabindex="-1">
${content}
</main>
</body>
</html>
`;
}

const tagOf = ({ files }: Site, name: FileName): Html =>
  name.endsWith('.css')
    ? html`<link rel="stylesheet" href="${files.addressOf(name)}">\n`
    : html`<script src="${files.addressOf(name)}" defer></script>\n`;
