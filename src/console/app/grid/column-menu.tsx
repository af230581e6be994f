// The menu of a grid: choose columns, export rows.
import type { JSX } from 'preact';
import { filtersIn, query, setQuery } from '../browser/router.ts';
import { Popover } from '../parts/popover.tsx';
import { say } from '../parts/say.tsx';
import type { GroupModel } from '../service/model.ts';
import { plainText, shownName } from '../values/format.ts';
import { allColumns, keepColumns, nameKey, shownKeys } from './columns.ts';
import { asClientCode, asCsv, asCurl } from './copies.ts';
import type { RecordWindow } from './record-window.ts';

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
    // An address that says columns says those that were sent; a choice is the reader's own.
    if (next.has('_columns')) {
      next.delete('_columns');
      setQuery(next);
    }
    onChange();
  };
  const copy = async (text: string, what: string): Promise<void> => {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  };
  const rows = (): string => {
    const columns = allColumns(group).filter(({ key }) => shown.includes(key));
    const head = columns.map(({ label }) => label);
    const body = records
      .loaded()
      .map((record) =>
        columns.map(({ field }) =>
          field === undefined ? shownName(group, record) : plainText(field, record[field.name], [record]),
        ),
      );
    return asCsv([head, ...body]);
  };
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
            <button type="button" onClick={() => void copy(rows(), 'CSV').then(close)}>
              Rows read as CSV
            </button>
          </div>
        )}
      </Popover>
    </>
  );
}
