// Watches the file of an embedded database and its -wal. If another process deletes or replaces them while they are open, writes
// would go to files that nobody finds again.
import { type Stats, statfsSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const lookEveryMs = 2000;
/** With less, the next write may be the one that finds no room. */
const leastBytes = 1024 * 1024;

export interface FileWatch {
  readonly isReplaced: boolean;
  hasRoom(): boolean;
  stop(): void;
}

/** Bytes of the write-ahead log, which cannot be cut while somebody reads a moment of it. */
export const logBytes = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

const placeOf = ({ dev, ino }: Stats): string => `${dev}/${ino}`;

/** Watches a file that is open. Every two seconds; it does not keep the process alive. */
export function watchFile(path: string): FileWatch {
  const files = [path, `${path}-wal`];
  // By path: where they are. The -wal is made by the first who reads or writes.
  const known = new Map<string, string>();
  let isReplaced = false;
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined) known.set(file, placeOf(found));
  }
  const look = async (file: string): Promise<void> => {
    const found = await stat(file).then(placeOf, (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      // Not to be looked at now is not gone.
      return known.get(file);
    });
    const before = known.get(file);
    if (before !== undefined && found !== before) isReplaced = true;
    if (before === undefined && found !== undefined) known.set(file, found);
  };
  const timer = setInterval(() => {
    for (const file of files) void look(file);
  }, lookEveryMs);
  timer.unref();
  return {
    get isReplaced() {
      return isReplaced;
    },
    hasRoom: () => {
      try {
        const { bavail, bsize } = statfsSync(dirname(path));
        return bavail * bsize >= leastBytes;
      } catch {
        return true;
      }
    },
    stop: () => clearInterval(timer),
  };
}
