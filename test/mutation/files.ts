// Mutants against the other tests: those that a file passes act while Vitest runs it.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { leftOut } from '../support/left-out.ts';
import type { Killer } from './cases-process.ts';

/**
 * Files that take no part: they are about other folders, start the command line for each test, watch the clock, or take
 * minutes. A new file takes part.
 */
const apart: ReadonlySet<string> = new Set(
  [
    'architecture changes cli client client-failures codegen config contract corpus demo dev generators',
    'cases-mariadb cases-mysql cases-sqlite introspect kinds many-faults migrate-kill migrate-load migrate-properties migrate-refusals migrate-together mutants',
    'openapi-lint overload package pages pages-http promises silence start-time time-zone walkthrough',
  ].flatMap((names) => names.split(' ').map((name) => `${name}.test.ts`)),
);
/** Of these only the tests whose names match: the others take a minute. */
const parts: Readonly<Record<string, string>> = {
  'conformance.test.ts': '^every group of test/resources',
  'descriptors.test.ts': '^(?!mutants )',
};

const partOf = (name: string): string | undefined => parts[basename(name)];

/** By the clock, and so with much patience: another process may have the machine for itself. */
const leastLimitMs = 60_000;
const patience = 10;
/** What a file counts for that has not noticed any yet, beside each that it has. */
const chance = 0.2;
/** What Vitest itself takes for a run, of processor time. */
const startMs = 1500;

/** Whether `npm test` leaves out the file of a killer. */
export const isLeftOut = (killer: string): boolean =>
  Object.keys(leftOut).some((name) => killer.startsWith(`${name}.test.ts`));

/** A test file that takes part, what it passes and the processor time it takes. */
export interface TestFile {
  readonly name: string;
  readonly passed: ReadonlySet<number>;
  readonly ms: number;
}

interface Run {
  readonly files: readonly string[];
  readonly acting: readonly number[];
  readonly limitMs: number;
  /** Only tests whose names match. */
  readonly pattern?: string | undefined;
}

/** What Vitest writes of a run, as far as it is used here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

export class TestFiles {
  readonly #folder: string;
  #files: readonly TestFile[] = [];
  /** How often a file has noticed a mutant of a folder, by the names of both. */
  readonly #kills = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Runs all files without a mutant whose names have one of these words. Those that fail then take no part.
   * @returns the names of these
   */
  async cover(words: readonly string[]): Promise<string[]> {
    const root = join(this.#folder, 'test');
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.test.ts') &&
        !name.includes('node_modules') &&
        !apart.has(basename(name)) &&
        words.some((word) => name.includes(word)),
    );
    const record = join(this.#folder, 'passed.txt');
    const limitMs = 1_800_000;
    const results: Report['testResults'][number][] = [];
    const isPart = (name: string): boolean => partOf(name) !== undefined;
    const runs = [names.filter((name) => !isPart(name)), ...names.filter(isPart).map((name) => [name])];
    for (const files of runs) {
      const pattern = partOf(files[0] ?? '');
      const { report } = await this.#vitest({ files, acting: [], limitMs, pattern }, { MUTANTS_RECORD: record });
      results.push(...(report?.testResults ?? []));
    }
    const records = new Map<string, Pick<TestFile, 'passed' | 'ms'>>();
    for (const line of existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : []) {
      const [path = '', ms, ...numbers] = line.split(',');
      records.set(path, { passed: new Set(numbers.map(Number)), ms: startMs + Number(ms) });
    }
    const files = results.map(({ name, status }) => ({
      name: relative(root, name),
      isFine: status === 'passed',
      passed: records.get(name)?.passed ?? new Set<number>(),
      ms: records.get(name)?.ms ?? startMs,
    }));
    this.#files = files.filter(({ isFine, passed }) => isFine && passed.size > 0);
    return files.flatMap(({ name, isFine }) => (isFine ? [] : [name]));
  }

  isReached(mutant: number): boolean {
    return this.#files.some(({ passed }) => passed.has(mutant));
  }

  /**
   * Tries one mutant on the files that pass it, until tests of so many have failed, and failed again: those of `npm test` first,
   * and of these the quick ones, and those that have noticed others of the same folder.
   * @param folder Of the source. @returns which have noticed it
   */
  async tryOne(
    mutant: number,
    { folder, budgetMs, wanted }: { readonly folder: string; readonly budgetMs: number; readonly wanted: number },
  ): Promise<readonly Killer[]> {
    const killers: Killer[] = [];
    let left = budgetMs;
    const worth = ({ name, ms }: TestFile): number => (chance + (this.#kills.get(`${folder} ${name}`) ?? 0)) / ms;
    const passing = this.#files
      .filter(({ passed }) => passed.has(mutant))
      .toSorted((a, b) => Number(isLeftOut(a.name)) - Number(isLeftOut(b.name)) || worth(b) - worth(a));
    for (const file of passing) {
      if (killers.length >= wanted) break;
      left -= file.ms;
      if (left < 0) break;
      if ((await this.#failure(file, mutant)) === undefined) continue;
      const failure = await this.#failure(file, mutant);
      if (failure === undefined) continue;
      const place = `${folder} ${file.name}`;
      this.#kills.set(place, (this.#kills.get(place) ?? 0) + 1);
      killers.push({ test: `${file.name}: ${failure}`, ms: Math.round(file.ms) });
    }
    return killers;
  }

  /** Runs one file until a test of it fails. @returns its name, that of the test, or that there was no end to it */
  async #failure({ name, ms }: TestFile, mutant: number): Promise<string | undefined> {
    const limitMs = leastLimitMs + patience * ms;
    const { isFine, report } = await this.#vitest({ files: [name], acting: [mutant], limitMs, pattern: partOf(name) });
    if (isFine) return undefined;
    const failed = report?.testResults.flatMap(({ assertionResults }) => assertionResults).find(isFailed);
    return failed === undefined ? 'it hangs or crashes' : [...failed.ancestorTitles, failed.title].join(' > ');
  }

  /** @returns whether all is well, which it is not when it does not end in time; no report then */
  async #vitest(
    { files, acting, limitMs, pattern }: Run,
    more: NodeJS.ProcessEnv = {},
  ): Promise<{ readonly isFine: boolean; readonly report: Report | undefined }> {
    const reportFile = join(this.#folder, `report-${randomUUID()}.json`);
    const child = spawn(
      process.execPath,
      [
        ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutation/vitest.config.ts'],
        ...files.map((name) => `test/${name}`),
        ...['--reporter', 'json', '--outputFile', reportFile],
        ...(acting.length === 0 ? [] : ['--bail', '1']),
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
    const report = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, 'utf8')) as Report) : undefined;
    rmSync(reportFile, { force: true });
    return { isFine: code === 0, report };
  }
}

const isFailed = ({ status }: { readonly status: string }): boolean => status === 'failed';
