// Sums and counts over time: a bar a month, split by a field, with the numbers below.
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { groupAddress } from '../../browser/router.ts';
import { chartMessages } from '../../messages/views.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import type { FieldModel } from '../../service/model.ts';
import { labelOf } from '../../values/format.ts';
import { useSums } from '../picture/asked-sums.ts';
import { choose } from '../picture/choice.ts';
import { monthAfter, monthOf, shortMonthYear, today } from '../picture/days.ts';
import { Bar, MeasureSelect, ReadNote, SaveImage, Select, Steps } from '../picture/frame.tsx';
import { useReading } from '../picture/reading.ts';
import { addedUp, colourOf, type Panel, panelsOf, type Series } from '../picture/sums.ts';
import { axisText, measureText, sumText } from '../picture/values.ts';
import { useWidth } from '../picture/width.ts';
import { daysOf, equalsFilter, splitsOf } from '../shape/shapes.ts';
import type { ViewProps } from '../shape/view-props.ts';
import { Bars } from './bars.tsx';
import { Numbers } from './numbers.tsx';
import { type Asked, askedOf, narrowed, queriesOf, spans } from './question.ts';

export default function ChartView({ group, filters }: ViewProps): JSX.Element | null {
  const asked = askedOf(group, filters);
  return asked === undefined ? null : <Chart asked={asked} filters={filters} />;
}

interface ChartProps {
  readonly asked: Asked;
  readonly filters: URLSearchParams;
}

/** What the service can add up is asked for as sums; else the records are read. */
function Chart({ asked, filters }: ChartProps): JSX.Element {
  const { months } = asked;
  const whole = narrowed(asked, filters, [0, months.length - 1]);
  const parts = months.flatMap((_, index) => narrowed(asked, filters, [index, index]) ?? []);
  const sums = useSums(asked, whole ?? filters, parts);
  if (sums.state === 'refused') return <ReadChart asked={asked} filters={filters} />;
  if (sums.state === 'failed') return <ProblemNote problem={sums.problem} />;
  return (
    <ChartFrame
      asked={asked}
      filters={filters}
      panels={sums.state === 'known' ? sums.panels : []}
      isComplete={sums.state === 'known'}
      isWhole={() => true}
      note={(save) => (
        <div class="picture-note">
          <p class="quiet" role="status">
            {sums.state === 'known' ? sums.words : chartMessages.addingUp}
          </p>
          {save}
        </div>
      )}
    />
  );
}

function ReadChart({ asked, filters }: ChartProps): JSX.Element {
  const { group, months } = asked;
  const reading = useReading(group.path, queriesOf(asked, filters));
  const isByMonth = narrowed(asked, filters, [0, 0]) !== undefined;
  // The latest month was asked for first.
  const isWhole = (index: number): boolean => !isByMonth || reading.part(months.length - 1 - index).isWhole;
  const records = isByMonth
    ? months.flatMap((_, index) => (isWhole(index) ? reading.part(months.length - 1 - index).records : []))
    : reading.records();
  return (
    <ChartFrame
      asked={asked}
      filters={filters}
      panels={panelsOf(asked, records)}
      isComplete={reading.isWhole}
      isWhole={isWhole}
      note={(save) => (
        <ReadNote
          group={group}
          reading={reading}
          cut={isByMonth ? chartMessages.partialMonths : chartMessages.newestOnly}
        >
          {save}
        </ReadNote>
      )}
    />
  );
}

interface ChartFrameProps extends ChartProps {
  readonly panels: readonly Panel[];
  /** Whether nothing is still to come. */
  readonly isComplete: boolean;
  readonly isWhole: (index: number) => boolean;
  /** What it was made of. @param save Stands at the other end of the line. */
  readonly note: (save: JSX.Element) => JSX.Element;
}

function ChartFrame({ asked, filters, panels: found, isComplete, isWhole, note }: ChartFrameProps): JSX.Element {
  const { group, measure, split, months, isRunning } = asked;
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder);
  const panels = isRunning ? found.map(addedUp) : found;
  const linkOf = (index: number, series?: Series): string | undefined => {
    const query = narrowed(asked, filters, [isRunning ? 0 : index, index]);
    if (query === undefined || series === undefined || split === undefined)
      return query && groupAddress(group.path, query);
    const name = equalsFilter(group, split.name);
    if (name === undefined || series.key === undefined || series.key.id === '') return undefined;
    query.set(name, series.key.id);
    return groupAddress(group.path, query);
  };
  const measured = `${group.plural}: ${measureText(measure)}`;
  const title = split === undefined ? measured : chartMessages.title(measured, labelOf(split).toLowerCase());
  const period = `${shortMonthYear(months[0] ?? '')} – ${shortMonthYear(months.at(-1) ?? '')}`;
  return (
    <div class="picture chart">
      <Choices asked={asked} period={period} />
      {note(<SaveImage of={holder} name={`${group.path.slice(1)}-chart`} title={[title, subtitleOf(asked, period)]} />)}
      <div class="drawings" ref={holder}>
        {panels.map((panel) => (
          <PanelView
            key={panel.unit}
            panel={panel}
            asked={asked}
            title={title}
            width={width}
            isWhole={isWhole}
            linkOf={linkOf}
            isNamed={panels.length > 1}
          />
        ))}
      </div>
      {panels.length === 0 && isComplete && <p class="picture-none">{chartMessages.emptyPeriod(period)}</p>}
      {panels.map((panel) => (
        <Numbers key={panel.unit} panel={panel} asked={asked} isWhole={isWhole} linkOf={linkOf} title={title} />
      ))}
    </div>
  );
}

const subtitleOf = ({ day, isRunning }: Asked, period: string): string =>
  `${chartMessages.title(`${period},`, labelOf(day).toLowerCase())}${isRunning ? chartMessages.cumulativeNote : ''}`;

interface ChoicesProps {
  readonly asked: Asked;
  readonly period: string;
}

function Choices({ asked, period }: ChoicesProps): JSX.Element {
  const { group, measure, day, split, isRunning, isFiltered, span, months } = asked;
  const option = (field: FieldModel) => ({ value: field.name, text: labelOf(field) });
  const last = months.at(-1) ?? '';
  return (
    <Bar>
      <MeasureSelect group={group} measure={measure} />
      <Select
        label={chartMessages.by}
        value={day.name}
        options={daysOf(group).map(option)}
        onChange={(name) => choose({ day: name })}
      />
      <Select
        label={chartMessages.splitBy}
        value={split?.name ?? ''}
        options={[{ value: '', text: chartMessages.noSplit }, ...splitsOf(group).map(option)]}
        onChange={(by) => choose({ by: by === '' ? undefined : by })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={isRunning}
          onChange={({ currentTarget: { checked } }) => choose({ run: checked ? '1' : undefined })}
        />
        {chartMessages.cumulative}
      </label>
      {isFiltered ? (
        <span class="picture-period">{period}</span>
      ) : (
        <>
          <Steps
            text={period}
            step={chartMessages.stepYear}
            onStep={(step) => choose({ to: monthAfter(last, step * 12) })}
            onToday={last === monthOf(today()) ? undefined : () => choose({ to: undefined })}
          />
          <Select
            label={chartMessages.over}
            value={span}
            options={spans.map((value) => ({ value, text: chartMessages.months(value) }))}
            onChange={(value) => choose({ span: value === '12' ? undefined : value })}
          />
        </>
      )}
    </Bar>
  );
}

interface PanelProps {
  readonly panel: Panel;
  readonly asked: Asked;
  readonly title: string;
  readonly width: number;
  readonly isWhole: (index: number) => boolean;
  readonly linkOf: (index: number, series?: Series) => string | undefined;
  /** Whether its currency is said. */
  readonly isNamed: boolean;
}

function PanelView({ panel, asked, title, width, isWhole, linkOf, isNamed }: PanelProps): JSX.Element {
  const [active, setActive] = useState<number | undefined>(undefined);
  const { months, measure, split, isRunning } = asked;
  const text = (value: number): string => sumText(measure, panel.unit, value);
  const total = (values: readonly number[]): number =>
    isRunning ? (values.at(-1) ?? 0) : values.reduce((sum, value) => sum + value, 0);
  const at = (values: readonly number[]): number => (active === undefined ? total(values) : (values[active] ?? 0));
  const label = (index: number): string => {
    const month = shortMonthYear(months[index] ?? '');
    return isWhole(index) ? `${month}: ${text(panel.totals[index] ?? 0)}` : `${month}: ${chartMessages.notLoaded}`;
  };
  return (
    <figure class="panel">
      <figcaption class="legend" data-legend>
        <span class="legend-total">
          {isNamed && panel.unit !== '' && <b>{panel.unit} </b>}
          <span class="quiet">
            {active === undefined ? chartMessages.allMonths : shortMonthYear(months[active] ?? '')}
          </span>{' '}
          <b class="number">{text(at(panel.totals))}</b>
        </span>
        {split !== undefined &&
          panel.series.map((series, place) => (
            <span key={series.key?.id ?? ' '} class="legend-entry">
              <span class={`swatch ground-${colourOf(series, place)}`} />
              {series.text} <span class="quiet number">{text(at(series.values))}</span>
            </span>
          ))}
      </figcaption>
      <Bars
        panel={panel}
        months={months}
        width={width}
        height={width < 520 ? 220 : 290}
        label={chartMessages.barPerMonth(title, panel.unit)}
        isWhole={isWhole}
        active={active}
        onActive={setActive}
        axisText={(value) => axisText(measure, panel.unit, value)}
        monthLabel={label}
        linkOf={linkOf}
      />
    </figure>
  );
}
