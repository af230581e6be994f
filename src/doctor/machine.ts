// Checks of the machine: Node, the user, disk space, files, the port.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { fileOf } from '../storage/database.ts';
import { act, type Finding, fine, note } from './finding.ts';

const mebibyte = 1024 ** 2;
/** With less, the next write may be the one that finds no room. */
const leastBytes = 200 * mebibyte;
const answerMs = 2000;

/** Node and Praxis. */
export function versions(): Finding {
  const needed = packageFile.engines.node.replace('>=', '');
  const found = process.versions.node;
  const says = `Praxis ${packageFile.version} on Node.js ${found}`;
  return found.localeCompare(needed, 'en', { numeric: true }) < 0
    ? act('versions', says, `install Node.js ${needed} or later`)
    : fine('versions', says);
}

/** Whoever gets into a process of root has the machine. */
export function user(): Finding {
  return process.getuid?.() === 0
    ? note('user', 'this is root', 'let the service run as a user of its own')
    : fine('user', 'this is not root');
}

/** The file of an embedded database: who can read and write it. Of a server nothing is known here. */
export function permissions({ databaseUrl }: Config): readonly Finding[] {
  const file = fileOf(databaseUrl);
  if (file === undefined) return [];
  const folder = nearestFolder(file);
  const blocked = [...(existsSync(file) ? [file] : []), folder].find((path) => !isWritable(path));
  if (blocked !== undefined)
    return [
      act(
        'permissions',
        `'${blocked}' cannot be written by this user`,
        `let the user of the service own it: chown <user> ${blocked}`,
      ),
    ];
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600;
  if (process.platform === 'win32' || (mode & 0o077) === 0)
    return [fine('permissions', 'the file of the database is for its owner alone')];
  const octal = (mode & 0o777).toString(8);
  return [
    act('permissions', `others may read or write '${file}' (mode ${octal}), and so all records`, `chmod 600 ${file}`),
  ];
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first folder above a file that is there. */
function nearestFolder(file: string): string {
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

/** Room for what is written, and for a copy: a backup, or a table that is rebuilt, needs as much as the file. */
export function disk({ databaseUrl }: Config): Finding {
  const file = fileOf(databaseUrl);
  const folder = nearestFolder(file ?? join('.', 'any'));
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const taken = file === undefined ? 0 : sizeOf(file) + sizeOf(`${file}-wal`);
  const says = `${sizeText(free)} free in '${folder}'${taken === 0 ? '' : `, ${sizeText(taken)} taken by the database`}`;
  if (free < leastBytes) return act('disk', says, 'make room; writes are refused when it is full');
  return free < 2 * taken
    ? note('disk', says, 'make room: a backup, or a table that a migration rebuilds, takes as much again')
    : fine('disk', says);
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
const sizeText = (bytes: number): string =>
  bytes < 1024 * mebibyte ? `${(bytes / mebibyte).toFixed(1)} MiB` : `${(bytes / mebibyte / 1024).toFixed(1)} GiB`;

/** Whether the service could listen, or listens already. */
export async function port({ host, port: wanted }: Config): Promise<Finding> {
  const place = `${host.includes(':') ? `[${host}]` : host}:${wanted}`;
  const code = await listenFault(host, wanted);
  if (code === undefined) return fine('port', `${place} is free`);
  if (code === 'EADDRINUSE')
    return (await isOurs(host, wanted))
      ? fine('port', `a service answers at ${place}`)
      : act('port', `another program listens at ${place}`, 'set PORT to another one, or end that program');
  if (code === 'EACCES')
    return act('port', `this user may not listen at ${place}`, 'set PORT to 1024 or more, behind a proxy');
  return act('port', `nobody can listen at ${place} (${code})`, 'set HOST to an address of this machine');
}

const listenFault = (host: string, wanted: number): Promise<string | undefined> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen(wanted, host, () => server.close(() => done(undefined)));
  });

async function isOurs(host: string, wanted: number): Promise<boolean> {
  const asked = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${asked}:${wanted}/healthz`, { signal: AbortSignal.timeout(answerMs) });
    return (await answer.text()) === '{"status":"ok"}';
  } catch {
    return false;
  }
}

/** Everybody who can reach the address reads tokens, where nobody in front speaks TLS. */
export function exposure({ host }: Config): Finding {
  return /^(?:127\.|::1$|localhost$)/.test(host)
    ? fine('exposure', `only this machine reaches ${host}`)
    : note(
        'exposure',
        `others reach ${host}, without TLS`,
        'put a proxy with TLS in front, and HOST=127.0.0.1 if it runs here',
      );
}
