// Answers that are told again (Idempotency-Key): only to who would see now at least what they show.
import { isRecord } from '../../facts/record-values.ts';
import { type Problem, problems } from '../../problems.ts';
import type { Value } from '../../registry/model/model.ts';
import type { Intent, Outcome } from '../../request/intent.ts';
import type { Session } from '../../storage/schema/session.ts';
import type { Groups } from '../plan/groups.ts';
import type { Reads } from './reads.ts';

interface Asking {
  readonly reads: Reads;
  readonly session: Session;
  readonly groups: Groups;
}

/** @throws Problem 403 where a kept answer is not to be told again to its caller */
export async function checkReplay(
  asking: Asking,
  intent: Pick<Intent, 'caller' | 'endpoint'>,
  outcome: Outcome,
): Promise<void> {
  if (outcome.isReplayed !== true || intent.caller.rights === undefined) return;
  const refusal = await replayRefusal(asking, intent, outcome);
  if (refusal !== undefined) throw refusal;
}

/** Why it is not; undefined where it may be. */
async function replayRefusal(
  { reads, session, groups }: Asking,
  { caller, endpoint }: Pick<Intent, 'caller' | 'endpoint'>,
  { body }: Outcome,
): Promise<Problem | undefined> {
  const viewer = reads.viewer(caller);
  const { name, title } = endpoint.resource;
  if (viewer === undefined || body === undefined || viewer.sight.isPlainWrite(name, endpoint.operation))
    return undefined;
  const kept = JSON.parse(String(body)) as Value;
  const id = isRecord(kept) ? kept['id'] : undefined;
  const now = typeof id === 'string' ? await reads.found(session, groups.get(name), { id, viewer }) : undefined;
  // Who was shown nothing else is told nothing new.
  if (now === undefined && isRecord(kept) && Object.keys(kept).join() === 'id') return undefined;
  if (now !== undefined && showsAtLeast(JSON.parse(String(now.body)) as Value, kept)) return undefined;
  return problems.accessDenied.record(endpoint.operation, title, null);
}

/** Whether each member of an answer is one of another, too, and every record that it shows is shown there. */
function showsAtLeast(now: Value | undefined, kept: Value | undefined): boolean {
  if (Array.isArray(kept)) {
    if (!Array.isArray(now)) return false;
    const items = now as readonly Value[];
    return (kept as readonly Value[]).every((item, place) => {
      const id = isRecord(item) ? item['id'] : undefined;
      const same = id === undefined ? items[place] : items.find((each) => isRecord(each) && each['id'] === id);
      return !isRecord(item) || showsAtLeast(same, item);
    });
  }
  if (!isRecord(kept)) return true;
  if (!isRecord(now) || now['id'] !== kept['id']) return false;
  return Object.entries(kept).every(([name, value]) => Object.hasOwn(now, name) && showsAtLeast(now[name], value));
}
