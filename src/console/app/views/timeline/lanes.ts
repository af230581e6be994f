// Records with start and end → rows: a lane for each parent record, with as many rows as records overlap.
import type { Shown } from '../../service/api.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { shownName } from '../../values/format.ts';
import { dayNumber } from '../picture/days.ts';
import { type Key, keyOf } from '../picture/values.ts';
import type { Span } from '../shape/shapes.ts';

export interface TimelineBar {
  readonly id: string;
  readonly record: Shown;
  readonly name: string;
  /** Days since 1970; infinite where it is open. */
  readonly from: number;
  /** The last day. */
  readonly to: number;
  readonly row: number;
  /** What it is coloured by. */
  readonly tint: Key | undefined;
}

export interface Lane {
  readonly key: Key;
  readonly bars: readonly TimelineBar[];
  /** How many there are at once, at most. */
  readonly rows: number;
}

/** Days, both among them. */
export interface Days {
  readonly from: number;
  readonly to: number;
}

interface Question {
  readonly group: GroupModel;
  readonly span: Span;
  /** A lane each, where there is none. */
  readonly lane: FieldModel | undefined;
  readonly tint: FieldModel | undefined;
  readonly days: Days;
}

const dayOf = (value: unknown, open: number): number => (typeof value === 'string' ? dayNumber(value) : open);

/** Lanes by their names, those of no record last; bars from the first on. */
export function lanesFrom({ group, span, lane, tint, days }: Question, records: readonly Shown[]): readonly Lane[] {
  const byLane = new Map<string, { readonly key: Key; readonly bars: Omit<TimelineBar, 'row'>[] }>();
  for (const record of records) {
    const [start, end] = [record[span.start.name], record[span.end.name]];
    if (start === null && end === null) continue;
    const [from, to] = [dayOf(start, Number.NEGATIVE_INFINITY), dayOf(end, Number.POSITIVE_INFINITY)];
    if (from > days.to || to < days.from) continue;
    const [id, name] = [String(record.id), shownName(group, record)];
    const key = lane === undefined ? { id, text: name } : keyOf(lane, record);
    const own = byLane.get(key.id) ?? { key, bars: [] };
    byLane.set(key.id, own);
    own.bars.push({ id, record, name, from, to, tint: tint && keyOf(tint, record) });
  }
  return [...byLane.values()]
    .map(({ key, bars }) => stacked(key, bars))
    .toSorted((a, b) => Number(a.key.id === '') - Number(b.key.id === '') || a.key.text.localeCompare(b.key.text));
}

/** Each bar stands in the first row that is free by then. */
function stacked(key: Key, bars: readonly Omit<TimelineBar, 'row'>[]): Lane {
  const ends: number[] = [];
  const placed = bars
    .toSorted((a, b) => a.from - b.from || a.to - b.to || (a.id < b.id ? -1 : 1))
    .map((bar) => {
      const free = ends.findIndex((end) => end < bar.from);
      const row = free < 0 ? ends.length : free;
      ends[row] = bar.to;
      return { ...bar, row };
    });
  return { key, bars: placed, rows: ends.length };
}
