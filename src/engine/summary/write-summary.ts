// Puts the groups of a summary in order, and writes them as JSON.
import { kinds } from '../../registry/model/kinds.ts';
import type { Field, Value } from '../../registry/model/model.ts';
import {
  type Dimension,
  type MeasureKind,
  measureKinds,
  type SummaryIntent,
} from '../../request/long-reads/summary.ts';
import { exactly, quotient } from '../../values/decimal.ts';
import { fold } from '../../values/fold.ts';
import { compareStrings } from '../../values/format.ts';
import type { Names } from './names.ts';
import type { MeasureTally, Tally } from './tally.ts';

/** Decimals of a mean, beyond those of its field. */
const moreDecimals = 4;

/** `{"results": […], "hasMore": …, "rows": …}` */
export function writeSummary(intent: SummaryIntent, tallies: readonly Tally[], names: Names): string {
  const sorted = tallies.toSorted(orderOf(intent, names));
  const results = sorted.slice(0, intent.limit).map((tally) => tallyText(intent, tally, names));
  const rows = tallies.reduce((sum, { count }) => sum + count, 0);
  return `{"results":[${results.join(',')}],"hasMore":${sorted.length > intent.limit},"rows":${rows}}`;
}

type Compare = (one: Tally, other: Tally) => number;

function orderOf(intent: SummaryIntent, names: Names): Compare {
  const { by, isDescending } = intent.order;
  const sign = isDescending ? -1 : 1;
  const compareGroups: Compare = (one, other) => {
    for (const [place, dimension] of intent.by.entries()) {
      const order = compareValues(dimension, [one.by[place] ?? null, other.by[place] ?? null], names[place]);
      if (order !== 0) return order;
    }
    return 0;
  };
  if (by === 'by') return (one, other) => sign * compareGroups(one, other);
  if (by === 'count') return (one, other) => sign * (one.count - other.count) || compareGroups(one, other);
  const place = intent.measures.findIndex(({ name }) => name === by.name);
  const field = intent.measures[place]?.field;
  const valueIn = ({ measures }: Tally): Value => {
    const measure = measures[place];
    return measure === undefined || field === undefined ? null : measured(by.kind, field, measure);
  };
  return (one, other) => sign * compareMeasures(valueIn(one), valueIn(other)) || compareGroups(one, other);
}

/** Null comes first. Days have the order of their texts, and so have numbers of their own. */
function compareMeasures(one: Value, other: Value): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  const [a, b] = [String(one), String(other)];
  return /^\d{4}-/.test(a) ? compareStrings(a, b) : exactly.compare(a, b);
}

function compareValues(
  { path }: Dimension,
  [one, other]: readonly [Value, Value],
  names: Names[number] | undefined,
): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  const field = path.at(-1);
  const [a, b] = [String(one), String(other)];
  switch (field?.kind) {
    case 'reference': {
      const order = compareStrings(fold(names?.get(a)?.name ?? ''), fold(names?.get(b)?.name ?? ''));
      return order === 0 ? compareStrings(a, b) : order;
    }
    case 'enum':
      return field.values.indexOf(a) - field.values.indexOf(b);
    case 'text':
      return compareStrings(fold(a), fold(b));
    default:
      return compareStrings(a, b);
  }
}

/** By code points, which is the order of UTF-8. */

function measured(kind: MeasureKind, field: Field, { count, sum, least, greatest }: MeasureTally): Value {
  switch (kind) {
    case 'sum':
      return sum;
    case 'avg': {
      const mean = quotient(sum, String(count));
      return mean === null ? null : exactly.round(mean, (field.kind === 'decimal' ? field.scale : 0) + moreDecimals);
    }
    case 'min':
      return least;
    case 'max':
      return greatest;
  }
}

function tallyText({ by, measures, asked, counts }: SummaryIntent, tally: Tally, names: Names): string {
  const groups = by.map(({ name, path }, place) => {
    const value = tally.by[place] ?? null;
    const text = path.at(-1)?.kind === 'reference' ? names[place]?.get(String(value))?.text : undefined;
    return `${JSON.stringify(name)}:${text ?? JSON.stringify(value)}`;
  });
  const members = [`"by":{${groups.join(',')}}`, ...(counts ? [`"count":${tally.count}`] : [])];
  for (const kind of measureKinds) {
    const texts = asked[kind].map((name) => {
      const place = measures.findIndex((measure) => measure.name === name);
      const [field, measure] = [measures[place]?.field, tally.measures[place]];
      const value = field === undefined || measure === undefined ? null : measured(kind, field, measure);
      return `${JSON.stringify(name)}:${textOf(field, value)}`;
    });
    if (texts.length > 0) members.push(`"${kind}":{${texts.join(',')}}`);
  }
  return `{${members.join(',')}}`;
}

/** Numbers with all their digits. */
const textOf = (field: Field | undefined, value: Value): string =>
  value !== null && field !== undefined && kinds[field.kind].isNumber ? String(value) : JSON.stringify(value);
