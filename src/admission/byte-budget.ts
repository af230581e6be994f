// Budget of bytes for each caller over 24 hours, in memory. Each process counts separately: a shared count would make all writes of
// a caller wait for one row.

const partMs = 60 * 60 * 1000;
const partsInBudget = 24;

/** Bytes by the number of the hour since 1970. */
type Parts = Map<number, number>;

export class ByteBudget {
  readonly #maxBytes: number;
  readonly #now: () => number;
  readonly #partsByCaller = new Map<string, Parts>();

  /** @param now Milliseconds since 1970 */
  constructor(maxBytes: number, now: () => number = Date.now) {
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  isUsedUp(caller: string): boolean {
    const parts = this.#partsByCaller.get(caller);
    if (parts === undefined) return false;
    this.#deleteOldParts(caller, parts);
    let bytes = 0;
    for (const each of parts.values()) bytes += each;
    return bytes >= this.#maxBytes;
  }

  add(caller: string, bytes: number): void {
    const parts: Parts = this.#partsByCaller.get(caller) ?? new Map();
    const part = this.#currentPart();
    // Once an hour at most for each caller: the callers of today stay, those of yesterday go.
    if (!parts.has(part)) this.#deleteOldCallers();
    parts.set(part, (parts.get(part) ?? 0) + bytes);
    this.#partsByCaller.set(caller, parts);
  }

  #currentPart(): number {
    return Math.floor(this.#now() / partMs);
  }

  #deleteOldCallers(): void {
    for (const [caller, parts] of this.#partsByCaller) this.#deleteOldParts(caller, parts);
  }

  #deleteOldParts(caller: string, parts: Parts): void {
    const oldest = this.#currentPart() - partsInBudget;
    for (const part of parts.keys()) if (part <= oldest) parts.delete(part);
    if (parts.size === 0) this.#partsByCaller.delete(caller);
  }
}
