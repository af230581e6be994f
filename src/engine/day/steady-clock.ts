// Steady clock: the time of this machine, except that a jump forward of more than a day counts only after it has lasted. An embedded
// database has no clock to compare with.

const dayMs = 86_400_000;
/** How long a jump must last. Longer than a wrong time that a time server corrects. */
const settleMs = 10 * 60_000;

/** The clocks of this machine. */
export interface MachineClocks {
  /** Milliseconds since 1970; can be set. */
  wallMs(): number;
  /** Milliseconds since any fixed time; never jumps. */
  runningMs(): number;
}

const machine: MachineClocks = { wallMs: () => Date.now(), runningMs: () => performance.now() };

export class SteadyClock {
  readonly #clocks: MachineClocks;
  /** Difference between the two clocks of the machine. */
  #offsetMs: number;
  #jumpedAtMs: number | undefined;

  constructor(clocks = machine) {
    this.#clocks = clocks;
    this.#offsetMs = clocks.wallMs() - clocks.runningMs();
  }

  /** Returns the time in milliseconds since 1970. Call it regularly: a change of the machine's time is noticed by comparison. */
  nowMs(): number {
    const [wallMs, runningMs] = [this.#clocks.wallMs(), this.#clocks.runningMs()];
    const steadyMs = runningMs + this.#offsetMs;
    if (wallMs - steadyMs > dayMs) {
      this.#jumpedAtMs ??= runningMs;
      if (runningMs - this.#jumpedAtMs < settleMs) return steadyMs;
    }
    this.#jumpedAtMs = undefined;
    this.#offsetMs = wallMs - runningMs;
    return wallMs;
  }
}
