// Operations in words.

import type { Endpoint, EndpointOperation } from '../../endpoints/routes/endpoint.ts';
import { keysOf } from '../../endpoints/routes/unique-keys.ts';
import type { Resource } from '../../registry/model/model.ts';
import { pluralTitle } from '../../registry/model/naming.ts';
import { type Content, type Html, html } from '../site/html.ts';
import { base, groupAddress, operationAddress, type Site } from '../site/site.ts';

export const verbs: Readonly<Record<EndpointOperation, string>> = {
  list: 'List',
  get: 'Get',
  create: 'Create',
  update: 'Update',
  put: 'Create or update',
  delete: 'Delete',
};

/** `List Cost Periods`, `Get a Client`. */
export function titleOf({ resource, operation }: Pick<Endpoint, 'resource' | 'operation'>): string {
  const { title, singleton, path } = resource;
  if (operation === 'list') return `List ${pluralTitle(path)}`;
  const article = singleton ? 'the' : /^[aeio]/i.test(title) ? 'an' : 'a';
  return `${verbs[operation]} ${article} ${title}`;
}

const singleWords = ({ computed }: Resource): string =>
  computed === undefined
    ? 'The group has exactly one record; its path has no id.'
    : 'The service computes the record for each request from the query parameters, and does not store it.';

/** `?name=`, or `?memberId=&start=` */
const keyNames = (resource: Resource): Html =>
  html`${keysOf(resource).map(({ fields }, place) => html`${place === 0 ? '' : ', or '}<code>?${fields.map(({ key }) => `${key}=…`).join('&')}</code>`)}`;

const verbWords: Readonly<Record<EndpointOperation, (resource: Resource) => Content>> = {
  list: () =>
    html`Returns a page of records, newest first. To get the next page, send the id of the last record as <code>startingAfter</code>. There are more pages while <code>hasMore</code> is true.`,
  get: (resource) => (resource.singleton ? singleWords(resource) : 'Returns one record by its id.'),
  create: () => 'Creates a record and returns it, with all default and computed values.',
  update: () =>
    html`Updates the fields in the request body, and leaves all others unchanged. <code>null</code> clears a field. Returns the updated record.`,
  put: (resource) =>
    html`Updates the record that has the given unique key, or creates it if it does not exist (upsert). The query contains all fields of one key: ${keyNames(resource)}. The <code>Praxis-Outcome</code> header contains the outcome.`,
  delete: () =>
    'Deletes a record, and the records that cascade from it. The request is refused if another record prevents the delete.',
};

/** What an operation does, in a sentence or two. */
export const operationText = ({ operation, resource }: Endpoint): Content => verbWords[operation](resource);

/** The way to the operations of a group, and what they all need. @param current The operation that the page is about. */
export function operationLinks(site: Site, resource: Resource, current?: EndpointOperation): Html {
  const endpoints = site.endpoints.filter((endpoint) => endpoint.resource === resource);
  return html`<ul class="operations" aria-label="Operations">${current === undefined ? undefined : html`<li><a href="${groupAddress(resource.name)}"><span class="verb">Overview</span></a></li>`}${endpoints.map(
    (endpoint) =>
      html`<li><a href="${operationAddress(endpoint)}"${endpoint.operation === current ? html` aria-current="page"` : undefined}><span class="method">${endpoint.method}</span> ${current === undefined ? html`<code>${base}${endpoint.path}</code> ` : undefined}<span class="verb">${verbs[endpoint.operation]}</span></a></li>`,
  )}</ul>
${resource.feature === undefined ? undefined : html`<p class="note">Requires the feature <strong>${resource.feature.name}</strong> (<code>${resource.feature.switch}</code>). While the feature is off, every operation returns 403.</p>`}
${resource.singleton && current === undefined ? html`<p class="note">${singleWords(resource)}</p>` : undefined}
${resource.ifMatch && (current === undefined || current === 'update' || current === 'delete') ? html`<p class="note">Updates and deletes must send <code>If-Match</code> with the <code>ETag</code> of the record. Without it, the response is 428.</p>` : undefined}`;
}
