// Runs the cases of all areas on one database, each case as a test of its own, then sees that every rule has had its cases.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPraxis, type Praxis } from '../../src/app/praxis.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { createToken } from '../../src/storage/tokens.ts';
import { RecordMaker } from '../support/data/records.ts';
import { digestOf } from '../support/databases/digest.ts';
import { isOfPart, part } from '../support/run/part.ts';
import { type Call, createClient } from '../support/service/client.ts';
import { accessToken, folders, isObject, type Json, readAll } from '../support/service/praxis.ts';
import type { Asked, Case, Expected, Made, World } from './case.ts';
import { isQuickOnServers } from './servers.ts';
import { Watch } from './watch.ts';

export type Areas = Readonly<Record<string, readonly Case[]>>;

/** Uses that no request can make refuse or act: each with the reason. */
export type Unreachable = Readonly<Record<string, string>>;

export interface Runner {
  readonly world: World;
  readonly praxis: Praxis;
  readonly digest: () => Promise<unknown>;
  readonly call: Call;
  /** Gives the workspace the features that it had at the start, where a case has switched any: the next may run without that case. */
  restoreFeatures(): Promise<void>;
  /** A token of `world.actor`, made when it is first asked for. */
  actorToken(): Promise<string>;
  close(): Promise<void>;
}

const settings = '/workspace-settings';
let count = 0;

/** A service on an empty database, and what cases need of it. */
export async function startRunner(databaseUrl: string, watch: Watch): Promise<Runner> {
  const watched = watch.watched(rules);
  const registry = loadRegistry(folders.product, watched);
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const setup = {
    workspaceName: 'My Company',
    workspaceCurrency: 'USD',
    adminName: 'Ada Admin',
    adminEmail: 'ada@example.com',
  };
  const database = await openDatabase(databaseUrl);
  const praxis = await createPraxis({ registry, database, rules: watched, setup, accessToken, logger });
  const server = createServer(praxis.app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const sending = createClient({ address, token: accessToken, registry, log: () => lines.slice(-3).join('') });
  let hasSwitched = false;
  const call: Call = (method, path, body, options) => {
    hasSwitched ||= method === 'PATCH' && path === settings && isObject(body) && body['features'] !== undefined;
    return sending(method, path, body, options);
  };
  const { features } = (await sending('GET', settings)).body as Json;
  const maker = new RecordMaker(registry, call);
  const actor = await maker.make('member');
  const makeToken = async (): Promise<string> => {
    const { token } = await createToken(praxis.workspace.unit, { name: 'cases', memberId: actor.id });
    // Tokens that others make are looked for from time to time.
    for (let tries = 0; tries < 100; tries += 1) {
      const { status } = await call('GET', '/members?limit=1', undefined, bearer(token));
      if (status === 200) return token;
      await delay(100);
    }
    throw new Error('the token of the actor is not accepted');
  };
  let actorToken: Promise<string> | undefined;
  const send: World['send'] = async (method, path, body) => {
    const answer = await call(method, path, body);
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300);
    return (answer.body ?? {}) as Made;
  };
  const world: World = {
    actor,
    send,
    make: (group, overrides, extent) => maker.make(group, overrides, extent),
    all: (group, query = '') => readAll(call, registry.resources.get(group)?.path ?? group, query),
    get unique() {
      count += 1;
      return count;
    },
  };
  const close = async (): Promise<void> => {
    sending.close();
    server.close();
    await praxis.close();
  };
  const restoreFeatures = async (): Promise<void> => {
    if (!hasSwitched) return;
    hasSwitched = false;
    await send('PATCH', settings, { features });
    hasSwitched = false;
  };
  return {
    world,
    praxis,
    restoreFeatures,
    digest: digestOf(database, registry),
    call,
    actorToken: () => {
      actorToken ??= makeToken();
      return actorToken;
    },
    close,
  };
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** Sends what a case sends, and compares. @throws where something else comes of it. */
export async function runCase(one: Case, runner: Runner, watch: Watch): Promise<void> {
  try {
    await judge(one, runner, watch);
  } finally {
    await runner.restoreFeatures();
  }
}

async function judge(one: Case, runner: Runner, watch: Watch): Promise<void> {
  const { world, call, digest, actorToken } = runner;
  const given = (await one.given(world)) as never;
  const [method, path, body]: Asked = one.when(given);
  const expected: Expected = one.gives(given);
  const options = one.byMember ? bearer(await actorToken()) : {};
  const before = expected.kind === 'done' ? undefined : await digest();
  watch.begin();
  const answer = await call(method, path, body, options);
  watch.end(answer.status < 300);
  if (expected.kind === 'done') {
    expect(answer.status, answer.text).toBe(method === 'DELETE' ? 204 : 200);
    if (expected.shows !== undefined) expect(answer.body).toMatchObject(expected.shows as object);
  } else {
    if (expected.kind === 'refused')
      expect(isObject(answer.body) ? answer.body['errors'] : answer.text, answer.text).toEqual(expected.errors);
    // By what a record is in use stands beside it: `checkProblem` knows what else may.
    else expect(answer.body).toMatchObject({ status: 409, message: expected.message });
    expect(answer.status).toBe(expected.kind === 'refused' ? 400 : 409);
    expect(await digest()).toEqual(before);
  }
  for (const [other, shows] of one.also?.(given) ?? []) {
    const found = await call('GET', other);
    expect(found.status, `${other} ${found.text}`).toBe(200);
    expect(found.body, other).toMatchObject(shows as object);
  }
}

/**
 * Declares the tests of all cases on one database.
 * @param open gives the address of an empty database; undefined where there is none to test on.
 */
export function runCases(
  name: string,
  {
    areas,
    unreachable,
    open,
  }: {
    readonly areas: Areas;
    readonly unreachable: Unreachable;
    readonly open: (() => Promise<{ url: string; close(): Promise<void> }>) | undefined;
  },
): void {
  const isServer = name !== 'SQLite';
  describe.skipIf(open === undefined)(`the specification (${name})`, () => {
    const watch = new Watch();
    const closing: (() => Promise<void>)[] = [];
    let runner: Runner;
    beforeAll(async () => {
      if (open === undefined) return;
      const { url, close } = await open();
      closing.push(close);
      runner = await startRunner(url, watch);
      closing.unshift(runner.close);
    }, 60_000);
    afterAll(async () => {
      for (const close of closing) await close();
    }, 60_000);
    for (const [area, cases] of Object.entries(areas)) {
      describe(area, () => {
        for (const [place, one] of cases.entries())
          test.skipIf(!isOfPart(!isServer || isQuickOnServers(area, one, place)))(one.says, () =>
            runCase(one, runner, watch),
          );
      });
    }
    const areAll = part === 'all' || (part === 'quick' && !isServer);
    test.skipIf(!areAll)('every rule of every descriptor has its cases', () => {
      const missing = watch.missing(runner.praxis.registry, rules);
      const open = missing.filter((text) => !Object.hasOwn(unreachable, text));
      expect(open).toEqual([]);
      expect(Object.keys(unreachable).filter((text) => !missing.includes(text))).toEqual([]);
    });
  });
}
