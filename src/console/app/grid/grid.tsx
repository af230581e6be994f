// A virtualised grid: all rows have one height, so the visible ones follow by division; only these are in the document.

import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go, query, recordAddress, setQuery } from '../browser/router.ts';
import { useNarrow } from '../parts/narrow.ts';
import type { Shown } from '../service/api.ts';
import { can, type GroupModel } from '../service/model.ts';
import { countText, shownName } from '../values/format.ts';
import { Value } from '../values/value.tsx';
import { type Column, keepWidth, leastWidth } from './columns.ts';
import { placeIn } from './places.ts';
import type { RecordWindow } from './record-window.ts';

interface GridProps {
  readonly group: GroupModel;
  readonly columns: readonly Column[];
  readonly records: RecordWindow;
  readonly label: string;
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
}

export function Grid({ group, columns, records, label, isInside = false }: GridProps): JSX.Element {
  const isNarrow = useNarrow();
  const rowHeight = isNarrow ? rowHeights.narrow : rowHeights.wide;
  const scroller = useRef<HTMLDivElement>(null);
  const place = placeIn(records);
  const [seen, setSeen] = useState<Seen>({ top: place.top, height: 900 });
  const [active, setActive] = useState(place.active);
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  const version = records.version.value;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void => setSeen({ top: element.scrollTop, height: element.clientHeight });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.scrollTop = place.top;
    look();
    return () => sizes.disconnect();
  }, [records]);

  const head = isNarrow ? 0 : headHeight;
  const first = Math.max(Math.floor(seen.top / rowHeight) - overscan, 0);
  const last = Math.min(Math.ceil((seen.top + seen.height - head) / rowHeight) + overscan, records.count);
  useEffect(() => records.want(first, last), [records, first, last, version]);

  const open = (index: number): void => {
    const id = records.at(index)?.id;
    if (id !== undefined && can(group, 'get')) go(recordAddress(group.path, id));
  };
  const moveTo = (index: number): void => {
    const next = Math.min(Math.max(index, 0), Math.max(records.count - 1, 0));
    setActive(next);
    place.active = next;
    const element = scroller.current;
    if (element === null) return;
    const top = next * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight - head)
      element.scrollTop = top + rowHeight - element.clientHeight + head;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(Math.floor((seen.height - head) / rowHeight) - 1, 1);
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
    else if (to !== undefined) moveTo(to);
    else return;
    event.preventDefault();
  };
  const sized = columns.map((column) => ({ ...column, width: widths[column.key] ?? column.width }));
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
      aria-rowcount={records.isEnd ? records.count + 1 : -1}
      aria-colcount={columns.length}
      aria-activedescendant={rows.includes(active) ? `row-${group.name}-${active}` : undefined}
      style={{ '--template': template, '--height': `${records.count * rowHeight + head}px` }}
      onScroll={(event) => {
        const { scrollTop: top, clientHeight: height } = event.currentTarget;
        place.top = top;
        setSeen({ top, height });
      }}
      onKeyDown={onKeyDown}
    >
      <Head group={group} columns={sized} onResize={resize} isSorted={!isInside} />
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
            onPick={() => {
              setActive(index);
              place.active = index;
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface HeadProps {
  readonly group: GroupModel;
  /** Whether the address says the order. */
  readonly isSorted: boolean;
  readonly columns: readonly Column[];
  readonly onResize: (key: string, width: number, isOver: boolean) => void;
}

const sortWords = { '': 'none', up: 'ascending', down: 'descending' } as const;

/** By which order a list is shown: up, then down, then newest first again. */
function sortBy(name: string, now: '' | 'up' | 'down'): void {
  const next = new URLSearchParams(query.value);
  if (now === 'down') next.delete('sort');
  else next.set('sort', now === '' ? name : `-${name}`);
  setQuery(next);
}

function HeadLabel({ group, column, isSorted }: Pick<HeadProps, 'group' | 'isSorted'> & { readonly column: Column }) {
  const name = sortedName(group, column);
  if (!isSorted || name === undefined) return <span class="cell-text">{column.label}</span>;
  const now = sortOf(name);
  return (
    <button
      type="button"
      class="sort"
      tabIndex={-1}
      title={`Sort by ${column.label}`}
      onClick={() => sortBy(name, now)}
    >
      <span class="cell-text">{column.label}</span>
      <span aria-hidden="true">{{ '': '', up: '↑', down: '↓' }[now]}</span>
    </button>
  );
}

function sortOf(name: string): '' | 'up' | 'down' {
  const asked = query.value.get('sort');
  return asked === name ? 'up' : asked === `-${name}` ? 'down' : '';
}

/** The field by which a column is sorted: its own, or for the name of records the first in it. */
function sortedName({ sorts, shownAs }: GroupModel, { field }: Column): string | undefined {
  const inName = shownAs.flatMap((part) => (part.kind === 'value' ? part.paths : []));
  return (field === undefined ? inName : [field.name]).find((name) => sorts.includes(name));
}

function Head({ group, columns, onResize, isSorted }: HeadProps): JSX.Element {
  return (
    <div class="grid-head" role="rowgroup">
      <div class="grid-row" role="row" aria-rowindex={1}>
        {columns.map((column, index) => (
          <div
            key={column.key}
            class={column.isNumeric ? 'cell numeric' : 'cell'}
            role="columnheader"
            aria-colindex={index + 1}
            aria-sort={isSorted ? sortWords[sortOf(sortedName(group, column) ?? '')] : undefined}
            title={column.field?.description}
          >
            <HeadLabel group={group} column={column} isSorted={isSorted} />
            <Edge column={column} onResize={onResize} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** What a column is made wider or narrower by: dragged, or with the arrow keys. */
function Edge({
  column,
  onResize,
}: {
  readonly column: Column;
  readonly onResize: HeadProps['onResize'];
}): JSX.Element {
  const from = useRef<{ readonly x: number; readonly width: number } | undefined>(undefined);
  const widthAt = (event: PointerEvent): number =>
    from.current === undefined ? column.width : from.current.width + event.clientX - from.current.x;
  return (
    <div
      class="edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${column.label}`}
      aria-valuenow={Math.round(column.width)}
      aria-valuemin={leastWidth}
      aria-valuemax={900}
      tabIndex={-1}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width: column.width };
      }}
      onPointerMove={(event) => from.current && onResize(column.key, widthAt(event), false)}
      onPointerUp={(event) => {
        onResize(column.key, widthAt(event), true);
        from.current = undefined;
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
        if (step !== undefined) onResize(column.key, column.width + step, true);
      }}
    />
  );
}

interface RowProps {
  readonly index: number;
  readonly top: number;
  readonly isActive: boolean;
  readonly group: GroupModel;
  readonly columns: readonly Column[];
  readonly record: Shown | undefined;
  readonly onPick: () => void;
}

/** Rows are kept as they are while nothing of theirs changes. */
function Row({ index, top, isActive, group, columns, record, onPick }: RowProps): JSX.Element {
  return useMemo(() => {
    const id = record?.id;
    const open = (event: MouseEvent): void => {
      onPick();
      const isLink = (event.target as Element).closest('a, button') !== null;
      if (!isLink && id !== undefined && can(group, 'get') && getSelection()?.isCollapsed !== false)
        go(recordAddress(group.path, id));
    };
    return (
      <div
        class="grid-row"
        role="row"
        id={`row-${group.name}-${index}`}
        aria-rowindex={index + 2}
        aria-selected={isActive}
        style={{ '--top': `${top}px` }}
        tabIndex={-1}
        onClick={open}
      >
        {columns.map((column, place) => (
          <div
            key={column.key}
            class={column.isNumeric ? 'cell numeric' : 'cell'}
            role="gridcell"
            aria-colindex={place + 1}
            data-label={column.label}
          >
            <span class="cell-text">
              {record !== undefined && <Cell group={group} column={column} record={record} />}
            </span>
          </div>
        ))}
      </div>
    );
  }, [record, columns, isActive, top]);
}

interface CellProps {
  readonly group: GroupModel;
  readonly column: Column;
  readonly record: Shown;
}

function Cell({ group, column: { field }, record }: CellProps): JSX.Element {
  if (field !== undefined) return <Value field={field} value={record[field.name]} around={[record]} isBrief />;
  const name = shownName(group, record);
  if (record.id === undefined || !can(group, 'get')) return <span class="name">{name}</span>;
  return (
    <a class="name" href={recordAddress(group.path, record.id)} tabIndex={-1}>
      {name}
    </a>
  );
}

/** How far one has read: how many there are, nobody counts. */
export function ReadSoFar({ records }: { readonly records: RecordWindow }): JSX.Element {
  // Whoever reads it is shown again when it rises.
  records.version.value;
  const { count } = records;
  const words = records.isEnd
    ? `${countText(count)} ${count === 1 ? 'record' : 'records'}`
    : `${countText(count)} read, more below`;
  return (
    <span class="quiet read-so-far" role="status">
      {count === 0 && !records.isEnd ? 'Reading …' : words}
    </span>
  );
}
