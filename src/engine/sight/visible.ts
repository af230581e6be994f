// Which records a caller may refer to: those that a list or a get would show, by one statement for many.
import type { Bound } from '../../storage/schema/cells.ts';
import { bind } from '../../storage/schema/compiler.ts';
import type { Session } from '../../storage/schema/session.ts';
import { paddedCount } from '../../storage/statements/query.ts';
import type { Viewer } from './caller-sight.ts';

/** Ids that one statement asks for. */
const idsAtOnce = 500;

/** Those of some records of a group that are seen. */
export async function visibleAmong(
  session: Pick<Session, 'all'>,
  { sight, values }: Viewer,
  { group, ids }: { readonly group: string; readonly ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const some = ids.slice(first, first + idsAtOnce);
    const count = paddedCount(some.length);
    const statement = sight.group(group, 'get').queries.visible(count);
    const bound: Record<string, Bound> = { ...values };
    for (let place = 0; place < count; place += 1) bound[`id${place}`] = some[place] ?? some[0] ?? '';
    for (const [id] of await session.all(statement.sql, bind(statement, bound))) seen.add(String(id));
  }
  return seen;
}
