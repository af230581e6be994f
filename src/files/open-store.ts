// Where the bytes of files are kept: a folder of this machine, or the database, which several processes share.
import type { Dialect } from '../storage/schema/dialect.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { DatabaseStore } from './database-store.ts';
import { FolderStore } from './folder-store.ts';
import type { FileStore } from './store.ts';

/** What stands for the database, where a folder may be named. */
export const inDatabase = 'database';

interface StoreParts {
  readonly unit: UnitOfWork;
  readonly dialect: Dialect;
}

/** @param place A folder, which need not be there; or `database` */
export const openStore = (place: string, { unit, dialect }: StoreParts): FileStore =>
  place === inDatabase ? new DatabaseStore(unit, dialect.insertIgnore) : new FolderStore(place);
