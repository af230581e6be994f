// The first records of a group: loaded by a script, once there is a token.
import { isScalar } from '../../registry/model/kinds.ts';
import type { Field, Resource } from '../../registry/model/model.ts';
import { type Content, html } from '../site/html.ts';
import { base, groupAddress } from '../site/site.ts';

/** More columns than this are hard to read side by side. */
const widest = 5;

/** What the script fills; undefined where nothing is listed. */
export function firstRecords(resource: Resource): Content {
  if (!resource.operations.has('list')) return undefined;
  const columns = columnsOf(resource);
  return html`<div class="records" data-path="${base}${resource.path}" data-columns="${JSON.stringify(columns)}" data-get="${resource.operations.has('get') ? `${groupAddress(resource.name)}/get` : ''}">
<p class="quiet">Add an access token to see the newest records. <button type="button" class="small" data-act="token" hidden>Add a token</button></p>
</div>
<p><a href="${groupAddress(resource.name)}/list">List and filter records</a></p>`;
}

/** What records are called by, then what their lists can be narrowed by. */
function columnsOf({ fields, shownAs }: Resource): readonly string[] {
  const named = new Set(
    shownAs.flatMap((part) => (part.kind === 'literal' ? [] : part.paths.map((path) => path.split('.')[0]))),
  );
  const isPlain = (field: Field): boolean =>
    field.shown && field.name !== 'id' && (isScalar(field) || (field.kind === 'reference' && field.as !== 'id'));
  const rank = (field: Field): number =>
    named.has(field.name) || named.has(field.key) ? 0 : field.filter === undefined ? 2 : 1;
  return fields
    .filter(isPlain)
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, widest)
    .map(({ name }) => name);
}
