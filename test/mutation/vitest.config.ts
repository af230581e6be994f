import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  // node_modules belongs to the project, not to the copy of it.
  cacheDir: join(import.meta.dirname, '.vite'),
  test: {
    // What `npm test` runs of the files that take part; the score of it is told.
    env: { TEST_PART: 'quick' },
    setupFiles: [join(import.meta.dirname, 'record.ts')],
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
