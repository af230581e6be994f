// Line writer: writes the lines of the log to a file descriptor in the background. pino's own destination does not end if the disk is
// full: it retries the last write for ever.
import { write, writeSync } from 'node:fs';

/** Lines are written together, because each write is a job for the thread pool. */
const flushDelayMs = 200;
const minFlushLength = 4096;
/** Maximum length of unwritten lines, in UTF-16 units. Beyond it, lines are dropped: a full disk must not fill the memory. */
const maxUnwrittenLength = 16 * 1024 * 1024;
/** How long the exit of the process waits for a pipe whose reader is slow. */
const maxExitTries = 50;
const exitTryMs = 10;

export class LineWriter {
  readonly #fd: number;
  #lines: string[] = [];
  /** Length of `#lines`. */
  #length = 0;
  /** Bytes that a failed or partial write left over; undefined while a write runs. */
  #rest: Buffer | undefined;
  #isWriting = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #dropped = 0;

  constructor(fd: number) {
    this.#fd = fd;
    process.on('exit', () => this.#flushAtExit());
  }

  /** Number of lines dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  write(line: string): void {
    if (this.#isClosed || this.#length + line.length > maxUnwrittenLength) {
      this.#dropped += 1;
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= minFlushLength && this.#rest === undefined) this.#flush();
    else this.#flushLater();
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => this.#flush(), flushDelayMs).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWriting) return;
    const bytes = this.#takeBytes();
    if (bytes.length === 0) return;
    this.#isWriting = true;
    write(this.#fd, bytes, (error, count) => {
      this.#isWriting = false;
      if (error?.code === 'EPIPE') return this.#close();
      const rest = error === null ? bytes.subarray(count) : bytes;
      if (rest.length > 0) this.#rest = rest;
      if (rest.length > 0 || this.#lines.length > 0) this.#flushLater();
    });
  }

  #takeBytes(): Buffer {
    if (this.#rest !== undefined) {
      const rest = this.#rest;
      this.#rest = undefined;
      return rest;
    }
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
    return bytes;
  }

  /** Drops all lines, because the reader of the pipe has left. */
  #close(): void {
    this.#isClosed = true;
    this.#dropped += this.#lines.length;
    this.#lines = [];
  }

  #flushAtExit(): void {
    for (let tries = 0; tries < maxExitTries; tries += 1) {
      const bytes = this.#takeBytes();
      if (bytes.length === 0) return;
      try {
        this.#rest = bytes.subarray(writeSync(this.#fd, bytes));
        if (this.#rest.length === 0) this.#rest = undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        this.#rest = bytes;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, exitTryMs);
      }
    }
  }
}
