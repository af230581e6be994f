// Metrics of the log of changes, and of those who are sent what comes.
import type { Metric } from './metric.ts';

/** What is told of the log. */
export interface LogSight {
  /** Streams, and requests that wait. */
  readonly streams: number;
  /** The last position that was given. */
  readonly head: number;
  /** How many entries there are. */
  readonly kept: number;
  /** How many of them have no position yet. */
  readonly unordered: number;
  /** How many entries each webhook has not come to, by its id. */
  readonly lags: readonly (readonly [string, number])[];
  /** Tries of this process. */
  readonly tries: readonly { readonly webhook: string; readonly outcome: string; readonly count: number }[];
}

export function logMetrics({ streams, head, kept, unordered, lags, tries }: LogSight): Metric[] {
  const gauge = (name: string, help: string, value: number): Metric => ({
    ...{ name, help, type: 'gauge' },
    samples: [[{}, value]],
  });
  return [
    gauge('praxis_change_streams', 'Streams of changes, and requests that wait for the next one.', streams),
    gauge('praxis_changes_head', 'The last position of the log of changes that was given.', head),
    gauge('praxis_changes_kept', 'Entries of the log of changes that are kept.', kept),
    gauge(
      'praxis_changes_unordered',
      'Entries of the log of changes that have no position yet: they have one as soon as somebody reads.',
      unordered,
    ),
    {
      name: 'praxis_webhook_lag',
      help: 'Entries of the log of changes to which a webhook has not come.',
      type: 'gauge',
      samples: lags.map(([webhook, lag]) => [{ webhook }, lag]),
    },
    {
      name: 'praxis_webhook_tries_total',
      help: 'Messages of webhooks that this process has sent, by outcome: taken, refused, or failed where nobody answered.',
      type: 'counter',
      samples: tries.map(({ webhook, outcome, count }) => [{ webhook, outcome }, count]),
    },
  ];
}
