// Preconditions (If-Match): what a caller has seen of a record, compared under the record's lock.
import { problems } from '../../problems.ts';
import type { Values } from '../../registry/model/model.ts';
import { type EntityTags, hasVersion } from '../../values/entity-tag.ts';
import type { RecordName } from '../changes/change.ts';
import type { Scope } from './scope.ts';

/** Tags of which one must have the record's version; `missing` where callers must send some and have not. */
export type Precondition = { readonly tags: EntityTags } | 'missing' | undefined;

/** What must hold of a record before anything is wanted of it. */
interface Seeing {
  readonly precondition: Precondition;
  /** Whether the caller may write it: who may not learns nothing else. @throws Problem */
  readonly judge?: ((record: Readonly<Values>) => Promise<void>) | undefined;
}

/**
 * Locks a record and reads it with its lists, as long as it is what the caller has seen.
 * @returns undefined where there is none. @throws Problem 412 or 428
 */
export async function lockedAsSeen(
  scope: Scope,
  { group, id }: RecordName,
  { precondition, judge }: Seeing,
): Promise<ReturnType<Scope['records']['locked']>> {
  const [record, version] = await Promise.all([
    scope.records.locked(group, id),
    typeof precondition === 'object' ? scope.records.version(group, id) : undefined,
  ]);
  if (record === undefined) return record;
  await judge?.(record);
  if (precondition === undefined) return record;
  if (precondition === 'missing') throw problems.ifMatchMissing();
  if (version === undefined || !hasVersion(precondition.tags, version)) throw problems.recordChanged();
  return record;
}
