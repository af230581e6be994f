// The panel of a call: two snippets side by side, and a form to try it. Without JavaScript the snippets remain.
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import { longCreateExample, shortCreateExample, updateExample } from '../../endpoints/schemas/examples.ts';
import { exampleId } from '../../endpoints/values/example-id.ts';
import type { Registry } from '../../registry/model/model.ts';
import { type Content, type Html, html } from '../site/html.ts';
import { placedFields } from '../site/references.ts';
import { base, type Site } from '../site/site.ts';
import { clientText, curlText, type ExampleBody } from './snippets.ts';

/** The panel of an operation. */
export function callPanel(site: Site, endpoint: Endpoint): Html {
  const bodies = bodiesOf(endpoint);
  const { method, path, operation, resource } = endpoint;
  const isWrite = method !== 'GET';
  const isRewrite = isWrite && operation !== 'create';
  return html`<div class="call" data-method="${method}" data-path="${base}${path}" data-list="${listPath(site.registry, resource.name)}" data-example="${exampleId(resource.name)}" data-ids="${JSON.stringify(idsIn(site.registry, endpoint))}">
<div class="snippets">
${snippet('curl', 'curl', curlText(endpoint, bodies[0]?.text ?? ''))}
${snippet('ts', 'TypeScript', clientText(endpoint, bodies[0]?.text ?? ''))}
</div>
<div class="send" hidden>
<div class="given">
${endpoint.hasId ? html`<label>id<input name="id" list="ids" value="${exampleId(resource.name)}" autocomplete="off" spellcheck="false"></label><datalist id="ids"></datalist>` : undefined}
${parameterRows(endpoint)}
${endpoint.hasBody ? bodyField(endpoint, bodies) : undefined}
${isWrite ? terms(isRewrite, resource.ifMatch) : undefined}
<div class="act"><button type="button" class="main" data-act="send">${isWrite ? 'Send as dry run' : 'Send request'}</button>${isWrite ? html`<label class="switch"><input type="checkbox" name="trial" checked autocomplete="off"><span>Dry run (saves nothing)</span></label>` : undefined}</div>
${isWrite ? html`<p class="warning" role="status"></p>` : undefined}
</div>
<div class="got" role="region" aria-label="Response to your request" aria-live="polite"><p class="quiet">The response appears here.</p></div>
</div>
</div>`;
}

const snippet = (language: string, title: string, content: Html): Html =>
  html`<div class="snippet" data-language="${language}"><div class="head"><span>${title}</span><button type="button" class="small" data-act="copy" hidden>Copy</button></div><pre tabindex="0" role="region" aria-label="${title}"><code>${content}</code></pre></div>`;

function bodiesOf({ resource, operation, hasBody }: Endpoint): readonly ExampleBody[] {
  const text = (value: object): string => JSON.stringify(value, null, 2);
  if (!hasBody) return [];
  if (operation === 'update' || operation === 'put')
    return [{ words: 'Some fields', text: text(updateExample(resource)) }];
  const short = shortCreateExample(resource);
  const long = { words: 'All fields', text: text(longCreateExample(resource)) };
  return Object.keys(short).length === 0 ? [long] : [{ words: 'Required fields', text: text(short) }, long];
}

function bodyField({ operation, resource }: Endpoint, bodies: readonly ExampleBody[]): Html {
  const button = (act: string, words: string, text = ''): Html =>
    html`<button type="button" class="small" data-act="${act}" data-text="${text}">${words}</button> `;
  const examples = bodies.length < 2 ? [] : bodies.map(({ words, text }) => button('fill', words, text));
  const canRead = operation === 'update' && resource.operations.has('get');
  const fills = [...examples, ...(canRead ? [button('record', 'Current values')] : [])];
  return html`<label>Request body<textarea name="body" rows="${Math.min(16, (bodies[0]?.text.split('\n').length ?? 3) + 1)}" spellcheck="false" autocomplete="off">
${bodies[0]?.text}</textarea></label>
${fills.length === 0 ? undefined : html`<div class="fills">Insert: ${fills}</div>`}`;
}

/** A row of the query: a name and a value; the script adds more. */
function parameterRows({ operation, filters, sorts, parameters, isShaped }: Endpoint): Content {
  const shown = isShaped ? ['expand', 'fields'] : [];
  const names =
    operation === 'list'
      ? [
          'limit',
          ...filters.keys(),
          ...(sorts.size > 0 ? ['sort'] : []),
          'startingAfter',
          'endingBefore',
          ...shown,
          'count',
        ]
      : [...parameters.keys(), ...shown];
  if (names.length === 0) return undefined;
  return html`<div class="query"><div class="row"><select name="parameter" aria-label="Parameter" autocomplete="off">${names.map((name) => html`<option>${name}</option>`)}</select><input name="value" aria-label="Value of the parameter" value="${operation === 'list' ? '5' : ''}" autocomplete="off" spellcheck="false"></div></div>
<button type="button" class="small" data-act="parameter">Add parameter</button>`;
}

const terms = (
  isRewrite: boolean,
  isNeeded: boolean,
): Html => html`<details class="terms"${isNeeded ? html` open` : undefined}><summary>Headers</summary>
${isRewrite ? html`<label>If-Match<span class="with"><input name="ifMatch" autocomplete="off" spellcheck="false" placeholder="ETag of the version that you read"><button type="button" class="small" data-act="tag">Use current</button></span></label>` : undefined}
<label>Idempotency-Key<span class="with"><input name="key" autocomplete="off" spellcheck="false" maxlength="255" placeholder="Unique key of this request"><button type="button" class="small" data-act="key">Generate</button></span></label>
<p class="quiet">See <a href="/docs/writes">Safe writes</a>.</p>
</details>`;

/** Where records of a group are listed; '' where they are not. */
const listPath = (registry: Registry, name: string): string => {
  const resource = registry.resources.get(name);
  return resource?.operations.has('list') === true ? `${base}${resource.path}` : '';
};

/** Ids that examples use, and where to find some that are there. */
function idsIn(registry: Registry, { resource, hasBody }: Endpoint): Readonly<Record<string, string>> {
  if (!hasBody) return {};
  const targets = placedFields(resource.fields).flatMap(({ field }) =>
    field.kind === 'reference' || field.kind === 'references'
      ? [field.target]
      : field.kind === 'choice'
        ? field.branches.map(({ reference }) => reference.target)
        : [],
  );
  return Object.fromEntries(
    [...new Set(targets)].flatMap((name) => {
      const path = listPath(registry, name);
      return path === '' ? [] : [[exampleId(name), path]];
    }),
  );
}
