// Numbers → what is printed.
import type { Shot, WorkName } from './load.ts';

export type Cell = string | number | undefined;

/** Ratios to the hand-written service on MariaDB that Praxis is to reach. */
export const targets: Readonly<Partial<Record<WorkName, { readonly mariadb: number; readonly sqlite: number }>>> = {
  list10: { mariadb: 0.95, sqlite: 1.1 },
  list100: { mariadb: 1.15, sqlite: 1.4 },
  get: { mariadb: 0.95, sqlite: 1.4 },
  update: { mariadb: 0.95, sqlite: 1.0 },
  create: { mariadb: 0.8, sqlite: 0.45 },
  expand: { mariadb: 0.9, sqlite: 1.2 },
  fields: { mariadb: 0.9, sqlite: 1.2 },
  summary: { mariadb: 0.9, sqlite: 1.2 },
};

/** A round, with the processor time that the service took for a request. */
export interface Measured extends Shot {
  readonly cpuMs: number | undefined;
}

/** @returns NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Median of the ratios of rounds that ran side by side, with the smallest and the greatest. */
function ratioOf(rounds: readonly Shot[], base: readonly Shot[]): { ratio: number; from: number; to: number } {
  const ratios = rounds.map(({ perSecond }, round) => perSecond / (base[round]?.perSecond ?? Number.NaN));
  return { ratio: median(ratios), from: Math.min(...ratios), to: Math.max(...ratios) };
}

/** Cells of one contestant: requests per second, 99th percentile, processor time a request. */
export function shotCells(rounds: readonly Measured[]): Cell[] {
  const cpu = rounds.flatMap(({ cpuMs }) => cpuMs ?? []);
  return [
    Math.round(median(rounds.map(({ perSecond }) => perSecond))),
    median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(1),
    cpu.length === 0 ? undefined : median(cpu).toFixed(3),
  ];
}

/** Cells of a comparison: ratio, its spread, target, verdict. */
export function ratioCells(
  rounds: readonly Shot[],
  base: readonly Shot[] | undefined,
  target: number | undefined,
): Cell[] {
  if (base === undefined) return [undefined, undefined, target?.toFixed(2), undefined];
  const { ratio, from, to } = ratioOf(rounds, base);
  const verdict = target === undefined ? undefined : ratio >= target ? 'met' : 'MISSED';
  return [ratio.toFixed(2), `${from.toFixed(2)}–${to.toFixed(2)}`, target?.toFixed(2), verdict];
}

/** Prints rows in columns as a Markdown table. */
export function printTable(title: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const lines = [heads, ...rows].map((row) => row.map((cell) => String(cell ?? '-')));
  const widths = heads.map((_head, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const toLine = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (column === 0 ? (cells[column] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width))).join(' | ')} |`;
  const [head = [], ...body] = lines;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  console.log(`\n${title}\n\n${[toLine(head), rule, ...body.map(toLine)].join('\n')}`);
}
