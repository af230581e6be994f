// The sessions that this process has seen lately: each is asked for when it is first seen, and again after a few seconds, all
// that are asked for at a time in one statement. So one that has ended elsewhere is let in no longer than that.
import { hash } from 'node:crypto';
import { findSessions, isSessionToken, type KnownSession } from '../storage/sessions.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import type { Members } from './members.ts';

/** A caller with the token of a session. */
export interface SessionCaller {
  readonly tokenId: string;
  readonly memberId: string;
  readonly sessionMemberId: string;
}

interface Entry {
  readonly caller: SessionCaller;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** By `performance.now()`. */
  readonly askedAt: number;
}

/** What a statement has told, and when it was asked. */
interface Asked {
  readonly found: ReadonlyMap<string, KnownSession>;
  readonly members: ReadonlySet<string>;
  readonly askedAt: number;
}

/** Beyond that, a session is asked for again: it ends within 5 seconds everywhere. */
const trustedMs = 4000;
/** So many are kept; who asks least often is asked for again. */
const mostKept = 10_000;
/** Tokens of one statement; more wait for the next. */
const mostAtOnce = 100;

export class SessionBook {
  readonly #unit: UnitOfWork;
  readonly #members: Members;
  readonly #now: () => number;
  /** By the hashes of their tokens. */
  readonly #entries = new Map<string, Entry>();
  #waiting = new Set<string>();
  #asking: Promise<void> | undefined;
  /** How often sessions were forgotten: what was asked before may have them still. */
  #endings = 0;

  /** @param now Milliseconds since 1970 */
  constructor(unit: UnitOfWork, members: Members, now: () => number) {
    this.#unit = unit;
    this.#members = members;
    this.#now = now;
  }

  /**
   * Who acts in the session of a token; undefined for one that is over, or never was.
   * @throws Problem 503 where the database is away (as a rejection)
   */
  find(token: string): SessionCaller | undefined | Promise<SessionCaller | undefined> {
    if (!isSessionToken(token)) return undefined;
    const key = hash('sha256', token, 'base64');
    const known = this.#entries.get(key);
    if (known !== undefined && performance.now() - known.askedAt < trustedMs) return this.#callerOf(key);
    return this.#ask(key);
  }

  /** Lets a session in no more. */
  forget(id: string): void {
    this.#endings += 1;
    for (const [key, { caller }] of this.#entries) if (caller.tokenId === id) this.#entries.delete(key);
  }

  /** The same of all sessions of members. */
  forgetOf(memberIds: readonly string[]): void {
    this.#endings += 1;
    const gone = new Set(memberIds);
    for (const [key, { caller }] of this.#entries) if (gone.has(caller.memberId)) this.#entries.delete(key);
  }

  #callerOf(key: string): SessionCaller | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || this.#now() >= entry.expiresAt ? undefined : entry.caller;
  }

  async #ask(key: string): Promise<SessionCaller | undefined> {
    this.#waiting.add(key);
    // Who comes while a statement is under way is asked for by the next.
    while (this.#waiting.has(key)) {
      this.#asking ??= this.#askAll().finally(() => {
        this.#asking = undefined;
      });
      await this.#asking;
    }
    return this.#callerOf(key);
  }

  async #askAll(): Promise<void> {
    const keys = [...this.#waiting].slice(0, mostAtOnce);
    try {
      for (let endings = -1; endings !== this.#endings; ) {
        endings = this.#endings;
        const askedAt = performance.now();
        const found = await findSessions(this.#unit, keys);
        const members = await this.#members.among([...new Set([...found.values()].map(({ memberId }) => memberId))]);
        if (endings === this.#endings) this.#keep(keys, { found, members, askedAt });
      }
    } finally {
      // Those who wait for what has failed are told so, and do not ask again and again.
      for (const key of keys) this.#waiting.delete(key);
    }
  }

  #keep(keys: readonly string[], { found, members, askedAt }: Asked): void {
    for (const key of keys) {
      this.#entries.delete(key);
      const session = found.get(key);
      if (session === undefined || !members.has(session.memberId)) continue;
      const { id, memberId, expiresAt } = session;
      const caller = Object.freeze({ tokenId: id, memberId, sessionMemberId: memberId });
      this.#entries.set(key, { caller, expiresAt, askedAt });
    }
    for (const [key] of this.#entries) if (this.#entries.size > mostKept) this.#entries.delete(key);
  }
}
