// Work that is over its time: nothing of it is done, and its caller is told so.
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { onEachDatabase } from '../support/service/seen.ts';
import { serveOn } from '../support/service/serve-on.ts';

onEachDatabase('work that is over its time', (open) => {
  const operations = Array.from({ length: 1000 }, (_value, n) => ({
    method: 'POST',
    path: '/genres',
    body: { name: `Late ${n}` },
  }));

  test('leaves nothing of a batch', async () => {
    const { url, close } = await open();
    onTestFinished(close);
    const ask = await serveOn(await openDatabase(url));
    // A thousand take longer than this on any machine.
    const askInHaste = await serveOn(await openDatabase(url), { workTimeoutMs: 5 });
    const { status, text } = await askInHaste('POST', '/batch', { operations });
    expect([status, text]).toEqual([
      503,
      '{"status":503,"message":"The service took too long, and nothing was done."}',
    ]);
    expect((await ask('GET', '/genres?limit=100')).text).not.toContain('Late');
    expect((await ask('POST', '/genres', { name: 'In time' })).status).toBe(200);
  });
});
