// A thread beside the load: asks a service how it is, and tells how long each answer took.
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { address, paths } = workerData as { address: string; paths: readonly string[] };
const everyMs = 20;
const agent = new Agent({ keepAlive: true });
const waits: number[] = [];
let isOver = false;

const ask = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    get(`${address}${path}`, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200 ? performance.now() - startedAt : Infinity));
    }).once('error', reject);
  });

parentPort?.once('message', () => {
  isOver = true;
});
while (!isOver) {
  for (const path of paths) waits.push(await ask(path));
  await delay(everyMs);
}
parentPort?.postMessage(waits);
agent.destroy();
