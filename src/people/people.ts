// People who sign in, put together: what of it is there, by the configuration, and what an administrator does for them.
import type { Logger } from 'pino';
import { ConfigurationFault } from '../configuration-fault.ts';
import type { Groups } from '../engine/plan/groups.ts';
import { keepInvite, prepareCredentials, sweepCredentials, unlink } from '../storage/credentials.ts';
import type { Database } from '../storage/schema/session.ts';
import { prepareSessions, sweepSessions } from '../storage/sessions.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { isUuid } from '../values/format.ts';
import { Members, signingIn } from './members.ts';
import type { OidcOptions } from './oidc.ts';
import { type Cost, mayBePassword, passwordWords } from './passwords.ts';
import { SessionBook } from './session-book.ts';
import { SignIn } from './sign-in.ts';

/** How people sign in. */
export interface SignInOptions {
  /** One at least. */
  readonly ways: readonly ('password' | 'oidc')[];
  readonly sessionHours: number;
  /** There where it is one of the ways. */
  readonly oidc: OidcOptions | undefined;
  /** What a hash of a password costs; 96 MiB of memory, 32 at a time, by default. */
  readonly passwordCost?: Cost | undefined;
}

/** The members who sign in, and their sessions. */
export interface People {
  readonly members: Members;
  readonly sessions: SessionBook;
  readonly options: SignInOptions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface PeopleParts {
  readonly groups: Groups;
  readonly unit: UnitOfWork;
  readonly options: SignInOptions;
  readonly now: () => number;
}

/** The members who sign in. @throws ConfigurationFault where no descriptor says who may */
export function peopleOf({ groups, unit, options, now }: PeopleParts): People {
  const group = signingIn(groups);
  if (group === undefined)
    throw new ConfigurationFault(
      'SIGN_IN is set, and no descriptor says who signs in; write "signIn" into that of the acting members.',
    );
  const members = new Members(groups, unit, group);
  return { members, sessions: new SessionBook(unit, members, now), options, now };
}

/** Makes the tables of what they sign in with, unless they are there. */
export async function preparePeople(database: Database): Promise<void> {
  await prepareSessions(database);
  await prepareCredentials(database);
}

interface ServiceParts extends People {
  readonly unit: UnitOfWork;
  readonly logger: Logger;
}

/** What answers people who sign in, and what makes the hashes of their passwords. */
export async function signInServiceOf({ members, sessions, options, now, unit, logger }: ServiceParts) {
  const { ways } = options;
  const signIn = new SignIn({ ...options, unit, members, sessions, now });
  // Loaded where it is asked for.
  const oidc = options.oidc && new (await import('./oidc.ts')).Oidc(options.oidc, { unit, members, logger, now });
  const service = {
    ways,
    withPassword: signIn.withPassword.bind(signIn),
    withInvite: signIn.withInvite.bind(signIn),
    withCode: signIn.withCode.bind(signIn),
    signOut: signIn.signOut.bind(signIn),
    oidc,
  };
  return { service, passwords: signIn.passwords };
}

const invitedMs = 72 * 3_600_000;

/** What an administrator does for members who sign in. */
export class Administration {
  readonly #unit: UnitOfWork;
  readonly #people: People;
  readonly #signIn: SignIn;

  constructor(people: People, unit: UnitOfWork) {
    this.#people = people;
    this.#unit = unit;
    this.#signIn = new SignIn({ ...people, ...people.options, unit });
  }

  /** Title of their group: `Member`. */
  get title(): string {
    return this.#people.members.title;
  }

  /** Somebody with an id, or a name to sign in by. */
  async find(who: string): Promise<{ readonly id: string; readonly maySignIn: boolean } | undefined> {
    const { members } = this.#people;
    const id = isUuid(who) ? who.toLowerCase() : await members.find(who);
    if (id === undefined || !(await members.isThere(id))) return undefined;
    return { id, maySignIn: (await members.among([id])).has(id) };
  }

  /** Gives members the same password; their sessions end. @throws ConfigurationFault for what is no password */
  async givePassword(memberIds: readonly string[], password: string): Promise<void> {
    if (!mayBePassword(password)) throw new ConfigurationFault(`A password must be ${passwordWords}.`);
    const kept = await this.#signIn.passwords.hash(password);
    for (const id of memberIds) await this.#signIn.givePassword(id, kept);
  }

  /** @returns what the link has, once, and until when it works (ISO 8601, UTC) */
  async invite(memberId: string): Promise<{ readonly secret: string; readonly expiresAt: string }> {
    const expiresAt = this.#people.now() + invitedMs;
    return { secret: await keepInvite(this.#unit, memberId, expiresAt), expiresAt: new Date(expiresAt).toISOString() };
  }

  /** @returns how many accounts elsewhere it was linked with */
  unlink(memberId: string): Promise<number> {
    return unlink(this.#unit, memberId);
  }
}

/** Forgets what is over. */
export async function sweepPeople(unit: UnitOfWork, now: number): Promise<void> {
  await sweepSessions(unit, now);
  await sweepCredentials(unit, now);
}
