// What all files of a run share: a folder in memory for what they write, and the database servers in it. Nothing that tests look at
// outlives the machine, so no commit need wait for a disk.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMariadb } from '../databases/mariadb.ts';
import { startMysql } from '../databases/mysql.ts';

const inMemory = '/dev/shm';
/** Some times what a run takes at most; containers often have 64 MiB. */
const neededBytes = 2 * 1024 ** 3;

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
};

/** Workers take over the environment. @returns what ends it all after the last file */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(
    join(process.env.TMPDIR === undefined && hasRoom(inMemory) ? inMemory : tmpdir(), 'praxis-'),
  );
  process.env.TMPDIR = folder;
  const asked = process.env.TEST_DATABASES || 'sqlite,mariadb';
  const isNeeded = (name: string, given: string | undefined): boolean => asked.includes(name) && !given;
  const mariadb = isNeeded('mariadb', process.env.TEST_MARIADB_URL) ? await startMariadb() : undefined;
  if (mariadb !== undefined) process.env.TEST_MARIADB_URL = mariadb.url;
  const mysql = isNeeded('mysql', process.env.TEST_MYSQL_URL) ? await startMysql() : undefined;
  if (mysql !== undefined) process.env.TEST_MYSQL_URL = mysql.url;
  return async () => {
    await mariadb?.stop();
    await mysql?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
