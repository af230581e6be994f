// A process that is killed between sending a message and remembering it: another one sends it once more, and goes on behind it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { accessToken, startService } from '../support/service/praxis.ts';
import { Receiver } from '../support/service/receiver.ts';
import { send } from '../support/service/send.ts';

for (const { name, isThere, open } of databases)
  describe.skipIf(!isThere)(`webhooks of a process that is killed (${name})`, () => {
    it('lose nothing, and repeat with the same id what was not remembered', { timeout: 60_000 }, async () => {
      const { url, drop } = await open();
      const receiver = new Receiver();
      await receiver.start();
      const script = join(import.meta.dirname, '../support/service/logged-service.ts');
      const child: ChildProcess = spawn(process.execPath, [script, url, accessToken, receiver.host], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const clock = { aheadMs: 0 };
      try {
        if (child.stdout === null) throw new Error('it says nothing');
        const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
        const killed = once(child, 'exit');
        receiver.answer = async (_message, nth) => {
          if (nth === 2) {
            child.kill('SIGKILL');
            await killed;
          }
          return { status: 204 };
        };
        const note = (on: string, text: string) => send({ address: on }, 'POST /notes', { body: { text } });
        await send({ address }, 'POST /webhooks', { body: { url: `http://${receiver.host}/` } });
        await note(address, 'remembered');
        const texts = () => receiver.received.map(({ body }) => body.data.changes.text.to);
        await expect.poll(texts, { timeout: 20_000 }).toEqual(['remembered']);
        const other = await startService('log', url, {
          ...{ changes: 'forever', now: () => Date.now() + clock.aheadMs },
          webhooks: { hosts: [receiver.host], lookEveryMs: 20 },
        });
        try {
          await note(address, 'not remembered');
          await killed;
          await note(other.address, 'behind it');
          // Who holds the webhook might be slow alone.
          await expect.poll(async () => (await send(other, 'GET /webhooks')).body.results.length).toBe(1);
          expect(texts()).toEqual(['remembered', 'not remembered']);
          clock.aheadMs += 31_000;
          const all = ['remembered', 'not remembered', 'not remembered', 'behind it'];
          await expect.poll(texts, { timeout: 20_000 }).toEqual(all);
          const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
          expect(ids[1]).toBe(ids[2]);
          expect(new Set(ids).size).toBe(3);
          expect(receiver.atOnce.get('/')).toBe(1);
        } finally {
          await other.stop();
        }
      } finally {
        child.kill('SIGKILL');
        await receiver.stop();
        await drop();
      }
    });
  });
