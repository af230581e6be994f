// Bytes in flight: the request bodies and responses that the process holds in memory, with a maximum in all and for each caller.
import { problems } from '../problems.ts';

export interface BytesInFlightLimits {
  readonly maxBytes: number;
  /** Less than `maxBytes`, so that one caller leaves room for others. */
  readonly maxBytesPerCaller: number;
}

const defaultLimits: BytesInFlightLimits = {
  maxBytes: 64 * 1024 * 1024,
  maxBytesPerCaller: 40 * 1024 * 1024,
};

/** Parts up to this length are not counted: the number of connections bounds them. */
const maxUncountedBytes = 16 * 1024;

/** Parts of one exchange that are in memory. */
type Part = 'body' | 'response';

export class BytesInFlight {
  readonly #limits: BytesInFlightLimits;
  readonly #bytesByCaller = new Map<string, number>();
  #bytes = 0;

  constructor(limits: BytesInFlightLimits = defaultLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws Problem 429 if the caller would hold too much, 503 if the process would */
  check(caller: string, moreBytes: number): void {
    const { maxBytes, maxBytesPerCaller } = this.#limits;
    if ((this.#bytesByCaller.get(caller) ?? 0) + moreBytes > maxBytesPerCaller) throw problems.tooManyBytesInFlight();
    if (this.#bytes + moreBytes > maxBytes) throw problems.overloaded();
  }

  /** @param moreBytes Negative if they are released. */
  add(caller: string, moreBytes: number): void {
    this.#bytes += moreBytes;
    const bytes = (this.#bytesByCaller.get(caller) ?? 0) + moreBytes;
    if (bytes > 0) this.#bytesByCaller.set(caller, bytes);
    else this.#bytesByCaller.delete(caller);
  }
}

/** The bytes of one exchange: counted from their arrival until the response is sent, or the connection ends. */
export class ExchangeBytes {
  readonly #inFlight: BytesInFlight;
  readonly #caller: string;
  readonly #onEnd: (release: () => void) => void;
  readonly #bytesByPart: Record<Part, number> = { body: 0, response: 0 };
  #isEndAwaited = false;
  #isOver = false;

  /** @param onEnd Calls its argument when the exchange is over. */
  constructor(inFlight: BytesInFlight, caller: string, onEnd: (release: () => void) => void) {
    this.#inFlight = inFlight;
    this.#caller = caller;
    this.#onEnd = onEnd;
  }

  /** Sets the length of a part. @throws Problem 429, 503 if it is too long now */
  hold(part: Part, bytes: number): void {
    if (bytes > maxUncountedBytes) this.#inFlight.check(this.#caller, bytes - this.#bytesByPart[part]);
    this.holdAnyway(part, bytes);
  }

  /** Sets the length of a part that is not refused: a write is done, and its response is owed. */
  holdAnyway(part: Part, bytes: number): void {
    if (this.#isOver || (bytes <= maxUncountedBytes && this.#bytesByPart[part] === 0)) return;
    this.#inFlight.add(this.#caller, bytes - this.#bytesByPart[part]);
    this.#bytesByPart[part] = bytes;
    if (this.#isEndAwaited) return;
    this.#isEndAwaited = true;
    this.#onEnd(() => {
      this.#inFlight.add(this.#caller, -this.#bytesByPart.body - this.#bytesByPart.response);
      this.#isOver = true;
    });
  }
}
