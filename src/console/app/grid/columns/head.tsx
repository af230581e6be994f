// The headings of a grid: what a list is sorted by, how wide a column is, and whether all rows are chosen.
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { query, setQuery } from '../../browser/router.ts';
import { gridMessages } from '../../messages/grid.ts';
import type { GroupModel } from '../../service/model.ts';
import { peopleText } from '../../values/format.ts';
import { type Column, leastWidth } from './columns.ts';

interface HeadProps {
  readonly group: GroupModel;
  /** Whether the address says the order. */
  readonly isSorted: boolean;
  readonly columns: readonly Column[];
  readonly onResize: (key: string, width: number, isOver: boolean) => void;
  /** Stands before the name of the first column. */
  readonly chooseAll: JSX.Element | undefined;
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
      title={gridMessages.sortBy(column.label)}
      onClick={() => sortBy(name, now)}
    >
      <span class="cell-text">{column.label}</span>
      <span class={now === '' ? 'sort-sign none' : 'sort-sign'} aria-hidden="true">
        {{ '': '↕', up: '↑', down: '↓' }[now]}
      </span>
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

export function Head({ group, columns, onResize, isSorted, chooseAll }: HeadProps): JSX.Element {
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
            title={column.field === undefined ? undefined : peopleText(column.field.description)}
          >
            {index === 0 && chooseAll}
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
      aria-label={gridMessages.columnWidth(column.label)}
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
