// What is read before a list of which a caller sees a part: the ids that lead to it, so that no record need be asked by itself.
import type { FilterParameter } from '../../endpoints/routes/endpoint.ts';
import type { UsedFilter } from '../../request/intent.ts';
import type { Bound, Row } from '../../storage/schema/cells.ts';
import type { Statement } from '../../storage/schema/compiler.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import { filterValues } from '../../storage/statements/filter-sql.ts';
import { firstValues, mostFirst, mostWays } from '../../storage/statements/plan.ts';
import { paddedCount, type Queries } from '../../storage/statements/query.ts';
import type { Soon } from '../../values/soon.ts';

/** What narrows a list. */
export interface Narrowing {
  readonly filters: readonly FilterParameter[];
  readonly values: Readonly<Record<string, Bound>>;
  /** Whether nothing leads to anything that the caller sees. */
  readonly isNothing: boolean;
}

interface Asking {
  readonly queries: Queries;
  readonly dialect: Dialect;
  ask(statement: Statement, values: Readonly<Record<string, Bound>>): Promise<Row[]>;
}

/** The filters of a list with their values, and what was read first for them. */
export function narrowingBy(asking: Asking, used: readonly UsedFilter[]): Soon<Narrowing> {
  const values: Record<string, Bound> = {};
  for (const { filter, value } of used) Object.assign(values, filterValues(filter, value, asking.dialect));
  const filters = used.map(({ filter }) => filter);
  const place = filters.findIndex(({ comparison }) => comparison === 'sees');
  const sees = filters[place];
  const { view, pages } = asking.queries;
  const ways = view.sight?.ways?.ways ?? [];
  const statement = sees && pages.first();
  if (sees === undefined || statement === undefined) return { filters, values, isNothing: false };
  return asking.ask(statement, { limit: BigInt(mostFirst + 1) }).then((rows) => {
    const ids = rows.flatMap(([id]) => id ?? []);
    if (ids.length > mostFirst) return { filters, values, isNothing: false };
    const isNothing = ids.length === 0 && ways.every(({ isReadFirst }) => isReadFirst);
    const first = roundedUp(ids.length);
    const known: FilterParameter = { ...sees, name: `${sees.name} first ${first}`, first };
    return { filters: filters.with(place, known), values: { ...values, ...firstValues(ids, first) }, isNothing };
  });
}

/** To one of a few numbers, so that the texts of statements stay few. */
const roundedUp = (count: number): number =>
  [0, 1, 2, 4, 8, 16, 32, mostWays].find((each) => each >= count) ?? paddedCount(count);
