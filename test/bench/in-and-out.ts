// Many records in and out again over HTTP: times, and the most memory of each process: `npm run bench -- --data`.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Cell, printTable } from './report.ts';
import { ask, mibOf, praxis, type Running, start, token } from './services.ts';

interface InAndOutOptions {
  readonly databaseUrl: string;
  readonly label: string;
  /** Of the files and the logs. */
  readonly folder: string;
  readonly rows: number;
  readonly say: (text: string) => void;
}

/** What a process may hold at most, however many records there are. */
const mostMib = 256;
/** Node takes what there is before it looks for garbage: this holds it to what is needed. */
const env = { NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=8' };
const members = 50;
const heads = ['', 's', 'records/s', 'file MiB', 'command MiB', 'service MiB', 'resident', 'most', ''];

/** Prints what an import and two exports take. Each has a service of its own, so that its peak is of nothing else. */
export async function reportInAndOut(options: InAndOutOptions): Promise<void> {
  const { databaseUrl, label, folder, rows, say } = options;
  const at = (name: string): string => join(folder, `${label}-${name}`);
  const serving = async <T>(name: string, use: (service: Running) => Promise<T>): Promise<T> => {
    const service = await start({ name: `${label} ${name}`, command: praxis, databaseUrl, folder, env });
    return use(service).finally(service.stop);
  };
  const source = at('contacts.ndjson');
  const owners = await serving('set-up', ({ address }) => makeMembers(address));
  await pipeline(Readable.from(lines(rows, owners)), createWriteStream(source));
  say(`${label}: a file of ${rows} contacts is there`);
  const carriedOut = async (what: string, argumentsOf: (file: string) => readonly string[], file: string) =>
    serving(what, async (service) => {
      const startedAt = performance.now();
      const command = [...argumentsOf(file), '--url', service.address, '--token', token];
      const { commandMib, serviceMib, residentMib } = await peaksOf(command, service, folder);
      const seconds = (performance.now() - startedAt) / 1000;
      say(`${label}: ${what} took ${seconds.toFixed(0)} s`);
      return [
        ...[what, seconds.toFixed(1), Math.round(rows / seconds), Math.round(statSync(file).size / 1024 ** 2)],
        ...[Math.round(commandMib), Math.round(serviceMib), Math.round(residentMib), mostMib],
        Math.max(commandMib, serviceMib) <= mostMib ? 'met' : 'MISSED',
      ] satisfies Cell[];
    });
  const exporting = (file: string): readonly string[] => ['export', 'contact', '--out', file];
  const table = [
    await carriedOut('import of NDJSON', (file) => ['import', file, '--group', 'contact'], source),
    await carriedOut('export to NDJSON', exporting, at('export.ndjson')),
    await carriedOut('export to CSV', exporting, at('export.csv')),
  ];
  for (const name of ['contacts.ndjson', 'export.ndjson', 'export.csv']) await rm(at(name));
  printTable(`${rows} contacts in and out, ${label}, NODE_OPTIONS='${env.NODE_OPTIONS}'`, heads, table);
}

async function makeMembers(address: string): Promise<readonly string[]> {
  const operations = Array.from({ length: members }, (_member, nth) => {
    const body = { name: `Ada ${nth}`, email: `ada.${nth}@example.com` };
    return { method: 'POST', path: '/members', body };
  });
  const { status, body } = await ask(address, '/batch', { method: 'POST', body: JSON.stringify({ operations }) });
  const { results = [] } = body as { results?: readonly { body: { id: string } }[] };
  if (status !== 200) throw new Error(`members are not made: ${JSON.stringify(body).slice(0, 500)}`);
  return results.map((result) => result.body.id);
}

function* lines(rows: number, owners: readonly string[]): Generator<string, void, undefined> {
  let text = '';
  for (let nth = 0; nth < rows; nth += 1) {
    const contact = {
      ...{ firstName: `Ada ${nth}`, lastName: `Berg ${nth % 997}`, email: `contact.${nth}@client.example` },
      ...{ title: 'Head of purchasing', officePhone: `+49 30 ${nth}`, ownerId: owners[nth % owners.length] },
      description: `Called about quarter ${nth % 4}; wants the offer in writing, with rates for each role.`,
    };
    text += `${JSON.stringify(contact)}\n`;
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  yield text;
}

interface Peaks {
  commandMib: number;
  serviceMib: number;
  /** With what it sees of the file of its database. */
  residentMib: number;
}

/** Runs a command to its end, and looks at the memory of both many times a second. @throws Error where it fails */
async function peaksOf(command: readonly string[], service: Running, folder: string): Promise<Peaks> {
  const child: ChildProcess = spawn(process.execPath, ['src/cli.ts', ...command], {
    env: { PATH: process.env.PATH, ...env, DATABASE_URL: `sqlite:${join(folder, 'nothing.sqlite')}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const peaks: Peaks = { commandMib: 0, serviceMib: 0, residentMib: 0 };
  const look = (): void => {
    peaks.commandMib = Math.max(peaks.commandMib, mibOf(child.pid, 'RssAnon') ?? 0);
    peaks.serviceMib = Math.max(peaks.serviceMib, mibOf(service.pid, 'RssAnon') ?? 0);
    peaks.residentMib = Math.max(peaks.residentMib, service.residentMib() ?? 0);
  };
  const timer = setInterval(look, 20);
  const [code] = await once(child, 'exit').finally(() => clearInterval(timer));
  if (code !== 0) throw new Error(`praxis ${command[0]} ends with ${code}`);
  return peaks;
}
