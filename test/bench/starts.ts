// A figure beside the five requests: how long a start takes.
import { type Cell, median } from './report.ts';
import { praxis, start } from './services.ts';

/** Starts of each kind; the median counts. */
const startsEach = 5;

interface StartOptions {
  readonly folder: string;
  /** A database whose second start is a usual one. */
  readonly databaseUrl: string;
  /** Makes an empty one. */
  readonly makeEmpty: () => Promise<string>;
}

/** Time until a start is ready, on an empty database and on one that is set up, and the memory of a process that has done nothing yet. */
export async function measureStart({ folder, databaseUrl, makeEmpty }: StartOptions): Promise<Cell[]> {
  const empty: number[] = [];
  const existing: number[] = [];
  const memory: number[] = [];
  // Whatever was there before, now it is set up.
  await (await start({ name: 'start', command: praxis, databaseUrl, folder })).stop();
  for (let nth = 0; nth < startsEach; nth += 1) {
    const first = await start({ name: 'first start', command: praxis, databaseUrl: await makeEmpty(), folder });
    empty.push(first.startMs);
    await first.stop();
    const service = await start({ name: 'start', command: praxis, databaseUrl, folder });
    existing.push(service.startMs);
    memory.push(service.residentMib() ?? Number.NaN);
    await service.stop();
  }
  return [empty, existing, memory].map((values) => Math.round(median(values)));
}
