// The machine's time zone has no say: dates and times are those of UTC and of the workspace's own zone. A process of its
// own, because Node reads TZ once.
import { afterAll, describe, expect, test } from 'vitest';
import { Folder, type Started } from '../support/commands/command.ts';
import { databases } from '../support/databases/databases.ts';

const token = 'token-of-the-tests-0123456789';
const opened: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const close of opened) await close();
});

async function addressOf({ output, ended }: Started): Promise<string> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    const address = /http:\S+\/api/.exec(output.stdout)?.[0];
    if (address !== undefined) return address;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`it ended: ${output.stderr}`);
}

// One zone fourteen hours ahead of another; half-hour offsets; dates that a local midnight would move.
for (const zone of ['Pacific/Kiritimati', 'Pacific/Niue', 'America/St_Johns']) {
  for (const { name, isThere, open } of databases) {
    describe.skipIf(!isThere)(`a machine in ${zone} (${name})`, () => {
      test('gives the same dates and times as any other', { timeout: 20_000 }, async () => {
        const { url, drop } = await open();
        opened.push(drop);
        const folder = new Folder({
          TZ: zone,
          PORT: '0',
          ACCESS_TOKEN: token,
          LOG_LEVEL: 'silent',
          DATABASE_URL: url,
        });
        opened.unshift(() => folder.remove());
        const started = folder.start('serve');
        const base = await addressOf(started);
        const call = async (path: string, method = 'GET', body?: object): Promise<Record<string, unknown>> => {
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
          const answer = await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
          expect(answer.status).toBe(200);
          return (await answer.json()) as Record<string, unknown>;
        };
        const before = Date.now();
        const made = await call('/holidays', 'POST', {
          name: 'Edges',
          occurrences: ['1000-01-01', '2026-03-08', '2026-10-25', '9999-12-31'],
        });
        const createdAt = Date.parse(String(made.createdAt));
        expect(createdAt).toBeGreaterThanOrEqual(before - 5);
        expect(createdAt).toBeLessThanOrEqual(Date.now() + 5);
        expect(await call(`/holidays/${String(made.id)}`)).toEqual(made);
        expect(made.occurrences).toEqual(['1000-01-01', '2026-03-08', '2026-10-25', '9999-12-31']);

        const member = await call('/members', 'POST', {
          name: 'Ann',
          email: 'ann@example.com',
          activeStartDate: '2026-03-29',
        });
        expect(await call(`/members/${String(member.id)}`)).toMatchObject({ activeStartDate: '2026-03-29' });
        const report = await call('/expense-reports', 'POST', { title: 'Trip', memberId: member.id });
        expect([new Date(before), new Date()].map((time) => time.toISOString().slice(0, 10))).toContain(report.date);
        started.child.kill('SIGTERM');
        expect((await started.ended).code).toBe(0);
      });
    });
  }
}
