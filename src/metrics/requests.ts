// Requests by endpoint and outcome, as plain numbers that are laid out at the start.

import type { Timings } from '../admission/deadline.ts';
import type { QueueStats } from '../admission/queue.ts';
import type { Endpoint } from '../endpoints/routes/endpoint.ts';
import { type ProblemCode, problemCodes } from '../problems/codes.ts';
import { Histogram } from './histogram.ts';

/** The requests of one endpoint, or of all that go to none. */
export class EndpointTally {
  /** '' for what is no endpoint. */
  readonly group: string;
  readonly operation: string;
  readonly times = new Histogram();
  readonly byStatus = new Map<number, number>();
  databaseMs = 0;

  constructor(group: string, operation: string) {
    this.group = group;
    this.operation = operation;
  }
}

/** What a request was for, besides endpoints: how many there are of these does not hang on what callers make up. */
type Aside = 'open' | 'batch' | 'explain' | 'summary' | 'export' | 'file' | 'log' | 'access' | 'none';

export class RequestTally {
  readonly #endpoints: ReadonlyMap<Endpoint, EndpointTally>;
  readonly #asides: Readonly<Record<Aside, EndpointTally>> = {
    open: new EndpointTally('', 'open'),
    batch: new EndpointTally('', 'batch'),
    explain: new EndpointTally('', 'explain'),
    summary: new EndpointTally('', 'summary'),
    export: new EndpointTally('', 'export'),
    file: new EndpointTally('', 'file'),
    log: new EndpointTally('', 'log'),
    access: new EndpointTally('', 'access'),
    none: new EndpointTally('', 'none'),
  };
  readonly waits = new Histogram();
  readonly refusals: Record<ProblemCode, number>;
  /** Before the requests of a process get a turn, by name. */
  readonly queues = new Map<string, QueueStats>();

  constructor(endpoints: readonly Endpoint[]) {
    this.#endpoints = new Map(
      endpoints.map((endpoint) => [endpoint, new EndpointTally(endpoint.resource.name, endpoint.operation)]),
    );
    this.refusals = Object.fromEntries(Object.keys(problemCodes).map((code) => [code, 0])) as Record<
      ProblemCode,
      number
    >; // of all codes
  }

  /** Counts a request that is answered, or whose caller has left (499). @param what its endpoint, or what it was for else */
  note(what: Endpoint | Aside, status: number, timings: Timings): void {
    const tally = typeof what === 'string' ? this.#asides[what] : (this.#endpoints.get(what) ?? this.#asides.none);
    tally.times.note(timings.totalMs);
    tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1);
    tally.databaseMs += timings.databaseMs;
    this.waits.note(timings.waitedMs);
  }

  refused(code: ProblemCode): void {
    this.refusals[code] += 1;
  }

  /** Those of which there was any request. */
  get endpoints(): readonly EndpointTally[] {
    return [...this.#endpoints.values(), ...Object.values(this.#asides)].filter(({ times }) => times.count > 0);
  }
}
