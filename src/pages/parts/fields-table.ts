// Fields as a table: for groups, and for the bodies of operations.
import type { Resource } from '../../registry/model/model.ts';
import { type Content, type Html, html, prose } from '../site/html.ts';
import type { PlacedField } from '../site/references.ts';
import { fieldAnchor, type Site } from '../site/site.ts';
import { notesOf, typeText, unsetText, writeText } from '../words/field-words.ts';
import { askedText, lookedAtByText, looksAtText } from '../words/graph-words.ts';
import { breakable, sub } from './cells.ts';

export interface TableOfFields {
  readonly fields: readonly PlacedField[];
  /** Of a body: the texts that a field is refused with. */
  readonly refusals?: (placed: PlacedField) => readonly string[];
}

/** Fields of a group: what each holds, when bodies may hold it, and what it means. */
export function fieldsTable(site: Site, resource: Resource, { fields, refusals }: TableOfFields): Html {
  return html`<table class="stack fields">
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Request body</th><th scope="col">Description</th></tr></thead>
<tbody>${fields.map((placed) => fieldRow(site, resource, { ...placed, isOfBody: refusals !== undefined, texts: refusals?.(placed) ?? [] }))}</tbody></table>`;
}

interface Row extends PlacedField {
  readonly isOfBody: boolean;
  readonly texts: readonly string[];
}

function fieldRow(site: Site, resource: Resource, { field, path, depth, isOfBody, texts }: Row): Html {
  const anchor = fieldAnchor(path);
  const above = path.slice(0, path.length - field.name.length);
  const isWritten = field.onCreate || field.onUpdate;
  const key =
    isWritten && field.key !== field.name ? html`<code>${breakable(field.key)}</code> in requests` : undefined;
  const write = writeText(field);
  const name = { group: resource.name, name: path.replaceAll('[]', '') };
  const notes = [
    ...notesOf(field, resource, site),
    askedText(site, name),
    // Those who fill in a body want no more of this than what it has to fit.
    ...(isOfBody ? [] : [looksAtText(site, name), lookedAtByText(site, name)]),
  ].flatMap((note) => (note === undefined ? [] : [html`<li>${note}</li>`]));
  const cells = [
    html`<th scope="row"><a class="anchor" href="#${anchor}"><code><span class="above">${above}</span>${breakable(field.name)}</code></a>${sub(key)}</th>`,
    html`<td data-label="Type">${typeText(field, site)}${sub(unsetText(field))}</td>`,
    html`<td data-label="Request body"><span class="${write.isRequired ? 'needed' : isWritten ? 'free' : 'quiet'}">${write.text}</span></td>`,
    html`<td data-label="Description">${prose(field.description)}${notes.length === 0 ? undefined : html`<ul class="notes">${notes}</ul>`}${textsOf(texts)}</td>`,
  ];
  return html`<tr id="${anchor}" class="depth-${Math.min(depth, 3)}">${cells}</tr>`;
}

const textsOf = (texts: readonly string[]): Content =>
  texts.length === 0
    ? undefined
    : html`<details class="texts"><summary>Error messages</summary>${texts.map((text) => html`<code class="answer">${text}</code>`)}</details>`;
