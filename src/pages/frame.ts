// What every page has around its content: head, navigation, search.
import { type Content, type Html, html } from './html.ts';
import type { Site } from './site.ts';

export interface Framed {
  readonly title: string;
  /** Which entry of the navigation is lit. */
  readonly place: 'reference' | 'groups' | 'map';
  readonly content: Content;
  /** Further things for the head. */
  readonly head?: Html;
  /** The content takes the whole width. */
  readonly isWide?: boolean;
}

const entries = [
  { place: 'reference', href: '/docs', text: 'Reference' },
  { place: 'groups', href: '/docs/groups', text: 'Groups' },
  { place: 'map', href: '/docs/map', text: 'Map' },
] as const;

/** A whole document. The search field works with the script alone, and is hidden without it. */
export function frame({ files }: Site, { title, place, content, head, isWide }: Framed): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === 'Praxis' ? title : `${title} – Praxis`}</title>
<link rel="icon" href="${files.addressOf('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${files.addressOf('site.css')}">
<script src="${files.addressOf('site.js')}" defer></script>
${head}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<div class="bar">
<a class="brand" href="/docs/groups"><img src="${files.addressOf('icon.svg')}" alt="" width="22" height="22">Praxis</a>
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
