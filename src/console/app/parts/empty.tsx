// The empty state of a list: what the group is for, and how to make the first record.
import type { JSX } from 'preact';
import { filtersIn, groupAddress, newAddress, query } from '../browser/router.ts';
import { can, type GroupModel } from '../service/model.ts';

export function Empty({ group }: { readonly group: GroupModel }): JSX.Element {
  const filters = filtersIn(query.value);
  filters.delete('sort');
  if (filters.size > 0)
    return (
      <div class="empty">
        <h2>Nothing fits these filters</h2>
        <p>
          <a href={groupAddress(group.path)}>All {group.plural.toLowerCase()}</a>
        </p>
      </div>
    );
  return (
    <div class="empty">
      <h2>No {group.plural.toLowerCase()} yet</h2>
      <p>{group.description}</p>
      {can(group, 'create') ? (
        <p>
          <a class="button primary" href={newAddress(group.path)}>
            New {group.title.toLowerCase()}
          </a>
        </p>
      ) : (
        <p class="quiet">The service makes these by itself.</p>
      )}
      <p class="quiet">
        To look around in a workspace that is full: <code>npm run praxis -- demo</code> fills a new database
      </p>
    </div>
  );
}
