// Sends an answer whose length nobody knows before, as it is made; who takes it slowly is waited for, within bounds.
import type { HttpContext } from '../request/context.ts';

const pieceBytes = 16 * 1024;

export interface Patience {
  /** How long nothing at all may be taken; also the time over which `minBytesPerS` counts. */
  readonly stallMs: number;
  /** Minimum rate of a reader for which the service waits; undefined: none. */
  readonly minBytesPerS?: number | undefined;
  /** How long all of it may take. */
  readonly limitMs: number;
}

/** An answer that has begun, and cannot be finished. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

/**
 * Sends parts, the first of which is there before the answer begins: what fails before that can be answered otherwise.
 * @throws BrokenOff where it has begun; then the connection is cut, so that nobody takes a part for the whole
 */
export async function sendParts(
  ctx: HttpContext,
  parts: AsyncIterable<string | Uint8Array>,
  { stallMs, limitMs, minBytesPerS, setHeaders }: Patience & { readonly setHeaders: () => void },
): Promise<void> {
  const { res } = ctx;
  const until = performance.now() + limitMs;
  const pace = new ReaderPace({ windowMs: stallMs, minBytesPerS });
  let isBegun = false;
  try {
    for await (const part of parts) {
      if (!isBegun) {
        ctx.status = 200;
        ctx.respond = false;
        setHeaders();
        // Sent now, so that a caller whose answer breaks off at once has a status, and does not take it for a lost request.
        res.flushHeaders();
        isBegun = true;
      }
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      // Piece by piece: each that is taken is progress. Meanwhile nothing more is read.
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        if (res.destroyed) throw new Error('the caller has left');
        if (performance.now() > until) throw new Error('the answer took too long');
        const piece = bytes.subarray(at, at + pieceBytes);
        const isTaken = res.write(piece);
        pace.addBytes(piece.length);
        if (!isTaken) await pace.measure(drained(ctx, { stallMs, until }));
      }
    }
    res.end();
  } catch (error) {
    if (!isBegun) throw error;
    res.destroy();
    throw new BrokenOff('An answer was broken off.', { cause: error });
  }
}

/** The rate at which a reader takes a response, while the service waits for it. */
class ReaderPace {
  readonly #windowMs: number;
  readonly #minBytesPerS: number;
  #waitedMs = 0;
  #bytes = 0;

  constructor({
    windowMs,
    minBytesPerS = 0,
  }: { readonly windowMs: number; readonly minBytesPerS?: number | undefined }) {
    this.#windowMs = windowMs;
    this.#minBytesPerS = minBytesPerS;
  }

  addBytes(count: number): void {
    this.#bytes += count;
  }

  /** Waits for the reader. @throws Error if the reader was too slow over the window */
  async measure(wait: Promise<void>): Promise<void> {
    const since = performance.now();
    await wait;
    this.#waitedMs += performance.now() - since;
    if (this.#waitedMs < this.#windowMs) return;
    if (this.#bytes * 1000 < this.#minBytesPerS * this.#waitedMs) throw new Error('the answer was taken too slowly');
    this.#waitedMs = 0;
    this.#bytes = 0;
  }
}

/** Waits until what was written is taken, or nobody is there any more. */
function drained(
  { res }: HttpContext,
  { stallMs, until }: { readonly stallMs: number; readonly until: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const leftMs = until - performance.now();
    const words = leftMs < stallMs ? 'the answer took too long' : 'nothing of the answer was taken for too long';
    const settle = (end: () => void) => (): void => {
      clearTimeout(timer);
      res.off('drain', onDrain).off('close', onDrain);
      end();
    };
    const onDrain = settle(resolve);
    const timer = setTimeout(
      settle(() => reject(new Error(words))),
      Math.max(0, Math.min(stallMs, leftMs)),
    );
    res.on('drain', onDrain).on('close', onDrain);
  });
}
