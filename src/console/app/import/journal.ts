// The journal of an import: the file and how far it has come, kept in the browser after each batch, so that it goes on where it was
// after a break: a page that was closed, a line that was lost. It is forgotten with the end of the import, and as one signs out.
import type { ImportState } from '../../../../codegen/import/import-rows.ts';
import type { Mapping, RefusedRow } from '../../../../codegen/import/model.ts';
import { importsPlace, markImport } from '../browser/unfinished.ts';
import { importMessages } from '../messages/importing.ts';

export interface Journal {
  readonly group: string;
  readonly file: File;
  readonly format: 'csv' | 'ndjson';
  readonly mapping: Mapping;
  readonly key: string | undefined;
  readonly state: ImportState;
  readonly refusedRows: readonly RefusedRow[];
}

const store = 'imports';

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(importsPlace, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: 'group' });
  return resultOf(request);
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error(importMessages.browserStorage));
  });

async function within<T>(mode: IDBTransactionMode, ask: (all: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await opened();
  try {
    return await resultOf(ask(database.transaction(store, mode).objectStore(store)));
  } finally {
    database.close();
  }
}

/** That of a group; undefined where no import of it is unfinished. */
export const readJournal = (group: string): Promise<Journal | undefined> =>
  within('readonly', (all) => all.get(group)).catch(() => undefined);

/** Where the browser keeps nothing an import is as good as it was, and begins anew after a break. */
export async function writeJournal(journal: Journal): Promise<void> {
  const { created, updated, unchanged, refused } = journal.state;
  await within('readwrite', (all) => all.put(journal)).then(
    () => markImport(journal.group, { name: journal.file.name, count: created + updated + unchanged + refused }),
    () => undefined,
  );
}

export async function forgetJournal(group: string): Promise<void> {
  markImport(group, undefined);
  await within('readwrite', (all) => all.delete(group)).catch(() => undefined);
}
