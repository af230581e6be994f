// Fills a workspace with the records of a firm, through our own client, some thousand writes a transaction.
import { createClient, PraxisConnectionError, PraxisError } from '../../codegen/generated/client.ts';
import { openWorkspace, type Workspace } from '../app/workspace.ts';
import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import type { Endpoint } from '../endpoints/routes/endpoint.ts';
import { daysBetween } from '../values/date.ts';
import { takeTimeFrom } from '../values/id.ts';
import { weeksOf } from './areas/firm.ts';
import { History } from './history.ts';
import { InProcess, inProcess } from './in-process.ts';
import { spanOf, timeAt } from './plan/calendar.ts';
import { Plan } from './plan/plan.ts';
import { Random } from './plan/random.ts';
import { type Event, Timeline } from './plan/timeline.ts';

export interface DemoOptions {
  /** Last day of the history. */
  readonly until: string;
  readonly months: number;
  /** How many firms, one beside the other. */
  readonly scale: number;
  /** Whether its people hold the roles of `praxis new access`. */
  readonly hasRoles: boolean;
}

export interface Progress {
  readonly day: string;
  /** From 0 to 1. */
  readonly done: number;
  readonly records: number;
}

type Resource = Endpoint['resource'];

/** How many records of each group were made, in the order in which they first came. */
export type Made = ReadonlyMap<Resource, number>;

const seed = 20_260_930;
/** Enough that the pages of an index are written once for many rows, and not so many that others wait for long. */
const eventsATransaction = 6000;

/**
 * Makes the records. The same options give the same records on an empty database, ids and times included.
 * @throws ConfigurationFault when the workspace holds records already.
 */
export async function fillWorkspace(
  config: Config,
  options: DemoOptions,
  report: (progress: Progress) => void,
): Promise<Made> {
  const span = spanOf(options.until, options.months);
  // Set-up, too, belongs to the history: its records are as old as the firm.
  const history = new History(seed, timeAt(span.first, [4]));
  takeTimeFrom(history);
  try {
    const workspace = await openWorkspace(config);
    try {
      await refuseFilled(workspace);
      const plan = new Plan({
        span,
        random: new Random(seed),
        timeline: new Timeline(),
        currency: await currencyOf(workspace),
        hasRoles: options.hasRoles,
      });
      const made = await carryOut(workspace, { plan, history, scale: options.scale, report });
      // What hangs on the day follows the firm's days as it would have.
      await workspace.clock?.catchUp();
      return made;
    } finally {
      await workspace.close();
    }
  } finally {
    takeTimeFrom();
  }
}

interface Work {
  readonly plan: Plan;
  readonly history: History;
  readonly scale: number;
  readonly report: (progress: Progress) => void;
}

async function carryOut(workspace: Workspace, { plan, history, scale, report }: Work): Promise<Made> {
  const made = new Map<Resource, number>();
  let records = 0;
  const days = daysBetween(plan.span.first, plan.span.last) + 1;
  const tell = (at: number, more: number): void => {
    const day = new Date(at).toISOString().slice(0, 10);
    report({ day, records: records + more, done: (daysBetween(plan.span.first, day) + 1) / days });
  };
  for (const events of portionsOf(weeksOf(plan, scale))) {
    for (const group of await together(workspace, history, { events, tell })) {
      made.set(group, (made.get(group) ?? 0) + 1);
      records += 1;
    }
  }
  return made;
}

/** Weeks taken together, or apart, so that each portion is worth a transaction. */
function* portionsOf(weeks: Iterable<Event[]>): Generator<readonly Event[]> {
  let waiting: Event[] = [];
  for (const events of weeks) {
    waiting = waiting.concat(events);
    while (waiting.length >= eventsATransaction) yield waiting.splice(0, eventsATransaction);
  }
  if (waiting.length > 0) yield waiting;
}

/** What is done as one, and who is told of each event. */
interface Portion {
  readonly events: readonly Event[];
  /** @param records How many the portion has made so far. */
  readonly tell: (at: number, records: number) => void;
}

/** Carries out events as one transaction, which may begin again: the clock then does so too. @returns a group for each record. */
async function together(
  workspace: Workspace,
  history: History,
  { events, tell }: Portion,
): Promise<readonly Resource[]> {
  const mark = history.mark();
  const made: Resource[] = [];
  const service = new InProcess(workspace, (resource) => made.push(resource));
  const praxis = createClient({
    baseUrl: inProcess,
    fetch: service.fetch,
    maxRetries: 0,
    timeoutMs: Number.POSITIVE_INFINITY,
  });
  await workspace.engine.together(async (batch) => {
    history.rewind(mark);
    made.length = 0;
    service.enter(batch);
    for (const { at, act, by } of events) {
      history.moveTo(at);
      service.member = by?.id ?? null;
      await act(praxis).catch(rethrow);
      tell(at, made.length);
    }
  });
  return made;
}

/** What the database says goes to the unit of work, which may begin again. */
function rethrow(error: unknown): never {
  if (error instanceof PraxisConnectionError) throw error.cause;
  if (!(error instanceof PraxisError)) throw error;
  const reasons = error.errors.length > 0 ? error.errors.join('; ') : error.message;
  throw new ConfigurationFault(
    `The demo does not fit these descriptors: ${error.operation} is refused: ${reasons}. What was made before it is kept; for another try set DATABASE_URL to a new database.`,
    error,
  );
}

/** Only set-up may have been here: no group holds more than it makes. */
async function refuseFilled({ engine, registry }: Workspace): Promise<void> {
  const filled = await engine.together(async (batch) => {
    for (const { name, path, setup, singleton, operations } of registry.resources.values()) {
      if (singleton || !operations.has('list')) continue;
      const found = await batch.list(name, {}, setup.length + 1);
      if (found.length > setup.length) return path;
    }
    return undefined;
  });
  if (filled !== undefined)
    throw new ConfigurationFault(
      `The workspace holds records already (see ${filled}), and the demo never mixes with them: set DATABASE_URL to a new database, for example DATABASE_URL=sqlite:data/demo.sqlite.`,
    );
}

async function currencyOf({ engine, registry }: Workspace): Promise<string> {
  const name = registry.workspace?.name;
  const [settings] = name === undefined ? [] : await engine.together((batch) => batch.list(name, {}, 1));
  return String(settings?.['currency'] ?? 'USD');
}
