// An upload as it comes: written down and counted, and gone if it does not come to its end.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lookedAt } from './media-types.ts';

/** A whole file of this machine. */
export interface Draft {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  /** Its first bytes. */
  readonly head: Buffer;
}

/** Writes parts into a new file. @throws what the parts fail with; nothing is left then */
export async function writeDraft(folder: string, parts: AsyncIterable<Uint8Array>): Promise<Draft> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `praxis-${randomUUID()}.part`);
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  const head: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of parts) {
      if (size < lookedAt) head.push(part);
      hash.update(part);
      size += part.length;
      await file.writeFile(part);
    }
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
  await file.close();
  return { path, size, sha256: hash.digest('hex'), head: Buffer.concat(head).subarray(0, lookedAt) };
}
