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
  /** What is typed, or done, each when what comes before it has been shown; with what the pattern has found in parentheses. */
  readonly types?: readonly (readonly [after: RegExp, what: string | ((found: string) => Promise<void>)])[];
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
    const [after, what] = types[next] ?? [];
    const found = after?.exec(shown.slice(seen));
    if (what === undefined || found === null || found === undefined) return;
    seen = shown.length;
    next += 1;
    if (typeof what === 'string') child.stdin.write(what);
    else void what(found[1] ?? '');
  };
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    shown += data;
    type();
  });
  return new Promise((resolve) => child.on('close', () => resolve(shown)));
}
