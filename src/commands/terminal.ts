// What commands print: colours for people at a terminal, plain text for everybody else, JSON for programs.
import { styleText } from 'node:util';

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

/** The answer of a command for programs: the whole of standard output. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** The answer of a command, for programs where `--json` asks for that, else for people. */
export const tell = ({ json }: JsonFlag, data: unknown, text: string): void =>
  json === true ? printJson(data) : print(text);

/** What every command takes that tells something. */
export interface JsonFlag {
  readonly json?: boolean | undefined;
}
