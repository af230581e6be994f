// A month calendar with totals by day and week. A day links to its records.
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { groupAddress } from '../../browser/router.ts';
import { calendarMessages } from '../../messages/views.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { countText, labelOf } from '../../values/format.ts';
import { choose, chosen } from '../picture/choice.ts';
import {
  dayAt,
  dayNumber,
  firstDay,
  isMonth,
  lastDay,
  longDay,
  monthAfter,
  monthOf,
  monthText,
  placeInWeek,
  today,
  weekdayLong,
  weekdayText,
} from '../picture/days.ts';
import { Bar, MeasureSelect, ReadNote, SaveImage, Steps } from '../picture/frame.tsx';
import { useReading } from '../picture/reading.ts';
import { type Panel, panelsOf } from '../picture/sums.ts';
import { axisText, measureText, sumText } from '../picture/values.ts';
import { calendarDay, firstMeasure, measuresOf, rangeFilters } from '../shape/shapes.ts';
import type { ViewProps } from '../shape/view-props.ts';

const weekDays = 7;

/** What a day, a week or a month comes to. */
interface Sums {
  readonly panels: readonly Panel[];
  readonly counts: readonly number[];
  readonly measure: FieldModel | undefined;
  readonly days: readonly string[];
}

export default function Calendar({ group, filters }: ViewProps): JSX.Element | null {
  const day = calendarDay(group);
  const names = day && rangeFilters(group, day);
  if (day === undefined || names === undefined) return null;
  return <Month group={group} filters={filters} day={day} names={names} />;
}

interface MonthProps extends ViewProps {
  readonly day: FieldModel;
  readonly names: { readonly from: string; readonly to: string };
}

function Month({ group, filters, day, names }: MonthProps): JSX.Element {
  const given = filters.get(names.to) ?? filters.get(names.from);
  const at = chosen('at');
  const month = isMonth(at) ? at : monthOf(given ?? today());
  const of = chosen('of');
  const measure =
    of === 'count' ? undefined : (measuresOf(group).find(({ name }) => name === of) ?? firstMeasure(group));
  const [first, last] = [dayNumber(firstDay(month)), dayNumber(lastDay(month))];
  const days = Array.from({ length: last - first + 1 }, (_, index) => dayAt(first + index));
  const queryOf = (from: string, to: string): URLSearchParams => {
    const query = new URLSearchParams(filters);
    const [least, most] = [query.get(names.from), query.get(names.to)];
    query.set(names.from, least !== null && least > from ? least : from);
    query.set(names.to, most !== null && most < to ? most : to);
    return query;
  };
  const reading = useReading(group.path, [queryOf(firstDay(month), lastDay(month)).toString()]);
  const question = { group, day, measure, split: undefined, slots: days, slotOf: (text: string) => text };
  const records = reading.records();
  const panels = panelsOf(question, records);
  const [counted] = panelsOf({ ...question, measure: undefined }, records);
  const sums: Sums = { panels, counts: counted?.totals ?? days.map(() => 0), measure, days };
  const go = (to: string): void => choose({ at: to });
  const holder = useRef<HTMLDivElement>(null);
  const title = `${group.plural}: ${measureText(measure)}`;
  return (
    <div class="picture calendar">
      <Bar>
        <MeasureSelect group={group} measure={measure} />
        <Steps
          text={monthText(month)}
          step={calendarMessages.stepMonth}
          onStep={(step) => go(monthAfter(month, step))}
          onToday={month === monthOf(today()) ? undefined : () => go(monthOf(today()))}
        />
        <input
          type="month"
          aria-label={calendarMessages.month}
          value={month}
          onChange={({ currentTarget: { value } }) => isMonth(value) && go(value)}
        />
        <span class="spacer" />
        <span class="calendar-total">
          <span class="quiet">{monthText(month)}</span> <b class="number">{sumsText(sums, [0, days.length - 1])}</b>
        </span>
        <SaveImage of={holder} name={`${group.path.slice(1)}-calendar`} title={[title, monthText(month)]} />
      </Bar>
      <ReadNote group={group} reading={reading} cut={calendarMessages.partial} />
      <div ref={holder}>
        <Days
          group={group}
          caption={calendarMessages.caption(title, labelOf(day).toLowerCase(), monthText(month))}
          sums={sums}
          addressOf={(from, to) => groupAddress(group.path, queryOf(from, to))}
          onMonth={(step) => go(monthAfter(month, step))}
        />
      </div>
    </div>
  );
}

/** The sum from one place to another, in each currency. */
function sumsText({ panels, measure, counts }: Sums, [from, to]: readonly [number, number], isShort = false): string {
  const part = (values: readonly number[]): number =>
    values.slice(from, to + 1).reduce((total, value) => total + value, 0);
  if (part(counts) === 0) return '';
  const text = (unit: string, sum: number): string =>
    isShort ? axisText(measure, unit, sum) : sumText(measure, unit, sum);
  return panels
    .map(({ unit, totals }) => ({ unit, sum: part(totals) }))
    .filter(({ sum }) => sum !== 0 || panels.length === 1)
    .map(({ unit, sum }) => text(unit, sum))
    .join(' · ');
}

interface DaysProps {
  readonly group: GroupModel;
  readonly caption: string;
  readonly sums: Sums;
  readonly addressOf: (from: string, to: string) => string;
  readonly onMonth: (step: -1 | 1) => void;
}

/** Steps of the keys, in days. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -weekDays,
  ArrowDown: weekDays,
};

function Days({ group, caption, sums, addressOf, onMonth }: DaysProps): JSX.Element {
  const { days } = sums;
  const table = useRef<HTMLTableElement>(null);
  const before = placeInWeek(days[0] ?? '');
  const weeks = Array.from({ length: Math.ceil((before + days.length) / weekDays) }, (_, week) =>
    Array.from({ length: weekDays }, (_day, place) => week * weekDays + place - before),
  );
  const most = Math.max(...days.map((_, index) => weightOf(sums, index)), 0);
  const now = today();
  const stop = days.includes(now) ? now : days[0];
  const onKeyDown = (event: KeyboardEvent): void => {
    const on = (event.target as HTMLElement).dataset['day'];
    const step = steps[event.key];
    if (on !== undefined && step !== undefined) {
      table.current?.querySelector<HTMLElement>(`[data-day="${dayAt(dayNumber(on) + step)}"]`)?.focus();
    } else if (event.key === 'PageUp' || event.key === 'PageDown') onMonth(event.key === 'PageUp' ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return (
    <table data-drawing class="month-table" ref={table} onKeyDown={onKeyDown}>
      <caption class="visually-hidden">
        {caption}. {calendarMessages.keys}
      </caption>
      <thead>
        <tr>
          {weeks[1]?.map((index) => (
            <th scope="col" key={index} abbr={weekdayLong(days[index] ?? now)}>
              {weekdayText(days[index] ?? now)}
            </th>
          ))}
          <th scope="col" class="week-sum">
            {calendarMessages.week}
          </th>
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => {
          const [from, to] = [Math.max(week[0] ?? 0, 0), Math.min(week[weekDays - 1] ?? 0, days.length - 1)];
          return (
            <tr key={week[0]}>
              {week.map((index) => (
                <td key={index} class={days[index] === undefined ? 'outside' : days[index] === now ? 'today' : ''}>
                  {days[index] !== undefined && (
                    <Day
                      group={group}
                      sums={sums}
                      index={index}
                      isStop={days[index] === stop}
                      heat={most === 0 ? 0 : weightOf(sums, index) / most}
                      address={addressOf(days[index] ?? '', days[index] ?? '')}
                    />
                  )}
                </td>
              ))}
              <td class="week-sum number">
                {sumsText(sums, [from, to]) !== '' && (
                  <a href={addressOf(days[from] ?? '', days[to] ?? '')}>{sumsText(sums, [from, to])}</a>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** How much a day stands out: by the largest of its currencies. */
const weightOf = ({ panels }: Sums, index: number): number => Math.abs(panels[0]?.totals[index] ?? 0);

interface DayProps {
  readonly group: GroupModel;
  readonly sums: Sums;
  readonly index: number;
  readonly isStop: boolean;
  /** 0 to 1. */
  readonly heat: number;
  readonly address: string;
}

function Day({ group, sums, index, isStop, heat, address }: DayProps): JSX.Element {
  const day = sums.days[index] ?? '';
  const count = sums.counts[index] ?? 0;
  const text = sumsText(sums, [index, index]);
  const words = `${countText(count)} ${(count === 1 ? group.title : group.plural).toLowerCase()}`;
  return (
    <a
      class="day"
      href={address}
      data-day={day}
      tabIndex={isStop ? 0 : -1}
      style={{ '--heat': `${Math.round(heat * 100)}` }}
    >
      <span class="day-number">
        <span class="visually-hidden">{longDay(day)}: </span>
        <span aria-hidden="true">{Number(day.slice(8))}</span>
      </span>
      {count > 0 && (
        <>
          <span class="day-sum number">{text}</span>
          <span class="day-short number">{sumsText(sums, [index, index], true)}</span>
          <span class="day-count quiet">{words}</span>
        </>
      )}
    </a>
  );
}
