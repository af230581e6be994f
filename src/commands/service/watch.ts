// Watches descriptors while the service runs: reloads them, or reports their faults and keeps serving the previous
// ones. Changed code needs a restart, and is only reported.
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { RunningPraxis } from '../../app/serve.ts';
import { projectFiles } from '../../project.ts';
import { isPassedOver } from '../../registry/read/folder.ts';
import { rulesFolder } from '../descriptors/templates.ts';
import { report } from '../output/report.ts';

/** Editors write a file in several steps. */
const settleMs = 100;

/** Looks at folders until the process ends, as far as they are there; what happened goes to standard error, a line each. */
export function watchDescriptors(folders: readonly string[], praxis: RunningPraxis): void {
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
      tell(`${report(error)}\nStill serving the previous descriptors. Fix ${names} and save.`);
    }
  };
  const notice = (name: string): void => {
    if (isPassedOver(basename(name))) return;
    changed.add(name);
    clearTimeout(waiting);
    // One after the other: a second change waits until the first is served.
    waiting = setTimeout(() => {
      running = running.then(reload);
    }, settleMs);
  };
  const [own = '', ...others] = folders;
  const watched = new Map<string, FSWatcher>();
  /** One that has come, or is another of the same name. */
  const follow = (folder: string): void => {
    watched.get(folder)?.close();
    watched.delete(folder);
    if (!existsSync(folder)) return;
    const watcher = watch(folder, (_event, name) => {
      if (name === null) return;
      const inside = folder === own ? others.find((each) => resolve(each) === resolve(own, name)) : undefined;
      if (inside !== undefined) follow(inside);
      notice(folder === own ? name : `${basename(folder)}/${name}`);
    });
    watched.set(folder, watcher.unref());
  };
  for (const folder of folders) follow(folder);
}

/** Tells that code of the project has changed, unless Node itself watches it and starts the process again. */
export function watchCode(): void {
  if (process.env['WATCH_REPORT_DEPENDENCIES'] !== undefined) return;
  const names = new Set<string>(projectFiles);
  let waiting: NodeJS.Timeout | undefined;
  const changed = (name: string): void => {
    clearTimeout(waiting);
    waiting = setTimeout(
      () => tell(`${name} has changed: it is taken in by the next start of this command.`),
      settleMs,
    );
  };
  if (projectFiles.some((name) => existsSync(name)))
    watch('.', (_event, name) => {
      if (name !== null && names.has(name)) changed(name);
    }).unref();
  if (existsSync(rulesFolder))
    watch(rulesFolder, (_event, name) => {
      if (name !== null && !isPassedOver(name)) changed(`${rulesFolder}/${name}`);
    }).unref();
}

const tell = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
