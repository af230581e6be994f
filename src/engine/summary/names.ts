// What the records are called by which a summary tells groups apart.
import type { ReferenceField } from '../../registry/model/model.ts';
import type { Dimension } from '../../request/long-reads/summary.ts';
import type { Bound } from '../../storage/schema/cells.ts';
import { bind } from '../../storage/schema/compiler.ts';
import type { Session } from '../../storage/schema/session.ts';
import { recordView } from '../../storage/statements/group-view.ts';
import { compileWriter } from '../../storage/statements/json-writer.ts';
import { paddedCount } from '../../storage/statements/query.ts';
import type { Groups } from '../plan/groups.ts';
import type { Viewer } from '../sight/caller-sight.ts';
import type { Tally } from './tally.ts';

/** A reference as records show it. */
interface Named {
  /** `{"id": …, "name": …}` */
  readonly text: string;
  readonly name: string;
}

/** By the place of the dimension, then by id. */
export type Names = readonly ReadonlyMap<string, Named>[];

const idsAtOnce = 500;

interface Reader {
  readonly groups: Groups;
  readonly session: Pick<Session, 'all'>;
  readonly viewer?: Viewer | undefined;
}

/** Reads the names of all records that dimensions lead to. */
export function readNames(reader: Reader, by: readonly Dimension[], tallies: readonly Tally[]): Promise<Names> {
  return Promise.all(
    by.map(({ path }, place) => {
      const field = path.at(-1);
      if (field?.kind !== 'reference') return new Map<string, Named>();
      const ids = new Set(tallies.flatMap((tally) => (typeof tally.by[place] === 'string' ? [tally.by[place]] : [])));
      return namesOf(reader, field, [...ids]);
    }),
  );
}

async function namesOf(
  { groups, session, viewer }: Reader,
  field: ReferenceField,
  ids: readonly string[],
): Promise<Map<string, Named>> {
  const { registry, dialect } = groups;
  const view = recordView(registry, field, { sight: viewer?.sight.sql });
  const write = compileWriter(view.node, dialect);
  const { queries } = viewer?.sight.group(field.target, 'get') ?? groups.get(field.target);
  const names = new Map<string, Named>();
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const some = ids.slice(first, first + idsAtOnce);
    const count = paddedCount(some.length);
    const statement = queries.list(view, count, false);
    const values: Record<string, Bound> = { ...viewer?.values };
    for (let place = 0; place < count; place += 1) values[`owner${place}`] = some[place] ?? some[0] ?? '';
    for (const row of await session.all(statement.sql, bind(statement, values))) {
      const text = write(row, []);
      names.set(String(row[0]), { text, name: String(JSON.parse(text).name ?? '') });
    }
  }
  return names;
}
