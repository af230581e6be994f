// What the tutorial and the recipes say is done, descriptor by descriptor and call by call, and answered as they print it.
import { afterEach, expect, test } from 'vitest';
import { Course, defaultPrelude } from '../support/browser/guide-course.ts';
import { type Block, blocksIn, textOf } from '../support/browser/guides.ts';

let course: Course | undefined;
afterEach(() => course?.end());

/** Without what is another at each run: ids, times. */
const withoutChance = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
    .trim();

/** The descriptor that the guide names last before a block. */
function namedBefore(guide: string, { text }: Block): string {
  const before = textOf(guide).split(text)[0] ?? '';
  return [...before.matchAll(/`([\w/]*resources\/[\w-]+\.json)`/g)].at(-1)?.[1] ?? '';
}

async function follow(taken: Course, guide: string, blocks: readonly Block[]): Promise<number> {
  let calls = 0;
  for (const block of blocks) {
    if (block.kind === 'json') taken.describe(block, namedBefore(guide, block));
    else if (block.kind === 'sh') await taken.carryOut(block);
    else
      for (const { command, printed, answer } of await taken.call(block)) {
        expect(withoutChance(answer), `${block.part}: ${command}`).toBe(withoutChance(printed));
        calls += 1;
      }
  }
  return calls;
}

test('the tutorial: from nothing to fines and reservations', { timeout: 240_000 }, async () => {
  expect(textOf('tutorial')).toContain(defaultPrelude);
  course = new Course('library/resources');
  expect(await follow(course, 'tutorial', blocksIn('tutorial'))).toBeGreaterThan(20);
});

const recipes = Map.groupBy(blocksIn('recipes'), ({ part }) => part);

test.each([...recipes])('the recipe "%s"', { timeout: 60_000 }, async (_part, blocks) => {
  course = new Course('resources');
  const isCall = ({ kind }: Block): boolean => kind === 'console';
  await follow(
    course,
    'recipes',
    blocks.filter((block) => !isCall(block)),
  );
  await course.start();
  expect(await follow(course, 'recipes', blocks.filter(isCall))).toBeGreaterThan(1);
});
