// Brings records that are gone, and what went along with them, back out of a backup.
import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { Groups } from '../../engine/plan/groups.ts';
import { readPart } from '../../engine/restore/part.ts';
import type { KeptRecord } from '../../engine/restore/recreate.ts';
import { TakenBack } from '../../engine/taken-back.ts';
import { Scope } from '../../engine/transaction/scope.ts';
import { effectsOf } from '../../engine/write/write.ts';
import { copyFile } from '../../files/copy.ts';
import { FolderStore } from '../../files/folder-store.ts';
import { inDatabase, openStore } from '../../files/open-store.ts';
import type { FileStore } from '../../files/store.ts';
import { isBroughtUp } from '../../migration/run/start.ts';
import { Problem } from '../../problems.ts';
import type { Registry } from '../../registry/model/model.ts';
import { openBackedUp } from '../../storage/database.ts';
import { createUnitOfWork } from '../../storage/unit-of-work.ts';
import { rulesOf } from '../registry.ts';
import { closedOnFailure, openWorkspace, type Workspace } from '../workspace.ts';

export interface PartWanted {
  /** A file that `praxis backup` has written, or the address of a database. */
  readonly backup: string;
  readonly group: string;
  readonly ids: readonly string[];
  readonly isTrial: boolean;
}

export interface PartRestored {
  /** How many are back, by the names of their groups. */
  readonly back: ReadonlyMap<string, number>;
  /** How many were there. */
  readonly there: number;
  /** What is wrong where they cannot come back; then nothing was written. */
  readonly errors: readonly string[];
}

/** All of it is one transaction. @throws ConfigurationFault where the backup, or a record in it, is not there */
export async function restorePart(config: Config, wanted: PartWanted): Promise<PartRestored> {
  const workspace = await openWorkspace(config);
  try {
    const backup = await openBackup(config, workspace.registry, wanted.backup);
    try {
      const records = await backup.read(wanted);
      return await bringBack(workspace, { records, files: backup.files, isTrial: wanted.isTrial });
    } finally {
      await backup.close();
    }
  } finally {
    await workspace.close();
  }
}

interface Backup {
  readonly files: FileStore;
  read(wanted: PartWanted): Promise<readonly KeptRecord[]>;
  close(): Promise<void>;
}

async function openBackup(config: Config, registry: Registry, backup: string): Promise<Backup> {
  const database = await openBackedUp(backup);
  if (!(await closedOnFailure(database, isBroughtUp(database, registry)))) {
    await database.close();
    throw new ConfigurationFault('The backup does not match the descriptors; migrate a copy of it first.');
  }
  const unit = createUnitOfWork(database, { deadlineMs: 10_000 });
  const groups = new Groups(registry, rulesOf(config), database.dialect);
  const scope = new Scope({ groups, session: unit.direct, actingMember: null, effectsOf });
  const folder = `${backup}.files`;
  return {
    files: existsSync(folder) ? new FolderStore(folder) : openStore(inDatabase, { unit, dialect: database.dialect }),
    read: async ({ group, ids }) => {
      const records = await readPart(scope, group, ids).catch((error: unknown) => {
        throw error instanceof Problem ? new ConfigurationFault(error.message, error) : error;
      });
      const lost = ids.find((id) => !records.some((record) => record.group === group && record.id === id));
      if (lost !== undefined) throw new ConfigurationFault(`The backup has no ${group} with the id '${lost}'.`);
      return records;
    },
    close: () => database.close(),
  };
}

interface Bringing {
  readonly records: readonly KeptRecord[];
  readonly files: FileStore;
  readonly isTrial: boolean;
}

async function bringBack(workspace: Workspace, { records, files, isTrial }: Bringing): Promise<PartRestored> {
  let current: KeptRecord | undefined;
  try {
    if (!isTrial) await copyBytes(workspace, records, files);
    const missing = await workspace.engine
      .together(async (batch) => {
        const made = await batch.bringBack(records, (record) => {
          current = record;
        });
        if (isTrial) throw new TakenBack(made);
        return made;
      })
      .catch((error: unknown) => {
        if (error instanceof TakenBack) return error.outcome as readonly KeptRecord[];
        throw error;
      });
    const back = new Map([...Map.groupBy(missing, ({ group }) => group)].map(([group, own]) => [group, own.length]));
    return { back, there: records.length - missing.length, errors: [] };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const where = current === undefined ? '' : `${current.group} ${current.id}  `;
    const errors = (error.errors ?? [error.message]).map((text) => where + text);
    return { back: new Map(), there: 0, errors };
  }
}

/** Before the records that name them, as an upload does. Those that no record comes to name are swept. */
async function copyBytes(
  { registry, files }: Workspace,
  records: readonly KeptRecord[],
  from: FileStore,
): Promise<void> {
  if (files === undefined) return;
  for (const { group, values } of records)
    if (group === registry.files?.name)
      await copyFile({ sha256: String(values['sha256']), size: Number(values['size']) }, from, files);
}
