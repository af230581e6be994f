// Connections of clients to one port, counted.
import type { ProblemCode } from '../problems/codes.ts';

/** The connections of callers to one port. */
export class ConnectionTally {
  open = 0;
  /** Those that sent no readable request, or were too many, by cause. */
  readonly refusals = new Map<ProblemCode, number>();

  refused(code: ProblemCode): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }
}
