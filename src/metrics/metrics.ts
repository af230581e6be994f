// Every metric, as a table: its name, its help and where its numbers are. Read at each scrape.
import type { QueueStats } from '../admission/queue.ts';
import type { ConnectionTally } from './connections.ts';
import type { DatabaseStats } from './database.ts';
import { type LogSight, logMetrics } from './log.ts';
import type { Labels, Metric } from './metric.ts';
import { loopDelays, processSight } from './process.ts';
import type { EndpointTally, RequestTally } from './requests.ts';
import type { UnitTally } from './units-of-work.ts';

/** All that is looked at. */
export interface Seen {
  readonly version: string;
  /** As `Database.server`. */
  readonly server: string;
  readonly requests: RequestTally;
  readonly units: UnitTally;
  readonly database: () => DatabaseStats;
  /** Of the port, where the service has one of its own. */
  readonly connections: ConnectionTally | undefined;
  /** Of the workspace's day, where something hangs on it. */
  readonly day?: (() => { readonly behind: number; readonly ahead: number; readonly refused: number }) | undefined;
  /** What is told of the log of changes, where there is one. */
  readonly log?: (() => Promise<LogSight>) | undefined;
  /** How many hashes of passwords were made, where people sign in. */
  readonly passwordHashes?: (() => number) | undefined;
  /** Number of log lines that could not be written, if the service counts them. */
  readonly droppedLogLines?: (() => number) | undefined;
}

const seconds = (ms: number): number => ms / 1000;
const endpointLabels = ({ group, operation }: EndpointTally): Labels => ({ group, operation });
const byName = <T>(label: string, values: Readonly<Record<string, T>>): [Labels, T][] =>
  Object.entries(values).map(([name, value]) => [{ [label]: name }, value]);
const one = <T>(value: T): [Labels, T][] => [[{}, value]];

/** Reads all metrics. Names end in their unit. */
export async function readMetrics(seen: Seen): Promise<readonly Metric[]> {
  const log = await seen.log?.();
  return [
    ...requestMetrics(seen),
    ...signInMetrics(seen),
    ...databaseMetrics(seen),
    ...queueMetrics(seen),
    ...dayMetrics(seen),
    ...(log === undefined ? [] : logMetrics(log)),
    ...processMetrics(seen),
  ];
}

function requestMetrics({ requests, connections }: Seen): Metric[] {
  const { endpoints, waits } = requests;
  return [
    {
      name: 'praxis_requests_total',
      help: 'Requests, by group and operation (without a group: "batch", "open" beside the interface, "none" where no endpoint is known) and status; 499 where the caller left.',
      type: 'counter',
      samples: endpoints.flatMap((tally) =>
        [...tally.byStatus].map(([status, count]): [Labels, number] => [{ ...endpointLabels(tally), status }, count]),
      ),
    },
    {
      name: 'praxis_request_duration_seconds',
      help: 'From the headers of a request to its answer.',
      type: 'histogram',
      samples: endpoints.map((tally) => [endpointLabels(tally), tally.times]),
    },
    {
      name: 'praxis_request_database_seconds_total',
      help: 'Time of requests that went to units of work on the database.',
      type: 'counter',
      samples: endpoints.map((tally) => [endpointLabels(tally), seconds(tally.databaseMs)]),
    },
    {
      name: 'praxis_request_wait_seconds',
      help: 'Time that requests waited in line before they began.',
      type: 'histogram',
      samples: one(waits),
    },
    {
      name: 'praxis_refusals_total',
      help: 'Answers with a status of 400 or more, and connections refused, by cause.',
      type: 'counter',
      samples: byName('cause', withConnections(requests, connections)),
    },
    { name: 'praxis_connections', help: 'Open connections of callers.', type: 'gauge', samples: openOf(connections) },
  ];
}

function dayMetrics({ day }: Seen): Metric[] {
  if (day === undefined) return [];
  const { behind, ahead, refused } = day();
  return [
    {
      name: 'praxis_day_behind',
      help: 'Days of the workspace that are not over though they should be.',
      type: 'gauge',
      samples: one(behind),
    },
    {
      name: 'praxis_day_ahead',
      help: 'Days by which a clock, or the day of the workspace, is beyond the clock of the database server.',
      type: 'gauge',
      samples: one(ahead),
    },
    {
      name: 'praxis_day_refused_total',
      help: 'Effects of days, and records, that this process has left out because they were refused.',
      type: 'counter',
      samples: one(refused),
    },
  ];
}

const openOf = (connections: ConnectionTally | undefined): [Labels, number][] =>
  connections === undefined ? [] : one(connections.open);

function withConnections({ refusals }: RequestTally, connections: ConnectionTally | undefined): Record<string, number> {
  const all: Record<string, number> = { ...refusals };
  for (const [code, count] of connections?.refusals ?? []) all[code] = (all[code] ?? 0) + count;
  return all;
}

function databaseMetrics({ units, database }: Seen): Metric[] {
  const { connections, preparedStatements } = database();
  return [
    {
      name: 'praxis_unit_duration_seconds',
      help: 'Units of work on the database, the tries after the first included: single reads, single writes, transactions.',
      type: 'histogram',
      samples: byName('unit', units.times),
    },
    {
      name: 'praxis_retries_total',
      help: 'Units of work begun again, by cause.',
      type: 'counter',
      samples: byName('cause', units.retries),
    },
    {
      name: 'praxis_batch_second_passes_total',
      help: 'Batches that were rolled back and repeated with care, because an operation failed.',
      type: 'counter',
      samples: one(units.longWays.secondPass),
    },
    {
      name: 'praxis_long_pages_total',
      help: 'Pages that took more than twenty statements to find.',
      type: 'counter',
      samples: one(units.longWays.longPage),
    },
    {
      name: 'praxis_unknown_outcomes_total',
      help: 'Writes of which nobody knows whether they took place.',
      type: 'counter',
      samples: one(units.unknownOutcomes),
    },
    {
      name: 'praxis_database_connections',
      help: 'Connections to the database: open, at work, and the most there may be.',
      type: 'gauge',
      samples: byName('state', connections),
    },
    {
      name: 'praxis_prepared_statements',
      help: 'Statements that connections to the database keep prepared.',
      type: 'gauge',
      samples: one(preparedStatements),
    },
  ];
}

function signInMetrics({ passwordHashes }: Seen): Metric[] {
  if (passwordHashes === undefined) return [];
  return [
    {
      name: 'praxis_password_hashes_total',
      help: 'Hashes of passwords that were made: one for each attempt to sign in by one, whatever becomes of it.',
      type: 'counter',
      samples: one(passwordHashes()),
    },
  ];
}

function queueMetrics({ requests, units, database }: Seen): Metric[] {
  const queues: Record<string, QueueStats> = {
    ...Object.fromEntries(requests.queues),
    ...database().queues,
    alone: units.queue,
  };
  return [
    {
      name: 'praxis_queue_length',
      help: 'Who waits for a turn of the event loop, to read, to write, for a connection to the database, or because one must be alone.',
      type: 'gauge',
      samples: byName('queue', queues).map(([labels, { length }]) => [labels, length]),
    },
    {
      name: 'praxis_queue_oldest_seconds',
      help: 'How long the one has waited that has waited longest.',
      type: 'gauge',
      samples: byName('queue', queues).map(([labels, { oldestMs }]) => [labels, seconds(oldestMs)]),
    },
  ];
}

function processMetrics({ version, server, droppedLogLines }: Seen): Metric[] {
  const { loopBusyMs, cpuMs, memory } = processSight();
  return [
    {
      name: 'praxis_event_loop_delay_seconds',
      help: 'How late timers came, since this was asked first.',
      type: 'histogram',
      samples: one(loopDelays()),
    },
    {
      name: 'praxis_event_loop_busy_seconds_total',
      help: 'Time in which the event loop was not idle.',
      type: 'counter',
      samples: one(seconds(loopBusyMs)),
    },
    {
      name: 'praxis_process_cpu_seconds_total',
      help: 'Time of the processor.',
      type: 'counter',
      samples: one(seconds(cpuMs)),
    },
    ...(droppedLogLines === undefined
      ? []
      : [
          {
            name: 'praxis_log_lines_dropped_total',
            help: 'Log lines that could not be written, because the disk is full or the reader of the log hangs.',
            type: 'counter' as const,
            samples: one(droppedLogLines()),
          },
        ]),
    { name: 'praxis_memory_bytes', help: 'Memory of the process.', type: 'gauge', samples: byName('kind', memory) },
    {
      name: 'praxis_start_time_seconds',
      help: 'When the process began, in seconds since 1970.',
      type: 'gauge',
      samples: one(seconds(performance.timeOrigin)),
    },
    {
      name: 'praxis_info',
      help: 'What runs here.',
      type: 'gauge',
      samples: [[{ version, node: process.versions.node, database: server }, 1]],
    },
  ];
}
