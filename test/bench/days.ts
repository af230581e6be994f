// What a day costs of which few of very many records hear: `npm run bench -- --days`. Beside it as many writes by callers.
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createPraxis, loadRegistry, openDatabase } from '../../src/library.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { addDays } from '../../src/values/date.ts';
import { copyRecord } from '../support/databases/many.ts';
import { type Cell, printTable } from './report.ts';

interface DaysOptions {
  readonly databaseUrl: string;
  readonly label: string;
  /** How many records there are, and how many of them a day changes. */
  readonly rows: number;
  readonly changed: number;
  readonly say: (text: string) => void;
}

/** Loans that are overdue from one day on, which a shelf counts, each with a reminder that the day makes. */
const resources = join(import.meta.dirname, '../domains/lending');
const accessToken = 'token-of-the-bench-0123456789';
const heads = ['what', 'records', 'ms', 'cpu ms', 'ms each', 'cpu ms each'];

/** Prints what a day takes that changes some of the records, and what as many updates and creates of callers take. */
export async function reportDays({ databaseUrl, label, rows, changed, say }: DaysOptions): Promise<void> {
  const registry = loadRegistry(resources, ruleSignatures);
  const database = await openDatabase(databaseUrl);
  const { app, workspace, close } = await createPraxis({ registry, database, accessToken });
  const { clock, book } = workspace;
  if (clock === undefined) throw new Error('these groups have no clock');
  // Whatever the clock of the service does by itself is done here.
  await clock.stop();
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const send = async (method: string, path: string, body: object): Promise<{ readonly id: string }> => {
    const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
    const answer = await fetch(address + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { readonly id: string };
  };
  try {
    const today = book.today();
    const yesterday = addDays(today, -1);
    // A shelf bears forty loans that are overdue.
    const shelves: string[] = [];
    for (let nth = 0; nth <= (2 * changed) / 30; nth += 1)
      shelves.push((await send('POST', '/shelves', { name: `${nth}` })).id);
    const loan = await send('POST', '/loans', { title: 'Atlas', dueOn: '2999-12-31', shelfId: shelves[0] });
    // Those that are overdue from today on come among all the others; as many more are for callers.
    const every = Math.floor(rows / (2 * changed));
    const isDue = (place: number): boolean =>
      place % every === 0 && place / every < 2 * changed && (place / every) % 2 === 0;
    const ids = await copyRecord(workspace, { group: 'loan', id: loan.id, count: rows }, (place) => ({
      shelf_id: shelves[Math.floor(place / every / 30) % shelves.length] ?? '',
      ...(isDue(place) && { due_on: yesterday }),
    }));
    await database.script([`update praxis_day set value = '${yesterday}' where name = 'day'`]);
    say(`${label}: ${rows} loans are there`);
    const again = await createPraxis({ registry, database: await openDatabase(databaseUrl), accessToken });
    const day = await timed(async () => again.workspace.clock?.catchUp());
    await again.close();
    const others = ids.filter((_id, place) => place % every === 0 && (place / every) % 2 === 1).slice(0, changed);
    const updates = await timed(async () => {
      for (const id of others) await send('PATCH', `/loans/${id}`, { dueOn: yesterday });
    });
    const creates = await timed(async () => {
      for (const loanId of others) await send('POST', '/reminders', { loanId, day: today, kind: 'late' });
    });
    const rowOf = (what: string, { ms, cpuMs }: Took): Cell[] => [
      ...[what, changed, ms.toFixed(0), cpuMs.toFixed(0), (ms / changed).toFixed(2), (cpuMs / changed).toFixed(2)],
    ];
    printTable(`A day of ${rows} records, ${label}`, heads, [
      rowOf('the day: figures, state, count, reminder', day),
      rowOf('as many updates by a caller', updates),
      rowOf('as many creates by a caller', creates),
    ]);
  } finally {
    server.close();
    await close();
  }
}

interface Took {
  readonly ms: number;
  readonly cpuMs: number;
}

async function timed(act: () => Promise<unknown>): Promise<Took> {
  const [startMs, cpu] = [performance.now(), process.cpuUsage()];
  await act();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - startMs, cpuMs: (user + system) / 1000 };
}
