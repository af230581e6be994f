// The last lists and their scroll positions, restored on return.
import { filtersIn } from '../../browser/router.ts';
import { RecordWindow } from './record-window.ts';

export interface ListPlace {
  top: number;
  active: number;
}

const places = new WeakMap<RecordWindow, ListPlace>();

/** Where one looks at in a list; kept up by who shows it. */
export function placeIn(records: RecordWindow): ListPlace {
  const place = places.get(records) ?? { top: 0, active: 0 };
  places.set(records, place);
  return place;
}

const lists = new Map<string, RecordWindow>();
/** So many lists are held. */
const most = 8;

interface Asked {
  /** Of the group. */
  readonly path: string;
  /** With the console's own parameters. */
  readonly query: URLSearchParams;
  /** Names of the fields that are shown. */
  readonly fields: readonly string[];
}

/** The records of a list, as they were left. */
export function recordsAt({ path, query, fields }: Asked): RecordWindow {
  const filters = filtersIn(query);
  filters.set('fields', fields.join(','));
  const key = `${path}?${filters}`;
  const records = lists.get(key) ?? new RecordWindow(path, filters);
  // The last one used stands last.
  lists.delete(key);
  lists.set(key, records);
  const [oldest] = lists.keys();
  if (lists.size > most && oldest !== undefined) lists.delete(oldest);
  return records;
}

/** Lists are read anew: something has been written, which may stand in any of them. */
export function forgetLists(): void {
  lists.clear();
}
