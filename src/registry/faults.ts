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
