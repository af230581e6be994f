// Stores for the bytes of files.
import type { FolderHindrance } from './folder-hindrance.ts';

/** Bytes by their digest (SHA-256, hexadecimal). */
export interface FileStore {
  /** A folder in which files are put together before they are kept. */
  readonly drafts: string;
  /** Finds the reason why the folder of drafts takes no uploads now; undefined if it does. */
  hindrance(): Promise<FolderHindrance | undefined>;
  /** Keeps a file of that folder, which is gone then; bytes that are there already are kept longer. */
  keep(draft: string, sha256: string): Promise<void>;
  /** The bytes from one place to another, both of them among them. @throws where they are not there */
  read(sha256: string, range: ByteRange): AsyncIterable<Uint8Array>;
  /** Forgets bytes that were kept before then and that nobody has, and drafts that were given up. */
  sweep(before: Date, isNamed: (sha256: string) => Promise<boolean>): Promise<void>;
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}
