// Finds whom the begin of a day concerns: the records whose dates it passes, along an index of these dates.
import type { DayBound } from '../../formulas/analyse/day-bounds.ts';
import type { Resource } from '../../registry/model/model.ts';
import { decode, encode } from '../../storage/schema/columns.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Session } from '../../storage/schema/session.ts';
import { tableName } from '../../storage/schema/tables.ts';
import { addDays } from '../../values/date.ts';

const [firstDate, lastDate] = ['1000-01-01', '9999-12-31'];
const recordsAtOnce = 1000;
const [id, date] = [{ kind: 'id' }, { kind: 'date' }] as const;

/** Ids of the records of a group that a day may concern, some at a time; one may come more than once. */
export async function* concernedBy(
  session: Session,
  { resource, day, dialect }: { readonly resource: Resource; readonly day: string; readonly dialect: Dialect },
): AsyncGenerator<readonly string[]> {
  for (const bound of resource.days) {
    const [from, to] = [dateAt(day, bound.from, firstDate), dateAt(day, bound.to, lastDate)];
    const statement = statementOf(resource, bound, dialect);
    if (statement === undefined || from > to) continue;
    const ends = [encode(from, date, dialect), encode(to, date, dialect)];
    for (let after: readonly [string, string] | undefined; ; ) {
      const behind = after && [
        encode(after[0], date, dialect),
        encode(after[0], date, dialect),
        encode(after[1], id, dialect),
      ];
      const rows = await session.all(behind === undefined ? statement.first : statement.next, [
        ...ends,
        ...(behind ?? []),
      ]);
      const found = rows.map(
        (row) => [String(decode(row[0], date, dialect)), String(decode(row[1], id, dialect))] as const,
      );
      if (found.length > 0) yield found.map(([, each]) => each);
      after = found.at(-1);
      if (found.length < recordsAtOnce) break;
    }
  }
}

/** So many days from a day; where there is no such date, the first or the last one. */
function dateAt(day: string, days: number | undefined, otherwise: string): string {
  if (days === undefined) return otherwise;
  try {
    return addDays(day, days);
  } catch {
    return days < 0 ? firstDate : lastDate;
  }
}

function statementOf(
  { name, byKey }: Resource,
  { key }: DayBound,
  { quote }: Dialect,
): { readonly first: string; readonly next: string } | undefined {
  const field = byKey.get(key);
  if (field?.stored !== true) return undefined;
  const [column, own] = [quote(field.column), quote('id')];
  const select = `select ${column}, ${own} from ${quote(tableName(name))} where ${column} >= ? and ${column} <= ?`;
  const order = `order by ${column}, ${own} limit ${recordsAtOnce}`;
  return {
    first: `${select} ${order}`,
    next: `${select} and (${column} > ? or (${column} = ? and ${own} > ?)) ${order}`,
  };
}
