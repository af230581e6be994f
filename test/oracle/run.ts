// A domain by chance, played on a database; where something differs, the least domain and history that show it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestDatabase } from '../support/databases/databases.ts';
import type { Difference } from './compare.ts';
import { byChance, given, type Played, type Playing, play } from './play.ts';
import { type Race, race } from './races.ts';
import { faultsIn, type Service, startDomain, writeDomain } from './service.ts';
import type { Domain } from './shape.ts';
import { shrink } from './shrink.ts';
import { playTogether } from './together.ts';
import type { Request } from './write.ts';

export interface Refused {
  readonly faults: readonly string[];
}

/** Does something with a service over a domain. @returns faults where its descriptors are refused */
async function serving<T>(
  domain: Domain,
  database: TestDatabase,
  act: (service: Service) => Promise<T>,
): Promise<T | Refused> {
  const folder = writeDomain(domain);
  const faults = faultsIn(folder);
  if (faults.length > 0) {
    rmSync(folder, { recursive: true, force: true });
    return { faults };
  }
  const service = await startDomain(folder, database);
  try {
    return await act(service);
  } finally {
    await service.stop();
  }
}

const playDomain = (domain: Domain, database: TestDatabase, playing: Playing): Promise<Played | Refused> =>
  serving(domain, database, (service) => play(service, domain, playing));

export interface Numbered {
  readonly seed: number;
  readonly place: number;
  readonly operations: number;
  readonly writers: number;
}

/** Plays what the seed and the number of a domain give, by one writer or by several. */
export const playNumbered = (domain: Domain, database: TestDatabase, numbered: Numbered): Promise<Played | Refused> => {
  const { seed, place, operations, writers } = numbered;
  if (writers === 1) return playDomain(domain, database, { source: byChance(seed, place), operations, every: 8 });
  return serving(domain, database, (service) => playTogether(service, domain, numbered));
};

/** Runs a race. @returns what does not hold after it */
export const runRace = (one: Race, database: TestDatabase): Promise<readonly string[] | Refused> =>
  serving(one.domain, database, (service) => race(service, one));

export interface Found {
  readonly domain: Domain;
  readonly requests: readonly Request[];
  readonly differences: readonly Difference[];
}

/** What shows a difference of one writer with as little as possible. */
export async function least(found: Found, database: TestDatabase): Promise<Found> {
  const again = async (domain: Domain, requests: readonly Request[]): Promise<readonly Difference[]> => {
    try {
      const played = await playDomain(domain, database, {
        source: given(requests),
        operations: requests.length,
        every: 1,
      });
      return 'faults' in played ? [] : played.differences;
    } catch {
      // What was left out was needed.
      return [];
    }
  };
  const shrunk = await shrink(found, async (domain, requests) => (await again(domain, requests)).length > 0);
  const differences = await again(shrunk.domain, shrunk.requests);
  return differences.length === 0 ? found : { ...shrunk, differences };
}

/** A domain and a history that were found before. */
export function readFound(folder: string): Pick<Found, 'domain' | 'requests'> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const domain = files.map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(join(folder, name), 'utf8'))]);
  const lines = readFileSync(join(folder, 'history.txt'), 'utf8').trim().split('\n');
  const requests = lines.map((line) => JSON.parse(line)).filter(({ operation }) => operation !== undefined);
  return { domain: Object.fromEntries(domain), requests };
}

/** Plays it once more. */
export const playFound = ({ domain, requests }: Pick<Found, 'domain' | 'requests'>, database: TestDatabase) =>
  playDomain(domain, database, { source: given(requests), operations: requests.length, every: 1 });

/** Writes what was found into a folder: the descriptors, and the history with what differs after it. */
export function writeFound(folder: string, { domain, requests, differences }: Found): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, descriptor] of Object.entries(domain))
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(descriptor, null, 2)}\n`);
  const lines = [...requests, ...differences].map((one) => JSON.stringify(one));
  writeFileSync(join(folder, 'history.txt'), `${lines.join('\n')}\n`);
}
