// A timeline of records in lanes by parent record, to zoom and pan.
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { go, recordAddress } from '../../browser/router.ts';
import { chartMessages, timelineMessages } from '../../messages/views.ts';
import { Empty } from '../../parts/empty.tsx';
import type { Shown } from '../../service/api.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { dateText, labelOf, plainText, wordsOf } from '../../values/format.ts';
import { choose, chosen } from '../picture/choice.ts';
import { dayAt, dayNumber, isDay, today } from '../picture/days.ts';
import { Bar, ReadNote, SaveImage, Select, Steps } from '../picture/frame.tsx';
import { type Reading, useReading } from '../picture/reading.ts';
import { keyOf } from '../picture/values.ts';
import { useWidth } from '../picture/width.ts';
import { lanesOf, rangeFilters, type Span, spansOf, splitsOf, stateOf } from '../shape/shapes.ts';
import type { ViewProps } from '../shape/view-props.ts';
import { Axis, Lanes } from './drawing.tsx';
import { type Days, type Lane, lanesFrom, type TimelineBar } from './lanes.ts';
import { TimelineTable } from './table.tsx';
import { usePan } from './use-pan.ts';
import { weekOf, type Zoom, zooms } from './zoom.ts';

const own = '-';
const colours = 8;
const leftWidth = 178;
/** Below it a lane's name stands above its bars. */
const narrow = 620;

/** Which records are seen: chosen in the address, by the shape of the group where nothing is. */
interface Asked {
  readonly span: Span;
  readonly lane: FieldModel | undefined;
  readonly zoom: Zoom;
  readonly days: Days;
}

interface Tinted {
  readonly tint: FieldModel | undefined;
}

function askedOf(group: GroupModel): Asked | undefined {
  const spans = spansOf(group);
  const span = spans.find(({ start }) => start.name === chosen('span')) ?? spans[0];
  if (span === undefined) return undefined;
  const lanes = lanesOf(group);
  const given = chosen('lanes');
  const lane = given === own ? undefined : (lanes.find(({ name }) => name === given) ?? firstLane(group));
  const zoom = zooms.find(({ key }) => key === chosen('zoom')) ?? zooms[2];
  const from = chosen('from');
  if (zoom === undefined) return undefined;
  const first = isDay(from) ? dayNumber(from) : atToday(zoom);
  return { span, lane, zoom, days: { from: first, to: first + zoom.days - 1 } };
}

/** A quarter of what is seen is over. */
const atToday = ({ days }: Zoom): number => weekOf(dayNumber(today()) - Math.round(days / 4));

const firstLane = (group: GroupModel): FieldModel | undefined =>
  lanesOf(group).find(({ kind }) => kind === 'reference');

/** What bars are coloured by: as chosen, else a state that changes, else another record that most of them belong to. */
function tintOf(group: GroupModel, lane: FieldModel | undefined, records: readonly Shown[]): FieldModel | undefined {
  const tints = splitsOf(group).filter((field) => field !== lane);
  const asked = tints.find(({ name }) => name === chosen('tint'));
  if (asked !== undefined) return asked;
  const state = stateOf(group);
  if (state !== undefined && state !== lane) return state;
  const isTelling = (field: FieldModel): boolean => {
    const ids = records.map((record) => keyOf(field, record).id).filter((id) => id !== '');
    return ids.length * 2 > records.length && new Set(ids).size > 1;
  };
  return tints.find((field) => field.kind === 'reference' && isTelling(field)) ?? tints.find(isTelling);
}

/** The list of what may be seen, and a little around it: so that not each step is read anew. */
function queryOf(group: GroupModel, { span, zoom, days }: Asked, filters: URLSearchParams): string {
  const step = zoom.days;
  const first = Math.floor(days.from / step) * step - step;
  const around = { from: dayAt(first), to: dayAt(first + 4 * step) };
  const query = new URLSearchParams(filters);
  const [starts, ends] = [rangeFilters(group, span.start), rangeFilters(group, span.end)];
  const narrow = (name: string | undefined, day: string, isTighter: (given: string) => boolean): void => {
    if (name !== undefined && !isTighter(query.get(name) ?? '')) query.set(name, day);
  };
  // What has no start or no end would not be found by it.
  if (span.start.unset === 'never') narrow(starts?.to, around.to, (given) => given !== '' && given < around.to);
  if (span.end.unset === 'never') narrow(ends?.from, around.from, (given) => given > around.from);
  return query.toString();
}

/** What was read before stays until something else has been. */
function useRecords(reading: Reading, of: string): readonly Shown[] {
  const before = useRef<{ readonly of: string; readonly records: readonly Shown[] }>({ of, records: [] });
  const isBetter = reading.isWhole || reading.count > 0 || before.current.of !== of;
  if (isBetter) before.current = { of, records: reading.records() };
  return before.current.records;
}

export default function TimelineView({ group, filters }: ViewProps): JSX.Element | null {
  const asked = askedOf(group);
  return asked === undefined ? null : <Timeline group={group} filters={filters} asked={asked} />;
}

function Timeline({ group, filters, asked }: ViewProps & { readonly asked: Asked }): JSX.Element {
  const { zoom, days, lane } = asked;
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder);
  const [active, setActive] = useState<string | undefined>(undefined);
  const reading = useReading(group.path, [queryOf(group, asked, filters)]);
  const records = useRecords(reading, `${group.name} ${filters} ${asked.span.start.name}`);
  const tint = tintOf(group, lane, records);
  const lanes = lanesFrom({ group, ...asked, tint }, records);
  const scale = { days, left: width < narrow ? 0 : leftWidth, right: width };
  const perDay = (scale.right - scale.left) / zoom.days;
  const moveBy = (count: number): void => choose({ from: dayAt(days.from + count) });
  const zoomBy = (step: -1 | 1): void => {
    const next = zooms[zooms.indexOf(zoom) + step];
    if (next === undefined) return;
    // What is in the middle stays there.
    const middle = days.from + zoom.days / 2;
    choose({ zoom: next.key, from: dayAt(Math.round(middle - next.days / 2)) });
  };
  const pan = usePan(holder, { perDay, onPan: moveBy, onZoom: zoomBy });
  const colouring = useColours(tint, lanes);
  const bars = lanes.flatMap((one) => one.bars);
  const stop = bars.some(({ id }) => id === active) ? active : bars[0]?.id;
  const focus = (id: string | undefined): void =>
    holder.current?.querySelector<SVGAElement>(`[data-bar="${id ?? ''}"]`)?.focus();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = Math.round(zoom.days / 4);
    const does: Readonly<Record<string, () => void>> = {
      ArrowRight: () => focus(besides(bars, stop, 1)),
      ArrowLeft: () => focus(besides(bars, stop, -1)),
      ArrowDown: () => focus(below(lanes, stop, 1)),
      ArrowUp: () => focus(below(lanes, stop, -1)),
      PageDown: () => moveBy(step),
      PageUp: () => moveBy(-step),
      '+': () => zoomBy(-1),
      '-': () => zoomBy(1),
      t: () => choose({ from: undefined }),
      ' ': () => stop !== undefined && go(recordAddress(group.path, stop)),
    };
    const act = does[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const title = lane === undefined ? group.plural : chartMessages.title(group.plural, labelOf(lane).toLowerCase());
  const period = `${dateText(dayAt(days.from))} – ${dateText(dayAt(days.to))}`;
  const isNothing = lanes.length === 0 && reading.isWhole;
  return (
    <div class="picture timeline">
      <Choices
        group={group}
        asked={{ ...asked, tint }}
        period={period}
        onStep={(step) => moveBy(step * Math.round(zoom.days / 2))}
      />
      <ReadNote group={group} reading={reading} cut={timelineMessages.newestOnly}>
        <SaveImage of={holder} name={`${group.path.slice(1)}-timeline`} title={[title, period]} />
      </ReadNote>
      {tint?.kind === 'enum' && <TintLegend field={tint} colourOf={colouring.ofId} />}
      <div class="timeline-holder" ref={holder} onKeyDown={onKeyDown} {...pan.handlers}>
        <div class="timeline-top">
          <Axis scale={scale} zoom={zoom} width={width} />
        </div>
        <Lanes
          group={group}
          lanes={lanes}
          scale={scale}
          zoom={zoom}
          width={width}
          stop={stop}
          colourOf={colouring.of}
          wordsOf={(bar, of) => barWords({ bar, lane: of, group }, { ...asked, tint })}
          label={timelineMessages.keys(title, period)}
          onFocus={setActive}
          moved={pan.moved}
        />
        {isNothing && records.length > 0 && <p class="picture-none">{timelineMessages.emptyPeriod}</p>}
      </div>
      {isNothing && records.length === 0 && <Empty group={group} />}
      {lanes.length > 0 && <TimelineTable group={group} lanes={lanes} span={asked.span} lane={lane} />}
    </div>
  );
}

/** The bar before or behind. */
function besides(bars: readonly TimelineBar[], id: string | undefined, step: number): string | undefined {
  const place = bars.findIndex((bar) => bar.id === id);
  return bars[Math.min(Math.max(place + step, 0), bars.length - 1)]?.id;
}

/** The bar of the next lane that begins nearest. */
function below(lanes: readonly Lane[], id: string | undefined, step: number): string | undefined {
  const place = lanes.findIndex(({ bars }) => bars.some((bar) => bar.id === id));
  const from = lanes[place]?.bars.find((bar) => bar.id === id)?.from ?? 0;
  const next = lanes[place + step]?.bars ?? [];
  return next.toSorted((a, b) => Math.abs(a.from - from) - Math.abs(b.from - from))[0]?.id ?? id;
}

/** Words of a closed set have the colour of their place; records the next that is free, by their names. */
function useColours(tint: FieldModel | undefined, lanes: readonly Lane[]) {
  const ids =
    tint?.values ??
    [
      ...new Map(
        lanes.flatMap(({ bars }) =>
          bars.flatMap(({ tint: key }) => (key !== undefined && key.id !== '' ? [[key.id, key.text] as const] : [])),
        ),
      ),
    ]
      .toSorted(([, a], [, b]) => a.localeCompare(b))
      .map(([id]) => id);
  const places = new Map(ids.map((id, index) => [id, String(index % colours)]));
  const ofId = (id: string): string => places.get(id) ?? 'rest';
  return { ofId, of: ({ tint: key }: TimelineBar): string => (tint === undefined ? '0' : ofId(key?.id ?? '')) };
}

const TintLegend = ({ field, colourOf }: { readonly field: FieldModel; readonly colourOf: (id: string) => string }) => (
  <p class="legend">
    {(field.values ?? []).map((value) => (
      <span key={value} class="legend-entry">
        <span class={`swatch ground-${colourOf(value)}`} />
        {wordsOf(value)}
      </span>
    ))}
  </p>
);

/** What the lane says already is not said again. */
function barWords(
  { bar, lane, group }: { readonly bar: TimelineBar; readonly lane: Lane; readonly group: GroupModel },
  { span, tint }: Asked & Tinted,
): { short: string; full: string } {
  const tinted = bar.tint !== undefined && bar.tint.id !== '' && tint?.kind === 'reference' ? bar.tint.text : '';
  const isNew = (text: string): boolean => text !== '' && text !== lane.key.text;
  const told = [...new Set([bar.name, tinted])].filter(isNew);
  const others = splitsOf(group)
    .filter(({ kind }) => kind === 'reference')
    .map((field) => keyOf(field, bar.record))
    .flatMap(({ id, text }) => (id !== '' && isNew(text) ? [text] : []));
  const parts = told.length > 0 ? told : others.slice(0, 1);
  // A lane of its own has its name already.
  const short = parts.length === 0 && bar.name !== lane.key.text ? bar.name : parts.join(' · ');
  const day = (field: FieldModel, open: string): string =>
    plainText(field, bar.record[field.name], [bar.record]) || open;
  const days = `${day(span.start, timelineMessages.open)} – ${day(span.end, timelineMessages.open)}`;
  return { short, full: [...new Set([lane.key.text, ...parts]), days].join(', ') };
}

interface ChoicesProps {
  readonly group: GroupModel;
  readonly asked: Asked & Tinted;
  readonly period: string;
  readonly onStep: (step: -1 | 1) => void;
}

function Choices({ group, asked, period, onStep }: ChoicesProps): JSX.Element {
  const { span, lane, tint, zoom, days } = asked;
  const lanes = lanesOf(group);
  const option = (field: FieldModel) => ({ value: field.name, text: labelOf(field) });
  return (
    <Bar>
      <Select
        label={timelineMessages.from}
        value={span.start.name}
        options={spansOf(group).map(({ start, end }) => ({
          value: start.name,
          text: timelineMessages.span(labelOf(start), labelOf(end).toLowerCase()),
        }))}
        onChange={(value) => choose({ span: value })}
      />
      <Select
        label={timelineMessages.lanesBy}
        value={lane?.name ?? own}
        options={[...lanes.map(option), { value: own, text: timelineMessages.each(group.title.toLowerCase()) }]}
        onChange={(value) => choose({ lanes: value, tint: undefined })}
      />
      <Select
        label={timelineMessages.colouredBy}
        value={tint?.name ?? ''}
        options={splitsOf(group)
          .filter((field) => field !== lane)
          .map(option)}
        onChange={(value) => choose({ tint: value })}
      />
      <Select
        label={timelineMessages.zoom}
        value={zoom.key}
        options={zooms.map(({ key, text }) => ({ value: key, text }))}
        onChange={(key) => {
          const next = zooms.find((one) => one.key === key) ?? zoom;
          choose({ zoom: key, from: dayAt(Math.round(days.from + zoom.days / 2 - next.days / 2)) });
        }}
      />
      <Steps
        text={period}
        step={timelineMessages.stepHalf}
        onStep={onStep}
        onToday={chosen('from') === null ? undefined : () => choose({ from: undefined })}
      />
    </Bar>
  );
}
