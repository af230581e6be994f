// Mutants against the other tests: those that a file passes act while Vitest runs it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Files that take no part: they are about other folders, start the command line for each test, watch the clock, or take
 * minutes. A new file takes part.
 */
const apart: ReadonlySet<string> = new Set(
  [
    'architecture changes cli client client-failures codegen config contract corpus demo dev generators',
    'introspect kinds many-faults migrate-kill migrate-load migrate-properties migrate-refusals migrate-together mutants',
    'openapi-lint overload package pages pages-http promises silence start-time time-zone walkthrough',
  ].flatMap((names) => names.split(' ').map((name) => `${name}.test.ts`)),
);
/** Of these only the tests whose names match: the others take a minute. */
const parts: Readonly<Record<string, string>> = {
  'conformance.test.ts': '^every group of test/resources',
  'descriptors.test.ts': '^(?!mutants )',
};

/** All cases: each takes its turn on what other tests leave, without a run to see what it passes. */
const whole: readonly TestFile[] = ['cases-sqlite.test.ts', 'cases-mariadb.test.ts'].map((name) => ({
  name,
  passed: { has: () => true },
  ms: 180_000,
}));

const leastLimitMs = 20_000;
const batchMs = 40_000;
/** A run ends after so many failures; each of them is looked into. */
const failuresAtOnce = 8;
/** What Vitest itself takes for a run. */
const startMs = 1500;

/** A test file that takes part, what it passes and how long it takes. */
export interface TestFile {
  readonly name: string;
  readonly passed: Pick<ReadonlySet<number>, 'has'>;
  readonly ms: number;
}

interface Run {
  readonly files: readonly string[];
  readonly acting: readonly number[];
  readonly limitMs: number;
  /** After so many failures it ends. */
  readonly bail?: number;
  /** Only tests whose names match. */
  readonly pattern?: string | undefined;
}

/** What Vitest writes of a run, as far as it is used here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** What failed first. */
interface Failure {
  /** The file, or all that ran where that is not known. */
  readonly files: readonly TestFile[];
  /** Some of those that fail; none where that is not known. */
  readonly tests: readonly string[];
  /** What has not run to its end. */
  readonly left: readonly TestFile[];
  readonly text: string;
}

export class TestFiles {
  readonly #folder: string;
  #files: readonly TestFile[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Runs all files without a mutant. Those that fail then take no part. @returns the names of these */
  async cover(): Promise<string[]> {
    const names = readdirSync(join(this.#folder, 'test')).filter(
      (name) => name.endsWith('.test.ts') && !apart.has(name) && !whole.some((file) => file.name === name),
    );
    const record = join(this.#folder, 'passed.txt');
    const limitMs = 1_800_000;
    const results: Report['testResults'][number][] = [];
    const runs = [names.filter((name) => parts[name] === undefined), ...Object.keys(parts).map((name) => [name])];
    for (const files of runs) {
      await this.#vitest({ files, acting: [], limitMs, pattern: parts[files[0] ?? ''] }, { MUTANTS_RECORD: record });
      results.push(...(this.#report()?.testResults ?? []));
    }
    const passed = new Map<string, ReadonlySet<number>>();
    for (const line of existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : []) {
      const [path = '', ...numbers] = line.split(',');
      passed.set(basename(path), new Set(numbers.map(Number)));
    }
    const files = results.map(({ name, status, startTime, endTime }) => ({
      name: basename(name),
      isFine: status === 'passed',
      passed: passed.get(basename(name)) ?? new Set<number>(),
      ms: startMs + endTime - startTime,
    }));
    this.#files = files.filter(({ isFine, passed }) => isFine && passed.size > 0).toSorted((a, b) => a.ms - b.ms);
    return files.flatMap(({ name, isFine }) => (isFine ? [] : [name]));
  }

  isReached(mutant: number): boolean {
    return this.#files.some(({ passed }) => passed.has(mutant));
  }

  /** Tries one mutant on the quickest files that pass it. @returns what failed */
  async tryOne(mutant: number, budgetMs: number): Promise<string | undefined> {
    let left = budgetMs;
    for (const file of this.#files.filter(({ passed }) => passed.has(mutant))) {
      left -= file.ms;
      if (left < 0) return undefined;
      const failure = await this.#failure([file], [mutant]);
      if (failure !== undefined) return `${failure.text}: ${failure.tests[0] ?? 'it hangs or crashes'}`;
    }
    return undefined;
  }

  /**
   * Tries mutants that have passed much, on all files, all at once: hardly any of them fails there, and those that do are
   * found by halves. @param fell is told of each that dies
   */
  async tryTogether(mutants: readonly number[], fell: (mutant: number, by: string) => void): Promise<void> {
    const left = new Set(mutants);
    for (const batch of batchesOf([...this.#files, ...whole])) {
      let files = batch;
      for (let chances = 3; chances > 0; ) {
        const acting = [...left].filter((mutant) => files.some(({ passed }) => passed.has(mutant)));
        const failure = acting.length === 0 ? undefined : await this.#failure(files, acting, { bail: failuresAtOnce });
        if (failure === undefined) break;
        const found: number[] = [];
        for (const test of failure.tests.length === 0 ? [undefined] : failure.tests) {
          const suspects = acting.filter((mutant) => !found.includes(mutant));
          const culprits = await this.#culprits(suspects, failure.files, test);
          // A test may need those before it, and fail alone whatever acts.
          const isSound = culprits.length > 0 && (await this.#failure(failure.files, [], { test })) === undefined;
          for (const mutant of isSound ? culprits : []) {
            found.push(mutant);
            left.delete(mutant);
            fell(mutant, `${failure.text}: ${test ?? 'it hangs or crashes'}`);
          }
        }
        // It failed by chance, or only when some act together.
        if (found.length === 0) chances -= 1;
        files = failure.left;
      }
    }
  }

  /** Which of these make a test fail, or all of some files. */
  async #culprits(acting: readonly number[], files: readonly TestFile[], test?: string): Promise<readonly number[]> {
    const passing = acting.filter((mutant) => files.some(({ passed }) => passed.has(mutant)));
    if (passing.length === 0 || (await this.#failure(files, passing, { test })) === undefined) return [];
    if (passing.length === 1) return passing;
    const middle = passing.length / 2;
    const first = await this.#culprits(passing.slice(0, middle), files, test);
    return [...first, ...(await this.#culprits(passing.slice(middle), files, test))];
  }

  /** Runs files, or one test of them, until so many fail. */
  async #failure(
    files: readonly TestFile[],
    acting: readonly number[],
    { test, bail = 1 }: { readonly test?: string | undefined; readonly bail?: number } = {},
  ): Promise<Failure | undefined> {
    const names = files.map(({ name }) => name);
    const pattern = test === undefined ? parts[names[0] ?? ''] : `^${test.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`;
    const limitMs = leastLimitMs + 3 * msOf(files);
    if (await this.#vitest({ files: names, acting, limitMs, pattern, bail })) return undefined;
    const results = this.#report()?.testResults ?? [];
    const [failed] = results.filter(({ status }) => status === 'failed').sort((a, b) => a.startTime - b.startTime);
    const file = files.find(({ name }) => failed !== undefined && name === basename(failed.name));
    if (failed === undefined || file === undefined) return { files, tests: [], left: files, text: names.join(', ') };
    // As Vitest writes the names with which it compares a pattern.
    const tests = failed.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' > '));
    // They run one after the other, and nothing runs after the last failure: what has run to its end ended before it began.
    const ended = results
      .filter(({ endTime, assertionResults }) => endTime <= failed.startTime && assertionResults.some(isPassed))
      .map(({ name }) => basename(name));
    const left = files.filter(({ name }) => !ended.includes(name));
    return { files: [file], tests, left, text: file.name };
  }

  #reportFile(): string {
    return join(this.#folder, 'report.json');
  }

  /** What the last run has written: nothing where it had to be ended. */
  #report(): Report | undefined {
    const file = this.#reportFile();
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
  }

  /** @returns whether all is well; false as well when it does not end in time */
  async #vitest({ files, acting, limitMs, pattern, bail }: Run, more: NodeJS.ProcessEnv = {}): Promise<boolean> {
    rmSync(this.#reportFile(), { force: true });
    const child = spawn(
      process.execPath,
      [
        ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutation/vitest.config.ts'],
        ...files.map((name) => `test/${name}`),
        ...['--reporter', 'json', '--outputFile', this.#reportFile()],
        ...(bail === undefined ? [] : ['--bail', String(bail)]),
        ...(pattern === undefined ? [] : ['--testNamePattern', pattern]),
      ],
      {
        cwd: this.#folder,
        stdio: 'ignore',
        // A group of processes of its own, which can be ended as one.
        detached: true,
        env: { ...process.env, ...more, MUTANTS_ACTING: acting.join(',') },
      },
    );
    const end = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    // Before the copy is removed, into which it writes.
    process.prependOnceListener('exit', end);
    const timer = setTimeout(end, limitMs);
    const [code] = await once(child, 'exit');
    clearTimeout(timer);
    process.off('exit', end);
    return code === 0;
  }
}

const isPassed = ({ status }: { readonly status: string }): boolean => status === 'passed';

const msOf = (files: readonly TestFile[]): number => files.reduce((sum, { ms }) => sum + ms, 0);

/** Files to run together: not too many, for where one hangs all do. */
function batchesOf(files: readonly TestFile[]): readonly (readonly TestFile[])[] {
  const batches: TestFile[][] = [];
  for (const file of files) {
    const last = batches.at(-1);
    const isFull = last === undefined || msOf([...last, file]) > batchMs;
    if (isFull || [...last, file].some(({ name }) => parts[name] !== undefined)) batches.push([file]);
    else last.push(file);
  }
  return batches;
}
