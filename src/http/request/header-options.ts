// Headers that change how a request is carried out: preconditions (If-Match, If-None-Match), Idempotency-Key, and the
// preference (Prefer) for a trial.
import type { IncomingMessage } from 'node:http';
import { problems } from '../../problems.ts';
import { type EntityTags, readTags } from '../../values/entity-tag.ts';

/** What headers ask besides the operation; absent where they ask nothing. */
export interface HeaderOptions {
  /** Of an update or a delete. */
  readonly ifMatch?: EntityTags | undefined;
  /** Of the reading of one record. */
  readonly ifNoneMatch?: EntityTags | undefined;
  /** Of a write: 1 to 255 visible ASCII characters. */
  readonly key?: string | undefined;
  /** Whether a write is only tried. */
  readonly isTrial?: boolean;
  /** Whether a write is answered with the id alone. */
  readonly isMinimal?: boolean;
  /** Of a write by a unique key: whether there must be no record yet (`If-None-Match: *`). */
  readonly isNew?: boolean;
}

/** Which of them a request may have. */
interface RequestKind {
  readonly method: string;
  /** Whether it means one record that is there. */
  readonly isOfRecord: boolean;
}

const none: HeaderOptions = Object.freeze({});
const aKey = /^[\x21-\x7e]{1,255}$/;
/** Preferences (RFC 7240 section 2): a comma within a quoted text parts none. */
const preferences = /(?:"[^"]*"|[^,])+/g;
/** `return=minimal`, and parameters. */
const representation = /^[ \t]*return[ \t]*=[ \t]*"?(minimal|representation)"?[ \t]*(?:;|$)/i;
/** `tx=rollback`, and parameters. */
const transaction = /^[ \t]*tx[ \t]*(?:=([^;]*))?(?:;|$)/i;

/** @throws Problem 400 for a header that makes no sense */
export function headerOptionsOf({ headers }: IncomingMessage, { method, isOfRecord }: RequestKind): HeaderOptions {
  if (method === 'GET') {
    const ifNoneMatch = isOfRecord ? headers['if-none-match'] : undefined;
    return ifNoneMatch === undefined ? none : { ifNoneMatch: tagsIn('If-None-Match', ifNoneMatch) };
  }
  const ifMatch = isOfRecord ? headers['if-match'] : undefined;
  const key = headers['idempotency-key'];
  const prefer = headers['prefer'];
  const isNew = method === 'PUT' && isOfNone(headers['if-none-match']);
  if (ifMatch === undefined && key === undefined && prefer === undefined && !isNew) return none;
  return {
    ...(isNew && { isNew }),
    ...(prefer !== undefined && isMinimalIn(String(prefer)) && { isMinimal: true }),
    ifMatch: ifMatch === undefined ? undefined : tagsIn('If-Match', ifMatch),
    key: key === undefined ? undefined : keyIn(String(key)),
    isTrial: prefer !== undefined && isTrialIn(String(prefer)),
  };
}

/** @throws Problem 400 for tags: a record with the key has one of them, or another one, and is there in any case */
function isOfNone(header: string | undefined): boolean {
  if (header !== undefined && header.trim() !== '*') throw problems.headerInvalid('If-None-Match', '*');
  return header !== undefined;
}

/** RFC 7240 section 4.2; another value is passed over, as preferences may be. */
const isMinimalIn = (prefer: string): boolean =>
  prefer
    .match(preferences)
    ?.map((preference) => representation.exec(preference)?.[1])
    .find((value) => value !== undefined)
    ?.toLowerCase() === 'minimal';

function tagsIn(name: string, text: string): EntityTags {
  const tags = readTags(text);
  if (tags === undefined) throw problems.headerInvalid(name, 'an entity tag');
  return tags;
}

function keyIn(key: string): string {
  if (!aKey.test(key)) throw problems.headerInvalid('Idempotency-Key', '1 to 255 visible ASCII characters');
  return key;
}

/** A preference may be passed over, but not this one: what was meant as a trial would be done. */
function isTrialIn(prefer: string): boolean {
  for (const [preference] of prefer.matchAll(preferences)) {
    const found = transaction.exec(preference);
    if (found === null) continue;
    const value = (found[1] ?? '')
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .toLowerCase();
    if (value !== 'rollback' && value !== 'commit') throw problems.headerInvalid('Prefer', 'tx=rollback or tx=commit');
    return value === 'rollback';
  }
  return false;
}
