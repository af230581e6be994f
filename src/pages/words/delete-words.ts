// What a delete does to other records, in sentences.
import type { Resource } from '../../registry/model/model.ts';
import { type Content, html, joined } from '../site/html.ts';
import type { Reference } from '../site/references.ts';
import { groupLink } from '../site/site.ts';
import { conditionText } from './condition.ts';

/** What a delete does to others, and what stops it. */
export function deletingOf({ operations, lockedDelete }: Resource, into: readonly Reference[]): Content {
  if (!operations.has('delete')) return undefined;
  const byRule = Map.groupBy(into, ({ field }) => field.onDelete);
  const line = (rule: Reference['field']['onDelete'], words: string): Content => {
    const names = [...new Map((byRule.get(rule) ?? []).map(({ from }) => [from.name, from])).values()];
    return names.length === 0
      ? []
      : html`<li><span class="badge ${rule}">${rule}</span> ${words} ${joined(names.map(groupLink), ', ')}</li>`;
  };
  const lines = [
    line('restrict', 'Refused (409) while records of these groups refer to it:'),
    line('cascade', 'Also deletes records of:'),
    line('clear', 'Clears references in:'),
  ].filter((text) => !Array.isArray(text));
  const locked = lockedDelete === undefined ? [] : [html`<li>Refused (409) while ${conditionText(lockedDelete)}.</li>`];
  if (lines.length + locked.length === 0)
    return html`<p>No group refers to this group. A delete affects no other records.</p>`;
  return html`<ul class="rules">${locked}${lines}</ul>`;
}
