// Does what a guide says, in a folder of its own: writes its descriptors, runs its commands, and tells what each call answers.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Block } from './guides.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** A call as it stands in a guide, what is printed below it, and what it really answers. */
export interface Call {
  readonly command: string;
  readonly printed: string;
  readonly answer: string;
}

/** The short word for calls, as the tutorial makes it. */
export const defaultPrelude =
  'api() { local path=$1; shift; curl -s -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" "http://127.0.0.1:3000/api$path" "$@"; echo; }';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export class Course {
  readonly #folder = mkdtempSync(join(tmpdir(), 'praxis-course-'));
  readonly #resources: string;
  readonly #env: Record<string, string>;
  #prelude = defaultPrelude;
  #service: ReturnType<typeof spawn> | undefined;
  #base = '';
  /** Output of the running service. */
  #output = '';
  #isDevelopment = false;
  /** File that was saved last, and the length of the output before; undefined if the service serves it. */
  #saved: { readonly name: string; readonly outputLength: number } | undefined;
  /** Ids as they are printed → as they are. */
  readonly #ids = new Map<string, string>();

  /** @param resources Where its descriptors are: `library/resources`. */
  constructor(resources: string) {
    this.#resources = resources;
    for (const name of ['src', 'node_modules', 'package.json']) symlinkSync(join(root, name), join(this.#folder, name));
    mkdirSync(join(this.#folder, resources), { recursive: true });
    this.#env = {
      RESOURCES: resources,
      MIGRATIONS: join(dirname(resources), 'migrations'),
      DATABASE_URL: `sqlite:${join(dirname(resources), 'books.sqlite')}`,
    };
  }

  /** Ends the service, and leaves nothing. */
  async end(): Promise<void> {
    await this.#stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Takes in a descriptor: a whole one, or a part of the one that the guide has named last.
   * @param named `library/resources/book.json`
   */
  describe({ text }: Block, named: string): void {
    if (text.startsWith('{')) {
      const descriptor = JSON.parse(text) as { title: string };
      const file = `${descriptor.title.toLowerCase().replaceAll(' ', '-')}.json`;
      this.#save(join(this.#folder, this.#resources, file), text);
      return;
    }
    const file = join(this.#folder, named);
    const descriptor = JSON.parse(readFileSync(file, 'utf8')) as Record<'properties' | 'resource', object>;
    const part = JSON.parse(`{${text}}`) as object;
    const isOfResource = Object.keys(part).some((key) => ['rules', 'effects', 'indexes'].includes(key));
    Object.assign(descriptor[isOfResource ? 'resource' : 'properties'], part);
    this.#save(file, JSON.stringify(descriptor));
  }

  #save(file: string, text: string): void {
    this.#saved = { name: basename(file), outputLength: this.#output.length };
    writeFileSync(file, text);
  }

  /** Waits until the service in development serves the descriptor that was saved last. */
  async #untilServed(): Promise<void> {
    const saved = this.#saved;
    if (saved === undefined || !this.#isDevelopment) return;
    const isServed = (): boolean =>
      [...this.#output.slice(saved.outputLength).matchAll(/^(.+): \d+ descriptors taken in/gm)].some(([, names = '']) =>
        names.split(', ').includes(saved.name),
      );
    for (let tries = 0; !isServed(); tries += 1) {
      if (tries === 1200) throw new Error(`the service does not serve ${saved.name}: ${this.#output}`);
      await delay(50);
    }
    this.#saved = undefined;
  }

  /** Runs the lines of a block of kind `sh`. */
  async carryOut({ text }: Block): Promise<void> {
    for (const line of text.split('\n').filter((each) => each !== '')) {
      if (line === 'npm start') await this.start();
      else if (line === 'npm run dev') await this.start('dev');
      else if (line.startsWith('api()')) this.#prelude = line;
      // What the start has printed.
      else if (!line.startsWith('export TOKEN=')) await this.#shell(line);
    }
  }

  /** Starts the service, or starts it again with the current descriptors. */
  async start(command: 'serve' | 'dev' = 'serve'): Promise<void> {
    await this.#stop();
    this.#isDevelopment = command === 'dev';
    this.#saved = undefined;
    this.#output = '';
    const child = spawn('node', ['src/cli.ts', command], {
      cwd: this.#folder,
      env: { ...process.env, ...this.#env, PORT: '0', LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#service = child;
    child.stderr.on('data', (chunk) => (this.#output += String(chunk)));
    for await (const chunk of child.stdout) {
      this.#output += String(chunk);
      this.#base = /http:\/\/[^\s]+(?=\/api)/.exec(this.#output)?.[0] ?? '';
      this.#env['TOKEN'] ??= /praxis_[\w-]{20,}/.exec(this.#output)?.[0] ?? '';
      if (this.#base !== '' && this.#output.includes('pages, for people')) return;
    }
    throw new Error(`the service ended: ${this.#output}`);
  }

  /** Runs the calls of a block of kind `console`. */
  async call({ text }: Block): Promise<readonly Call[]> {
    await this.#untilServed();
    const calls: Call[] = [];
    for (const step of text.split(/^\$ /m).slice(1)) {
      const [command = '', ...lines] = step.trimEnd().split('\n');
      const [, name, value = ''] = /^export (\w+)=(\S+)$/.exec(command) ?? [];
      if (name !== undefined) {
        this.#env[name] = this.#ids.get(value) ?? /"id":"([^"]+)"/.exec(calls.at(-1)?.answer ?? '')?.[1] ?? '';
        continue;
      }
      const printed = lines.join('\n');
      const answer = (await this.#shell(command)).trimEnd();
      const told = printed.match(uuid) ?? [];
      for (const [nth, id] of (answer.match(uuid) ?? []).entries()) this.#ids.set(told[nth] ?? '', id);
      calls.push({ command, printed, answer });
    }
    return calls;
  }

  async #shell(line: string): Promise<string> {
    const prelude = this.#prelude.replaceAll('http://127.0.0.1:3000', this.#base);
    const { stdout } = await run('bash', ['-c', `${prelude}\n${line}`], {
      cwd: this.#folder,
      env: { ...process.env, ...this.#env },
    });
    return stdout;
  }

  async #stop(): Promise<void> {
    const child = this.#service;
    this.#service = undefined;
    if (child === undefined) return;
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}
