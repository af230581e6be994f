// Which records a caller may refer to: those that a list or a get would show, by one statement for many.
import type { Bound, Row } from '../../storage/schema/cells.ts';
import { bind, type Statement } from '../../storage/schema/compiler.ts';
import type { Session } from '../../storage/schema/session.ts';
import { paddedCount } from '../../storage/statements/query.ts';
import type { Viewer } from './caller-sight.ts';

/** Ids that one statement asks for. */
const idsAtOnce = 500;

interface Asked {
  readonly group: string;
  readonly ids: readonly string[];
}

/** Those of some records of a group that are seen. */
export async function visibleAmong(
  session: Pick<Session, 'all'>,
  viewer: Viewer,
  asked: Asked,
): Promise<ReadonlySet<string>> {
  const { queries } = viewer.sight.group(asked.group, 'get');
  const rows = await rowsOf(session, viewer, { ...asked, statementFor: (count) => queries.visible(count) });
  return new Set(rows.map(([id]) => String(id)));
}

/** The same, and whether the name of each is seen as well. */
export async function namedAmong(
  session: Pick<Session, 'all'>,
  viewer: Viewer,
  asked: Asked,
): Promise<ReadonlyMap<string, boolean>> {
  const { queries } = viewer.sight.group(asked.group, 'get');
  const rows = await rowsOf(session, viewer, { ...asked, statementFor: (count) => queries.sources(count, []) });
  return new Map(rows.map(([id, isNamed]) => [String(id), Number(isNamed) === 1]));
}

async function rowsOf(
  session: Pick<Session, 'all'>,
  { values }: Viewer,
  { ids, statementFor }: Asked & { readonly statementFor: (count: number) => Statement },
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const some = ids.slice(first, first + idsAtOnce);
    const count = paddedCount(some.length);
    const statement = statementFor(count);
    const bound: Record<string, Bound> = { ...values };
    for (let place = 0; place < count; place += 1) bound[`id${place}`] = some[place] ?? some[0] ?? '';
    found.push(...(await session.all(statement.sql, bind(statement, bound))));
  }
  return found;
}
