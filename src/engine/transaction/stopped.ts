// Says in the caller's words what a key of the database has stopped.
import { problems } from '../../problems.ts';
import type { BodyInput, Intent } from '../../request/intent.ts';
import type { ConstraintFault } from '../../storage/schema/error-kinds.ts';
import type { Session } from '../../storage/schema/session.ts';
import type { Groups } from '../plan/groups.ts';
import type { Attempt, UniqueKeys } from './constraints.ts';
import { referenceFaults, unknownReference } from './references.ts';

/** What a key of the database has stopped. */
export interface Stopped {
  readonly fault: ConstraintFault;
  readonly attempt: Attempt;
}

interface Known {
  readonly groups: Groups;
  readonly keys: UniqueKeys;
}

const nothing: BodyInput = { values: {} };

/** @throws Problem 409 where a unique key has stopped a write. */
export async function tellTaken({ groups, keys }: Known, session: Session, { fault, attempt }: Stopped): Promise<void> {
  const named = keys.find(fault);
  if (named === undefined) return;
  const { resource, word } = await attempt.firstTaken(session, named, groups);
  throw problems.keyTaken(resource.title, word);
}

/** @throws Problem, unless the write has become possible since */
export async function tellStopped(
  known: Known,
  session: Session,
  { intent, stopped }: { readonly intent: Intent; readonly stopped: Stopped },
): Promise<void> {
  const { groups } = known;
  const { endpoint, upsert, body = upsert?.forCreate() ?? nothing } = intent;
  if (upsert !== undefined && stopped.attempt.hasStoppedCreation && (await isThere(groups, session, intent))) return;
  // 400 before 409: a key may be taken while a reference leads nowhere.
  const faults = await referenceFaults({
    existing: (name, ids) => groups.get(name).rows.existing(session, ids),
    titleOf: (name) => groups.get(name).resource.title,
    fields: endpoint.resource.fields,
    values: body.values,
  });
  if (faults.length > 0) throw problems.bodyInvalid(faults.map(unknownReference));
  await tellTaken(known, session, stopped);
}

/** Whether somebody else has made the record meanwhile that a write by a key was to make: then it is changed. */
async function isThere(groups: Groups, session: Session, { endpoint, upsert }: Intent): Promise<boolean> {
  return upsert !== undefined && groups.get(endpoint.resource.name).rows.exists(session, upsert.where);
}
