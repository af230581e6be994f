// A line of a text with a mark below the place that a fault is about.

/** Wider ones would be broken by the terminal, and the mark would point at nothing. */
const widest = 100;
const indent = '    ';

/**
 * The line around an offset, and below it a mark: two lines, indented, to stand behind the first line of a fault. Nothing of an empty line.
 * @param length How much is marked, as far as it is shown.
 */
export function excerpt(text: string, offset: number, length = 1): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  // A tab is as wide as the terminal likes.
  const line = text.slice(start, end < 0 ? undefined : end).replaceAll(/[\t\r]/g, ' ');
  if (line.trim() === '') return '';
  const blank = line.length - line.trimStart().length;
  const column = Math.max(offset - start, blank);
  const from = Math.max(blank, column - widest / 2);
  const shown = line.slice(from, from + widest).trimEnd();
  const marked = Math.max(1, Math.min(length, from + shown.length - column));
  const [before, behind] = [from > blank ? '…' : '', from + widest < line.length ? '…' : ''];
  return `\n${indent}${before}${shown}${behind}\n${indent}${' '.repeat(before.length + column - from)}${'^'.repeat(marked)}`;
}
