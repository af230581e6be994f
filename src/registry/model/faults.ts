// Errors in descriptors (faults): collected, sorted and shown together.
import type { JSONPath } from 'jsonc-parser';

/** One fault of one descriptor. */
export interface Fault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** JSON pointer (RFC 6901) of the place. */
  readonly pointer: string;
  /** Which rule of the language is broken: a code that keeps its meaning, `unknown-keyword`. */
  readonly rule: string;
  /** What was found, what is allowed, and the nearest right word. Below it, for formulas, their line with a mark. */
  readonly text: string;
  /** The line of the file with a mark below the place, as `text` has it for formulas; '' where a line says nothing. */
  readonly excerpt: string;
}

/** Where a fault is told, at a value or at its key, and which rule is broken. */
export interface Breach {
  readonly where?: 'key' | 'value' | undefined;
  readonly rule: string;
}

/** Reports one fault at a path of a descriptor: at the value there, or at its key. Who hands a report on knows the rule. */
export type Report = (path: JSONPath, text: string, about?: 'key' | 'value' | Breach) => void;

/** Reports breaches of one rule; where a rule is named inside, that one. */
export const ruled =
  (report: Report, rule: string): Report =>
  (path, text, about) =>
    report(path, text, typeof about === 'object' ? about : { where: about, rule });

/** A place in a descriptor, with the way to report a fault there. */
export interface ReportedPlace {
  readonly path: JSONPath;
  readonly report: Report;
}

/** The parts of what is said of a fault. */
export interface Said {
  readonly message: string;
  /** What to do: `did you mean "unique"?`, `allowed: "start", "end"`. */
  readonly hint: string | undefined;
  /** Two lines, the second with a mark, each behind a line break; '' where there is nothing to see. */
  readonly excerpt: string;
}

/** Takes what a fault says apart: behind a semicolon outside of quotation marks stands what to do. */
export function saidOf({ text, excerpt }: Pick<Fault, 'text' | 'excerpt'>): Said {
  const [line = '', ...own] = text.split('\n');
  const unquoted = line.replaceAll(/"(?:[^"\\]|\\.)*"|(?<!\w)'[^']*'/g, (quoted) => '_'.repeat(quoted.length));
  const end = unquoted.indexOf('; ');
  return {
    message: end < 0 ? line : line.slice(0, end),
    hint: end < 0 ? undefined : line.slice(end + 2),
    excerpt: own.length > 0 ? `\n${own.join('\n')}` : excerpt,
  };
}

/** A fault of a file as a whole, or of a place whose line is not known. */
export const fileFault = (fault: Pick<Fault, 'file' | 'rule' | 'text'> & { readonly pointer?: string }): Fault => ({
  line: 1,
  column: 1,
  pointer: '',
  excerpt: '',
  ...fault,
});

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
