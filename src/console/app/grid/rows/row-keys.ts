// The keys of a grid: from row to row, open, choose, edit.
import type { RefObject } from 'preact';
import { go, recordAddress } from '../../browser/router.ts';
import { can, type GroupModel } from '../../service/model.ts';
import type { Column } from '../columns/columns.ts';
import type { ListPlace } from '../list/places.ts';
import type { RecordWindow } from '../list/record-window.ts';
import type { Selection } from '../list/selection.ts';
import { keepMove } from './early-keys.ts';
import { isEditable } from './row.tsx';

interface RowKeys {
  readonly group: GroupModel;
  readonly columns: readonly Column[];
  readonly records: RecordWindow;
  readonly selection: Selection | undefined;
  readonly place: ListPlace;
  readonly setActive: (index: number) => void;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Pixels of a row, and of the headings. */
  readonly rowHeight: number;
  readonly head: number;
  readonly onEdit: (cell: { readonly id: string; readonly key: string }) => void;
}

export function useRowKeys(keys: RowKeys) {
  const { group, columns, records, selection, place, setActive, scroller, rowHeight, head, onEdit } = keys;
  const within = (index: number): number => Math.min(Math.max(index, 0), Math.max(records.count - 1, 0));
  const open = (index: number): void => {
    const id = records.at(index)?.id;
    if (id !== undefined && can(group, 'get')) go(recordAddress(group.path, id));
  };
  const moveTo = (index: number): void => {
    const next = within(index);
    setActive(next);
    place.active = next;
    const element = scroller.current;
    if (element === null) return;
    const top = next * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight - head)
      element.scrollTop = top + rowHeight - element.clientHeight + head;
  };
  /** The first cell of a row that can be written. */
  const edit = (index: number): void => {
    const id = records.at(index)?.id;
    const column = columns.find(({ field }) => isEditable(group, field));
    if (selection !== undefined && id !== undefined && column !== undefined) onEdit({ id, key: column.key });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (records.count === 0) {
      if (keepMove(event.key)) event.preventDefault();
      return;
    }
    // Two keys may come before anything is drawn: where one is, the place knows.
    const { active } = place;
    const page = Math.max(Math.floor(((scroller.current?.clientHeight ?? 0) - head) / rowHeight) - 1, 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      j: active + 1,
      ArrowUp: active - 1,
      k: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: records.count - 1,
    };
    const to = moves[event.key];
    if (event.key === 'Enter') open(active);
    else if (event.key === 'x' || event.key === ' ') selection?.toggle(records, active);
    else if (event.key === 'F2') edit(active);
    else if (event.key === 'Escape' && (selection?.count ?? 0) > 0) selection?.clear();
    else if (to !== undefined) {
      moveTo(to);
      if (event.shiftKey) selection?.reach(records, within(to));
    } else return;
    event.preventDefault();
  };
  return { moveTo, onKeyDown };
}
