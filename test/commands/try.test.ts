// A write that is tried: what `praxis try` tells of it, and that nothing of it stays.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Folder } from '../support/commands/command.ts';
import { folders, type Json, onEveryDatabase } from '../support/service/praxis.ts';

onEveryDatabase(
  'praxis try',
  (context) => {
    let folder: Folder;
    const ids: string[] = [];

    beforeAll(async () => {
      folder = new Folder({ DATABASE_URL: context.databaseUrl }, folders.narrowing);
      for (const day of ['2026-05-01', '2026-05-31', '2026-05-15', '2026-06-01'])
        ids.push((await context.make('loan', { code: `lost ${day}`, day, isLost: true, weight: 5 })).id);
      await context.make('span', { start: '2026-05-01', end: '2026-05-31', least: null });
    }, 60_000);
    afterAll(() => folder.remove());

    /** @returns the status and the lines that it prints */
    const tried = async (words: string, body?: Json) => {
      const file = join(folder.path, 'body.json');
      if (body !== undefined) writeFileSync(file, JSON.stringify(body));
      const { code, stdout, stderr } = await folder.run(words);
      expect(stderr).toBe('');
      return { code, lines: stdout.trimEnd().split('\n') };
    };
    const month =
      'the number of the loans whose day ≥ the first day of the month of this day and whose day ≤ the last day of the month of this day and that are lost';

    test('tells which condition refuses, and what it has seen', async () => {
      const { code, lines } = await tried('try loan body.json', { code: 'one more', day: '2026-05-20', isLost: true });
      expect(code).toBe(1);
      expect(lines).toEqual(
        expect.arrayContaining([
          'create of loan: would be refused (400). Nothing was written.',
          "  'day' must be in a month with no more than 3 lost ones",
          'Conditions that fail',
          '    day: 2026-05-20',
        ]),
      );
      expect(lines).toContain(`    ${month}: 4 (lost 2026-05-01, lost 2026-05-31, lost 2026-05-15 and 1 more)`);
      expect(await context.all('loan')).toHaveLength(4);
    }, 60_000);

    test('tells what holds, and what was so before the write', async () => {
      const { code, lines } = await tried(`try loan body.json --id ${ids[3]}`, { isLost: false, day: '2026-05-20' });
      expect([code, lines[0]]).toEqual([0, 'update of loan: would succeed. Nothing was written.']);
      expect(lines).toContain('    day: 2026-05-20; before this write 2026-06-01');
      expect(lines).toContain('Conditions that hold');
      expect((await context.call('GET', `/loans/${ids[3]}`)).body).toMatchObject({ day: '2026-06-01', isLost: true });
    }, 60_000);

    test('tells what a write fills in', async () => {
      const { code, lines } = await tried('try span body.json', { start: '2026-05-01', end: '2026-05-31', least: 4 });
      expect(code).toBe(0);
      expect(lines).toEqual(
        expect.arrayContaining(['Values that it fills in', '  inside: 3', '  heavy: 4', '  busy: yes']),
      );
      const loan = await tried('try loan body.json', { code: 'kind', day: '2027-01-01' });
      expect(loan.lines.join('\n')).toContain(
        'Values that it fills in\n  kind: book\n    by default\n  lost: no\n    by default',
      );
    }, 60_000);

    test('tries a delete, and refuses what means nothing', async () => {
      expect(await tried(`try loan --delete --id ${ids[0]}`)).toEqual({
        code: 0,
        lines: ['delete of loan: would succeed. Nothing was written.'],
      });
      expect(await context.all('loan')).toHaveLength(4);
      const refused = async (words: string): Promise<string> => {
        const { code, stdout, stderr } = await folder.run(words);
        expect([code, stdout]).toEqual([1, '']);
        return stderr.trimEnd();
      };
      expect(await refused('try loans body.json')).toBe('"loans" is not a group; did you mean "loan"?');
      expect(await refused('try loan')).toBe('praxis try requires a file with the body, or - for standard input.');
      expect(await refused('try loan --delete')).toBe('praxis try --delete requires --id <id> and no file.');
    }, 60_000);
  },
  'narrowing',
);
