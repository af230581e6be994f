// Headers that change how a request is carried out: preconditions (If-Match, If-None-Match), Idempotency-Key, and the
// preference (Prefer) for a trial.
import type { IncomingMessage } from 'node:http';
import { problems } from '../../problems.ts';
import { type EntityTags, readTags } from '../../values/entity-tag.ts';

/** What headers ask besides the operation; absent where they ask nothing. */
export interface HeaderOptions {
  readonly ifMatch?: EntityTags | undefined;
  readonly ifNoneMatch?: EntityTags | undefined;
  /** Of a write: 1 to 255 visible ASCII characters. */
  readonly key?: string | undefined;
  /** Whether a write is only tried. */
  readonly isTrial?: boolean;
  /** Whether a write is answered with the id alone. */
  readonly isMinimal?: boolean;
}

/** The resource that the path of a request names: one record, something else that can be read (without a tag), or nothing. */
type Target = 'record' | 'untagged' | 'nothing';

const none: HeaderOptions = Object.freeze({});
const aKey = /^[\x21-\x7e]{1,255}$/;
/** Preferences (RFC 7240 section 2): a comma within a quoted text parts none. */
const preferences = /(?:"[^"]*"|[^,])+/g;
/** `return=minimal`, and parameters. */
const representation = /^[ \t]*return[ \t]*=[ \t]*"?(minimal|representation)"?[ \t]*(?:;|$)/i;
/** `tx=rollback`, and parameters. */
const transaction = /^[ \t]*tx[ \t]*(?:=([^;]*))?(?:;|$)/i;

/**
 * Reads the headers. The preconditions of a read, and of a write to one record, are evaluated later, when the record is known.
 * @throws Problem 400 for a malformed header; 412 if a precondition of any other write is false
 */
export function headerOptionsOf({ headers }: IncomingMessage, { method, target }: RequestKind): HeaderOptions {
  const [ifMatch, ifNoneMatch] = [
    tagsIn('If-Match', headers['if-match']),
    tagsIn('If-None-Match', headers['if-none-match']),
  ];
  if (method === 'GET') return ifMatch === undefined && ifNoneMatch === undefined ? none : { ifMatch, ifNoneMatch };
  if (target !== 'record') checkUntagged({ ifMatch, ifNoneMatch }, target);
  const key = headers['idempotency-key'];
  const prefer = headers['prefer'];
  if (ifMatch === undefined && ifNoneMatch === undefined && key === undefined && prefer === undefined) return none;
  return {
    ...(prefer !== undefined && isMinimalIn(String(prefer)) && { isMinimal: true }),
    ifMatch,
    ifNoneMatch,
    key: key === undefined ? undefined : keyIn(String(key)),
    isTrial: prefer !== undefined && isTrialIn(String(prefer)),
  };
}

interface RequestKind {
  readonly method: string;
  readonly target: Target;
}

/** Evaluates the preconditions of a write whose target has no tag: only `*` can be true of it (RFC 9110, 13.1). @throws Problem 412 */
function checkUntagged({ ifMatch, ifNoneMatch }: HeaderOptions, target: Target): void {
  const exists = target === 'untagged';
  if (ifMatch !== undefined && !(exists && ifMatch === '*')) throw problems.preconditionFalse('If-Match');
  if (ifNoneMatch === '*' && exists) throw problems.preconditionFalse('If-None-Match');
}

/** RFC 7240 section 4.2; another value is passed over, as preferences may be. */
const isMinimalIn = (prefer: string): boolean =>
  prefer
    .match(preferences)
    ?.map((preference) => representation.exec(preference)?.[1])
    .find((value) => value !== undefined)
    ?.toLowerCase() === 'minimal';

function tagsIn(name: string, text: string | undefined): EntityTags | undefined {
  if (text === undefined) return undefined;
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
