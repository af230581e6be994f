// What is wrong with a set of descriptors: collected everywhere, sorted, shown together.
import type { JSONPath } from 'jsonc-parser';

/** One fault of one descriptor. */
export interface Fault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** JSON pointer (RFC 6901) of the place. */
  readonly pointer: string;
  /** What was found, what is allowed, and the nearest right word. */
  readonly text: string;
}

/** Reports one fault at a path of a descriptor: at the value there, or at its key. */
export type Report = (path: JSONPath, text: string, where?: 'key' | 'value') => void;

/** A place in a descriptor, with the way to report a fault there. */
export interface Place {
  readonly path: JSONPath;
  readonly report: Report;
}

/** All faults of all files. Its message is the whole report. */
export class DescriptorFaults extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const sorted = [...faults].sort(byPlace);
    super(sorted.map(faultLine).join('\n'));
    this.name = 'DescriptorFaults';
    this.faults = Object.freeze(sorted);
  }
}

/** Code units, not the machine's language, so that a report is the same everywhere. */
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byPlace = (a: Fault, b: Fault): number =>
  byText(a.file, b.file) || a.line - b.line || a.column - b.column || byText(a.text, b.text);

const faultLine = (fault: Fault): string =>
  `${fault.file}:${fault.line}:${fault.column} ${fault.pointer || '/'}: ${fault.text}`;

/** `; did you mean "unique"?` when one of the words is near enough to be meant, else ''. */
export function didYouMean(word: string, words: Iterable<string>): string {
  const near = nearest(word, words);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** The word at the least distance, at most a third of the length away: further ones would be noise. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of words) {
    // The distance is at least the difference of the lengths; a word of a megabyte is not worth a table.
    if (candidate === word || Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Optimal string alignment: insert, delete, replace, swap neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_value, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
