// The package, packed once for all tests of a run: it is built in the checkout itself, where two at a time would take each other's files away.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Puts the package into a folder. @returns what npm tells of it */
export async function packInto(folder: string): Promise<Packed> {
  // Each run has a temporary folder of its own.
  const shared = join(tmpdir(), 'praxis-packed');
  const told = join(shared, 'told.json');
  while (!existsSync(told)) if (!(await packIn(shared, told))) await delay(200);
  const packed = JSON.parse(readFileSync(told, 'utf8')) as Packed;
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(shared, packed.filename), join(folder, packed.filename));
  return packed;
}

/** @returns whether it was done: not where another process does it. */
async function packIn(shared: string, told: string): Promise<boolean> {
  try {
    mkdirSync(shared);
  } catch {
    return false;
  }
  try {
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', shared], { cwd: root });
    // npm 12 answers with an object by package name, older ones with a list.
    const [first] = Object.values(JSON.parse(stdout) as Packed[] | Record<string, Packed>);
    if (first === undefined) throw new Error(`npm pack answered ${stdout}`);
    writeFileSync(told, JSON.stringify(first));
    return true;
  } catch (error) {
    rmSync(shared, { recursive: true });
    throw error;
  }
}
