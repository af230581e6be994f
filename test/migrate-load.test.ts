// Tables that change while others use them: what waits, for how long, and that nothing which was acknowledged is lost.
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dialects, type Groups, Project } from './support/project.ts';

const text = { type: 'string', maxLength: 100 };
const notes = (more: object = {}): Groups => ({ note: { properties: { name: text, ...more } } });

describe.skipIf(!dialects.includes('MariaDB'))('a change of a table that is in use (MariaDB)', () => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.open('MariaDB');
    project.describe(notes());
    project.generate();
    await project.serve(async (call) => {
      await call('POST', '/notes', { name: 'One' });
    });
  });
  afterEach(() => project.close());

  test('gives way to writers while a long transaction holds the table', { timeout: 60_000 }, async () => {
    project.describe(notes({ mood: { ...text, default: 'calm' } }));
    project.generate();
    const [reader, writer] = [await createConnection(project.url), await createConnection(project.url)];
    try {
      await reader.query('start transaction');
      await reader.query('select * from note');
      const applied = project.apply();
      let isDone = false;
      const write = async (): Promise<number[]> => {
        const times: number[] = [];
        while (!isDone) {
          const from = performance.now();
          await writer.query("update note set name = concat('Two', ?)", [times.length]);
          times.push(performance.now() - from);
          await delay(20);
        }
        return times;
      };
      const writing = write();
      await delay(8000);
      await reader.query('commit');
      expect(await applied).toContain('1 step done.');
      isDone = true;
      const times = await writing;
      // A change waits for 3 seconds, then writers go on for 3 seconds.
      expect(Math.max(...times)).toBeGreaterThan(1000);
      expect(Math.max(...times)).toBeLessThan(4500);
      expect(times.filter((ms) => ms > 500).length).toBeLessThan(4);
      expect(times.length).toBeGreaterThan(40);
    } finally {
      await reader.end();
      await writer.end();
    }
  });
});
