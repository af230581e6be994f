// A process that is in the middle of one write on each of several databases when it kills itself: `node dying-writes.ts
// <task>`. On each the write stands at a point of its own.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadRegistry } from '../../../src/registry/registry.ts';
import { ruleSignatures } from '../../../src/rules/catalogue.ts';
import { openWriter, type Pass, type Write } from './watched-writes.ts';

/** What such a process is told, as JSON. */
export interface Task {
  readonly resources: string;
  readonly write: Write;
  readonly atMs: number;
  /** Where the write stands when the process dies: at the point of this number, counted from 1. */
  readonly stands: readonly { readonly url: string; readonly point: number }[];
  /** Where it is sent on from that point just before. */
  readonly sentOn?: { readonly url: string; readonly point: number } | undefined;
}

const task: Task = JSON.parse(process.argv[2] ?? '');
const registry = loadRegistry(task.resources, ruleSignatures);

/** Begins the write. @returns when it has come to the point, what lets it go on */
async function bringTo(point: number, url: string): Promise<() => void> {
  const writer = await openWriter(registry, url);
  const held = Promise.withResolvers<void>();
  await new Promise<void>((arrived, failed) => {
    let passed = 0;
    const pass: Pass = async () => {
      passed += 1;
      if (passed < point) return;
      arrived();
      await held.promise;
    };
    writer.perform(task.write, task.atMs, pass).then(() => failed(new Error(`never at point ${point}`)), failed);
  });
  return held.resolve;
}

for (const { url, point } of task.stands) await bringTo(point, url);
if (task.sentOn !== undefined) {
  const release = await bringTo(task.sentOn.point, task.sentOn.url);
  release();
  await nextTurn();
}
process.kill(process.pid, 'SIGKILL');
await new Promise(() => {});
