// Views of one's own: filters, columns, order and picture under a name, kept in the browser. A view is its address.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { keep, kept } from '../browser/kept.ts';
import { go, groupAddress, query } from '../browser/router.ts';
import { Popover } from '../parts/popover.tsx';
import { say } from '../parts/say.tsx';
import type { GroupModel } from '../service/model.ts';
import { nameKey, shownKeys } from './columns/columns.ts';

interface NamedView {
  readonly name: string;
  /** Without the question mark. */
  readonly query: string;
}

const placeOf = ({ name }: GroupModel): string => `views.${name}`;
const viewsOf = (group: GroupModel): readonly NamedView[] => kept<NamedView[]>(placeOf(group)) ?? [];

/** What one sees now: the columns too, where nobody has said them in the address. */
function queryNow(group: GroupModel): string {
  const now = new URLSearchParams(query.value);
  if (!now.has('_view') && !now.has('_columns')) {
    const keys = shownKeys(group, null).filter((key) => key !== nameKey);
    now.set('_columns', keys.join(','));
  }
  return now.toString();
}

export function ViewsMenu({ group }: { readonly group: GroupModel }): JSX.Element {
  const [views, setViews] = useState(viewsOf(group));
  const now = query.value.toString();
  const current = views.find((view) => view.query === now);
  const change = (next: readonly NamedView[]): void => {
    keep(placeOf(group), next);
    setViews(next);
  };
  return (
    <Popover label={current === undefined ? 'Views' : current.name} class="views-menu">
      {(close) => (
        <div class="menu">
          {views.map((view) => (
            <span key={view.name} class="view-entry">
              <button
                type="button"
                aria-pressed={view === current}
                onClick={() => {
                  go(groupAddress(group.path, new URLSearchParams(view.query)));
                  close();
                }}
              >
                {view.name}
              </button>
              <button
                type="button"
                class="clear"
                aria-label={`Forget ${view.name}`}
                onClick={() => change(views.filter((one) => one !== view))}
              >
                ×
              </button>
            </span>
          ))}
          <form
            class="view-form"
            onSubmit={(event) => {
              event.preventDefault();
              const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
              if (name === '') return;
              const view = { name, query: queryNow(group) };
              change([...views.filter((one) => one.name !== name), view]);
              go(groupAddress(group.path, new URLSearchParams(view.query)), true);
              say(`${name} kept`);
              close();
            }}
          >
            <label for="view-name">Keep what is shown now as</label>
            <input id="view-name" name="name" maxLength={60} autocomplete="off" />
            <button type="submit" class="primary">
              Keep
            </button>
          </form>
        </div>
      )}
    </Popover>
  );
}
