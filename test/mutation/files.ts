// Mutants against the other tests: those that a file passes act while Vitest runs it.
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { leftOut } from '../support/run/left-out.ts';
import { inLanes } from './cases.ts';
import type { Killer } from './cases-process.ts';
import type { Chosen, FileRecord, TestRecord } from './runner.ts';
import { endAfter } from './spent.ts';

/**
 * Files that take no part: they are about other folders, start the command line for each test, watch the clock, or take
 * minutes. A new file takes part.
 */
const apart: ReadonlySet<string> = new Set(
  [
    'architecture changes cli client-failures codegen config demo dev generators',
    'cases-mysql cases-sqlite introspect kinds migrate-kill migrate-load migrate-properties migrate-refusals migrate-together mutants',
    'openapi-lint overload package pages promises silence start-time time-zone walkthrough',
  ].flatMap((names) => names.split(' ').map((name) => `${name}.test.ts`)),
);

/** Of processor time: so much may be taken, and so many times what it takes without a mutant. */
const leastLimitMs = 30_000;
const patience = 10;
/** What a file counts for that has not noticed any yet, beside each that it has. */
const chance = 0.2;
/** What Vitest takes for a run, and to load the sources once for all its files: processor time. */
const startMs = 1500;
/** What it takes to load one more file, and to start what its tests share. */
const leastFileMs = 100;
/** So many files are covered in one run. */
const portion = 12;
const coverLimitMs = 3_600_000;
/** No file may take more of what a mutant may take, as long as others pass it too. */
const largestShare = 0.25;

/** Whether `npm test` leaves out the file of a killer. */
export const isLeftOut = (killer: string): boolean =>
  Object.keys(leftOut).some((name) => killer.startsWith(`${name}.test.ts`));

interface Test {
  readonly name: string;
  readonly ms: number;
  readonly passed: ReadonlySet<number>;
}

/** A test file that takes part, what it passes and the processor time it takes. */
interface TestFile {
  readonly name: string;
  /** Passed while none of its tests runs. */
  readonly common: ReadonlySet<number>;
  /** Of what its tests share. */
  readonly ms: number;
  readonly tests: readonly Test[];
}

/** The same as it is kept. */
interface CoveredFile {
  readonly name: string;
  /** Of its text. */
  readonly digest: string;
  /** Tests that fail without a mutant. */
  readonly failed: readonly string[];
  readonly common: readonly number[];
  readonly ms: number;
  readonly tests: readonly TestRecord[];
}

interface Wanted {
  readonly words: readonly string[];
  /** Whether only files of `npm test` are. */
  readonly isQuickOnly: boolean;
  readonly store: string | undefined;
  /** So many processes at once. */
  readonly lanes: number;
}

/** Tests of a file, in the order of the file. */
interface Choice {
  readonly file: TestFile;
  readonly tests: readonly Test[];
  readonly ms: number;
  /** How few others these tests pass. */
  readonly closeness: number;
}

interface Run {
  readonly files: readonly string[];
  readonly acting?: number;
  readonly limitMs: number;
  readonly chosen?: Chosen;
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

interface Failure {
  readonly file: string;
  readonly test: string;
}

/** Short, and the same for the same text. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

export class TestFiles {
  readonly #folder: string;
  readonly #root: string;
  #files: readonly TestFile[] = [];
  /** Files whose tests need those before them: they run as a whole. */
  readonly #whole = new Set<string>();
  /** Files of which some tests have been well without the others. */
  readonly #sound = new Set<string>();
  /** How often a file has noticed a mutant of a folder, by the names of both. */
  readonly #kills = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#root = join(folder, 'test');
  }

  /**
   * Runs files without a mutant whose names have one of these words, those alone of which a store does not know what they pass.
   * Tests that fail then take no part. @param store A file that keeps what they pass. @returns the names of these
   */
  async cover({ words, isQuickOnly, store, lanes }: Wanted): Promise<string[]> {
    const names = readdirSync(this.#root, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.test.ts') &&
        !name.includes('node_modules') &&
        !apart.has(basename(name)) &&
        !(isQuickOnly && isLeftOut(name)) &&
        words.some((word) => name.includes(word)),
    );
    const digests = new Map(names.map((name) => [name, digestOf(readFileSync(join(this.#root, name), 'utf8'))]));
    const stored: readonly CoveredFile[] =
      store !== undefined && existsSync(store) ? (JSON.parse(readFileSync(store, 'utf8')) as CoveredFile[]) : [];
    const known = stored.filter(({ name, digest }) => digests.get(name) === digest);
    const unknown = names.filter((name) => !known.some((file) => file.name === name));
    const covered = [...known];
    // A portion each, so that what is known by then is kept whatever becomes of the rest.
    const portions = Array.from({ length: Math.ceil(unknown.length / portion) }, (_some, n) =>
      unknown.slice(n * portion, (n + 1) * portion),
    );
    await inLanes(portions, [...Array(lanes).keys()], async (some) => {
      covered.push(...(await this.#coverAnew(some, digests)));
      if (store !== undefined) writeFileSync(store, JSON.stringify(covered));
    });
    this.#files = covered
      .filter(({ tests }) => tests.length > 0)
      .map(({ common, tests, ...file }) => ({
        ...file,
        common: new Set(common),
        tests: tests.map((test) => ({ ...test, passed: new Set(test.passed) })),
      }));
    return covered.flatMap(({ name, failed }) => failed.map((test) => `${name}: ${test}`));
  }

  async #coverAnew(names: readonly string[], digests: ReadonlyMap<string, string>): Promise<CoveredFile[]> {
    const record = join(this.#folder, `passed-${randomUUID()}.txt`);
    const { report } = await this.#vitest({ files: names, limitMs: coverLimitMs }, { MUTANTS_RECORD: record });
    const lines = existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : [];
    const records = Map.groupBy(
      lines.map((line) => JSON.parse(line) as FileRecord),
      ({ file }) => relative(this.#root, file),
    );
    const failures = (report?.testResults ?? []).flatMap((file) => this.#failuresOf(file));
    return names.map((name) => {
      const parts = records.get(name) ?? [];
      const failed = failures.filter(({ file }) => file === name).map(({ test }) => test);
      const ms = parts.reduce((sum, part) => sum + part.ms, 0) - startMs;
      return {
        name,
        digest: digests.get(name) ?? '',
        failed,
        common: [...new Set(parts.flatMap(({ common }) => common))],
        ms: Math.max(leastFileMs, ms),
        tests: parts.flatMap(({ tests }) => tests).filter((test) => !failed.includes(test.name)),
      };
    });
  }

  isReached(mutant: number): boolean {
    return this.#files.some(
      ({ common, tests }) => common.has(mutant) || tests.some(({ passed }) => passed.has(mutant)),
    );
  }

  /**
   * Tries one mutant on the tests that pass it, until tests of so many files have failed, and failed again: those of `npm test` first,
   * and of these the quick ones, those that pass little else, and those of files that have noticed others of the same folder.
   * @param folder Of the source. @returns which have noticed it
   */
  async tryOne(
    mutant: number,
    { folder, budgetMs, wanted }: { readonly folder: string; readonly budgetMs: number; readonly wanted: number },
  ): Promise<readonly Killer[]> {
    const killers: Killer[] = [];
    let left = this.#choices(mutant, { folder, budgetMs });
    while (left.length > 0 && killers.length < wanted) {
      const { failure, missing } = await this.#run(left, mutant);
      const name = failure?.file ?? missing;
      if (name === undefined) break;
      const place = left.findIndex(({ file }) => file.name === name);
      const choice = left[place];
      if (choice === undefined) break;
      left = left.slice(place + 1);
      if (!this.#sound.has(name) && (await this.#run([choice])).name !== undefined) {
        // Its tests need those before them.
        this.#whole.add(name);
        const whole = { ...choice, tests: choice.file.tests };
        if (choice.tests.length < whole.tests.length) left.push(whole);
        continue;
      }
      this.#sound.add(name);
      const again = await this.#run([choice], mutant);
      if (again.name === undefined) continue;
      const key = `${folder} ${name}`;
      this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1);
      killers.push({ test: `${name}: ${again.failure?.test ?? 'it hangs or crashes'}`, ms: Math.round(choice.ms) });
    }
    return killers;
  }

  /** The tests to try a mutant on, the most promising files first, as far as the budget goes. */
  #choices(mutant: number, { folder, budgetMs }: { readonly folder: string; readonly budgetMs: number }): Choice[] {
    const worth = ({ file, ms, closeness }: Choice): number =>
      ((chance + (this.#kills.get(`${folder} ${file.name}`) ?? 0)) * closeness) / ms;
    const choices = this.#files
      .map((file) => this.#choice(file, mutant, largestShare * budgetMs))
      .filter((choice) => choice !== undefined)
      .toSorted((a, b) => Number(isLeftOut(a.file.name)) - Number(isLeftOut(b.file.name)) || worth(b) - worth(a));
    let left = budgetMs - startMs;
    return choices.filter(({ ms }) => {
      if (ms > left) return false;
      left -= ms;
      return true;
    });
  }

  /** Those tests of a file that pass a mutant, those that pass little else first; all, where what they share passes it. */
  #choice(file: TestFile, mutant: number, mostMs: number): Choice | undefined {
    const own = file.tests.filter(({ passed }) => passed.has(mutant));
    if (own.length === 0 && !file.common.has(mutant)) return undefined;
    const isWhole = this.#whole.has(file.name);
    const others = file.common.has(mutant) || isWhole ? file.tests.filter((test) => !own.includes(test)) : [];
    const ranked = [...own.toSorted((a, b) => a.passed.size - b.passed.size), ...others];
    let { ms } = file;
    const chosen = new Set<Test>();
    for (const test of ranked) {
      if (!isWhole && chosen.size > 0 && ms + test.ms > mostMs) continue;
      chosen.add(test);
      ms += test.ms;
    }
    return {
      file,
      tests: file.tests.filter((test) => chosen.has(test)),
      ms,
      closeness: 1 / (10 + (own.length === 0 ? file.common.size : (ranked[0]?.passed.size ?? 0))),
    };
  }

  /** Runs chosen tests of files, one after the other, until one fails. @returns nothing where all is well */
  async #run(
    choices: readonly Choice[],
    acting?: number,
  ): Promise<{ readonly name?: string; readonly failure?: Failure; readonly missing?: string }> {
    const chosen = Object.fromEntries(
      choices.map(({ file, tests }) => [join(this.#root, file.name), tests.map(({ name }) => name)]),
    );
    const limitMs = leastLimitMs + patience * choices.reduce((sum, { ms }) => sum + ms, 0);
    const { isFine, report, begun } = await this.#vitest({
      files: choices.map(({ file }) => file.name),
      limitMs,
      chosen,
      ...(acting === undefined ? {} : { acting }),
    });
    if (isFine) return {};
    const [failure] = report?.testResults.flatMap((file) => this.#failuresOf(file)) ?? [];
    if (failure !== undefined) return { name: failure.file, failure };
    const missing = begun ?? choices[0]?.file.name;
    return missing === undefined ? {} : { name: missing, missing };
  }

  #failuresOf({ name, status, assertionResults }: Report['testResults'][number]): Failure[] {
    const file = relative(this.#root, name);
    const failed = assertionResults.filter((result) => result.status === 'failed');
    if (failed.length > 0)
      return failed.map(({ ancestorTitles, title }) => ({ file, test: [...ancestorTitles, title].join(' > ') }));
    return status === 'failed' ? [{ file, test: 'it does not load, or a hook of it fails' }] : [];
  }

  /** @returns whether all is well, which it is not when it does not end in time; no report then, but the file that had begun last */
  async #vitest(
    { files, acting, limitMs, chosen }: Run,
    more: NodeJS.ProcessEnv = {},
  ): Promise<{ readonly isFine: boolean; readonly report: Report | undefined; readonly begun: string | undefined }> {
    const path = (kind: string): string => join(this.#folder, `${kind}-${randomUUID()}.json`);
    const [reportFile, choiceFile, begunFile] = [path('report'), path('chosen'), path('begun')];
    writeFileSync(choiceFile, JSON.stringify(chosen ?? {}));
    const child = spawn(
      process.execPath,
      [
        ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutation/vitest.config.ts'],
        ...files.map((name) => `test/${name}`),
        ...['--reporter', 'json', '--outputFile', reportFile],
        // What is cached of a module is made once in a process; only where nothing acts must each file pass it.
        ...(chosen === undefined ? [] : ['--bail', '1', '--no-isolate']),
      ],
      {
        cwd: this.#folder,
        stdio: 'ignore',
        // A group of processes of its own, which can be ended as one.
        detached: true,
        env: {
          ...process.env,
          ...more,
          MUTANTS_ACTING: acting?.toString() ?? '',
          MUTANTS_CHOSEN: choiceFile,
          MUTANTS_BEGUN: begunFile,
          MUTANTS_ORDER: files.join(','),
        },
      },
    );
    const end = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    // Before the copy is removed, into which it writes.
    process.prependOnceListener('exit', end);
    const ended = child.pid === undefined ? undefined : endAfter(limitMs, child.pid, end);
    const [code] = await once(child, 'exit');
    ended?.();
    process.off('exit', end);
    const read = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
    const report = read(reportFile);
    const last = read(begunFile)?.trim().split('\n').at(-1);
    for (const file of [reportFile, choiceFile, begunFile]) rmSync(file, { force: true });
    return {
      isFine: code === 0,
      report: report === undefined ? undefined : (JSON.parse(report) as Report),
      begun: last === undefined ? undefined : relative(this.#root, last),
    };
  }
}
