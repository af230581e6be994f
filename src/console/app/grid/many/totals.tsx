// What chosen records come to.
import { Adder } from 'd3-array';
import type { JSX } from 'preact';
import type { Shown } from '../../service/api.ts';
import type { FieldModel } from '../../service/model.ts';
import { amountText, currencyOf, labelOf, plainText } from '../../values/format.ts';
import type { Column } from '../columns/columns.ts';

/** Numbers of which a sum says something: amounts by their currency, and what is shown in hours. */
export function Totals({
  columns,
  records,
}: {
  readonly columns: readonly Column[];
  readonly records: readonly Shown[];
}): JSX.Element {
  const sums = columns.flatMap(({ field }) => (field === undefined ? [] : [{ field, texts: sumsOf(field, records) }]));
  return (
    <>
      {sums
        .filter(({ texts }) => texts.length > 0)
        .map(({ field, texts }) => (
          <span key={field.name} class="chosen-sum">
            <span class="quiet">{labelOf(field)}</span>{' '}
            {texts.map((text, index) => (
              <span key={text}>
                {index > 0 && ' · '}
                <b class="number">{text}</b>
              </span>
            ))}
          </span>
        ))}
    </>
  );
}

function sumsOf(field: FieldModel, records: readonly Shown[]): readonly string[] {
  const numberOf = (record: Shown): number => {
    const value = record[field.name];
    return typeof value === 'number' ? value : 0;
  };
  const sum = (some: readonly Shown[]): number => {
    const adder = new Adder();
    for (const record of some) adder.add(numberOf(record));
    return Number(adder);
  };
  if (field.shownIn === 'hours') return [plainText(field, sum(records), [])];
  if (field.currency === undefined) return [];
  const known = records.filter((record) => currencyOf(field, [record]) !== undefined && numberOf(record) !== 0);
  return [...Map.groupBy(known, (record) => currencyOf(field, [record]) ?? '')].map(([currency, some]) =>
    amountText(sum(some), currency),
  );
}
