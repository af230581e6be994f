// Good descriptors with one slip in them: a wrong one says where it is wrong, and one that loads serves all its requests.
// PRAXIS_MUTANTS=1000 makes so many of each folder.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createPraxis } from '../../src/app/praxis.ts';
import { DescriptorFaults, type Fault } from '../../src/registry/model/faults.ts';
import type { Registry } from '../../src/registry/model/model.ts';
import { parseSource, readSources } from '../../src/registry/read/source.ts';
import { buildRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { RecordMaker } from '../support/data/records.ts';
import { fewer } from '../support/run/part.ts';
import { type Call, createClient, isObject } from '../support/service/client.ts';
import { mutate, numbersFrom } from './mutate.ts';

const accessToken = 'token-of-the-tests-0123456789';
/** Of the processor, to load all descriptors: far more than the first load of a busy machine takes, far less than what grows without bounds. */
const slowestMs = 5000;
const asked = process.env['PRAXIS_MUTANTS'];
const folders: readonly [string, string, number][] = [
  ['the product', join(import.meta.dirname, '../../resources'), Number(asked ?? fewer(30, 150))],
  ['every kind of field', join(import.meta.dirname, '../resources'), Number(asked ?? fewer(60, 150))],
];
const tally = { refused: 0, served: 0, created: 0, elsewhere: 0, slowest: 0 };
afterAll(() => console.log('Mutants:', JSON.stringify(tally)));

/** The places at which two values differ, as pointers, and the words that stand there. */
function differences(before: unknown, after: unknown, path = ''): { pointers: string[]; words: string[] } {
  const isNest = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (!isNest(before) || !isNest(after) || Array.isArray(before) !== Array.isArray(after)) {
    const texts = JSON.stringify([before, after]).match(/[A-Za-z][\w-]*/g) ?? [];
    return before === after
      ? { pointers: [], words: [] }
      : { pointers: [path], words: [path.split('/').at(-1) ?? '', ...fieldsOn(path), ...texts] };
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const inside = keys.map((key) => {
    const [one, other] = [before, after].map((value) => (Object.hasOwn(value, key) ? value[key] : undefined));
    return differences(one, other, `${path}/${key}`);
  });
  return { pointers: inside.flatMap(({ pointers }) => pointers), words: inside.flatMap(({ words }) => words) };
}

/** The names of the fields that a pointer leads through: what refers to one may be wrong too. */
const fieldsOn = (pointer: string): string[] =>
  [...pointer.matchAll(/\/properties\/([^/]+)/g)].map(([, name = '']) => name);

/** Words that stand in many a message by themselves tell nothing. */
const isTelling = (word: string): boolean =>
  word.length > 2 && !/^(?:string|number|object|null|true|false|field|text)$/.test(word);

/** Whether a fault points at the slip, or at something that names what is there. */
function isAbout({ pointer, text }: Fault, { pointers, words }: ReturnType<typeof differences>): boolean {
  // What a formula is not given is told where it names it.
  const places = pointers.map((place) => place.replace(/(\/formulas\/[^/]+)\/given\/.*$/, '$1'));
  const isNear = places.some((place) => `${place}/`.startsWith(`${pointer}/`) || `${pointer}/`.startsWith(`${place}/`));
  return isNear || words.some((word) => isTelling(word) && (pointer.includes(word) || text.includes(word)));
}

/** Every route of a group, with bodies that fit its descriptor; the client fails at an answer of 500 and above. */
async function useGroup(registry: Registry, group: string, call: Call): Promise<void> {
  const resource = registry.resources.get(group);
  if (resource === undefined || resource.operations.size === 0) return;
  const { path, operations } = resource;
  const maker = new RecordMaker(registry, call);
  let id = '00000000-0000-7000-8000-000000000000';
  if (operations.has('create') && !resource.singleton) {
    const body = await maker.bodyOf(group, {}, 'all').catch(() => ({}));
    const { status, body: made } = await call('POST', path, body);
    if (status === 200) tally.created += 1;
    if (isObject(made) && typeof made['id'] === 'string') id = made['id'];
  }
  const own = resource.singleton ? path : `${path}/${id}`;
  if (operations.has('list')) expect((await call('GET', path)).status).toBe(200);
  if (operations.has('get')) await call('GET', own);
  if (operations.has('update')) await call('PATCH', own, {});
  if (operations.has('delete')) await call('DELETE', own);
}

async function serve(registry: Registry, group: string): Promise<void> {
  const log: string[] = [];
  const praxis = await createPraxis({ registry, database: await openDatabase('sqlite::memory:'), accessToken });
  const server = praxis.app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has one
  const call = createClient({
    address: `http://127.0.0.1:${port}/api`,
    token: accessToken,
    registry,
    log: () => log.join('\n'),
  });
  try {
    await useGroup(registry, group, call);
  } finally {
    call.close();
    server.closeAllConnections();
    server.close();
    await praxis.close();
  }
}

test.each(folders)(
  'slips in %s',
  { timeout: 60_000 + 1000 * Number(asked ?? fewer(60, 150)) },
  async (_name, folder, rounds) => {
    const { sources } = readSources(folder);
    const numbers = numbersFrom(7);
    const elsewhere: string[] = [];
    const broken: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const index = Math.floor(numbers() * sources.length);
      const chosen = sources[index];
      if (chosen === undefined) continue;
      const text = mutate(chosen.data, numbers, 1);
      const start = process.cpuUsage();
      const { source, faults } = parseSource(chosen.file, chosen.name, text);
      const slip = source === undefined ? undefined : differences(chosen.data, source.data);
      const context = `round ${round}, ${chosen.name} at ${slip?.pointers.join(', ')}`;
      let registry: Registry | undefined;
      try {
        const all = source === undefined ? sources.toSpliced(index, 1) : sources.with(index, source);
        registry = buildRegistry(all, ruleSignatures, faults);
      } catch (error) {
        if (!(error instanceof DescriptorFaults)) throw new Error(context, { cause: error });
        tally.refused += 1;
        if (slip !== undefined && !error.faults.some((fault) => isAbout(fault, slip)))
          elsewhere.push(`${context}: ${error.message}`);
      }
      const { user, system } = process.cpuUsage(start);
      tally.slowest = Math.max(tally.slowest, Math.round((user + system) / 1000));
      expect((user + system) / 1000, context).toBeLessThan(slowestMs);
      if (registry === undefined || slip?.pointers.length === 0) continue;
      tally.served += 1;
      await serve(registry, chosen.name).catch((error: unknown) => {
        broken.push(`${context}: ${error instanceof Error ? error.message : error}`);
      });
    }
    tally.elsewhere += elsewhere.length;
    expect(broken).toEqual([]);
    expect(elsewhere).toEqual([]);
  },
);
