// A virtualised grid: all rows have one height, so the visible ones follow by division; only these are in the document.

import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { commonMessages } from '../messages/common.ts';
import { gridMessages } from '../messages/grid.ts';
import { useNarrow } from '../parts/narrow.ts';
import type { GroupModel } from '../service/model.ts';
import { countText } from '../values/format.ts';
import { type Column, fitted, keepWidth, leastWidth } from './columns/columns.ts';
import { Head } from './columns/head.tsx';
import { placeIn } from './list/places.ts';
import type { RecordWindow } from './list/record-window.ts';
import type { Selection } from './list/selection.ts';
import { usePrinting, useRefreshing } from './list/watching.ts';
import { earlyMoves, useGridFocus } from './rows/early-keys.ts';
import { Row } from './rows/row.tsx';
import { useRowKeys } from './rows/row-keys.ts';

interface GridProps {
  readonly group: GroupModel;
  readonly columns: readonly Column[];
  readonly records: RecordWindow;
  readonly label: string;
  /** Undefined where rows cannot be chosen. */
  readonly selection?: Selection;
  /** A grid inside a page: as high as its rows, up to a limit. */
  readonly isInside?: boolean;
}

/** Pixels; those of the style sheet. */
const rowHeights = { wide: 34, narrow: 66 };
const headHeight = 34;
const overscan = 8;

interface Seen {
  readonly top: number;
  readonly height: number;
  readonly width: number;
}

export function Grid({ group, columns, records, label, selection, isInside = false }: GridProps): JSX.Element {
  const isNarrow = useNarrow();
  const rowHeight = isNarrow ? rowHeights.narrow : rowHeights.wide;
  const scroller = useRef<HTMLDivElement>(null);
  const place = placeIn(records);
  const [seen, setSeen] = useState<Seen>({ top: place.top, height: 900, width: Number.POSITIVE_INFINITY });
  const [active, setActive] = useState(place.active);
  const [edited, setEdited] = useState<{ readonly id: string; readonly key: string } | undefined>(undefined);
  const isPrinted = usePrinting();
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  const version = records.version.value;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void =>
      setSeen({ top: element.scrollTop, height: element.clientHeight, width: element.clientWidth });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.scrollTop = place.top;
    look();
    return () => sizes.disconnect();
  }, [records]);

  const head = isNarrow ? 0 : headHeight;
  const first = isPrinted ? 0 : Math.max(Math.floor(seen.top / rowHeight) - overscan, 0);
  const seenLast = Math.ceil((seen.top + seen.height - head) / rowHeight) + overscan;
  const last = isPrinted ? records.count : Math.min(seenLast, records.count);
  useEffect(() => records.want(first, last), [records, first, last, version]);
  useRefreshing(group, records, { first, last, isPaused: edited !== undefined });
  useGridFocus(scroller, isInside);

  const { moveTo, onKeyDown } = useRowKeys({
    ...{ group, columns, records, selection, place, setActive, scroller, rowHeight, head },
    onEdit: setEdited,
  });
  useEffect(() => {
    const moves = records.count === 0 || isInside ? 0 : earlyMoves();
    if (moves !== 0) moveTo(place.active + moves);
  }, [records.count > 0]);
  const sized = fitted(
    columns.map((column) => ({ ...column, width: widths[column.key] ?? column.width })),
    seen.width,
  );
  const template = sized.map(({ width }) => `${Math.round(width)}px`).join(' ');
  const rows = [];
  for (let index = first; index < last; index += 1) rows.push(index);
  const resize = (key: string, width: number, isOver: boolean): void => {
    const next = Math.max(width, leastWidth);
    setWidths((before) => ({ ...before, [key]: next }));
    if (isOver) keepWidth(group, key, next);
  };
  return (
    <div
      class={`grid${isInside ? ' inside' : ''}${isNarrow ? ' narrow' : ''}`}
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-multiselectable={selection === undefined ? undefined : true}
      aria-rowcount={records.isEnd ? records.count + 1 : -1}
      aria-colcount={columns.length}
      aria-activedescendant={rows.includes(active) ? `row-${group.name}-${active}` : undefined}
      style={{ '--template': template, '--height': `${records.count * rowHeight + head}px` }}
      onScroll={(event) => {
        const { scrollTop: top, clientHeight: height, clientWidth: width } = event.currentTarget;
        place.top = top;
        setSeen({ top, height, width });
      }}
      onKeyDown={onKeyDown}
    >
      <Head
        group={group}
        columns={sized}
        onResize={resize}
        isSorted={!isInside}
        chooseAll={selection && <ChooseAll records={records} selection={selection} />}
      />
      <div class="grid-body" role="rowgroup" style={{ '--body': `${records.count * rowHeight}px` }}>
        {rows.map((index) => (
          <Row
            key={index}
            index={index}
            top={index * rowHeight}
            isActive={index === active}
            group={group}
            columns={columns}
            record={records.at(index)}
            isChosen={selection?.has(records.at(index)?.id)}
            edited={edited !== undefined && edited.id === records.at(index)?.id ? edited.key : undefined}
            onPick={() => {
              setActive(index);
              place.active = index;
            }}
            onChoose={(isRange) => (isRange ? selection?.reach(records, index) : selection?.toggle(records, index))}
            onEdit={(key, record) => {
              const id = records.at(index)?.id;
              setEdited(key === undefined || id === undefined ? undefined : { id, key });
              if (record !== undefined) records.put(record);
              if (key === undefined) scroller.current?.focus({ preventScroll: true });
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface ChooseAllProps {
  readonly records: RecordWindow;
  readonly selection: Selection;
}

/** All rows that are read; the rest is offered below. */
function ChooseAll({ records, selection }: ChooseAllProps): JSX.Element {
  const loaded = records.loaded();
  const isAll = loaded.length > 0 && loaded.every(({ id }) => selection.has(id));
  return (
    <input
      type="checkbox"
      class="choose"
      tabIndex={-1}
      aria-label={gridMessages.selectAllLoaded}
      checked={isAll}
      onClick={() => {
        if (isAll) selection.clear();
        else selection.choose(loaded);
      }}
    />
  );
}

/** How many records there are; how far one has read, where these were not counted. */
export function ReadSoFar({ records }: { readonly records: RecordWindow }): JSX.Element {
  // Whoever reads it is shown again when it rises.
  records.version.value;
  const { isEnd, total } = records;
  const count = isEnd ? records.count : (total?.count ?? records.count);
  const more = isEnd || (total !== undefined && !total.isLeast) ? '' : '+';
  const words = gridMessages.records(`${countText(count)}${more}`, count === 1);
  return (
    <span class="quiet read-so-far" role="status" title={gridMessages.loaded(countText(records.count))}>
      {records.count === 0 && !isEnd ? commonMessages.loading : words}
      {records.isStale.value && (
        <button type="button" class="bare" onClick={() => records.restart()}>
          {gridMessages.newRecords}
        </button>
      )}
    </span>
  );
}
