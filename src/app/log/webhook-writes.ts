// Changes of webhooks as writes of the interface: done once under a key, and taken back where they are tried.
import type { Idempotency } from '../../engine/idempotency.ts';
import { TakenBack } from '../../engine/taken-back.ts';
import type { RequestBody } from '../../http/request/body.ts';
import type { LogRequest } from '../../http/request/service.ts';
import type { Outcome } from '../../request/intent.ts';
import { claimKey, storeResponse } from '../../storage/idempotency-keys.ts';
import type { Session } from '../../storage/schema/session.ts';
import type { UnitOfWork } from '../../storage/unit-of-work.ts';
import { requestOptionsOf } from '../answer.ts';

interface WriteGround {
  readonly unit: UnitOfWork;
  readonly once: Idempotency;
  /** Called when something was changed. */
  readonly changed: () => void;
}

/** What a change is asked by. */
export interface Asked {
  readonly request: LogRequest;
  readonly sent?: RequestBody | undefined;
}

/** Carries out a change in a transaction. @param write Gives the body of the answer; undefined for none. @throws Problem */
export async function writeWebhook(
  { unit, once, changed }: WriteGround,
  { request, sent }: Asked,
  write: (session: Session) => Promise<string | undefined>,
): Promise<Outcome> {
  const { key, isTrial } = requestOptionsOf(request, sent?.bytes, once);
  const execute = async (): Promise<Outcome> => {
    const outcome = await unit.transact(async (session): Promise<Outcome> => {
      if (key !== undefined) await claimKey(session, key);
      const body = await write(session);
      const done: Outcome = body === undefined ? { status: 204, body } : { status: 200, body };
      if (isTrial === true) throw new TakenBack(done);
      if (key !== undefined) await storeResponse(session, key, { status: done.status, body });
      return done;
    });
    changed();
    return outcome;
  };
  try {
    return await (key === undefined ? execute() : once.answer(key, execute));
  } catch (error) {
    if (error instanceof TakenBack) return error.outcome as Outcome;
    throw error;
  }
}
