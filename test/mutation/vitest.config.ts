import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = join(import.meta.dirname, '../..');
/** Names of test files in `test`. */
const order = (process.env.MUTANTS_ORDER ?? '').split(',');

class AsAsked extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => order.indexOf(relative(join(root, 'test'), moduleId));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  root,
  // node_modules belongs to the project, not to the copy of it.
  cacheDir: join(import.meta.dirname, '.vite'),
  test: {
    // What `npm test` runs of the files that take part; the score of it is told.
    env: { TEST_PART: 'quick' },
    runner: join(import.meta.dirname, 'runner.ts'),
    // Hundreds of runs read the same sources.
    fsModuleCache: true,
    sequence: { sequencer: AsAsked },
    maxWorkers: 1,
    // What hangs is noticed by the processor time that it does not take: a busy machine must not look like it.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
