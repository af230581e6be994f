// The roles of a service: what they are for, and what each may do with each group. Conditions are for who may ask for them.
import { rulesDialog } from '../parts/rules-dialog.ts';
import { frame } from '../site/frame.ts';
import { type Html, html } from '../site/html.ts';
import { guideAddress } from '../site/manual.ts';
import { areasOf, groupAddress, type Site } from '../site/site.ts';

/** The page of the roles. */
export function accessPage(site: Site): Html {
  const content = html`
<h1>Access</h1>
<p class="lead">Roles define which operations a caller may perform on which records. The service refuses a request that no role of the caller allows, and can explain each refusal.</p>
<table class="stack">
<thead><tr><th scope="col">Role</th><th scope="col">Name</th><th scope="col">Description</th></tr></thead>
<tbody>${(site.roles?.all ?? []).map(
    ({ name, title, description }) =>
      html`<tr><th scope="row">${title}</th><td data-label="Name"><code>${name}</code></td><td data-label="Description">${description}</td></tr>`,
  )}</tbody></table>
<h2 id="groups">Roles and groups</h2>
<p><b>C</b>reate, <b>R</b>ead one, <b>U</b>pdate, <b>D</b>elete, <b>L</b>ist, <b>H</b>istory. A lower-case letter: only under a condition. A dash: not allowed.</p>
${rulesDialog('cell')}
${grantsTable(site)}
<p><code>GET /api/access</code> returns your own rights for each group, and <code>GET /api/access/&lt;group&gt;/&lt;id&gt;</code> those for one record. The conditions are in the role files. <code>praxis can</code> explains a decision with the values that its conditions read. See <a href="${guideAddress('access')}">Access</a>.</p>`;
  return frame(site, { title: 'Access', place: 'access', content, files: ['tables.css', 'access.css', 'access.js'] });
}

function grantsTable(site: Site): Html {
  const roles = site.roles?.all ?? [];
  const cells = site.roles?.cells();
  return html`<table class="stack grants">
<thead><tr><th scope="col">Group</th>${roles.map(({ name, title }) => html`<th scope="col" data-role="${name}">${title}</th>`)}</tr></thead>
${areasOf(site.registry).map(
  ([area, groups]) => html`<tbody>
<tr class="area"><th scope="rowgroup" colspan="${roles.length + 1}">${area}</th></tr>
${groups.map(
  ({ name, title }) =>
    html`
<tr data-group="${name}"><th scope="row"><a href="${groupAddress(name)}#access">${title}</a></th>${(cells?.get(name) ?? []).map((cell, place) => html`<td data-label="${roles[place]?.title}"><code>${cell}</code></td>`)}</tr>`,
)}</tbody>`,
)}</table>`;
}
