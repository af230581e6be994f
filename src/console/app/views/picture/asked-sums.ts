// Sums and counts that the service adds up: a picture needs them, and none of the records.
import { useEffect, useState } from 'preact/hooks';
import { type ApiProblem, asProblem, type SummaryRow, summary } from '../../service/api.ts';
import { countText } from '../../values/format.ts';
import { equalsFilter } from '../shape/shapes.ts';
import { all, type Entry, type Panel, panelsFrom, type Question } from './sums.ts';
import { inUnit, keyOf } from './values.ts';

/** The largest summary that there is. */
const mostRows = 1000;

/** What a picture shows, as far as it is known. */
export type AskedSums =
  | { readonly state: 'asked' }
  /** What cannot be added up by the service is read record by record. */
  | { readonly state: 'refused' }
  | { readonly state: 'failed'; readonly problem: ApiProblem }
  | { readonly state: 'known'; readonly panels: readonly Panel[]; readonly words: string };

/** A question as the query of a summary. @param part `month`, `day` */
function queryOf({ day, measure, split }: Question, filters: URLSearchParams, part: string): URLSearchParams {
  const query = new URLSearchParams(filters);
  query.delete('sort');
  const far = measure?.currency?.includes('.') === true ? [measure.currency] : [];
  query.set('by', [`${day.name}.${part}`, ...(split === undefined ? [] : [split.name]), ...far].join(','));
  if (measure !== undefined) query.set('sum', measure.name);
  query.set('limit', String(mostRows));
  return query;
}

/** The currency of a row; where a list holds one alone, its filter says it. */
function currencyIn({ group, measure }: Question, filters: URLSearchParams, { by }: SummaryRow): string {
  const { currency } = measure ?? {};
  if (currency === undefined) return '';
  const told = by[currency];
  return typeof told === 'string' ? told : (filters.get(equalsFilter(group, currency) ?? '') ?? '');
}

function entryOf(question: Question, { filters, part }: Of, row: SummaryRow): Entry[] {
  const { day, measure, split } = question;
  const { by, count, sum = {} } = row;
  const slot = by[`${day.name}.${part}`];
  if (typeof slot !== 'string') return [];
  const value = measure === undefined ? count : inUnit(measure, sum[measure.name] ?? 0);
  return [{ unit: currencyIn(question, filters, row), slot, key: split === undefined ? all : keyOf(split, by), value }];
}

interface Of {
  readonly filters: URLSearchParams;
  readonly part: string;
}

interface Added {
  readonly entries: readonly Entry[];
  readonly count: number;
}

/**
 * Asks for what records come to.
 * @param parts Queries of the parts that it is asked in, where it is too much at once: a month each.
 * @throws ApiProblem 400 where the service cannot add it up
 */
export async function sumsOf(
  question: Question,
  { filters, part, parts }: Of & { readonly parts: readonly URLSearchParams[] },
): Promise<Added> {
  const { path } = question.group;
  const whole = await summary(path, queryOf(question, filters, part));
  const answers = whole.hasMore
    ? await Promise.all(parts.map((each) => summary(path, queryOf(question, each, part))))
    : [whole];
  const rows = answers.flatMap(({ results }) => results);
  return {
    entries: rows.flatMap((row) => entryOf(question, { filters, part }, row)),
    count: rows.reduce((sum, row) => sum + row.count, 0),
  };
}

/** @param filters Of the whole period. @param parts See `sumsOf`. */
export function useSums(question: Question, filters: URLSearchParams, parts: readonly URLSearchParams[]): AskedSums {
  const key = [question.group.path, queryOf(question, filters, 'month'), ...question.slots].join(' ');
  const [found, setFound] = useState<{ readonly key: string; readonly sums: AskedSums } | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    const note = (sums: AskedSums): void => {
      if (!isOver) setFound({ key, sums });
    };
    sumsOf(question, { filters, part: 'month', parts }).then(
      ({ entries, count }) => {
        const { title, plural } = question.group;
        const words = `${countText(count)} ${(count === 1 ? title : plural).toLowerCase()}`;
        note({ state: 'known', panels: panelsFrom(question, entries), words });
      },
      (error: unknown) => {
        const problem = asProblem(error);
        note(problem.status === 400 ? { state: 'refused' } : { state: 'failed', problem });
      },
    );
    return () => {
      isOver = true;
    };
  }, [key]);
  return found?.key === key ? found.sums : { state: 'asked' };
}
