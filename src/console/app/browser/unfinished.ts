// Imports that have not come to their end, by group: what the page of a group says of them before anything of the import is loaded.
import { signal } from '@preact/signals';
import { forget, keep, kept } from './kept.ts';

export interface Unfinished {
  /** Of the file. */
  readonly name: string;
  /** Rows that are judged. */
  readonly count: number;
}

type Marks = Readonly<Record<string, Unfinished>>;

/** The database in which files and journals are. */
export const importsPlace = 'praxis.imports';
const place = 'imports';

/** By the names of groups. */
export const unfinished = signal<Marks>(kept<Marks>(place) ?? {});

export function markImport(group: string, mark: Unfinished | undefined): void {
  const { [group]: _before, ...others } = unfinished.value;
  unfinished.value = mark === undefined ? others : { ...others, [group]: mark };
  if (Object.keys(unfinished.value).length === 0) forget(place);
  else keep(place, unfinished.value);
}

/** Nobody who comes next goes on with what somebody else has begun. */
export function forgetImports(): void {
  unfinished.value = {};
  forget(place);
  indexedDB.deleteDatabase(importsPlace);
}
