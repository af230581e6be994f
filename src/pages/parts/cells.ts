// Shared parts of table cells.
import { type Content, html, joined } from '../site/html.ts';

/** Small print below a cell's text. */
export const sub = (content: Content): Content =>
  content === undefined ? undefined : html`<span class="sub">${content}</span>`;

/** Long names may break where a new word begins. */
export const breakable = (name: string): Content => joined(name.split(/(?=[A-Z])/), html`<wbr>`);
