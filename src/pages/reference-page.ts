// The API reference: a light shell that is painted at once; its script then loads the heavy part.
import { frame } from './frame.ts';
import { type Html, html } from './html.ts';
import { counted, type Site } from './site.ts';

/** The page of the API reference. */
export function referencePage(site: Site): Html {
  const { files, endpoints, registry } = site;
  const content = html`
<h1>API reference</h1>
<p class="lead">${counted(endpoints.length, 'operation')} on ${counted(registry.resources.size, 'group')}, to read and to try. Press <strong>Authorize</strong> and give an access token; it stays in this tab.</p>
<div id="reference" data-style="${files.addressOf('swagger-ui.css')}" data-script="${files.addressOf('swagger-ui-bundle.js')}" data-document="/openapi.json">
<div class="loading" role="status"><span class="bars" aria-hidden="true"><i></i><i></i><i></i><i></i><i></i><i></i></span><span class="words">Loading the operations…</span></div>
</div>
<noscript><p class="note">The reference needs JavaScript. The document it shows: <a href="/openapi.json">openapi.json</a>.</p></noscript>`;
  return frame(site, { title: 'API reference', place: 'reference', content, files: ['reference.css', 'reference.js'] });
}
