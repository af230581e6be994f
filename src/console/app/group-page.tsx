// The page of a group: its grid, or one of the views that its shape allows.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { filtersIn, newAddress, query, setQuery } from './browser/router.ts';
import { unfinished } from './browser/unfinished.ts';
import { ColumnMenu } from './grid/columns/column-menu.tsx';
import { Filters } from './grid/filters/filters.tsx';
import { ReadSoFar } from './grid/grid.tsx';
import { GridView, useRecords } from './grid/grid-view.tsx';
import { forgetLists } from './grid/list/places.ts';
import { ViewsMenu } from './grid/views-menu.tsx';
import { commonMessages } from './messages/common.ts';
import { gridMessages } from './messages/grid.ts';
import { Lazy } from './parts/lazy.tsx';
import { can, type GroupModel, groups } from './service/model.ts';
import { countText } from './values/format.ts';
import { type View, viewsOf } from './views/views.ts';

const loadImport = () => import('./import/import-dialog.tsx');

export function GroupPage({ group }: { readonly group: GroupModel }): JSX.Element {
  const [choice, setChoice] = useState(0);
  const { columns, records } = useRecords(group, choice);
  const views = viewsOf(group);
  const [imported, setImported] = useState<{ readonly dropped: File | undefined } | undefined>(undefined);
  const canImport = can(group, 'create') && !group.isComputed;
  const begun = unfinished.value[group.name];
  const view = views.find(({ key }) => key === query.value.get('_view'));
  useEffect(() => {
    document.title = commonMessages.pageTitle(group.plural);
  }, [group]);
  return (
    <section
      class="group-page"
      aria-labelledby="title"
      onDragOver={(event) => canImport && event.dataTransfer?.types.includes('Files') && event.preventDefault()}
      onDrop={(event) => {
        const dropped = event.dataTransfer?.files[0];
        if (!canImport || dropped === undefined) return;
        event.preventDefault();
        setImported({ dropped });
      }}
    >
      <header class="page-head">
        <div class="titles">
          <h1 id="title" title={group.description}>
            {group.plural}
          </h1>
          {groups().hasPages && (
            <a class="about" href={`/docs/groups/${group.name}`} title={group.description}>
              {gridMessages.about}
            </a>
          )}
          {view === undefined && <ReadSoFar key={`${group.path}${filtersIn(query.value)}`} records={records} />}
        </div>
        <div class="actions">
          <ViewTabs views={views} current={view} />
          <ViewsMenu key={group.name} group={group} />
          {view === undefined && (
            <ColumnMenu group={group} records={records} onChange={() => setChoice((before) => before + 1)} />
          )}
          {canImport && (
            <button type="button" class="import" onClick={() => setImported({ dropped: undefined })}>
              {begun === undefined ? gridMessages.import : gridMessages.continueImport(countText(begun.count))}
            </button>
          )}
          {can(group, 'create') && (
            <a class="button primary" href={newAddress(group.path, filtersIn(query.value))}>
              {commonMessages.newRecord(group.title.toLowerCase())}
            </a>
          )}
        </div>
      </header>
      {imported !== undefined && (
        <Lazy
          load={loadImport}
          props={{
            group,
            dropped: imported.dropped,
            onClose: (isWritten) => {
              setImported(undefined);
              if (!isWritten) return;
              forgetLists();
              records.restart();
            },
          }}
        />
      )}
      <Filters key={group.name} group={group} />
      {view === undefined ? (
        <GridView group={group} columns={columns} records={records} />
      ) : (
        <Lazy key={view.key} load={view.load} props={{ group, filters: filtersIn(query.value) }} />
      )}
    </section>
  );
}

interface ViewTabsProps {
  readonly views: readonly View[];
  readonly current: View | undefined;
}

function ViewTabs({ views, current }: ViewTabsProps): JSX.Element | null {
  if (views.length === 0) return null;
  const show = (key: string | undefined): void => {
    const next = new URLSearchParams(query.value);
    if (key === undefined) next.delete('_view');
    else next.set('_view', key);
    setQuery(next, false);
  };
  return (
    <fieldset class="segments" aria-label={gridMessages.shownAs}>
      {[undefined, ...views].map((view) => (
        <button type="button" key={view?.key ?? ''} aria-pressed={view === current} onClick={() => show(view?.key)}>
          {view?.title ?? commonMessages.grid}
        </button>
      ))}
    </fieldset>
  );
}
