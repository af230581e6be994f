// Entity tags (RFC 9110 section 8.8.3): `"<version>-<digest>"`, the version of a record and a digest of what an answer shows of
// it. Who overwrites a record compares versions, whoever has an answer already compares whole tags.
import { hash } from 'node:crypto';

/** Tags as a header names them; `*` stands for any. */
export type EntityTags = '*' | readonly string[];

/** 96 bits: two answers of one record are told apart, by accident and by intent. */
const digestLength = 16;

/** Makes a tag, with its quotes. @param version None where a record has no versions. */
export function tagOf(version: string | undefined, body: string): string {
  const digest = hash('sha256', body, 'base64url').slice(0, digestLength);
  return version === undefined ? `"${digest}"` : `"${version}-${digest}"`;
}

/** Reads `*`, or tags with commas between them. Weak ones count as strong. @returns undefined for anything else */
export function readTags(header: string): EntityTags | undefined {
  const text = header.trim();
  if (text === '*') return '*';
  const tags: string[] = [];
  // Nothing may stand between two commas (RFC 9110 section 5.6.1.2), but not in all of them.
  for (const part of text.matchAll(/[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(,|$)|(.)/gy)) {
    if (part[3] !== undefined) return undefined;
    if (part[1] !== undefined) tags.push(part[1]);
    if (part[2] === '') break;
  }
  return tags.length === 0 ? undefined : tags;
}

/** Whether one of the tags is that of this version of a record, whatever it showed then. */
export const hasVersion = (tags: EntityTags, version: string): boolean =>
  tags === '*' || tags.some((tag) => /^"(\d+)-/.exec(tag)?.[1] === version);

/** Whether one of the tags is this one. */
export const hasTag = (tags: EntityTags, tag: string): boolean => tags === '*' || tags.includes(tag);
