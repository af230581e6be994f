// A caller who does not give up: every write has a key, and is sent again until it is answered.
import { setTimeout as delay } from 'node:timers/promises';
import { accessToken } from './praxis.ts';

export interface Made {
  readonly name: string;
  readonly id: string;
  /** Whether it was the answer of an earlier attempt. */
  readonly isReplayed: boolean;
}

const pauseMs = 20;
const deadlineMs = 60_000;

/** Creates a job title, however often it takes. @param addressOf Where the service is now. */
async function makePersistently(addressOf: () => string, name: string): Promise<Made> {
  const until = Date.now() + deadlineMs;
  for (;;) {
    const answer = await attempt(addressOf(), name).catch(() => undefined);
    if (answer !== undefined && answer.status === 200) {
      const { id } = JSON.parse(answer.text) as { id: string };
      return { name, id, isReplayed: answer.isReplayed };
    }
    // In use, away, overloaded, or nobody there: anything else is not what such a caller should be told.
    if (answer !== undefined && ![409, 503].includes(answer.status)) throw new Error(`${answer.status} ${answer.text}`);
    if (Date.now() > until) throw new Error(`never made: ${answer?.text ?? 'no answer'}`);
    await delay(pauseMs);
  }
}

async function attempt(address: string, name: string) {
  const response = await fetch(`${address}/job-titles`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${accessToken}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': `of-${name.replaceAll(' ', '-')}`,
    },
    body: JSON.stringify({ name }),
  });
  const text = await response.text();
  return { status: response.status, text, isReplayed: response.headers.get('idempotent-replayed') === 'true' };
}

/** Makes records of these names, so many at a time. */
export async function makeAll(
  addressOf: () => string,
  names: Iterable<string>,
  atOnce: number,
  onMade: (made: Made) => void = () => {},
): Promise<readonly Made[]> {
  const made: Made[] = [];
  const left = Iterator.from(names);
  const work = async (): Promise<void> => {
    for (const name of left) {
      const one = await makePersistently(addressOf, name);
      made.push(one);
      onMade(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return made;
}
