// The empty state of a list: what the group is for, and how to make the first record.
import type { JSX } from 'preact';
import { filtersIn, groupAddress, newAddress, query } from '../browser/router.ts';
import { commonMessages } from '../messages/common.ts';
import { can, type GroupModel } from '../service/model.ts';

export function Empty({ group }: { readonly group: GroupModel }): JSX.Element {
  const filters = filtersIn(query.value);
  filters.delete('sort');
  if (filters.size > 0)
    return (
      <div class="empty">
        <h2>{commonMessages.noMatches}</h2>
        <p>
          <a href={groupAddress(group.path)}>{commonMessages.allRecords(group.plural.toLowerCase())}</a>
        </p>
      </div>
    );
  return (
    <div class="empty">
      <h2>{commonMessages.noRecords(group.plural.toLowerCase())}</h2>
      <p>{group.description}</p>
      {can(group, 'create') ? (
        <p>
          <a class="button primary" href={newAddress(group.path)}>
            {commonMessages.newRecord(group.title.toLowerCase())}
          </a>
        </p>
      ) : (
        <p class="quiet">{commonMessages.createdByService}</p>
      )}
      <p class="quiet">
        {commonMessages.demo[0]} <code>{commonMessages.demoCommand}</code> {commonMessages.demo[1]}
      </p>
    </div>
  );
}
