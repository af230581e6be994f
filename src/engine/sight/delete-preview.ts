// Cascade preview of a delete: what goes with it, told before it is done.
import type { Registry } from '../../registry/model/model.ts';
import { type Change, nameInFull, type RecordName } from '../changes/change.ts';

import type { CallerSight } from './caller-sight.ts';

interface Told {
  /** The record that the caller deletes. */
  readonly of: RecordName;
  /** What the caller sees; undefined: everything. */
  readonly sight: Pick<CallerSight, 'listsAll'> | undefined;
}

/**
 * Counts what would go and what would be cleared, as JSON: `{"deletes": {"projects": 1}, "clears": {"allocations": 3}}`: records
 * by the path of their group without its slash, each once, those that go not among those that are cleared.
 */
export function deletePreview(changes: readonly Change[], { resources }: Registry, { of, sight }: Told): string {
  const deleted = new Map(
    changes.flatMap((change) => (change.kind === 'delete' ? [[nameInFull(change), change] as const] : [])),
  );
  const cleared = new Map(
    changes.flatMap((change) => {
      const name = nameInFull(change);
      return change.cause.kind === 'clear' && !deleted.has(name) ? [[name, change] as const] : [];
    }),
  );
  const counted = (found: ReadonlyMap<string, Change>): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { group, id } of found.values()) {
      const isOwn = group === of.group && id === of.id;
      // How many there are of which the caller does not list all is not for the caller to know.
      const isTold = isOwn || sight === undefined || sight.listsAll(group);
      const path = isTold ? (resources.get(group)?.path ?? group).slice(1) : 'others';
      counts[path] = (counts[path] ?? 0) + 1;
    }
    return counts;
  };
  return JSON.stringify({ deletes: counted(deleted), clears: counted(cleared) });
}
