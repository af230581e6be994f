// The page of an operation: call, parameters, errors, and a form to try it.
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import type { Field } from '../../registry/model/model.ts';
import { callPanel } from '../parts/call-panel.ts';
import { fieldsTable } from '../parts/fields-table.ts';
import { filtersTable } from '../parts/filters-table.ts';
import { frame } from '../site/frame.ts';
import { type Content, type Html, html, prose, seenFrom } from '../site/html.ts';
import { type PlacedField, placedFields } from '../site/references.ts';
import { areaAnchor, base, groupAddress, type Site } from '../site/site.ts';
import { deletingOf } from '../words/delete-words.ts';
import { operationLinks, operationText, titleOf, verbs } from '../words/operation-words.ts';
import { answersTable, fieldTexts, ruleRefusals } from '../words/refusals.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  /** Undefined leaves the section out. */
  readonly content: Content;
}

/** The page of an operation. */
export function operationPage(site: Site, endpoint: Endpoint): Html {
  const { resource, operation, method, path } = endpoint;
  const title = titleOf(endpoint);
  const sections = sectionsOf(site, endpoint).filter(({ content }) => content !== undefined);
  const content = html`
<nav class="crumbs" aria-label="Breadcrumb"><a href="/docs/groups">Groups</a> <span aria-hidden="true">/</span> <a href="/docs/groups#${areaAnchor(resource.area)}">${resource.area}</a> <span aria-hidden="true">/</span> <a href="${groupAddress(resource.name)}">${resource.title}</a></nav>
<h1>${title}</h1>
<p class="address"><span class="method">${method}</span> <code>${base}${path}</code></p>
<p class="lead">${operationText(endpoint)} ${prose(resource.description)}</p>
${operationLinks(site, resource, operation)}
${callPanel(site, endpoint)}
<div class="beside">
<article>
${sections.map(({ id, title, content }) => html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`)}
</article>
<nav class="toc" aria-label="On this page"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</div>`;
  return frame(site, {
    title: `${verbs[operation]}: ${resource.title}`,
    place: 'groups',
    content,
    files: ['tables.css', 'groups.css', 'calls.css', 'call.js'],
  });
}

function sectionsOf(site: Site, endpoint: Endpoint): readonly Section[] {
  const { resource, operation, hasBody, parameters } = endpoint;
  const into = site.references.to(resource.name);
  return [
    { id: 'body', title: 'Request body', content: hasBody ? bodyTable(site, endpoint) : undefined },
    {
      id: 'filters',
      title: 'Query parameters',
      content: operation === 'list' ? filtersTable(resource, groupAddress(resource.name)) : undefined,
    },
    {
      id: 'parameters',
      title: 'Query parameters',
      content: parameters.size === 0 ? undefined : askedTable(site, endpoint),
    },
    {
      id: 'deleting',
      title: 'Effect on other records',
      content: operation === 'delete' ? deletingOf(resource, into) : undefined,
    },
    { id: 'answer', title: 'Response', content: answerText(endpoint) },
    { id: 'conditions', title: 'Rule errors', content: hasBody ? ruleRefusals(site, endpoint) : undefined },
    { id: 'refusals', title: 'Errors', content: answersTable(site, endpoint) },
  ];
}

/** Fields that the body may hold, each with the texts that it is refused with. */
function bodyTable(site: Site, endpoint: Endpoint): Html {
  const { resource, operation } = endpoint;
  const isTaken = (field: Field): boolean =>
    (operation !== 'update' && field.onCreate) || (operation !== 'create' && field.onUpdate);
  const fields = bodyFields(resource.fields, isTaken);
  const table = fieldsTable(site, resource, { fields, refusals: (placed) => fieldTexts(placed, endpoint, site) });
  return seenFrom(table, groupAddress(resource.name));
}

/** What a computed record is asked with, or a record is named by. */
function askedTable(site: Site, { resource, parameters }: Endpoint): Html {
  const asked = new Set([...parameters.values()].map(({ field }) => field));
  const fields = placedFields(resource.fields.filter((field) => asked.has(field)));
  return seenFrom(fieldsTable(site, resource, { fields }), groupAddress(resource.name));
}

/** What an item of a list holds goes with the list. */
const bodyFields = (fields: readonly Field[], isTaken: (field: Field) => boolean): readonly PlacedField[] =>
  placedFields(fields.filter(isTaken)).filter(({ field, depth }) => depth === 0 || field.onCreate || field.onUpdate);

function answerText({ operation, resource, hasId }: Endpoint): Html {
  const fields = html`<a href="${groupAddress(resource.name)}#fields">fields</a>`;
  switch (operation) {
    case 'list':
      return html`<p><span class="status">200</span> <code>{"results": […], "hasMore": true}</code>: a page of records with their ${fields}.</p>`;
    case 'delete':
      return html`<p><span class="status">204</span> with no body. A dry run returns <span class="status">200</span> with the records that the delete would remove, and those whose references it would clear: <code>{"deletes": {…}, "clears": {…}}</code>.</p>`;
    default:
      return html`<p><span class="status">200</span> with the record and its ${fields}.${resource.computed === undefined ? html` The <code>ETag</code> header contains its version and a digest of the response.` : undefined}${operation === 'get' && hasId ? html` <span class="status">304</span> if <code>If-None-Match</code> contains the current <code>ETag</code>.` : undefined}</p>`;
  }
}
