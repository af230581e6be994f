// Whether a caller gets a record whose value is explained, and what of it is shown.
import type { Caller } from '../../request/intent.ts';
import type { Session } from '../../storage/schema/session.ts';
import type { RecordName } from '../changes/change.ts';
import type { Groups } from '../plan/groups.ts';
import type { Reads } from '../sight/reads.ts';
import { Eyes } from './eyes.ts';

interface Asking {
  readonly caller: Caller;
  readonly session: Session;
  readonly groups: Groups;
}

/** @returns undefined where the caller gets no such record; no eyes for one who sees everything */
export async function eyesOf(
  reads: Reads,
  { caller, session, groups }: Asking,
  { group: name, id }: RecordName,
): Promise<{ readonly eyes: Eyes | undefined } | undefined> {
  const viewer = reads.viewer(caller);
  if (viewer === undefined) return { eyes: undefined };
  const group = groups.get(name);
  const found = await reads.found(session, group, { id, viewer });
  if (found === undefined) return undefined;
  const names = new Set(Object.keys(JSON.parse(String(found.body)) as object));
  const isNamed = group.resource.fields.every(({ name: word, shown }) => !shown || names.has(word));
  return { eyes: new Eyes({ viewer, session }, { group: name, id, names, isNamed }) };
}
