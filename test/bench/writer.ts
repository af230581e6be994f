// A process that creates and updates notes at a steady rate, whatever the answers: `node writer.ts <address> <id,…>`. At
// SIGTERM it waits for what is under way and prints what was acknowledged, as JSON.
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from './services.ts';

/** What a writer has done. */
export interface Written {
  /** Ids of records whose create was answered 200. */
  readonly created: readonly string[];
  /** Id → the greatest number that an update was acknowledged with. */
  readonly updated: Readonly<Record<string, number>>;
  /** Moment when it was due (ms since 1970), how long until the answer (ms), and its status; 0 for none. */
  readonly writes: readonly (readonly [at: number, ms: number, status: number])[];
}

const everyMs = 10;
const [address = '', list = ''] = process.argv.slice(2);
const ids = list.split(',');
const created: string[] = [];
const updated: Record<string, number> = {};
const writes: (readonly [number, number, number])[] = [];
const busy = new Set<string>();
const underWay = new Set<Promise<void>>();
let isOver = false;
process.once('SIGTERM', () => {
  isOver = true;
});

const send = async (method: string, path: string, sent: object): Promise<{ status: number; body: unknown }> =>
  ask(address, path, { method, body: JSON.stringify(sent) }).catch(() => ({ status: 0, body: undefined }));

async function write(number: number, dueAt: number): Promise<void> {
  const id = ids[number % ids.length] ?? '';
  // One update of a record at a time, so that the last one acknowledged is the one that must be there.
  const isUpdate = number % 2 === 0 && !busy.has(id);
  if (isUpdate) busy.add(id);
  const sent = { name: `Note ${number}`, number };
  const answer = isUpdate ? await send('PATCH', `/notes/${id}`, sent) : await send('POST', '/notes', sent);
  writes.push([dueAt, Date.now() - dueAt, answer.status]);
  if (isUpdate) busy.delete(id);
  if (answer.status !== 200) return;
  if (isUpdate) updated[id] = number;
  else created.push((answer.body as { id: string }).id);
}

const startedAt = Date.now();
for (let number = 1; !isOver; number += 1) {
  const dueAt = startedAt + number * everyMs;
  await delay(Math.max(1, dueAt - Date.now()));
  const one = write(number, dueAt).finally(() => underWay.delete(one));
  underWay.add(one);
}
await Promise.all(underWay);
const written: Written = { created, updated, writes };
process.stdout.write(JSON.stringify(written));
