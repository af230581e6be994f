// Sends webhooks what they wait for: each is a cursor in the log, which moves when its receiver has taken an entry. One process
// sends one webhook at a time, by a lease in its row; who dies is replaced, and what was sent and not remembered is sent again.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { readOn, renamedSince, stateFor } from '../past/feed.ts';
import type { LogGround, LogReader, ShownEntry } from '../past/page.ts';
import { readState } from '../storage/log/state.ts';
import {
  atEase,
  type KeptWebhook,
  keepTry,
  noteStand,
  park,
  readWebhooks,
  releaseWebhook,
  takeWebhook,
  type WebhookStand,
  type WebhookState,
} from '../storage/log/webhooks.ts';
import { unreachable } from '../unreachable.ts';
import { messageOf } from './message.ts';
import { nextTry } from './pauses.ts';
import type { Sender } from './sender.ts';

const usualLookEveryMs = 1000;
/** Where there is no webhook, one that another process has made is noticed so late. */
const idleLookEveryMs = 2000;
/** A process that holds a webhook and has not moved for so long has ended, by the clock of whoever waits for it. */
const leaseMs = 30_000;
/** How often who holds one says so. */
const renewMs = 10_000;
const entriesAtOnce = 20;
const triesBeforeParking = 10;
/** The receiver wants no more of it. */
const gone = 410;

interface DeliveriesParts {
  readonly ground: LogGround;
  readonly sender: Sender;
  /** With whose eyes a webhook reads; undefined where the token that made it has ended, `paused` while it may have none. */
  readonly readerOf: ReaderOfWebhook;
  readonly logger: Logger;
  readonly lookEveryMs?: number | undefined;
}

/** Finds out with whose eyes a webhook reads at this moment. */
export type ReaderOfWebhook = (
  webhook: Pick<KeptWebhook, 'tokenId' | 'memberId'>,
) => Promise<LogReader | 'paused' | undefined>;

/** A webhook that this process sends. */
interface Held {
  readonly revision: number;
  /** Behind what was passed over: kept in the row from time to time alone. */
  position: number;
  renewedAt: number;
}

export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #name = randomUUID();
  readonly #held = new Map<string, Held>();
  readonly #running = new Map<string, Promise<void>>();
  /** Who was seen with a lease of others, and since when it has not moved. */
  readonly #seen = new Map<string, { readonly holder: string; readonly beat: number; readonly since: number }>();
  readonly #tries = new Map<string, { readonly webhook: string; readonly outcome: string; count: number }>();
  #rest = new AbortController();
  #isOver = false;
  #looping: Promise<void> | undefined;
  #head = 0;

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
  }

  /** Tries of this process, by webhook and outcome. */
  get tries(): readonly { readonly webhook: string; readonly outcome: string; readonly count: number }[] {
    return [...this.#tries.values()];
  }

  /** Looks from now on. */
  start(): void {
    this.#looping = this.#loop();
  }

  /** A webhook was made or changed by this process. */
  readonly poke = (): void => this.#rest.abort();

  /** Ends when what is on its way has arrived, so that another process goes on at once. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.poke();
    await this.#looping;
    await Promise.all(this.#running.values());
    const { unit } = this.#parts.ground;
    // Who cannot be told now finds out by itself.
    for (const id of this.#held.keys()) await releaseWebhook(unit.direct, id, this.#name).catch(() => {});
    this.#held.clear();
  }

  async #loop(): Promise<void> {
    const { ground, lookEveryMs = usualLookEveryMs } = this.#parts;
    const { watch } = ground;
    while (!this.#isOver) {
      this.#rest = new AbortController();
      const { signal } = this.#rest;
      let isAny = false;
      try {
        isAny = (await this.#begin()) > 0;
      } catch (error) {
        this.#parts.logger.debug({ err: error }, 'failed to read webhooks');
      }
      if (this.#isOver) return;
      if (isAny && !watch.isOver) await watch.wait(this.#head, lookEveryMs, signal);
      else await delay(idleLookEveryMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Begins to send what is due, of each webhook by itself: a slow receiver holds up no other. @returns how many there are */
  async #begin(): Promise<number> {
    const { unit, dialect } = this.#parts.ground;
    // How far these are is not in the rows that are read now, even where they end meanwhile.
    const busy = new Set(this.#running.keys());
    const rows = await readWebhooks(unit.direct);
    const known = new Set(rows.map(({ id }) => id));
    for (const map of [this.#held, this.#seen]) for (const id of map.keys()) if (!known.has(id)) map.delete(id);
    if (rows.length === 0) return 0;
    const { head } = await readState(unit.direct, dialect);
    this.#head = head;
    for (const row of rows) {
      if (this.#isOver || row.state !== 'active' || busy.has(row.id)) continue;
      const mine = await this.#mine(row);
      if (mine === undefined || !this.#isAnyDue(mine, head)) continue;
      const run = this.#run(mine)
        .catch((error: unknown) => this.#parts.logger.debug({ err: error, webhook: row.id }, 'webhook waits'))
        .finally(() => this.#running.delete(row.id));
      this.#running.set(row.id, run);
    }
    return rows.length;
  }

  /** Takes a webhook, or keeps it. @returns it with its lease and how far it is; undefined where another process has it */
  async #mine(row: KeptWebhook): Promise<KeptWebhook | undefined> {
    const { id, holder, beat, revision } = row;
    const now = this.#parts.sender.now();
    const held = this.#held.get(id);
    if (held !== undefined && holder === this.#name && held.revision === revision)
      return { ...row, position: Math.max(row.position, held.position) };
    this.#held.delete(id);
    if (holder !== '' && holder !== this.#name) {
      const seen = this.#seen.get(id);
      if (seen?.holder !== holder || seen.beat !== beat) this.#seen.set(id, { holder, beat, since: now });
      if (now - (this.#seen.get(id)?.since ?? now) < leaseMs) return undefined;
    }
    if (!(await takeWebhook(this.#parts.ground.unit.direct, row, this.#name))) return undefined;
    this.#seen.delete(id);
    this.#held.set(id, { revision, position: row.position, renewedAt: now });
    return { ...row, holder: this.#name };
  }

  /** Whether something is to be done: entries wait, or it is to be said that its sender is alive. */
  #isAnyDue({ id, dueAt, position, standsAt }: KeptWebhook, head: number): boolean {
    const now = this.#parts.sender.now();
    if (now - (this.#held.get(id)?.renewedAt ?? 0) >= renewMs) return true;
    return now >= dueAt && (standsAt !== null || position !== head);
  }

  async #run(webhook: KeptWebhook): Promise<void> {
    const { ground, readerOf, sender, lookEveryMs = usualLookEveryMs } = this.#parts;
    const { wish, log } = webhook;
    let at: KeptWebhook | undefined = webhook;
    while (!this.#isOver && at !== undefined) {
      // Another process knows what the groups are called by now.
      if ((await renamedSince(ground)) !== undefined) return;
      const reader = await readerOf(at);
      if (reader === undefined) return void (await this.#end(at, 'stopped'));
      const { name, first, head } = await stateFor(ground, at);
      if (name !== log || at.position < first - 1 || at.position > head) return void (await this.#end(at, 'lost'));
      if (reader === 'paused' || sender.now() < at.dueAt) return void (await this.#renew(at));
      const following = {
        groups: wish.groups?.flatMap((group) => ground.names.registry.resources.get(group) ?? []),
        ...{ operations: wish.operations, causes: wish.causes, limit: entriesAtOnce },
      };
      const page = await readOn(ground, following, { position: at.position, reader });
      const judgedAt = performance.now();
      // What was judged long ago is judged again: by now its reader may see less.
      const isFresh = (): boolean => performance.now() - judgedAt < lookEveryMs;
      let sent = 0;
      for (; sent < page.entries.length && (sent === 0 || isFresh()); sent += 1) {
        at = await this.#deliver(at, page.entries[sent] ?? unreachable('a page ends'));
        if (at === undefined || this.#isOver) return;
      }
      if (sent < page.entries.length) continue;
      at = { ...at, position: page.position };
      const held = this.#held.get(at.id);
      if (held !== undefined) held.position = page.position;
      if (!page.hasMore) return void (await this.#renew(at));
    }
  }

  /** Says that who holds it is alive, and how far it is, where that was not said for a while. */
  async #renew(at: KeptWebhook): Promise<void> {
    const now = this.#parts.sender.now();
    const held = this.#held.get(at.id);
    if (held !== undefined && now - held.renewedAt >= renewMs) await this.#note(at, { position: at.position });
  }

  /** @returns the webhook behind an entry that was taken, or put aside; undefined where it is to wait */
  async #deliver(at: KeptWebhook, shown: ShownEntry): Promise<KeptWebhook | undefined> {
    const { sender, ground } = this.#parts;
    const position = shown.entry.position ?? 0;
    const attempt = at.standsAt === position ? at.attempts + 1 : 1;
    const message = messageOf(at.id, shown);
    const { told, retryAfter } = await sender.send(at, message, { position: String(position), attempt });
    this.#count(at.id, told.outcome);
    const now = sender.now();
    const since = attempt === 1 ? now : at.failingSince;
    const behind = { position, ...atEase };
    let stand: Partial<WebhookStand> = behind;
    let isParked = false;
    if (told.outcome !== 'taken') {
      const isPassed = at.wish.onFailure === 'pass';
      const next = nextTry(sender.pauses, { attempts: attempt, since, now, retryAfter });
      const isLast = next === undefined || (isPassed && attempt >= triesBeforeParking);
      const standing = { standsAt: position, attempts: attempt, failingSince: since, dueAt: next ?? 0 };
      isParked = isLast && isPassed && told.status !== gone;
      if (!isParked) stand = isLast || told.status === gone ? { ...standing, state: 'failing' } : standing;
    }
    const tryCount = at.tryCount + 1;
    const parked = { position, parkedAt: new Date(now).toISOString(), message: message.body };
    const isNoted = await ground.unit.transact(async (session) => {
      if (!(await noteStand(session, at, { ...stand, tryCount }))) return false;
      await keepTry(session, { id: at.id, tryCount }, told);
      if (isParked) await park(session, at.id, parked);
      return true;
    });
    if (!isNoted) {
      this.#held.delete(at.id);
      return undefined;
    }
    this.#renewed(at.id, stand.position ?? at.position);
    if (stand.state !== undefined) this.#tell(at.id, stand.state);
    return stand.position === undefined ? undefined : { ...at, ...stand, tryCount };
  }

  async #end(at: KeptWebhook, state: WebhookState): Promise<void> {
    if (await this.#note(at, { state })) this.#tell(at.id, state);
  }

  async #note(at: KeptWebhook, stand: Partial<WebhookStand>): Promise<boolean> {
    const isNoted = await noteStand(this.#parts.ground.unit.direct, at, stand);
    if (isNoted) this.#renewed(at.id, stand.position ?? at.position);
    else this.#held.delete(at.id);
    return isNoted;
  }

  #renewed(id: string, position: number): void {
    const held = this.#held.get(id);
    if (held !== undefined) Object.assign(held, { position, renewedAt: this.#parts.sender.now() });
  }

  #count(webhook: string, outcome: string): void {
    const word = `${webhook} ${outcome}`;
    const tally = this.#tries.get(word) ?? { webhook, outcome, count: 0 };
    tally.count += 1;
    this.#tries.set(word, tally);
  }

  #tell(webhook: string, state: WebhookState): void {
    this.#parts.logger.warn({ webhook, state }, 'webhook stopped until resumed');
  }
}
