// People sign in: by password, by an invitation, or with a code that an issuer of identities has led to. What they get is a session,
// which is a token of their member.

import { hash, timingSafeEqual } from 'node:crypto';
import type { RequestDeadline } from '../admission/deadline.ts';
import { fieldFault } from '../problems/field-fault.ts';
import { Problem, problems } from '../problems.ts';
import { invited, keepPassword, renewPassword, takeCode, takeInvite } from '../storage/credentials.ts';
import { beginSession, endSession, endSessionsOf } from '../storage/sessions.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { keyHash } from '../values/fold.ts';
import { Attempts } from './attempts.ts';
import type { Members } from './members.ts';
import { type Cost, mayBePassword, Passwords, passwordWords } from './passwords.ts';
import type { SessionBook } from './session-book.ts';

/** A session that was just begun: the only time that its token is known here. */
export interface SignedIn {
  readonly token: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly expiresAt: string;
  readonly member: { readonly id: string };
}

/** Who asks to be let in: from where, and until when. */
export interface Asking {
  readonly address: string;
  readonly deadline: RequestDeadline;
}

export interface SignInParts {
  readonly unit: UnitOfWork;
  readonly members: Members;
  readonly sessions: SessionBook;
  readonly sessionHours: number;
  readonly passwordCost?: Cost | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const hourMs = 3_600_000;

export class SignIn {
  readonly passwords: Passwords;
  readonly #parts: SignInParts;
  readonly #attempts: Attempts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
    this.passwords = new Passwords(parts.passwordCost);
    this.#attempts = new Attempts(parts.now);
  }

  /**
   * By the name and the password of a member. Whatever is wrong costs one statement and one hash, and is told alike.
   * @throws Problem 401; 429 after too many failures; 503
   */
  async withPassword(name: string, password: string, { address, deadline }: Asking): Promise<SignedIn> {
    const { unit, members } = this.#parts;
    return this.#attempt(Buffer.from(keyHash(name)).toString('base64'), address, async () => {
      const { id, kept } = await members.named(name);
      const found = await this.passwords.check(password, kept, deadline);
      if (id === undefined || found === 'wrong') throw problems.signInWrong();
      if (!(await members.among([id])).has(id)) throw problems.signInWrong();
      let now = kept ?? '';
      if (found === 'old') {
        now = await this.passwords.hash(password, deadline);
        await renewPassword(unit, { memberId: id, kept: kept ?? '', anew: now });
      }
      return this.#begin(id, now);
    });
  }

  /** By an invitation, with the password that is chosen: it works once. @throws Problem 400 for a password that is none; 401; 429; 503 */
  async withInvite(invite: string, password: string, { address, deadline }: Asking): Promise<SignedIn> {
    const { unit, members, now } = this.#parts;
    if (!mayBePassword(password))
      throw problems.bodyInvalid([fieldFault('password', `must be ${passwordWords}`, 'invalid-value')]);
    return this.#attempt(undefined, address, async () => {
      const id = await invited(unit, invite, now());
      if (id === undefined || !(await members.among([id])).has(id)) throw problems.inviteWrong();
      const kept = await this.passwords.hash(password, deadline);
      if (!(await takeInvite(unit, invite, now()))) throw problems.inviteWrong();
      await this.givePassword(id, kept);
      return this.#begin(id);
    });
  }

  /**
   * By a code that the console was led back with, and the verifier that its tab has kept.
   * @throws Problem 401; 429; 503
   */
  async withCode(code: string, verifier: string, { address }: Pick<Asking, 'address'>): Promise<SignedIn> {
    const { unit, members, now } = this.#parts;
    return this.#attempt(undefined, address, async () => {
      const taken = await takeCode(unit, code, now());
      if (taken === undefined || !isEqual(hash('sha256', verifier, 'base64url'), taken.challenge))
        throw problems.codeWrong();
      const { memberId } = taken;
      if (!(await members.among([memberId])).has(memberId)) throw problems.codeWrong();
      return this.#begin(memberId);
    });
  }

  /** Runs a sign-in as one attempt: only a refusal by 401 counts as a failure. @throws Problem 429 (as a rejection), and those of `signIn` */
  async #attempt(name: string | undefined, address: string, signIn: () => Promise<SignedIn>): Promise<SignedIn> {
    const attempt = this.#attempts.begin(name, address);
    try {
      const signedIn = await signIn();
      attempt.succeed();
      return signedIn;
    } catch (error) {
      if (error instanceof Problem && error.status === 401) attempt.fail();
      else attempt.cancel();
      throw error;
    }
  }

  /** Ends the session of who asks, at once. @throws Problem 403 for a token that is none; 503 */
  async signOut({
    tokenId,
    sessionMemberId,
  }: {
    readonly tokenId: string;
    readonly sessionMemberId?: string | undefined;
  }): Promise<void> {
    if (sessionMemberId === undefined) throw problems.mayNot('sign-out');
    await endSession(this.#parts.unit, tokenId);
    this.#parts.sessions.forget(tokenId);
  }

  /** Gives a member a password: whoever has signed in with another one is out. @param kept Its hash */
  async givePassword(id: string, kept: string): Promise<void> {
    await this.#parts.unit.transact(async (session) => {
      await keepPassword(session, id, kept);
      await endSessionsOf(session, [id]);
    });
    this.#parts.sessions.forgetOf([id]);
  }

  /** @param kept The password by which somebody has come. @throws Problem 401 where it was changed meanwhile: then no session is to stay */
  async #begin(memberId: string, kept?: string): Promise<SignedIn> {
    const { unit, members, sessionHours, now } = this.#parts;
    const since = now();
    const expiresAt = since + sessionHours * hourMs;
    const token = await unit.transact(async (session) => {
      if (kept !== undefined && !(await members.hasPassword(session, memberId, kept))) throw problems.signInWrong();
      return (await beginSession(session, { memberId, now: since, expiresAt })).token;
    });
    return { token, expiresAt: new Date(expiresAt).toISOString(), member: { id: memberId } };
  }
}

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
