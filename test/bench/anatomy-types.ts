// What the probe of a service says to who takes its requests apart.
export type ProbeMessage = 'beginCounting' | 'endCounting' | 'beginWeighing' | 'endWeighing';

export interface CountedFunction {
  readonly url: string;
  readonly name: string;
  /** Where it begins in its file. */
  readonly offset: number;
  readonly count: number;
}

export interface Counted {
  /** Without those that begin and end a transaction. */
  readonly statements: number;
  /** How often an answer of a server is waited for; none of SQLite. */
  readonly trips: number;
  readonly promises: number;
  /** Of the functions that were called at all. */
  readonly calls: readonly CountedFunction[];
}

export interface Weighed {
  readonly bytes: number;
  readonly cpuMs: number;
}
