// Bad requests, all of them on every database: each gets its exact answer, and nothing changes.
import { Agent, request } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPraxis } from '../../src/app/serve.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { digestOf } from '../support/databases/digest.ts';
import { fewer, part } from '../support/run/part.ts';
import { expectGone, recordOf } from '../support/service/answers.ts';
import { accessToken, folders, onEveryDatabase } from '../support/service/praxis.ts';
import { addressRows } from './corpus/addresses.ts';
import { bodyRows } from './corpus/bodies.ts';
import { fieldRows } from './corpus/fields.ts';
import { manyFaultsRows } from './corpus/many-faults.ts';
import { encoded, hostileTexts, type Row } from './corpus/row.ts';

/** Words of the inside; `select` and the like stand in what callers send and we repeat. */
const innerWords =
  /sqlite|mysql|mariadb|\bajv\b|kysely|\bkoa\b|constraint|syntax error|node_modules|node:internal|\.ts:\d|\bat \w+ \(|TypeError|RangeError|\bER_[A-Z]{3}/i;

const areas: readonly (readonly [string, readonly Row[]])[] = [
  ['bodies', [...bodyRows, ...manyFaultsRows]],
  ['addresses', addressRows],
  ['fields', fieldRows],
];
/** Each kind of value and of fault stands in many rows that follow each other: `npm test` sends every third. */
const chosen = (rows: readonly Row[]): readonly Row[] => rows.filter((_row, place) => place % fewer(3, 1) === 0);

const isQuick = part === 'quick';

onEveryDatabase(
  'bad requests',
  (context) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const ids: Record<string, string> = {};
    let address = new URL('http://127.0.0.1');
    let stop = async (): Promise<void> => {};
    let digest: ReturnType<typeof digestOf>;

    beforeAll(async () => {
      // A second service on the same database: one whose address is known, for what no well-behaved client sends.
      const setup = { workspaceName: 'x', workspaceCurrency: 'USD', adminName: undefined, adminEmail: undefined };
      const config = {
        port: 0,
        host: '127.0.0.1',
        databaseUrl: context.databaseUrl,
        accessToken,
        resources: folders.product,
        migrations: 'no-migrations',
        applyAdditions: false,
        corsOrigins: [],
        logLevel: 'silent' as const,
        setup,
      };
      const running = await startPraxis(config, pino({ level: 'silent' }));
      address = new URL(running.address);
      const database = await openDatabase(context.databaseUrl);
      digest = digestOf(database, context.registry);
      stop = async () => {
        await database.close();
        await running.stop();
      };
      const member = await context.make('member');
      const project = await context.make('project', { billingTypeId: 'tm', useBudget: true, budgetMode: 'summary' });
      ids['client'] = (await context.make('client', { invoiceDetailsSource: 'custom' })).id;
      ids['project'] = project.id;
      ids['skill'] = (await context.make('skill')).id;
      ids['pipeline'] = (await context.make('opportunity-pipeline')).id;
      ids['type'] = (await context.make('pipeline-activity-type')).id;
      ids['report'] = (await context.make('expense-report')).id;
      ids['period'] = (await context.make('cost-period', { memberId: member.id, start: '2001-01-01' })).id;
      ids['payment'] = (await context.make('payment')).id;
      ids['card'] = (await context.make('project-rate-card', { projectId: project.id })).id;
    }, 60_000);
    afterAll(async () => {
      agent.destroy();
      await stop();
    });

    const filled = (text: string): string =>
      text.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => ids[name] ?? whole);

    function send({ method, path, body, headers }: Row): Promise<{ status: number; text: string }> {
      const content = typeof body === 'string' ? Buffer.from(filled(body)) : body;
      const sent = headers ?? (content === undefined ? {} : { 'content-type': 'application/json' });
      const length =
        content === undefined || sent['transfer-encoding'] !== undefined
          ? {}
          : { 'content-length': String(content.length) };
      return new Promise((resolve, reject) => {
        const options = {
          method,
          host: address.hostname,
          port: address.port,
          path: address.pathname + filled(path),
          agent,
        };
        const outgoing = request(
          { ...options, headers: { authorization: `Bearer ${accessToken}`, ...sent, ...length } },
          (incoming) => {
            const chunks: Buffer[] = [];
            incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
            incoming.on('end', () =>
              resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
            );
            incoming.on('error', reject);
          },
        );
        outgoing.on('error', reject);
        outgoing.end(content);
      });
    }

    /** Undefined, or what is wrong with the answer. */
    async function faultOf(row: Row): Promise<string | undefined> {
      const { status, text } = await send(row);
      const wanted =
        row.errors === undefined
          ? { status: row.status, message: row.message }
          : { status: row.status, message: row.message, errors: row.errors };
      const isWanted = status === row.status && text === JSON.stringify(wanted);
      const isSilent = !innerWords.test(JSON.stringify(JSON.parse(text)).replaceAll(String(row.message), ''));
      const isClean = Object.keys({}).length === 0 && !('polluted' in {});
      if (isWanted && isSilent && isClean) return undefined;
      return `${row.method} ${row.path.slice(0, 200)} ${String(row.body ?? '').slice(0, 200)} ${JSON.stringify(row.headers ?? {})} → ${text.slice(0, 500)}; wanted ${JSON.stringify(wanted).slice(0, 500)}`;
    }

    test.skipIf(isQuick && context.isServer).each(areas)(
      'are refused, each with its own answer, and change nothing: %s',
      { timeout: 60_000 },
      async (_name, rows) => {
        const before = await digest();
        const faults: string[] = [];
        for (const row of chosen(rows)) {
          const fault = await faultOf(row);
          if (fault !== undefined) faults.push(fault);
        }
        expect(faults).toEqual([]);
        expect(await digest()).toEqual(before);
      },
    );

    test.skipIf(isQuick)('does not take hostile texts for anything but texts', async () => {
      const before = await digest();
      for (const text of hostileTexts.filter((each) => each.trim() !== '')) {
        const contact = recordOf(
          await context.call('POST', '/contacts', { name: text.slice(0, 255), description: text }),
        );
        expect([contact.name, contact.description]).toEqual([text.slice(0, 255), text]);
        expect(recordOf(await context.call('GET', `/contacts/${contact.id}`))).toEqual(contact);
        for (const filter of ['name', 'nameContains', 'nameStartsWith', 'nameEndsWith']) {
          const found = await context.all('contact', `&${filter}=${encoded(text.slice(0, 255))}`);
          expect(
            found.map(({ id }) => id),
            `${filter} ${text}`,
          ).toEqual([contact.id]);
        }
        expectGone(await context.call('DELETE', `/contacts/${contact.id}`));
        for (const query of ['client?key', 'client?code', 'location?name', 'member?emailContains']) {
          const [group = '', filter = ''] = query.split('?');
          if (/^[%_.x0-]$/.test(text)) continue;
          expect(await context.all(group, `&${filter}=${encoded(text)}`), `${query} ${text}`).toEqual([]);
        }
      }
      expect(await digest()).toEqual(before);
    });
  },
  'product',
);

test('bad requests are more than a thousand', () => {
  for (const [name, rows] of areas) expect(rows.length, name).toBeGreaterThan(200);
  expect(areas.reduce((sum, [, rows]) => sum + rows.length, 0)).toBeGreaterThan(1000);
});
