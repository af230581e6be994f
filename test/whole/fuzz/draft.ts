// A request while it is made up, and what may be done to it.
import type { Random } from '../../../src/demo/plan/random.ts';
import type { Part } from './batches.ts';
import type { Document, Json, Operation } from './document.ts';
import type { Harvest } from './harvest.ts';
import type { Values } from './values.ts';

export interface Draft {
  readonly operation: Operation;
  method: string;
  /** Before the base: nothing, or an origin. */
  origin: string;
  /** Below the base, percent-encoded. */
  path: string;
  /** `name=value`, percent-encoded. */
  readonly query: string[];
  readonly headers: [name: string, value: string][];
  /** What the body says, until it is written. */
  value: Json | undefined;
  /** The body as it is written. */
  body: Buffer | undefined;
  version: string;
  id: string | undefined;
  isLast: boolean;
  /** Of a batch. */
  parts: readonly Part[];
}

export interface Tools {
  readonly document: Document;
  readonly random: Random;
  readonly harvest: Harvest;
  readonly values: Values;
  readonly token: string;
}

/** Does something to a draft. @returns false where there is nothing to do it to */
export type Slip = (draft: Draft, tools: Tools) => boolean;

/** Replaces a header, or adds it. */
export function setHeader(draft: Draft, name: string, value: string): void {
  dropHeader(draft, name);
  draft.headers.push([name, value]);
}

export function dropHeader(draft: Draft, name: string): void {
  const place = draft.headers.findIndex(([each]) => each.toLowerCase() === name.toLowerCase());
  if (place >= 0) draft.headers.splice(place, 1);
}

/** A text of UTF-8 as one whose characters are its bytes, as headers and lines go over the wire. */
export const toBytes = (text: string): string => Buffer.from(text).toString('latin1');
