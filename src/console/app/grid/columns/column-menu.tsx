// The menu of a grid: choose columns, export rows.
import type { JSX } from 'preact';
import { filtersIn, query, setQuery } from '../../browser/router.ts';
import { commonMessages } from '../../messages/common.ts';
import { gridMessages } from '../../messages/grid.ts';
import { copyText, Menu } from '../../parts/menu.tsx';
import { Popover } from '../../parts/popover.tsx';
import type { GroupModel } from '../../service/model.ts';
import type { RecordWindow } from '../list/record-window.ts';
import { allColumns, keepColumns, nameKey, shownKeys } from './columns.ts';
import { asClientCode, asCurl } from './copies.ts';
import { csvOf, saveAll } from './csv.ts';

interface ColumnMenuProps {
  readonly group: GroupModel;
  readonly records: RecordWindow;
  readonly onChange: () => void;
}

export function ColumnMenu({ group, records, onChange }: ColumnMenuProps): JSX.Element {
  const asked = query.value.get('_columns');
  const shown = shownKeys(group, asked);
  const choose = (keys: readonly string[] | undefined): void => {
    keepColumns(group, keys);
    const next = new URLSearchParams(query.value);
    // The address says them too, so that a view that is sent to somebody is the same there.
    if (keys === undefined) next.delete('_columns');
    else next.set('_columns', keys.filter((key) => key !== nameKey).join(','));
    setQuery(next);
    onChange();
  };
  const filters = filtersIn(query.value);
  const columns = allColumns(group).filter(({ key }) => shown.includes(key));
  return (
    <>
      <Popover label={gridMessages.columns}>
        {() => (
          <div class="menu columns-menu">
            {allColumns(group)
              .filter(({ key }) => key !== nameKey)
              .map(({ key, label }) => (
                <label key={key}>
                  <input
                    type="checkbox"
                    checked={shown.includes(key)}
                    onChange={({ currentTarget: { checked } }) =>
                      choose(checked ? [...shown, key] : shown.filter((one) => one !== key))
                    }
                  />
                  {label}
                </label>
              ))}
            <button type="button" class="bare" onClick={() => choose(undefined)}>
              {gridMessages.defaultColumns}
            </button>
          </div>
        )}
      </Popover>
      <Menu
        label={gridMessages.copy}
        entries={[
          { label: gridMessages.addressOfView, does: () => copyText(location.href, gridMessages.address) },
          { label: gridMessages.asCurl, does: () => copyText(asCurl(group, filters), 'curl') },
          { label: gridMessages.asClientCode, does: () => copyText(asClientCode(group, filters), gridMessages.code) },
          { label: gridMessages.copyLoadedRows, does: () => copyText(csvOf(group, columns, records.loaded()), 'CSV') },
          { label: gridMessages.exportCsv, does: () => saveAll(group, columns, { filters, format: 'csv' }) },
          { label: gridMessages.exportJson, does: () => saveAll(group, columns, { filters, format: 'json' }) },
          { label: commonMessages.print, does: () => print() },
        ]}
      />
    </>
  );
}
