// Groups ids that are locked alike into runs.

/** Ids that are locked alike, as long as they follow each other in the one order in which all writes lock. */
export interface Run<Lock> {
  readonly lock: Lock;
  readonly ids: string[];
}

/** @param locks Of rows of one group, by their ids. */
export function inOrder<Lock>(locks: ReadonlyMap<string, Lock>): readonly Run<Lock>[] {
  const runs: Run<Lock>[] = [];
  for (const [id, lock] of [...locks].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const last = runs.at(-1);
    if (last?.lock === lock) last.ids.push(id);
    else runs.push({ lock, ids: [id] });
  }
  return runs;
}
