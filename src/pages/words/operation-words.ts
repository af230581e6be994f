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
  put: 'Put',
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
    ? 'There is one record, without an id in its address.'
    : 'The record is computed at each request, of the fields that are query parameters; nothing of it is kept.';

/** `?name=`, or `?memberId=&start=` */
const keyNames = (resource: Resource): Html =>
  html`${keysOf(resource).map(({ fields }, place) => html`${place === 0 ? '' : ', or '}<code>?${fields.map(({ key }) => `${key}=…`).join('&')}</code>`)}`;

const verbWords: Readonly<Record<EndpointOperation, (resource: Resource) => Content>> = {
  list: () =>
    html`Gives a page of records, newest first. Pass the id of the last one as <code>startingAfter</code> for the next page, and read on while <code>hasMore</code> is true.`,
  get: (resource) => (resource.singleton ? singleWords(resource) : 'Gives one record by its id.'),
  create: () => 'Makes a record, and gives it as it is kept, with all that was filled in and computed.',
  update: () =>
    html`Changes the fields that are in the body and no others; <code>null</code> unsets one. Gives the record as it is then.`,
  put: (resource) =>
    html`Makes the record with a unique key, or changes the one that has it (an upsert). The address names the fields of one key: ${keyNames(resource)}. <code>Praxis-Outcome</code> tells what was done.`,
  delete: () => 'Removes a record, and what goes along with it. Nothing is done where something must keep it.',
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
${resource.feature === undefined ? undefined : html`<p class="note">Needs the feature <strong>${resource.feature.name}</strong> (<code>${resource.feature.switch}</code>); every operation answers 403 while it is off.</p>`}
${resource.singleton && current === undefined ? html`<p class="note">${singleWords(resource)}</p>` : undefined}
${resource.ifMatch && (current === undefined || current === 'update' || current === 'delete') ? html`<p class="note">Callers must send <code>If-Match</code> with the tag of the record that they change or delete; without it the answer is 428.</p>` : undefined}`;
}
