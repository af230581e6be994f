// The log of a service as a process, on a device that is always full.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LineWriter } from '../../src/commands/output/line-writer.ts';

const isLinux = existsSync('/dev/full');

test.runIf(isLinux)(
  'a service whose log cannot be written serves requests, and stops on SIGTERM',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'praxis-full-log-'));
    const log = openSync('/dev/full', 'w');
    const service = spawn(process.execPath, [join(import.meta.dirname, '../../src/cli.ts'), 'serve'], {
      env: { ...process.env, PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'workspace.sqlite')}` },
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    const ended = new Promise((resolve) => service.on('exit', (code, signal) => resolve(code ?? signal)));
    onTestFinished(() => {
      service.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
    let output = '';
    service.stdout?.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
    await expect.poll(() => output, { timeout: 50_000 }).toMatch(/praxis_\S+/);
    const [address = ''] = /http:\S+\/api/.exec(output) ?? [];
    const [token] = /praxis_\S+/.exec(output) ?? [];
    const call = (url: string) => fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    for (let count = 0; count < 40; count += 1) expect((await call(`${address}/clients`)).status).toBe(200);
    const metrics = await (await call(address.replace('/api', '/metrics'))).text();
    expect(metrics).toContain('\npraxis_log_lines_dropped_total 0\n');
    service.kill('SIGTERM');
    expect(await ended).toBe(0);
  },
  60_000,
);

test.runIf(isLinux)('lines beyond the limit of unwritten ones are dropped and counted', () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const writer = new LineWriter(full);
  const line = `${'x'.repeat(1024 * 1024 - 1)}\n`;
  for (let count = 0; count < 40; count += 1) writer.write(line);
  // One more at most is under way to the device.
  expect(writer.dropped).toBeGreaterThanOrEqual(22);
  expect(writer.dropped).toBeLessThanOrEqual(24);
});
