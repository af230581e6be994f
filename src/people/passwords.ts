// Passwords: what may be one, and how one is kept: as scrypt in PHC form, so that what it was made with stands beside it.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { RequestDeadline } from '../admission/deadline.ts';
import { Semaphore } from '../admission/semaphore.ts';
import { codePoints } from '../values/format.ts';

/** Characters of a password. */
const shortest = 12;
const longest = 256;
/** What a password must be. */
export const passwordWords = `${shortest} to ${longest} characters`;

/** What scrypt costs: 2^ln times r times 128 bytes of memory, p times over. */
export interface Cost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB, three times (OWASP's advice for scrypt). */
const usual: Cost = { ln: 15, r: 8, p: 3 };
/** What is kept may come from a backup: no cost beyond this is paid. */
const most: Cost = { ln: 18, r: 16, p: 8 };
const saltBytes = 16;
const hashBytes = 32;
/** Each takes the memory that it costs, and a thread of the few that there are. */
const hashesAtOnce = 2;

/** Whether a text is long enough for a password, and no longer than one may be. */
export const mayBePassword = (text: string): boolean => codePoints(text) >= shortest && codePoints(text) <= longest;

/** Makes and checks hashes of passwords, a few at a time. */
export class Passwords {
  readonly #places = new Semaphore(hashesAtOnce);
  readonly #cost: Cost;
  #made = 0;

  /** @param cost Of the hashes that are kept from now on */
  constructor(cost: Cost = usual) {
    this.#cost = cost;
  }

  /** Who waits for one. */
  get queue(): Semaphore['queue'] {
    return this.#places.queue;
  }

  /** How many there were so far: each attempt to sign in costs one, whatever becomes of it. */
  get made(): number {
    return this.#made;
  }

  /** A password as it is kept: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`. */
  async hash(password: string, deadline?: RequestDeadline): Promise<string> {
    const salt = randomBytes(saltBytes);
    const cost = this.#cost;
    return phcOf(cost, salt, await this.#derive(password, { salt, cost }, deadline));
  }

  /**
   * Whether a password is the one that is kept. Where none is, a hash is made all the same.
   * @returns `old` where it is right, and was kept at another cost than that of today
   */
  async check(
    password: string,
    kept: string | undefined,
    deadline?: RequestDeadline,
  ): Promise<'right' | 'old' | 'wrong'> {
    const known = kept === undefined ? undefined : readPhc(kept);
    const made = await this.#derive(password, known ?? { salt: randomBytes(saltBytes), cost: this.#cost }, deadline);
    if (known === undefined || !timingSafeEqual(made, known.hash)) return 'wrong';
    const { ln, r, p } = known.cost;
    const { ln: asked, r: wide, p: often } = this.#cost;
    return ln === asked && r === wide && p === often ? 'right' : 'old';
  }

  /** @throws Problem 503 where too many wait (as a rejection) */
  async #derive(password: string, { salt, cost }: Salted, deadline: RequestDeadline | undefined): Promise<Buffer> {
    await this.#places.acquire(deadline);
    try {
      this.#made += 1;
      return await derive(password, salt, cost);
    } finally {
      this.#places.release();
    }
  }
}

interface Salted {
  readonly salt: Buffer;
  readonly cost: Cost;
}

function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** ln;
  // Keyboards spell the same letter in several ways.
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hashBytes, { N, r, p, maxmem: 2 * 128 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

const plain = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const phcOf = ({ ln, r, p }: Cost, salt: Buffer, hash: Buffer): string =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${plain(salt)}$${plain(hash)}`;

/** @returns undefined for what this service has not written */
function readPhc(text: string): (Salted & { readonly hash: Buffer }) | undefined {
  const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{8,64})\$([A-Za-z0-9+/]{43})$/;
  const [, ln, r, p, salt = '', hash = ''] = form.exec(text) ?? [];
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  const isPayable =
    cost.ln >= 1 && cost.r >= 1 && cost.p >= 1 && cost.ln <= most.ln && cost.r <= most.r && cost.p <= most.p;
  if (!isPayable) return undefined;
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}
