// The command line in the folder of this project.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Ended } from './command.ts';

const root = join(import.meta.dirname, '../../..');

/** Runs `praxis <line>` here, with nothing of the tests' own environment but the path. */
export const praxis = (line: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  runNode([join(root, 'src/cli.ts'), ...line.split(' ')], env);

/** The same for any program: `node <args>`. */
export function runNode(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: root, env: { PATH: process.env.PATH, ...env } });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => {
    output.stdout += data;
  });
  child.stderr.on('data', (data) => {
    output.stderr += data;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, ...output }));
  });
}
