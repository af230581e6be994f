// Records that refer to this one: a tab with a grid for each group and field.
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { groupAddress, newAddress } from '../browser/router.ts';
import { allColumns, askedFields, shownKeys } from '../grid/columns/columns.ts';
import { Grid, ReadSoFar } from '../grid/grid.tsx';
import { RecordWindow } from '../grid/list/record-window.ts';
import { commonMessages } from '../messages/common.ts';
import { relatedMessages } from '../messages/record.ts';
import { list } from '../service/api.ts';
import { can, type FilterModel, type GroupModel, groups } from '../service/model.ts';
import { wordsOf } from '../values/format.ts';

interface RelatedProps {
  readonly group: GroupModel;
  readonly id: string;
}

interface Tab {
  readonly group: GroupModel;
  readonly filter: FilterModel;
  readonly label: string;
  readonly key: string;
}

/** A group that refers by several fields says which. */
function tabsOf(name: string): readonly Tab[] {
  const referring = groups().referringTo(name);
  const perGroup = Map.groupBy(referring, ({ group }) => group.name);
  return referring
    .map(({ group, filter }) => ({
      group,
      filter,
      label:
        (perGroup.get(group.name)?.length ?? 0) > 1
          ? `${group.plural} (${wordsOf(filter.path.replace('[].', ' ')).toLowerCase()})`
          : group.plural,
      key: `${group.name}.${filter.name}`,
    }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
}

export function Related({ group, id }: RelatedProps): JSX.Element | null {
  const tabs = useMemo(() => tabsOf(group.name), [group]);
  const [filled, setFilled] = useState<ReadonlySet<string> | undefined>(undefined);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    void whichAreFilled(tabs, id).then((found) => isOver || setFilled(found));
    return () => {
      isOver = true;
    };
  }, [tabs, id]);
  if (tabs.length === 0) return null;
  const full = tabs.filter(({ key }) => filled?.has(key) === true);
  const current = tabs.find(({ key }) => key === chosen) ?? full[0];
  const empty = tabs.filter((tab) => !full.includes(tab) && tab !== current);
  return (
    <section class="related" aria-label={relatedMessages.title}>
      <h2>{relatedMessages.title}</h2>
      {filled === undefined ? (
        <p class="quiet">{relatedMessages.checking}</p>
      ) : (
        <div class="tabs">
          {tabs
            .filter((tab) => full.includes(tab) || tab === current)
            .map(({ key, label }) => (
              <button type="button" key={key} aria-pressed={key === current?.key} onClick={() => setChosen(key)}>
                {label}
              </button>
            ))}
          {empty.length > 0 && (
            <select
              aria-label={relatedMessages.moreRelated}
              value=""
              onChange={({ currentTarget: { value } }) => setChosen(value)}
            >
              <option value="">{full.length === 0 ? relatedMessages.add : relatedMessages.moreRelated}</option>
              {empty.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </div>
      )}
      {current !== undefined && <RelatedGrid key={`${current.key}/${id}`} tab={current} id={id} />}
    </section>
  );
}

/** Groups of which at least one record refers to it: one record of each is asked for. */
async function whichAreFilled(tabs: readonly Tab[], id: string): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    tabs.map(async ({ group, filter, key }) => {
      const query = new URLSearchParams({ [filter.name]: id, limit: '1' });
      // A group that is switched off has none that anybody sees.
      const page = await list(group.path, query).catch(() => undefined);
      return (page?.results.length ?? 0) > 0 ? [key] : [];
    }),
  );
  return new Set(found.flat());
}

function RelatedGrid({ tab: { group, filter, label }, id }: { readonly tab: Tab; readonly id: string }): JSX.Element {
  const narrowed = useMemo(() => new URLSearchParams({ [filter.name]: id }), [filter, id]);
  const columns = useMemo(() => {
    const known = new Map(allColumns(group).map((column) => [column.key, column]));
    // What they have in common need not be said in each row.
    return shownKeys(group, null)
      .filter((key) => key !== filter.path)
      .flatMap((key) => known.get(key) ?? []);
  }, [group, filter]);
  const records = useMemo(() => {
    const asked = new URLSearchParams(narrowed);
    const keys = columns.map(({ key }) => key);
    asked.set('fields', askedFields(group, keys).join(','));
    return new RecordWindow(group.path, asked);
  }, [group, narrowed, columns]);
  useEffect(() => {
    records.want(0, 0);
    return () => records.stop();
  }, [records]);
  return (
    <div class="related-grid">
      <p class="related-head">
        <ReadSoFar records={records} /> <a href={groupAddress(group.path, narrowed)}>{relatedMessages.openAsList}</a>
        {can(group, 'create') && (
          <>
            {' '}
            <a href={newAddress(group.path, narrowed)}>{commonMessages.newRecord(group.title.toLowerCase())}</a>
          </>
        )}
      </p>
      <Grid group={group} columns={columns} records={records} label={label} isInside />
    </div>
  );
}
