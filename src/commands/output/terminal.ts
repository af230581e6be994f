// What commands print: colours at a terminal, plain text elsewhere, JSON for programs.
import { stripVTControlCharacters, styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colours a text as far as who reads it sees colours. */
export type Paint = (style: Style, text: string) => string;

/** Colours where the stream is a terminal that has them; NO_COLOR and FORCE_COLOR count (https://no-color.org). */
const paintFor =
  (stream: NodeJS.WritableStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream });

export const paintOut: Paint = paintFor(process.stdout);
export const paintErr: Paint = paintFor(process.stderr);

/** A line, or several, on standard output. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/**
 * Breaks long lines between words where standard output is a terminal, and goes on a little further in; a pipe gets them as they
 * are, for whoever looks for words.
 */
export function wrapped(text: string): string {
  const { isTTY, columns } = process.stdout;
  if (!isTTY) return text;
  return text
    .split('\n')
    .flatMap((line) => wrappedLine(line, columns))
    .join('\n');
}

function wrappedLine(line: string, columns: number): readonly string[] {
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `;
  const lines: string[] = [];
  let now = '';
  for (const word of line.split(/(?<=\S)(?= )/)) {
    const isFull = now !== '' && stripVTControlCharacters(now + word).length > columns;
    if (isFull) lines.push(now);
    now = isFull ? `${indent}${word.trimStart()}` : now + word;
  }
  return [...lines, now];
}

/** The answer of a command for programs: the whole of standard output. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** The answer of a command, for programs where `--json` asks for that, else for people. */
export const tell = ({ json }: JsonFlag, data: unknown, text: string): void =>
  json === true ? printJson(data) : print(text);

/** What every command takes that tells something. */
export interface JsonFlag {
  readonly json?: boolean | undefined;
}
