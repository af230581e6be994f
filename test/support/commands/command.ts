// The command as its users run it: a process of its own, in a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';

const cli = join(import.meta.dirname, '../../../src/cli.ts');
const resources = join(import.meta.dirname, '../../../resources');

type Environment = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  /** What has come so far. */
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<Ended>;
}

/** A folder with descriptors, those of this project by default, and the command in it. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'praxis-cli-'));
  readonly #env: Environment;
  readonly #running = new Set<ChildProcess>();

  constructor(env: Environment = {}, descriptors = resources) {
    this.#env = env;
    cpSync(descriptors, join(this.path, 'resources'), { recursive: true });
  }

  /** Starts `praxis <line>`, with nothing of the tests' own environment but the path. */
  start(line: string, env: Environment = {}): Started {
    return this.startWith(
      line.split(' ').filter((word) => word !== ''),
      env,
    );
  }

  /** The same with words as they are, empty ones too. */
  startWith(words: readonly string[], env: Environment = {}): Started {
    const options = { cwd: this.path, env: { PATH: process.env.PATH, ...this.#env, ...env } };
    const child = spawn(process.execPath, [cli, ...words], options);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (data) => {
      output.stdout += data;
    });
    child.stderr.on('data', (data) => {
      output.stderr += data;
    });
    this.#running.add(child);
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code) => {
        this.#running.delete(child);
        resolve({ code, ...output });
      });
    });
    return { child, output, ended };
  }

  /** Runs `praxis <line>` to its end. */
  run(line: string, env: Environment = {}): Promise<Ended> {
    return this.start(line, env).ended;
  }

  /** The same, and expects that it went well. @returns standard output */
  async print(line: string, env: Environment = {}): Promise<string> {
    const ended = await this.run(line, env);
    expect(ended, line).toMatchObject({ code: 0 });
    return ended.stdout;
  }

  /** Ends what still runs and removes the folder. */
  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.path, { recursive: true });
  }
}
