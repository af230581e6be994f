// Whether a folder can take uploads: asked by health probes, and learned from the uploads that fail.
import { constants } from 'node:fs';
import { access, mkdir, statfs } from 'node:fs/promises';

/** Why a folder takes no uploads. */
export type FolderHindrance = 'full' | 'unwritable';

/** With less free space, the next upload may fail. */
const minFreeBytes = 1024 * 1024;
const fullCodes = new Set(['ENOSPC', 'EDQUOT']);
const unwritableCodes = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

/** Creates a folder unless it exists, and finds the reason why it takes no uploads. @returns undefined if it does */
export async function findHindrance(folder: string): Promise<FolderHindrance | undefined> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
    const { bavail, bsize, files, ffree } = await statfs(folder);
    // File systems without a maximum number of files report 0 for it.
    return bavail * bsize < minFreeBytes || (files > 0 && ffree === 0) ? 'full' : undefined;
  } catch (error) {
    return toHindrance(error);
  }
}

/** Returns the reason that an error of the file system gives. @returns undefined for an error with another cause than the folder */
export function toHindrance(error: unknown): FolderHindrance | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (fullCodes.has(code)) return 'full';
  return unwritableCodes.has(code) ? 'unwritable' : undefined;
}
