// Commands as they are at a terminal: by `script` of util-linux, which gives them one.
import { spawn, spawnSync } from 'node:child_process';

/** Whether a program is there. Undefined, with a loud warning, when it is not. @throws Error then when CI=true. */
export function isThere(program: string): boolean {
  if (spawnSync('sh', ['-c', `command -v ${program}`]).status === 0) return true;
  const text = `NO ${program.toUpperCase()} FOUND: what it is needed for is skipped. Install ${program}.`;
  if (process.env['CI'] === 'true') throw new Error(text);
  console.warn(`\n${'!'.repeat(text.length)}\n${text}\n${'!'.repeat(text.length)}\n`);
  return false;
}

interface Session {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What is typed, each when what comes before it has been shown. */
  readonly types?: readonly (readonly [after: RegExp, text: string])[];
}

/** Runs a line of a shell at a terminal of 200 columns. @returns all that was shown, until it has ended */
export function atTerminal(line: string, { cwd, env, types = [] }: Session): Promise<string> {
  const child = spawn('script', ['-qec', `stty cols 200; ${line}`, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH, TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/bash', ...env },
  });
  let shown = '';
  let seen = 0;
  let next = 0;
  const type = (): void => {
    const [after, text] = types[next] ?? [];
    if (after === undefined || text === undefined || !after.test(shown.slice(seen))) return;
    seen = shown.length;
    next += 1;
    child.stdin.write(text);
  };
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    shown += data;
    type();
  });
  return new Promise((resolve) => child.on('close', () => resolve(shown)));
}
