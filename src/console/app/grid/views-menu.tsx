// Views: filters, columns, order and picture under a name, in this browser, or shared where a group keeps them. A view is its address.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { keep, kept } from '../browser/kept.ts';
import { newKey } from '../browser/new-key.ts';
import { go, groupAddress, query } from '../browser/router.ts';
import { commonMessages } from '../messages/common.ts';
import { savedViewMessages } from '../messages/grid.ts';
import { Popover } from '../parts/popover.tsx';
import { say } from '../parts/say.tsx';
import { asProblem, create, list, remove } from '../service/api.ts';
import { can, type GroupModel, groups } from '../service/model.ts';
import { nameKey, shownKeys } from './columns/columns.ts';

interface NamedView {
  readonly name: string;
  /** Without the question mark. */
  readonly query: string;
  /** Of one that is shared. */
  readonly id?: string;
}

const placeOf = ({ name }: GroupModel): string => `views.${name}`;
const ownViews = (group: GroupModel): readonly NamedView[] => kept<NamedView[]>(placeOf(group)) ?? [];

/** The group that keeps views for all, where there is one. */
const keeper = (): (GroupModel & Required<Pick<GroupModel, 'views'>>) | undefined =>
  groups().all.flatMap((group) => (group.views && can(group, 'list') ? [{ ...group, views: group.views }] : []))[0];

async function sharedViews({ path }: GroupModel): Promise<readonly NamedView[]> {
  const holder = keeper();
  if (holder === undefined) return [];
  const { name, of, query: asked } = holder.views;
  const { results } = await list(holder.path, new URLSearchParams({ [of]: path.slice(1), limit: '100' }));
  return results.map((record) => ({
    name: String(record[name]),
    query: String(record[asked]),
    id: String(record.id),
  }));
}

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
  const [own, setOwn] = useState(ownViews(group));
  const [shared, setShared] = useState<readonly NamedView[]>([]);
  const now = query.value.toString();
  const current = [...own, ...shared].find((view) => view.query === now);
  const holder = keeper();
  const change = (next: readonly NamedView[]): void => {
    keep(placeOf(group), next);
    setOwn(next);
  };
  /** What goes wrong is said. */
  const trying = (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => undefined,
      (error: unknown) => say(asProblem(error).message),
    );
  const read = (): Promise<void> => trying(sharedViews(group).then(setShared));
  const share = async ({ name, query: asked }: NamedView): Promise<void> => {
    if (holder === undefined) return;
    const { views, path } = holder;
    const record = { [views.name]: name, [views.of]: group.path.slice(1), [views.query]: asked };
    await create(path, JSON.stringify(record), newKey());
    await read();
  };
  const forget = async (view: NamedView): Promise<void> => {
    if (view.id === undefined) return change(own.filter((one) => one !== view));
    if (holder !== undefined) await remove(holder.path, view.id, undefined);
    await read();
  };
  const entries = (views: readonly NamedView[], close: () => void): readonly JSX.Element[] =>
    views.map((view) => (
      <span key={view.id ?? view.name} class="view-entry">
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
        {(view.id === undefined || (holder !== undefined && can(holder, 'delete'))) && (
          <button
            type="button"
            class="clear"
            aria-label={savedViewMessages.delete(view.name)}
            onClick={() => void trying(forget(view))}
          >
            ×
          </button>
        )}
      </span>
    ));
  return (
    <Popover
      label={current === undefined ? savedViewMessages.views : current.name}
      class="views-menu"
      onOpen={() => void read()}
    >
      {(close) => (
        <div class="menu">
          {entries(own, close)}
          {shared.length > 0 && <p class="quiet small menu-title">{savedViewMessages.shared}</p>}
          {entries(shared, close)}
          <form
            class="view-form"
            onSubmit={(event) => {
              event.preventDefault();
              const data = new FormData(event.currentTarget);
              const name = String(data.get('name') ?? '').trim();
              if (name === '') return;
              const view = { name, query: queryNow(group) };
              if (data.has('shared')) void trying(share(view));
              else change([...own.filter((one) => one.name !== name), view]);
              go(groupAddress(group.path, new URLSearchParams(view.query)), true);
              say(commonMessages.saved(name));
              close();
            }}
          >
            <label for="view-name">{savedViewMessages.saveAs}</label>
            <input id="view-name" name="name" maxLength={60} autocomplete="off" />
            {holder !== undefined && can(holder, 'create') && (
              <label class="check">
                <input type="checkbox" name="shared" /> {savedViewMessages.forAll}
              </label>
            )}
            <button type="submit" class="primary">
              {savedViewMessages.save}
            </button>
          </form>
        </div>
      )}
    </Popover>
  );
}
