// How `npm test` runs everything: the dearest files first, so that the workers end together, and nothing waits for a disk.
import { basename } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long, the longest first. */
const dearest = [
  ...[
    'conformance',
    'cli',
    'pages',
    'mutants',
    'cases-mariadb',
    'cases-mysql',
    'openapi-lint',
    'migrate-load',
    'cases-sqlite',
  ],
  ...[
    'descriptors',
    'package',
    'own-project',
    'demo',
    'walkthrough',
    'migrate-together',
    'time-zone',
    'corpus',
    'overload',
  ],
];

class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = dearest.indexOf(basename(moduleId, '.test.ts'));
      return found === -1 ? dearest.length : found;
    };
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

const asked = (process.env.TEST_DATABASES || 'sqlite,mariadb').split(',');

export default defineConfig({
  test: {
    // Not those of the project that `praxis init` writes.
    include: ['test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...['sqlite', 'mariadb', 'mysql']
        .filter((name) => !asked.includes(name))
        .map((name) => `test/cases-${name}.test.ts`),
    ],
    globalSetup: 'test/support/whole-run.ts',
    sequence: { sequencer: DearestFirst },
  },
});
