// A history by several writers at once. What each is answered hangs on who comes first; what all have left behind does not: every
// figure equals its formula, no state waits to follow, and what no write may break holds.

import { join } from 'node:path';
import { verifiedBy } from '../support/databases/verify.ts';
import { type Difference, differencesOf, Ids, type Json, plain, rowFrom } from './compare.ts';
import { keptWord } from './conditions-by-chance.ts';
import { evaluate } from './evaluate.ts';
import { type Model, modelOf } from './model.ts';
import { allOf, ask, askBatch, type Played, today } from './play.ts';
import { Random } from './random.ts';
import { requestBy } from './requests.ts';
import type { Service } from './service.ts';
import { restless, takeAll } from './settle.ts';
import type { Domain } from './shape.ts';
import { World } from './world.ts';
import type { Request } from './write.ts';

/** After so many requests of its own a writer looks at the records again. */
const stale = 4;

interface Together {
  readonly seed: number;
  readonly place: number;
  readonly operations: number;
  readonly writers: number;
}

export async function playTogether(service: Service, domain: Domain, options: Together): Promise<Played> {
  const { seed, place, operations, writers } = options;
  const model = modelOf(domain);
  const requests: Request[] = [];
  const statuses: Record<string, number> = {};
  const unforeseen: Difference[] = [];
  let left = operations;
  const write = async (writer: number): Promise<void> => {
    const random = new Random(seed, (place + 1) * 1000 + writer);
    let world = await worldOf(service, model);
    for (let turn = 1; left > 0; turn += 1) {
      left -= 1;
      if (turn % stale === 0) world = await worldOf(service, model);
      const request = requestBy(random, world, operations - left);
      if (request === undefined) continue;
      requests.push(request);
      const next = random.chance(15) ? requestBy(random, world, operations - left) : undefined;
      if (next !== undefined) requests.push(next);
      const { status, body } = await (next === undefined
        ? ask(service, model, request)
        : askBatch(service, model, [request, next]));
      statuses[status] = (statuses[status] ?? 0) + 1;
      // A database that is too slow for now (503) has not done it, and is seen in the counts.
      if (status >= 500 && status !== 503)
        unforeseen.push({ at: JSON.stringify(request), expected: 'an answer', got: JSON.stringify(body) });
    }
  };
  await Promise.all(Array.from({ length: writers }, (_value, writer) => write(writer)));
  return { requests, statuses, differences: [...unforeseen, ...(await wrongEnd(service, model))] };
}

/** The records as a service shows them, under its own ids. */
export async function worldOf(service: Service, model: Model): Promise<World> {
  const ids = new Ids();
  const world = new World(model, today());
  for (const { path, shape } of model.groups.values())
    for (const json of (await allOf(service, path)).toReversed()) world.put(rowFrom(shape, json, ids));
  return world;
}

/** What does not hold of the records as they are in the end. */
async function wrongEnd(service: Service, model: Model): Promise<readonly Difference[]> {
  const ids = new Ids();
  const shown: Json[] = [];
  const kept = new World(model, today());
  for (const { path, shape } of model.groups.values())
    for (const json of (await allOf(service, path)).toReversed()) {
      shown.push(json);
      kept.put(rowFrom(shape, json, ids));
    }
  const right = kept.fork();
  takeAll(right);
  const differences: Difference[] = [];
  for (const json of shown)
    for (const name of model.groups.keys()) {
      const row = right.find(name, String(json['id']));
      if (row !== undefined) differences.push(...differencesOf(right, row, json, ids));
    }
  for (const { row, key, to } of restless(kept))
    differences.push({
      at: `${row.group} ${row.id} ${key}`,
      expected: String(to),
      got: plain(row.values[key] ?? null),
    });
  differences.push(...broken(kept));
  const verified = await verifiedBy({ databaseUrl: service.databaseUrl, resources: join(service.folder, 'resources') });
  for (const one of verified) differences.push({ at: 'verify', expected: 'no difference', got: JSON.stringify(one) });
  return differences;
}

/** Conditions that no later write may break, and that do not hold. */
function broken(world: World): readonly Difference[] {
  const found: Difference[] = [];
  for (const { name, conditions } of world.model.groups.values())
    for (const { that, message, source } of conditions) {
      if (!String(message[0]).startsWith(`must be ${keptWord}`)) continue;
      for (const row of world.rows(name)) {
        const { value, throughNull } = evaluate(that, { world, self: row, old: row });
        if (value !== true && !throughNull)
          found.push({ at: `${name} ${row.id}`, expected: source, got: 'that it is broken' });
      }
    }
  return found;
}
