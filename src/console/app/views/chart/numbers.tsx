// The numbers of a chart as a table; each links to its records.
import type { JSX } from 'preact';
import { chartMessages, viewMessages } from '../../messages/views.ts';
import { shortMonthYear } from '../picture/days.ts';
import type { Panel, Series } from '../picture/sums.ts';
import { sumText } from '../picture/values.ts';
import type { Asked } from './question.ts';

interface NumbersProps {
  readonly panel: Panel;
  readonly asked: Asked;
  readonly title: string;
  readonly isWhole: (index: number) => boolean;
  readonly linkOf: (index: number, series?: Series) => string | undefined;
}

export function Numbers({ panel, asked, title, isWhole, linkOf }: NumbersProps): JSX.Element {
  const { months, measure, split, isRunning } = asked;
  const text = (value: number): string => sumText(measure, panel.unit, value);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const columns = split === undefined ? [] : panel.series;
  const linked = (value: number, link: string | undefined): JSX.Element =>
    value === 0 ? (
      <span class="quiet">–</span>
    ) : link === undefined ? (
      <span>{text(value)}</span>
    ) : (
      <a href={link}>{text(value)}</a>
    );
  return (
    <section class="numbers" tabIndex={0} aria-label={chartMessages.numbers(panel.unit)}>
      <table>
        <caption>
          {title}
          {panel.unit === '' ? '' : `, ${panel.unit}`}
          {isRunning ? chartMessages.cumulativeNote : ''}
        </caption>
        <thead>
          <tr>
            <th scope="col">{chartMessages.month}</th>
            {columns.map((series) => (
              <th scope="col" key={series.key?.id ?? ' '} class="numeric">
                {series.text}
              </th>
            ))}
            <th scope="col" class="numeric">
              {chartMessages.total}
            </th>
          </tr>
        </thead>
        <tbody>
          {months.map((month, index) => (
            <tr key={month}>
              <th scope="row">{shortMonthYear(month)}</th>
              {isWhole(index) ? (
                <>
                  {columns.map((series) => (
                    <td key={series.key?.id ?? ' '} class="numeric">
                      {linked(series.values[index] ?? 0, linkOf(index, series))}
                    </td>
                  ))}
                  <td class="numeric total">{linked(panel.totals[index] ?? 0, linkOf(index))}</td>
                </>
              ) : (
                <td class="quiet numeric" colSpan={columns.length + 1}>
                  {chartMessages.notLoaded}
                </td>
              )}
            </tr>
          ))}
        </tbody>
        {!isRunning && (
          <tfoot>
            <tr>
              <th scope="row">{viewMessages.all}</th>
              {columns.map((series) => (
                <td key={series.key?.id ?? ' '} class="numeric">
                  {text(sum(series.values))}
                </td>
              ))}
              <td class="numeric total">{text(sum(panel.totals))}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}
