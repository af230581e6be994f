// Descriptors that change while the service runs: it takes them in, or says what is wrong with them and goes on as before.
import { watch } from 'node:fs';
import type { RunningPraxis } from '../app/serve.ts';
import { isPassedOver } from '../registry/folder.ts';
import { report } from './report.ts';

/** Editors write a file in several steps. */
const settleMs = 100;

/** Looks at a folder until the process ends; what happened goes to standard error, a line each. */
export function watchDescriptors(folder: string, praxis: RunningPraxis): void {
  let waiting: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const changed = new Set<string>();
  const reload = async (): Promise<void> => {
    const names = [...changed].sort().join(', ');
    changed.clear();
    const startedAt = performance.now();
    try {
      const { resources } = await praxis.reload();
      tell(`${names}: ${resources.size} descriptors taken in, in ${Math.round(performance.now() - startedAt)} ms`);
    } catch (error) {
      tell(`${report(error)}\nThe service goes on as it was before; mend ${names} and save it.`);
    }
  };
  watch(folder, (_event, name) => {
    if (name === null || isPassedOver(name)) return;
    changed.add(name);
    clearTimeout(waiting);
    // One after the other: a second change waits until the first is served.
    waiting = setTimeout(() => {
      running = running.then(reload);
    }, settleMs);
  }).unref();
}

const tell = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
