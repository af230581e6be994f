// Preconditions (If-Match, If-None-Match): what a caller has seen of a record, compared under the record's lock.
import { problems } from '../../problems.ts';
import type { Values } from '../../registry/model/model.ts';
import { type EntityTags, hasVersion } from '../../values/entity-tag.ts';
import type { RecordName } from '../changes/change.ts';
import type { Scope } from './scope.ts';

/** The preconditions of a write; undefined if it has none. */
export type Precondition =
  | {
      /** Tags of which one must have the record's version; `missing` if the group demands some and the caller sent none. */
      readonly ifMatch: EntityTags | 'missing' | undefined;
      /** Tags of which none may have the record's version; `*`: the record must not exist. */
      readonly ifNoneMatch: EntityTags | undefined;
    }
  | undefined;

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
  const isCompared = precondition !== undefined && precondition.ifMatch !== 'missing';
  const [record, version] = await Promise.all([
    scope.records.locked(group, id),
    isCompared ? scope.records.version(group, id) : undefined,
  ]);
  if (record === undefined) return record;
  await judge?.(record);
  if (precondition === undefined) return record;
  const { ifMatch, ifNoneMatch } = precondition;
  if (ifMatch === 'missing') throw problems.ifMatchMissing();
  const matches = (tags: EntityTags): boolean => version !== undefined && hasVersion(tags, version);
  // In this order (RFC 9110, 13.2.2).
  if (ifMatch !== undefined && !matches(ifMatch)) throw problems.recordChanged();
  if (ifNoneMatch !== undefined && matches(ifNoneMatch)) throw problems.preconditionFalse('If-None-Match');
  return record;
}
