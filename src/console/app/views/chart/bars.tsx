// Stacked bars by month. A bar links to its records; with a pointer each segment does too.
import { nice, ticks } from 'd3-array';
import type { JSX } from 'preact';
import { chartMessages } from '../../messages/views.ts';
import { shortMonth } from '../picture/days.ts';
import { colourOf, type Panel, type Series } from '../picture/sums.ts';

interface BarsProps {
  readonly panel: Panel;
  readonly months: readonly string[];
  readonly width: number;
  readonly height: number;
  /** Of all that is drawn. */
  readonly label: string;
  /** Whether all records of a month have been read. */
  readonly isWhole: (index: number) => boolean;
  readonly active: number | undefined;
  readonly onActive: (index: number | undefined) => void;
  /** A value along the axis, with its unit. */
  readonly axisText: (value: number) => string;
  readonly monthLabel: (index: number) => string;
  /** Undefined where the list cannot be narrowed to it. */
  readonly linkOf: (index: number, series?: Series) => string | undefined;
}

const margins = { left: 52, right: 8, top: 12, bottom: 36 };
/** Of a letter along the axis. */
const letterWidth = 6.6;

/** From the lowest stack to the highest, in round numbers. */
function domainOf({ series, totals }: Panel): readonly [number, number] {
  const ends = totals.map((_, index) => {
    const values = series.map(({ values: all }) => all[index] ?? 0);
    const sum = (sign: 1 | -1): number =>
      values.reduce((total, value) => total + (Math.sign(value) === sign ? value : 0), 0);
    return [sum(-1), sum(1)] as const;
  });
  const [low, high] = [Math.min(0, ...ends.map(([end]) => end)), Math.max(0, ...ends.map(([, end]) => end))];
  return low === 0 && high === 0 ? [0, 1] : nice(low, high, 5);
}

export function Bars(props: BarsProps): JSX.Element {
  const { panel, months, width, height, label, isWhole, active, onActive, linkOf, axisText } = props;
  const [low, high] = domainOf(panel);
  const marks = ticks(low, high, 5).map((value) => ({ value, text: axisText(value) }));
  const longest = Math.max(0, ...marks.map(({ text }) => text.length));
  const space = { ...margins, left: Math.max(margins.left, 14 + longest * letterWidth) };
  const [inner, tall] = [width - space.left - space.right, height - space.top - space.bottom];
  const y = (value: number): number => space.top + tall * (1 - (value - low) / (high - low));
  const step = inner / months.length;
  const bar = Math.max(Math.min(step * 0.72, 56), 2);
  return (
    <svg data-drawing class="bars" width={width} height={height} role="group" aria-label={label}>
      {marks.map(({ value, text }) => (
        <g key={value} class={value === 0 ? 'rule zero' : 'rule'}>
          <line x1={space.left} x2={width - space.right} y1={y(value)} y2={y(value)} />
          <text x={space.left - 8} y={y(value) + 4} text-anchor="end">
            {text}
          </text>
        </g>
      ))}
      {months.map((month, index) => {
        const x = space.left + step * index;
        const link = linkOf(index);
        const aimed = { onPointerEnter: () => onActive(index), onPointerLeave: () => onActive(undefined) };
        return (
          <g key={month} class={active === index ? 'month active' : 'month'} {...aimed}>
            <Column link={link} label={props.monthLabel(index)} onActive={(isOn) => onActive(isOn ? index : undefined)}>
              <rect class="reach" x={x} y={space.top} width={step} height={tall} />
            </Column>
            {isWhole(index) ? (
              <Stack
                panel={panel}
                index={index}
                place={{ x: x + (step - bar) / 2, width: bar, y }}
                linkOf={(series) => linkOf(index, series)}
                labelOf={({ text }) => chartMessages.of(props.monthLabel(index), text)}
              />
            ) : (
              <rect class="unread" x={x + (step - bar) / 2} y={space.top} width={bar} height={tall} />
            )}
            <MonthText
              month={month}
              x={x + step / 2}
              y={height - space.bottom + 16}
              step={step}
              isFirst={index === 0}
            />
          </g>
        );
      })}
    </svg>
  );
}

interface ColumnProps {
  readonly link: string | undefined;
  readonly label: string;
  readonly onActive: (isOn: boolean) => void;
  readonly children: JSX.Element;
}

/** A month for the keyboard; it leads to its records where the list can be narrowed to them. */
function Column({ link, label, onActive, children }: ColumnProps): JSX.Element {
  const focus = { onFocus: () => onActive(true), onBlur: () => onActive(false) };
  return link === undefined ? (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a month is read out where it is reached
    <g class="column" role="img" tabIndex={0} aria-label={label} {...focus}>
      {children}
    </g>
  ) : (
    <a class="column" href={link} aria-label={label} {...focus}>
      {children}
    </a>
  );
}

interface StackProps {
  readonly panel: Panel;
  readonly index: number;
  readonly place: { readonly x: number; readonly width: number; readonly y: (value: number) => number };
  readonly linkOf: (series: Series) => string | undefined;
  readonly labelOf: (series: Series) => string;
}

/** What is below zero stands below it. */
function Stack({ panel, index, place: { x, width, y }, linkOf, labelOf }: StackProps): JSX.Element {
  let [up, down] = [0, 0];
  const parts = panel.series.flatMap((series, place) => {
    const value = series.values[index] ?? 0;
    if (value === 0) return [];
    const from = value > 0 ? up : down;
    if (value > 0) up += value;
    else down += value;
    const [top, bottom] = [Math.min(y(from), y(from + value)), Math.max(y(from), y(from + value))];
    const rect = (
      <rect
        class={`fill-${colourOf(series, place)}`}
        x={x}
        y={top}
        width={width}
        height={Math.max(bottom - top, 0.75)}
      />
    );
    const link = linkOf(series);
    return [
      link === undefined ? (
        <g key={place}>{rect}</g>
      ) : (
        // A month is reached by keyboard, and its values in the table.
        <a key={place} href={link} tabIndex={-1} aria-label={labelOf(series)}>
          {rect}
        </a>
      ),
    ];
  });
  return <g class="stack">{parts}</g>;
}

interface MonthTextProps {
  readonly month: string;
  readonly x: number;
  readonly y: number;
  readonly step: number;
  readonly isFirst: boolean;
}

/** Every month, every third or every January, as there is room. */
function MonthText({ month, x, y, step, isFirst }: MonthTextProps): JSX.Element | null {
  const [year = '', number = ''] = month.split('-');
  const isYear = number === '01' || isFirst;
  const every = step >= 30 ? 1 : step >= 12 ? 3 : 12;
  const isNamed = (Number(number) - 1) % every === 0;
  if (!isNamed && !(isYear && step >= 30)) return null;
  return (
    <text class="tick" x={x} y={y} text-anchor="middle">
      {isNamed && <tspan>{shortMonth(month)}</tspan>}
      {isYear && (
        <tspan x={x} dy={14} class="year">
          {year}
        </tspan>
      )}
    </text>
  );
}
