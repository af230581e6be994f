// A small view of a group; its title links to the full one.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { groupAddress, newAddress, recordAddress } from '../browser/router.ts';
import { commonMessages } from '../messages/common.ts';
import { homeMessages } from '../messages/home.ts';
import { can, type FieldModel, type GroupModel } from '../service/model.ts';
import { countText, dateText, labelOf, shownName } from '../values/format.ts';
import { State } from '../values/value.tsx';
import { monthText } from '../views/picture/days.ts';
import { inUnit, measureText, sumText, unitOf } from '../views/picture/values.ts';
import { daysOf, equalsFilter, firstMeasure, lanesOf, spansOf, stateOf } from '../views/shape/shapes.ts';
import { lanesFrom } from '../views/timeline/lanes.ts';
import { MiniBars, MiniLanes } from './mini.tsx';
import { Skeleton } from './skeleton.tsx';
import type { TileChoice, TileKind } from './tile-choice.ts';
import { type ChartData, chartData, newestOf, nowData, type StateCount, stateCounts } from './tile-data.ts';

interface TileProps {
  readonly choice: TileChoice;
  readonly onTold: (isEmpty: boolean) => void;
}

const shownRecords = 5;
const shownLanes = 5;

/** What a tile holds; undefined where there is nothing to show. */
type Content = (() => JSX.Element) | 'empty';

const load: Readonly<Record<TileKind, (group: GroupModel) => Promise<Content>>> = {
  chart: async (group) => {
    const measure = firstMeasure(group);
    const data = measure && (await chartData(group, measure).catch(() => undefined));
    return measure === undefined || data === undefined
      ? newest(group)
      : () => <ChartTile group={group} measure={measure} data={data} />;
  },
  states: async (group) => {
    const field = stateOf(group);
    const counts = field && (await stateCounts(group, field).catch(() => undefined));
    if (counts === undefined) return newest(group);
    return counts.every(({ count }) => count === 0) ? 'empty' : () => <StatesTile group={group} counts={counts} />;
  },
  now: async (group) => {
    const [span] = spansOf(group);
    const data = span && (await nowData(group, span));
    if (data === undefined || span === undefined || data.records.length === 0) return newest(group);
    const lane = lanesOf(group).find(({ kind }) => kind === 'reference');
    const lanes = lanesFrom({ group, span, lane, tint: undefined, days: data.around }, data.records);
    if (lanes.length === 0) return newest(group);
    const by = lane === undefined ? '' : homeMessages.by(labelOf(lane).toLowerCase());
    return () => (
      <Framed group={group} view="timeline" note={homeMessages.current(by, data.isWhole)}>
        <MiniLanes
          lanes={lanes.slice(0, shownLanes)}
          days={data.around}
          label={homeMessages.around(group.plural, by)}
        />
        {lanes.length > shownLanes && (
          <p class="quiet tile-more">{commonMessages.more(countText(lanes.length - shownLanes))}</p>
        )}
      </Framed>
    );
  },
  newest: (group) => newest(group),
};

async function newest(group: GroupModel): Promise<Content> {
  const { results } = await newestOf(group, shownRecords);
  if (results.length === 0) return 'empty';
  const [measure, day] = [firstMeasure(group), daysOf(group)[0]];
  return () => (
    <Framed group={group} note={homeMessages.newest}>
      <ul class="tile-list">
        {results.map((record) => {
          const value = measure === undefined ? undefined : record[measure.name];
          const on = day === undefined ? undefined : record[day.name];
          return (
            <li key={record.id}>
              <a href={recordAddress(group.path, String(record.id))}>{shownName(group, record)}</a>
              <span class="quiet number">
                {measure !== undefined && typeof value === 'number'
                  ? sumText(measure, unitOf(group, measure, record) ?? '', inUnit(measure, value))
                  : typeof on === 'string' && dateText(on)}
              </span>
            </li>
          );
        })}
      </ul>
    </Framed>
  );
}

export default function Tile({ choice: { group, kind }, onTold }: TileProps): JSX.Element | null {
  const [content, setContent] = useState<Content | 'refused' | undefined>(undefined);
  useEffect(() => {
    load[kind](group).then(
      (found) => {
        // A function given to a setter would be called.
        setContent(() => found);
        onTold(found === 'empty');
      },
      () => setContent('refused'),
    );
  }, [group, kind]);
  if (content === undefined) return <Skeleton title={group.plural} />;
  if (content === 'refused') return <Refused group={group} />;
  return content === 'empty' ? <EmptyTile group={group} /> : content();
}

/** What is switched off, or cannot be reached, says so where one looks for it. */
const Refused = ({ group }: { readonly group: GroupModel }): JSX.Element => (
  <>
    <h3>
      <a href={groupAddress(group.path)}>{group.plural}</a>
    </h3>
    <p class="quiet">{homeMessages.unavailable}</p>
  </>
);

const EmptyTile = ({ group }: { readonly group: GroupModel }): JSX.Element => (
  <>
    <h3>
      <a href={groupAddress(group.path)}>{group.plural}</a>
    </h3>
    <p class="quiet">{homeMessages.none(group.description)}</p>
    {can(group, 'create') && (
      <p>
        <a class="button" href={newAddress(group.path)}>
          {commonMessages.newRecord(group.title.toLowerCase())}
        </a>
      </p>
    )}
  </>
);

interface FramedProps {
  readonly group: GroupModel;
  /** What the title leads to; the grid without one. */
  readonly view?: string;
  readonly note: string;
  readonly children: JSX.Element | (JSX.Element | false)[];
}

function Framed({ group, view, note, children }: FramedProps): JSX.Element {
  const query = new URLSearchParams(view === undefined ? {} : { _view: view });
  return (
    <>
      <h3>
        <a href={groupAddress(group.path, query)}>{group.plural}</a>
      </h3>
      <p class="quiet tile-note">{note}</p>
      {children}
    </>
  );
}

interface ChartTileProps {
  readonly group: GroupModel;
  readonly measure: FieldModel;
  readonly data: ChartData;
}

function ChartTile({ group, measure, data: { slots, panels } }: ChartTileProps): JSX.Element {
  const sums = panels.map(({ unit, totals }) =>
    sumText(
      measure,
      unit,
      totals.reduce((sum, value) => sum + value, 0),
    ),
  );
  const [first, last] = [slots[0] ?? '', slots.at(-1) ?? ''];
  const period = `${monthText(first)} – ${monthText(last)}`;
  const [panel] = panels;
  return (
    <Framed group={group} view="chart" note={homeMessages.byMonth(measureText(measure), period)}>
      <p class="tile-sum number">{sums[0]}</p>
      {sums.length > 1 && <p class="tile-besides quiet number">{homeMessages.plus(sums.slice(1).join(' · '))}</p>}
      {panel === undefined ? (
        <p class="quiet">…</p>
      ) : (
        <MiniBars values={panel.totals} label={`${group.plural}, ${period}: ${sums.join(', ')}`} />
      )}
    </Framed>
  );
}

function StatesTile({ group, counts }: { readonly group: GroupModel; readonly counts: readonly StateCount[] }) {
  const field = stateOf(group);
  const name = field && equalsFilter(group, field.name);
  if (field === undefined || name === undefined) return <EmptyTile group={group} />;
  const most = Math.max(...counts.map(({ count }) => count), 1);
  return (
    <Framed group={group} view="board" note={homeMessages.byState(labelOf(field).toLowerCase())}>
      <ul class="tile-states">
        {counts.map(({ state, count }) => (
          <li key={state}>
            <a href={groupAddress(group.path, new URLSearchParams({ [name]: state }))}>
              <State field={field} value={state} />
              <span class="tile-track">
                <span class="tile-bar" style={{ width: `${(100 * count) / most}%` }} />
              </span>
              <span class="number">{countText(count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Framed>
  );
}
