// The roles of a service: their names and what they are for. Their rules are for who may ask.
import { frame } from '../site/frame.ts';
import { type Html, html } from '../site/html.ts';
import { guideAddress } from '../site/manual.ts';
import type { Site } from '../site/site.ts';

/** The page of the roles. */
export function accessPage(site: Site): Html {
  const content = html`
<h1>Access</h1>
<p class="lead">Who may do what is said by roles. What no role of a caller allows is refused, and each refusal can be asked for its reason.</p>
<table class="stack">
<thead><tr><th scope="col">Role</th><th scope="col">Name</th><th scope="col">What it is for</th></tr></thead>
<tbody>${(site.roles ?? []).map(
    ({ name, title, description }) =>
      html`<tr><th scope="row">${title}</th><td data-label="Name"><code>${name}</code></td><td data-label="What it is for">${description}</td></tr>`,
  )}</tbody></table>
<p>What you may do with each group is told by <code>GET /api/access</code>, and with a record by <code>GET /api/access/&lt;group&gt;/&lt;id&gt;</code>. The rules are told to who may read them: <code>praxis access</code> prints them as a table. More is in <a href="${guideAddress('access')}">Access</a>.</p>`;
  return frame(site, { title: 'Access', place: 'none', content, files: ['home.css'] });
}
