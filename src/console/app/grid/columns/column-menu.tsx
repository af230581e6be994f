// The menu of a grid: choose columns, export rows.
import type { JSX } from 'preact';
import { filtersIn, query, setQuery } from '../../browser/router.ts';
import { Popover } from '../../parts/popover.tsx';
import { say } from '../../parts/say.tsx';
import type { GroupModel } from '../../service/model.ts';
import type { RecordWindow } from '../list/record-window.ts';
import { allColumns, keepColumns, nameKey, shownKeys } from './columns.ts';
import { asClientCode, asCurl } from './copies.ts';
import { csvOf, saveAllAsCsv } from './csv.ts';

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
  const copy = async (text: string, what: string): Promise<void> => {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  };
  const columns = allColumns(group).filter(({ key }) => shown.includes(key));
  return (
    <>
      <Popover label="Columns">
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
              As at first
            </button>
          </div>
        )}
      </Popover>
      <Popover label="Copy">
        {(close) => (
          <div class="menu">
            <button type="button" onClick={() => void copy(location.href, 'Address').then(close)}>
              Address of this view
            </button>
            <button type="button" onClick={() => void copy(asCurl(group, filtersIn(query.value)), 'curl').then(close)}>
              As curl
            </button>
            <button
              type="button"
              onClick={() => void copy(asClientCode(group, filtersIn(query.value)), 'Code').then(close)}
            >
              As client code
            </button>
            <button type="button" onClick={() => void copy(csvOf(group, columns, records.loaded()), 'CSV').then(close)}>
              Rows read as CSV
            </button>
            <button
              type="button"
              onClick={() => {
                close();
                void saveAllAsCsv(group, columns, filtersIn(query.value));
              }}
            >
              All of them as a CSV file
            </button>
            <button
              type="button"
              onClick={() => {
                close();
                print();
              }}
            >
              Print
            </button>
          </div>
        )}
      </Popover>
    </>
  );
}
