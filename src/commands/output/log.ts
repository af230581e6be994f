// The log: JSON lines for programs, one short line each for a developer at a terminal. pino has the data ready; a
// general printer such as pino-pretty brings a dozen packages, where this service has a few kinds of lines.
import { type Logger, pino } from 'pino';
import type { Config } from '../../config.ts';
import { LineWriter } from './line-writer.ts';
import { type Paint, paintErr } from './terminal.ts';

/** A logger, and the number of lines that it could not write. */
export interface CountedLogger {
  readonly logger: Logger;
  readonly droppedLines: () => number;
}

/**
 * Creates a logger to standard error, with one JSON object per line. It is not synchronous: waiting for the reader of a pipe costs 20
 * times as much.
 * @param isForPeople Whether to write short lines for people if standard error is a terminal
 */
export function createLogger(level: Config['logLevel'], isForPeople: boolean): CountedLogger {
  // Without a listener, an error of a standard stream (a full disk, for example) ends the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (isForPeople && process.stderr.isTTY) {
    const write = (line: string): void => void process.stderr.write(`${lineForPeople(line, paintErr)}\n`);
    return { logger: pino({ level }, { write }), droppedLines: () => 0 };
  }
  const writer = new LineWriter(2);
  return { logger: pino({ level }, writer), droppedLines: () => writer.dropped };
}

/** What a line of the log holds; the rest is as the place says that wrote it. */
interface Line {
  readonly level: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly msg?: string;
  readonly [name: string]: unknown;
}

/** From 50 on, pino's levels are errors; from 40 on, warnings. */
const errorLevel = 50;
const warningLevel = 40;

/** `14:03:07 POST /api/clients 200 3.2 ms`; of other lines the message and what it says besides. */
function lineForPeople(json: string, paint: Paint): string {
  const { level, time, pid: _pid, hostname: _hostname, msg = '', ...rest } = JSON.parse(json) as Line;
  const clock = paint('dim', new Date(time).toTimeString().slice(0, 8));
  if (msg === 'request') return `${clock} ${requestText(rest, paint)}`;
  const style = level >= errorLevel ? 'red' : level >= warningLevel ? 'yellow' : 'none';
  return [`${clock} ${paint(style, msg)}`, ...Object.entries(rest).map(detailText)].join('');
}

function requestText({ method, path, status, ms, requestId }: Readonly<Record<string, unknown>>, paint: Paint): string {
  const code = Number(status);
  const style = code >= 500 ? 'red' : code >= 400 ? 'yellow' : 'green';
  // By it the line that tells why is found.
  const id = code >= 500 ? `  ${String(requestId)}` : '';
  return `${String(method).padEnd(6)} ${String(path)} ${paint(style, String(status))} ${paint('dim', `${String(ms)} ms${id}`)}`;
}

/** `  name=value`; a stack, and what was its cause, on lines of their own. */
function detailText([name, value]: readonly [string, unknown]): string {
  if (typeof value === 'object' && value !== null) return Object.entries(value).map(detailText).join('');
  const text = String(value);
  return text.includes('\n') ? `\n  ${text.replaceAll('\n', '\n  ')}` : `  ${name}=${text}`;
}
