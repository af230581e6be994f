// The frame of every page: head, navigation, search.
import type { FileName } from './files.ts';
import { type Content, type Html, html } from './html.ts';
import type { Site } from './site.ts';

export interface Framed {
  readonly title: string;
  /** Which entry of the navigation is lit. */
  readonly place: 'home' | 'guides' | 'groups' | 'rules' | 'map' | 'writes' | 'changes' | 'access' | 'none';
  readonly content: Content;
  /** Style sheets and scripts besides those of all pages. */
  readonly files: readonly FileName[];
  /** The content takes the whole width. */
  readonly isWide?: boolean;
}

const entries = [
  { place: 'guides', href: '/docs/guides', text: 'Guides' },
  { place: 'groups', href: '/docs/groups', text: 'Groups' },
  { place: 'rules', href: '/docs/rules', text: 'Rules' },
  { place: 'map', href: '/docs/map', text: 'Map' },
  { place: 'writes', href: '/docs/writes', text: 'Writes' },
] as const;

const changesEntry = { place: 'changes', href: '/docs/changes', text: 'Changes' } as const;
const accessEntry = { place: 'access', href: '/docs/access', text: 'Access' } as const;
const consoleEntry = { place: 'console', href: '/console', text: 'Console' } as const;

const entriesOf = ({ roles, hasConsole, hasLog }: Site) => [
  ...entries,
  ...(hasLog ? [changesEntry] : []),
  ...(roles === undefined ? [] : [accessEntry]),
  ...(hasConsole ? [consoleEntry] : []),
];

const everywhere = ['site.css', 'site.js', 'search.js'] as const;

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
<a class="brand" href="/docs"><img src="${site.files.addressOf('icon.svg')}" alt="" width="22" height="22"><span>Praxis</span></a>
<nav aria-label="Pages">${entriesOf(site).map(
    (entry) =>
      html`<a href="${entry.href}"${entry.place === place ? html` aria-current="page"` : undefined}>${entry.text}</a>`,
  )}</nav>
<div class="search" role="search" hidden>
<input id="search" type="search" role="combobox" aria-label="Search guides, groups, operations, fields, rules and functions" aria-expanded="false" aria-controls="hits" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search">
<kbd aria-hidden="true">Ctrl K</kbd>
<div class="hits" hidden><p class="count" role="status"></p><div id="hits" role="listbox" aria-label="Search results"></div></div>
</div>
<button type="button" class="token" data-act="token" hidden>Token</button>
</div>
</header>
<main id="content" class="${isWide ? 'wide' : 'page'}" tabindex="-1">
${content}
</main>
<dialog class="ask" aria-labelledby="ask-title">
<h2 id="ask-title">Access token</h2>
<p>Requests need an access token; the documentation does not. The token is stored in this browser tab until you close it, and is sent only to this service.</p>
<label>Token<input type="password" name="token" autocomplete="off" spellcheck="false"></label>
<p class="warning" role="alert"></p>
<div class="act"><button type="button" class="main" data-act="keep">Save token</button><button type="button" data-act="forget">Remove token</button><button type="button" data-act="close">Cancel</button></div>
</dialog>
</body>
</html>
`;
}

const tagOf = ({ files }: Site, name: FileName): Html =>
  name.endsWith('.css')
    ? html`<link rel="stylesheet" href="${files.addressOf(name)}">\n`
    : html`<script type="module" src="${files.addressOf(name)}"></script>\n`;
