// How tests run: `npm test` the quick part of them, `npm run test:all` everything, `npm run test:rest` what the first leaves out. The
// dearest files come first, so that the workers end together.
import { basename } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';
import { leftOut, type Part, roomsInTurn, runInPart } from './support/run/left-out.ts';

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
  ...[
    'sort-reads',
    'billing-races',
    'properties',
    'fuzz',
    'migrate-figures',
    'growth',
    'plans',
    'filter-reads',
    'client',
    'same-bytes',
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
const casesOf = (names: readonly string[]): string[] => names.map((name) => `test/whole/cases-${name}.test.ts`);
const withoutDatabase = casesOf(['sqlite', 'mariadb', 'mysql'].filter((name) => !asked.includes(name)));
const fileOf = (name: string): string => `test/${name}.test.ts`;
const leftFiles = Object.keys(leftOut).map(fileOf);
const all = 'test/**/*.test.ts';

const files: Readonly<Record<Part, { readonly include: string[]; readonly exclude: readonly string[] }>> = {
  all: { include: [all], exclude: [] },
  quick: { include: [all], exclude: leftFiles },
  rest: {
    include: [...leftFiles, ...runInPart.map(fileOf), ...roomsInTurn.map((room) => `test/${room}/*.test.ts`)],
    exclude: [],
  },
};

/** What is not run is said, before the counts. */
const sayWhatIsLeftOut: Reporter = {
  onTestRunEnd: () => {
    const lines = Object.entries(leftOut).map(([name, why]) => `  ${fileOf(name)}: ${why}`);
    console.log(
      `\nLeft out of this run, and run by \`npm run test:all\`: what is skipped of the laws and, on servers, of the cases; there five sixths of
the files in ${roomsInTurn.join(', ')}; most of what chance makes up (${runInPart.map(fileOf).join(', ')}), and\n${lines.join('\n')}`,
    );
  },
};

/** Where the time goes, before the counts. */
const sayWhatIsSlow: Reporter = {
  onTestRunEnd: (modules) => {
    const slow = modules
      .map((each) => ({ file: each.relativeModuleId, seconds: each.diagnostic().duration / 1000 }))
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, 12);
    const lines = slow.map(({ file, seconds }) => `  ${seconds.toFixed(0).padStart(4)} s  ${file}`);
    if (modules.length > 12) console.log(`\nThe slowest files:\n${lines.join('\n')}`);
  },
};

export default defineConfig(({ mode }) => {
  const part: Part = mode === 'quick' || mode === 'rest' ? mode : 'all';
  const { include, exclude } = files[part];
  return {
    test: {
      // Not those of the project that `praxis init` writes.
      include,
      exclude: [...configDefaults.exclude, ...exclude, ...withoutDatabase],
      env: { TEST_PART: part },
      // A worker of `npm test` reads the sources and the descriptors once for all its files. In the other runs each file has a
      // process of its own, so no file can come to need what another has left behind.
      isolate: part !== 'quick',
      // A machine that is busy with other things is no fault of what is tested.
      hookTimeout: 60_000,
      expect: { poll: { timeout: 10_000 } },
      globalSetup: 'test/support/run/whole-run.ts',
      sequence: { sequencer: DearestFirst },
      reporters: [sayWhatIsSlow, ...(part === 'quick' ? [sayWhatIsLeftOut] : []), 'default'],
    },
  };
});
