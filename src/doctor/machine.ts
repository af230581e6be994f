// Checks of the machine: Node, the user, disk space, files, the port.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { fileOf } from '../storage/database.ts';
import { act, type Finding, fine, note } from './finding.ts';

const mebibyte = 1024 ** 2;
/** Minimum free disk space; below it, the next write may fail. */
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

/** Checks the user: an attacker who controls a process of root controls the machine. */
export function user(): Finding {
  return process.getuid?.() === 0
    ? note('user', 'the service runs as root', 'run the service as a separate user')
    : fine('user', 'the service does not run as root');
}

/** Checks the permissions of the file of an embedded database. A database server is not checked. */
export function permissions({ databaseUrl }: Config): readonly Finding[] {
  const file = fileOf(databaseUrl);
  if (file === undefined) return [];
  const folder = nearestFolder(file);
  const blocked = [...(existsSync(file) ? [file] : []), folder].find((path) => !isWritable(path));
  if (blocked !== undefined)
    return [
      act(
        'permissions',
        `this user cannot write '${blocked}'`,
        `make the user of the service its owner: chown <user> ${blocked}`,
      ),
    ];
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600;
  if (process.platform === 'win32' || (mode & 0o077) === 0)
    return [fine('permissions', 'only its owner can read and write the database file')];
  const octal = (mode & 0o777).toString(8);
  return [
    act(
      'permissions',
      `other users can read or write '${file}' (mode ${octal}), which contains all records`,
      `chmod 600 ${file}`,
    ),
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

/** Returns the nearest existing folder above a file. */
function nearestFolder(file: string): string {
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

/** Checks the free disk space. A backup or a rebuilt table takes as much space as the database file. */
export function disk({ databaseUrl }: Config): Finding {
  const file = fileOf(databaseUrl);
  const folder = nearestFolder(file ?? join('.', 'any'));
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const taken = file === undefined ? 0 : sizeOf(file) + sizeOf(`${file}-wal`);
  const says = `${sizeText(free)} free in '${folder}'${taken === 0 ? '' : `, the database takes ${sizeText(taken)}`}`;
  if (free < leastBytes) return act('disk', says, 'free disk space; writes fail if the disk is full');
  return free < 2 * taken
    ? note(
        'disk',
        says,
        'free disk space: a backup, or a table that a migration rebuilds, takes as much space as the database',
      )
    : fine('disk', says);
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
const sizeText = (bytes: number): string =>
  bytes < 1024 * mebibyte ? `${(bytes / mebibyte).toFixed(1)} MiB` : `${(bytes / mebibyte / 1024).toFixed(1)} GiB`;

/** Checks that the port is free, or that the service already listens on it. */
export async function port({ host, port: wanted }: Config): Promise<Finding> {
  const place = `${host.includes(':') ? `[${host}]` : host}:${wanted}`;
  const code = await listenFault(host, wanted);
  if (code === undefined) return fine('port', `${place} is free`);
  if (code === 'EADDRINUSE')
    return (await isOurs(host, wanted))
      ? fine('port', `the service listens at ${place}`)
      : act('port', `another program listens at ${place}`, 'set PORT to another port, or stop that program');
  if (code === 'EACCES')
    return act('port', `this user is not allowed to listen at ${place}`, 'set PORT to 1024 or higher, and use a proxy');
  return act('port', `the service cannot listen at ${place} (${code})`, 'set HOST to an address of this machine');
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

/** Checks the exposure of the address: without TLS, anyone on the network path can read tokens. */
export function exposure({ host }: Config): Finding {
  return /^(?:127\.|::1$|localhost$)/.test(host)
    ? fine('exposure', `only this machine can reach ${host}`)
    : note(
        'exposure',
        `other machines can reach ${host} without TLS`,
        'use a proxy with TLS, and set HOST=127.0.0.1 if the proxy runs on this machine',
      );
}
