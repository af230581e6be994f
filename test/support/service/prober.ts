// A process of its own that asks whether a service is alive, each time on a new connection: node prober.ts <address> <count>. It
// prints how long each answer took, in milliseconds, as JSON. Beside callers in one process, it would wait for these.
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const [, , address = '', count = ''] = process.argv;

const probe = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const since = performance.now();
    const agent = new Agent({ keepAlive: false });
    get(new URL('/healthz', address), { agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`answered ${answer.statusCode}`));
      answer.resume().once('end', () => resolve(performance.now() - since));
    }).once('error', reject);
  });

const waits: number[] = [];
while (waits.length < Number(count)) {
  waits.push(await probe());
  await delay(20);
}
console.log(JSON.stringify(waits));
