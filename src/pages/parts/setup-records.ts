// The records that a new workspace begins with.
import type { Resource } from '../../registry/model/model.ts';
import { type Content, html } from '../site/html.ts';

/** More columns than this are hard to read side by side. */
const widest = 5;

const cell = (value: unknown): Content => {
  if (value === undefined) return html`<span class="quiet">–</span>`;
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const [[key = '', inside] = []] = Object.entries(value);
    return Object.keys(value).length === 1 && typeof inside === 'string'
      ? html`<span class="quiet">${key}</span> <code>${inside}</code>`
      : html`<code>${JSON.stringify(value)}</code>`;
  }
  return html`<code>${JSON.stringify(value)}</code>`;
};

/** A table, or for wide records a list of pairs each; undefined where there are none. */
export function recordsOf({ setup }: Resource): Content {
  if (setup.length === 0) return undefined;
  const keys = [...new Set(setup.flatMap((record) => Object.keys(record)))];
  if (keys.length === 0) return html`<p>One record with the default values of its fields.</p>`;
  if (keys.length > widest)
    return setup.map(
      (record) =>
        html`<dl class="record">${Object.entries(record).map(([key, value]) => html`<div><dt><code>${key}</code></dt><dd>${cell(value)}</dd></div>`)}</dl>`,
    );
  return html`<table class="stack">
<thead><tr>${keys.map((key) => html`<th scope="col"><code>${key}</code></th>`)}</tr></thead>
<tbody>${setup.map((record) => html`<tr>${keys.map((key) => html`<td data-label="${key}">${cell(record[key])}</td>`)}</tr>`)}</tbody></table>`;
}
