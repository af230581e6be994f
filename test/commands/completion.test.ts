// What shells offer at TAB, typed into the shells themselves.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { Folder } from '../support/commands/command.ts';
import { atTerminal, isThere } from '../support/commands/terminal.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = new Folder();
afterAll(() => folder.remove());

/** The words that are offered behind a line that ends where the cursor is. */
async function offered(...words: string[]): Promise<string[]> {
  const child = folder.startWith(['complete', '--', ...words]);
  const { stdout } = await child.ended;
  return stdout
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => line.split('\t')[0] ?? '');
}

describe('complete', () => {
  test('offers commands, and options with what they do', async () => {
    expect(await offered('expl')).toEqual(['explain']);
    expect(await offered('migrate', '')).toEqual(['generate', 'apply', 'status', 'help']);
    expect(await offered('migrate', 'apply', '--allow')).toEqual(['--allow-drop', '--allow-loss', '--allow-rebuild']);
    expect(await offered('init', '--template', '')).toEqual(['courses', 'tasks', 'shop', 'bookings', 'empty']);
    expect(await offered('check', '--allow', 're')).toEqual(['readers']);
  });

  test('offers groups, then their fields, those inside lists too', async () => {
    expect(await offered('explain', 'project-me')).toEqual(['project-member']);
    expect(await offered('verify', 'project-me')).toEqual(['project-member']);
    expect(await offered('explain', 'invoice.lines.ta')).toEqual(['invoice.lines.taxable']);
    expect(await offered('explain', 'nothing.')).toEqual([]);
  });

  test('offers rules and functions by their names, and features', async () => {
    expect(await offered('explain', 'ru')).toEqual(['rule']);
    expect(await offered('explain', 'rule', 'ra')).toEqual(['range']);
    expect(await offered('explain', 'key')).toEqual(['keyword']);
    expect(await offered('explain', 'keyword', 'onl')).toEqual(['onlyWhen']);
    expect(await offered('explain', 'function', 'firstOf')).toEqual(['firstOfMonth']);
    expect(await offered('feature', 'enable', 'pipe')).toEqual(['pipeline']);
  });

  test('offers what it can where the descriptors have faults', async () => {
    const broken = new Folder();
    writeFileSync(join(broken.path, 'resources/broken.json'), '{');
    const { code, stdout, stderr } = await broken.startWith(['complete', '--', 'explain', '']).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^rule\t/);
    broken.remove();
  });
});

/** How each shell is started without settings of its own, and takes in the script. */
const shells = [
  ['bash', 'bash --norc -i', '. /usr/share/bash-completion/bash_completion; eval "$(praxis completion bash)"'],
  ['zsh', 'zsh -f -i', 'autoload -U compinit; compinit -u -D; eval "$(praxis completion zsh)"'],
  ['fish', 'fish --no-config -i', 'praxis completion fish | source'],
] as const;

describe.each(shells)('%s', (shell, start, source) => {
  const isPossible = isThere('script') && isThere(shell);

  test.skipIf(!isPossible)('completes a command and a field, and runs what was completed', async () => {
    const bin = join(folder.path, 'bin');
    mkdirSync(bin, { recursive: true });
    const cli = join(import.meta.dirname, '../../src/cli.ts');
    writeFileSync(join(bin, 'praxis'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
    chmodSync(join(bin, 'praxis'), 0o755);
    const shown = await atTerminal(start, {
      cwd: folder.path,
      env: { PATH: `${bin}:${process.env.PATH}`, HOME: folder.path, NO_COLOR: '1' },
      types: [
        [/[$#%>] /, `${source}; echo rea""dy\n`],
        [/\bready\r?\n/, 'praxis expl\tinvoice.lines.tax\t\n'],
        [/Used by|Not used by other fields or rules/, 'exit\n'],
      ],
    });
    expect(stripVTControlCharacters(shown)).toMatch(/invoice\.lines\.taxable: Whether the line is taxed/);
  });
});
