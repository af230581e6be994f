// A service with a log of changes as a process of its own, to be killed: prints its address, and lives until it is.
import { join } from 'node:path';
import { pino } from 'pino';
import { createPraxis } from '../../../src/app/praxis.ts';
import { startServer } from '../../../src/http/server/server.ts';
import { loadRegistry } from '../../../src/registry/registry.ts';
import { ruleSignatures } from '../../../src/rules/catalogue.ts';
import { openDatabase } from '../../../src/storage/database.ts';

/** A host to which webhooks may be sent, where one is named. */
const [url = '', accessToken = '', host] = process.argv.slice(2);
const logger = pino({ level: 'silent' });
const webhooks = { hosts: host === undefined ? [] : [host] };
const registry = loadRegistry(join(import.meta.dirname, '../../domains/log'), ruleSignatures);
const database = await openDatabase(url);
const praxis = await createPraxis({ registry, database, accessToken, changes: 'forever', webhooks, logger });
const { port } = await startServer({ listener: praxis.app.callback(), host: '127.0.0.1', port: 0, logger });
process.stdout.write(`http://127.0.0.1:${port}/api\n`);
