// Services on members of a MySQL group that all take writes, and through MySQL Router: nothing is lost or done twice.
// TEST_MYSQL_GROUP names the members, as `mysql://root@127.0.0.1:14301,mysql://root@127.0.0.1:14302`; see `group.sh`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../support/databases/mariadb.ts';
import { startRouter } from '../support/databases/mysql.ts';
import { makeAll } from '../support/service/persistent.ts';
import { type Context, startService } from '../support/service/praxis.ts';

const members = process.env['TEST_MYSQL_GROUP']?.split(',') ?? [];
const writes = 300;
const timeout = 300_000;

describe.skipIf(members.length === 0)('a MySQL group whose members all take writes', () => {
  const services: (Context & { stop(): Promise<void> })[] = [];
  const closing: (() => Promise<void>)[] = [];
  let router: Awaited<ReturnType<typeof startRouter>>;

  beforeAll(async () => {
    const [first = '', ...others] = members;
    const made = await createDatabase(first, 'praxis_group');
    closing.push(made.drop);
    const { pathname } = new URL(made.url);
    router = await startRouter(new URL(first));
    if (router !== undefined) closing.unshift(router.stop);
    for (const url of [...(router === undefined ? [first] : [router.url]), ...others]) {
      const service = await startService('product', new URL(pathname, url).href);
      closing.unshift(service.stop);
      services.push(service);
    }
  }, timeout);
  afterAll(async () => {
    for (const close of closing) await close();
  }, timeout);

  test('writes through the Router are each done once', { timeout }, async ({ skip }) => {
    const [service] = services;
    if (service === undefined || router === undefined) return skip('There is no MySQL Router.');
    const names = Array.from({ length: writes }, (_value, n) => `Routed ${n}`);
    const made = await makeAll(() => service.address, names, 20);
    const stored = await service.all('job-title');
    expect(
      stored
        .map(({ name }) => String(name))
        .filter((name) => name.startsWith('Routed '))
        .sort(),
    ).toEqual(names.sort());
    expect(made.filter(({ isReplayed }) => isReplayed)).toEqual([]);
  });

  test('the same record is written through all members, and each write is done or refused', { timeout }, async () => {
    const [service] = services;
    if (service === undefined) throw new Error('there is no service');
    const { id } = await service.make('client');
    const path = `${service.resource('client').path}/${id}`;
    const statuses = new Map<number, number>();
    const rounds = 40;
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(
        services.map(async (each, n) => {
          const { status } = await each.call('PATCH', path, { name: `By ${n} in ${round}` }, { allow5xx: true });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }),
      );
    console.log(`${rounds} rounds of ${services.length} writes of one record: ${JSON.stringify([...statuses])}`);
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBe(rounds * services.length);
  });

  test('one name is taken once', { timeout }, async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = `One of ${round}`;
      const path = services[0]?.resource('job-title').path ?? '';
      const answers = await Promise.all(services.map((each) => each.call('POST', path, { name }, { allow5xx: true })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...services.slice(1).map(() => 409)]);
    }
  });
});
