// How Vitest runs test files under mutants: it leaves out the tests that are not chosen, and writes down what each of the others passes.
import { appendFileSync, readFileSync } from 'node:fs';
import { type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest';
import { cpuMs } from './spent.ts';
import { mutants } from './switch.ts';

/** What a test passes, and the processor time it takes. */
export interface TestRecord {
  readonly name: string;
  readonly ms: number;
  readonly passed: readonly number[];
}

/** A line for each file, and one for each mutant that a process or a thread passes which a test has started. */
export interface FileRecord {
  /** Its path. */
  readonly file: string;
  /** Passed while no test runs: when sources are loaded, and in the hooks of all tests. */
  readonly common: readonly number[];
  /** Of what is common to all tests. */
  readonly ms: number;
  readonly tests: readonly TestRecord[];
}

/** The names of tests to run, by the path of their file; those of files that are not named run as a whole. */
export type Chosen = Readonly<Record<string, readonly string[]>>;

const { MUTANTS_RECORD: record, MUTANTS_CHOSEN: choice, MUTANTS_BEGUN: begun } = process.env;
const chosen: Chosen = choice === undefined ? {} : (JSON.parse(readFileSync(choice, 'utf8')) as Chosen);

/** As in the report of Vitest. */
const nameOf = ({ name, suite }: RunnerTestCase): string => {
  const titles = [name];
  for (let at: RunnerTestSuite | undefined = suite; at !== undefined && !('filepath' in at); at = at.suite)
    titles.unshift(at.name);
  return titles.join(' > ');
};

/** Leaves out the tests of a suite that are not chosen. @returns whether one is left */
function keep(suite: RunnerTestSuite, names: ReadonlySet<string>): boolean {
  for (const task of suite.tasks) {
    const isKept = task.type === 'suite' ? keep(task, names) : names.has(nameOf(task));
    if (!isKept) task.mode = 'skip';
  }
  return suite.tasks.some(({ mode }) => mode !== 'skip');
}

export default class extends TestRunner {
  #tests: TestRecord[] = [];
  readonly #common = new Set<number>();
  #testMs = 0;
  #begunAt = 0;
  #loadedFrom = cpuMs();

  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) {
      process.env['MUTANTS_FILE'] = file.filepath;
      if (begun !== undefined) appendFileSync(begun, `${file.filepath}\n`);
      const names = chosen[file.filepath];
      if (names !== undefined) keep(file, new Set(names));
    }
  }

  #takePassed(): number[] {
    const passed = [...mutants.passed];
    mutants.passed.clear();
    return passed;
  }

  #takeCommon(): void {
    for (const number of this.#takePassed()) this.#common.add(number);
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    if (record === undefined) return;
    this.#takeCommon();
    this.#begunAt = cpuMs();
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test);
    if (record === undefined) return;
    const ms = cpuMs() - this.#begunAt;
    this.#testMs += ms;
    this.#tests.push({ name: nameOf(test), ms, passed: this.#takePassed() });
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files);
    const [file] = files;
    if (record === undefined || file === undefined) return;
    this.#takeCommon();
    const ms = cpuMs() - this.#loadedFrom - this.#testMs;
    const line: FileRecord = { file: file.filepath, common: [...this.#common], ms, tests: this.#tests };
    appendFileSync(record, `${JSON.stringify(line)}\n`);
  }
}
