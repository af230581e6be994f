// Webhooks of a service: what is sent to whom, and what answers who makes and changes them.

import type { Logger } from 'pino';
import { checkMay } from '../../access/limits.ts';
import type { LogRequest } from '../../http/request/service.ts';
import { cursorOf, readCursor } from '../../past/cursor.ts';
import { beginFeed, entriesAt } from '../../past/feed.ts';
import type { LogGround } from '../../past/page.ts';
import { fieldFault, unknownField } from '../../problems/field-fault.ts';
import { Problem, problems } from '../../problems.ts';
import type { Caller, Outcome } from '../../request/intent.ts';
import { logTable } from '../../storage/log/tables.ts';
import {
  atEase,
  changeWebhook,
  deleteWebhook,
  insertWebhook,
  type KeptWebhook,
  type ParkedMessage,
  readParked,
  readTries,
  readWebhook,
  readWebhooks,
  unpark,
  type WebhookStand,
  type WebhookTry,
  type WebhookWish,
} from '../../storage/log/webhooks.ts';
import type { Session } from '../../storage/schema/session.ts';
import { isUuid } from '../../values/format.ts';
import { newId } from '../../values/id.ts';
import { Deliveries, type ReaderOfWebhook } from '../../webhooks/deliveries.ts';
import { messageId, messageOf } from '../../webhooks/message.ts';
import { Sender, type WebhookOptions } from '../../webhooks/sender.ts';
import { newSecret } from '../../webhooks/signature.ts';
import { readNewWebhook, readWebhookChange } from '../../webhooks/wish.ts';
import type { CallerRights } from '../access/rights-of-callers.ts';
import type { Workspace } from '../workspace.ts';
import { type Answers, ok } from './answers.ts';
import { everythingReader, readerOf } from './reader.ts';
import { type Asked, writeWebhook } from './webhook-writes.ts';

const mostWebhooks = 50;
/** How long a secret signs beside a newer one. */
const oldSecretMs = 24 * 60 * 60 * 1000;
/** Messages that one request sends again. */
const resentAtOnce = 20;

interface WebhooksParts {
  readonly workspace: Workspace;
  readonly ground: LogGround;
  readonly rights: CallerRights;
  readonly options: WebhookOptions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Webhooks that are sent, and the paths below which they are made. */
export interface Webhooks {
  readonly deliveries: Deliveries;
  route(segments: readonly string[]): Answers | undefined;
}

export function webhooksOf({ workspace, ground, rights, options, now, logger }: WebhooksParts): Webhooks {
  const { tokens, unit } = workspace;
  const sender = new Sender(options, now);
  const callerOf = async ({ tokenId, memberId }: { tokenId: string; memberId: string | null }) => {
    let caller = tokens.callerOf(tokenId, now());
    if (caller === undefined) {
      // Another process may have made it a moment ago.
      await tokens.refresh(unit);
      caller = tokens.callerOf(tokenId, now());
    }
    if (caller === undefined) return undefined;
    const own = await rights.of(caller);
    return memberId === null ? own : rights.acting(own, memberId);
  };
  const readerNow: ReaderOfWebhook = async ({ tokenId, memberId }) => {
    if (tokenId === null) return everythingReader;
    const caller = await callerOf({ tokenId, memberId });
    if (caller?.rights?.may('webhooks') === false) return 'paused';
    return caller && readerOf(workspace, ground, caller);
  };
  const deliveries = new Deliveries({
    ...{ ground, sender, logger, lookEveryMs: options.lookEveryMs },
    readerOf: readerNow,
  });
  const answers = new WebhookAnswers({ workspace, ground, sender, deliveries, readerNow });
  return { deliveries, route: (segments) => answers.route(segments) };
}

interface AnswerParts {
  readonly workspace: Pick<Workspace, 'registry' | 'unit' | 'tokens' | 'once'>;
  readonly ground: LogGround;
  readonly sender: Sender;
  readonly deliveries: Deliveries;
  readonly readerNow: ReaderOfWebhook;
}

class WebhookAnswers {
  readonly #parts: AnswerParts;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
  }

  route([id, what, place, ...others]: readonly string[]): Answers | undefined {
    if (others.length > 0 || (place !== undefined && what !== 'parked')) return undefined;
    if (id === undefined)
      return this.#checked({ GET: (request) => this.#list(request), POST: (request) => this.#create(request) });
    const of =
      (answer: (webhook: KeptWebhook, request: LogRequest) => Promise<Outcome>) => async (request: LogRequest) =>
        answer(await this.#own(id, request.caller), request);
    switch (what) {
      case undefined:
        return this.#checked({
          GET: of(async (webhook) => ok(JSON.stringify(shown(webhook)))),
          PATCH: of((webhook, request) => this.#change(webhook, request)),
          DELETE: of((webhook, request) => this.#remove(webhook, request)),
        });
      case 'secret':
        return this.#checked({ POST: of((webhook, request) => this.#renewSecret(webhook, request)) });
      case 'test':
        return this.#checked({ POST: of((webhook, request) => this.#test(webhook, request)) });
      case 'replay':
        return this.#checked({ POST: of((webhook, request) => this.#replay(webhook, request)) });
      case 'skip':
        return this.#checked({ POST: of((webhook, request) => this.#skip(webhook, request)) });
      case 'tries':
        return this.#checked({ GET: of((webhook) => this.#tries(webhook)) });
      case 'parked':
        return this.#checked({
          ...(place === undefined && { GET: of((webhook) => this.#parked(webhook)) }),
          POST: of((webhook, request) => this.#resend(webhook, { request, place })),
        });
      default:
        return undefined;
    }
  }

  /** All of them need the same right, and take no parameters. */
  #checked(answers: Answers): Answers {
    return Object.fromEntries(
      Object.entries(answers).map(([method, answer]) => [
        method,
        async (request) => {
          checkMay(request.caller, 'webhooks');
          const [name = ''] = request.query.split(/[=&]/);
          if (name !== '') throw problems.parameterUnknown(name);
          return answer(request);
        },
      ]),
    );
  }

  /** A caller whose rights are cut sees what its own token has made: what others see is sent where theirs goes. */
  async #own(id: string, caller: Caller): Promise<KeptWebhook> {
    if (!isUuid(id)) throw problems.uuidMalformed('id');
    const webhook = await readWebhook(this.#parts.ground.unit.direct, id.toLowerCase());
    if (webhook === undefined || !isOwn(webhook, caller)) throw problems.recordUnknown(id);
    return webhook;
  }

  async #list({ caller }: LogRequest) {
    const all = await readWebhooks(this.#parts.ground.unit.direct);
    return ok(JSON.stringify({ results: all.filter((each) => isOwn(each, caller)).map(shown) }));
  }

  async #create(request: LogRequest): Promise<Outcome> {
    const { caller } = request;
    // A session ends within hours.
    if (caller.sessionMemberId !== undefined) throw problems.mayNot('webhooks');
    const { workspace, sender, ground } = this.#parts;
    const sent = await request.readBody();
    const wish = readNewWebhook(sent.json, { registry: workspace.registry, hosts: sender.hosts });
    const { tokenId, memberId } = caller;
    const isActing = workspace.tokens.callerOf(tokenId, sender.now())?.memberId !== memberId;
    const made = { wish, tokenId, memberId: isActing ? memberId : null, now: sender.now() };
    const { position, state } = await beginFeed(ground, { after: 'now' });
    return this.#write({ request, sent }, async (session) =>
      JSON.stringify(await makeWebhook(session, ground, { ...made, position, log: state.name })),
    );
  }

  async #change(webhook: KeptWebhook, request: LogRequest): Promise<Outcome> {
    const { workspace, sender } = this.#parts;
    const sent = await request.readBody();
    const { state, ...said } = readWebhookChange(sent.json, { registry: workspace.registry, hosts: sender.hosts });
    if (state !== undefined) checkGoesOn(webhook, state);
    const wish: WebhookWish = { ...webhook.wish, ...said };
    // What was put right is tried at once, and may fail as long as before.
    const stand = { ...(state !== undefined && { state }), ...(state === 'active' ? atEase : { dueAt: 0 }) };
    return this.#changed(webhook, { request, sent }, { wish, ...stand });
  }

  #remove({ id }: KeptWebhook, request: LogRequest): Promise<Outcome> {
    return this.#write({ request }, async (session) => void (await deleteWebhook(session, id)));
  }

  #renewSecret({ id, secrets }: KeptWebhook, request: LogRequest): Promise<Outcome> {
    const secret = newSecret();
    const until = this.#parts.sender.now() + oldSecretMs;
    const both = [{ secret }, ...secrets.slice(0, 1).map((last) => ({ ...last, until }))];
    return this.#write({ request }, async (session) => {
      await changeWebhook(session, id, { secrets: both });
      return JSON.stringify({ id, secret });
    });
  }

  async #test(webhook: KeptWebhook, request: LogRequest): Promise<Outcome> {
    refuseTrial(request);
    const { sender } = this.#parts;
    const timestamp = new Date(sender.now()).toISOString();
    const body = JSON.stringify({ type: 'praxis.test', timestamp, data: {} });
    const { told } = await sender.send(
      webhook,
      { id: `${webhook.id}_test_${newId()}`, body },
      { position: null, attempt: 1 },
    );
    return ok(JSON.stringify(told));
  }

  async #replay(webhook: KeptWebhook, request: LogRequest): Promise<Outcome> {
    if (webhook.state === 'stopped') throw problems.webhookStopped();
    const sent = await request.readBody();
    const { after, ...others } = sent.json;
    const faults = Object.keys(others).map((name) => unknownField(name));
    if (after === undefined) faults.push(fieldFault('after', 'is required', 'required'));
    const cursor = after === undefined ? undefined : cursorIn(after);
    if (after !== undefined && cursor === undefined)
      faults.push(fieldFault('after', 'must be a cursor of this log', 'invalid-value'));
    if (faults.length > 0 || cursor === undefined) throw problems.bodyInvalid(faults);
    const { position, state } = await beginFeed(this.#parts.ground, { after: cursor });
    const next = webhook.state === 'paused' ? 'paused' : 'active';
    return this.#changed(webhook, { request, sent }, { ...atEase, state: next, log: state.name, position });
  }

  async #skip(webhook: KeptWebhook, request: LogRequest): Promise<Outcome> {
    const { standsAt, state } = webhook;
    if (standsAt === null) throw problems.nothingInTheWay();
    if (state !== 'paused') checkGoesOn(webhook, 'active');
    const next = state === 'failing' ? { state: 'active' as const } : {};
    return this.#changed(webhook, { request }, { ...atEase, position: standsAt, ...next });
  }

  async #tries({ id }: KeptWebhook): Promise<Outcome> {
    return ok(`{"results":[${(await readTries(this.#parts.ground.unit.direct, id)).join(',')}]}`);
  }

  async #parked(webhook: KeptWebhook): Promise<Outcome> {
    const found = await this.#readParked(webhook, { limit: 1000 });
    const results = found.map(({ position, parkedAt, message }) => {
      const at = JSON.stringify({ position: String(position), parkedAt });
      return `${at.slice(0, -1)},"message":${message}}`;
    });
    return ok(`{"results":[${results.join(',')}]}`);
  }

  /** What was put aside, as the webhook's reader sees it by now: what is hidden since then is left out. */
  async #readParked(webhook: KeptWebhook, wanted: Parameters<typeof readParked>[2]): Promise<readonly ParkedMessage[]> {
    const { ground, readerNow } = this.#parts;
    const found = await readParked(ground.unit.direct, webhook.id, wanted);
    const reader = await readerNow(webhook);
    if (reader === everythingReader) return found;
    if (reader === 'paused' || reader === undefined) return [];
    const seen: ParkedMessage[] = [];
    for (const parked of found) {
      const [now] = await entriesAt(ground, parked.position, reader);
      if (now !== undefined) seen.push({ ...parked, message: messageOf(webhook.id, now).body });
    }
    return seen;
  }

  /** Sends what was put aside, one after the other; what is taken is no longer there. */
  async #resend(
    webhook: KeptWebhook,
    { request, place }: { readonly request: LogRequest; readonly place: string | undefined },
  ): Promise<Outcome> {
    refuseTrial(request);
    const position = place === undefined ? undefined : /^[1-9]\d{0,14}$/.test(place) ? Number(place) : -1;
    const found = await this.#readParked(webhook, { position, limit: resentAtOnce + 1 });
    if (position !== undefined && found.length === 0) throw problems.recordUnknown(place ?? '');
    const results: WebhookTry[] = [];
    for (const parked of found.slice(0, resentAtOnce)) {
      const told = await this.#sendParked(webhook, parked);
      results.push(told);
      // Who does not answer now does not answer the next one either.
      if (told.outcome === 'failed') break;
    }
    return ok(JSON.stringify({ results, hasMore: results.length < found.length }));
  }

  async #sendParked(webhook: KeptWebhook, { position, message }: ParkedMessage): Promise<WebhookTry> {
    const { sender, ground } = this.#parts;
    const id = messageId(webhook.id, position);
    const { told } = await sender.send(webhook, { id, body: message }, { position: String(position), attempt: 1 });
    if (told.outcome === 'taken') await unpark(ground.unit.direct, webhook.id, position);
    return told;
  }

  #changed({ id }: KeptWebhook, asked: Asked, change: Parameters<typeof changeWebhook>[2]): Promise<Outcome> {
    return this.#write(asked, async (session) => {
      await changeWebhook(session, id, change);
      const now = await readWebhook(session, id);
      if (now === undefined) throw problems.recordUnknown(id);
      return JSON.stringify(shown(now));
    });
  }

  #write(asked: Asked, write: Parameters<typeof writeWebhook>[2]): Promise<Outcome> {
    const { workspace, deliveries } = this.#parts;
    return writeWebhook({ unit: workspace.unit, once: workspace.once, changed: deliveries.poke }, asked, write);
  }
}

/** What is sent cannot be taken back. @throws Problem 400 */
function refuseTrial({ options }: LogRequest): void {
  if (options.isTrial === true) throw problems.headerInvalid('Prefer', 'without tx=rollback where a message is sent');
}

const isOwn = ({ tokenId }: KeptWebhook, caller: Caller): boolean =>
  caller.rights === undefined || caller.tokenId === tokenId;

/** @throws Problem 409 */
function checkGoesOn({ state }: KeptWebhook, next: 'active' | 'paused'): void {
  if (next !== 'active') return;
  if (state === 'stopped') throw problems.webhookStopped();
  if (state === 'lost') throw problems.webhookLost();
}

/** Undefined for what has not the form of one. */
function cursorIn(value: unknown) {
  try {
    return readCursor('after', String(value));
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

interface NewWish extends Pick<KeptWebhook, 'wish' | 'tokenId' | 'memberId' | 'position' | 'log'> {
  readonly now: number;
}

/** Makes a webhook that begins behind a position; its secret is shown this once. @throws Problem 409 where there are too many */
export async function makeWebhook(
  session: Session,
  { dialect }: Pick<LogGround, 'dialect'>,
  { now, ...made }: NewWish,
): Promise<ShownWebhook & { readonly secret: string }> {
  const secret = newSecret();
  const webhook = { ...made, id: newId(), createdAt: new Date(now).toISOString(), secrets: [{ secret }] };
  // One at a time, so that nobody makes one too many.
  await session.all(`select head from ${logTable} where id = 1 ${dialect.forUpdate}`, []);
  if ((await readWebhooks(session)).length >= mostWebhooks) throw problems.webhooksExceeded(mostWebhooks);
  await insertWebhook(session, webhook);
  const { id, ...others } = shown({ ...webhook, ...atEase, state: 'active' });
  return { id, secret, ...others };
}

export type ShownWebhook = ReturnType<typeof shown>;

/** A webhook as callers see it: without its secrets. */
export function shown(webhook: Pick<KeptWebhook, 'id' | 'wish' | 'log' | 'createdAt'> & WebhookStand) {
  const { id, wish, state, log, position, createdAt, standsAt, attempts, failingSince, dueAt } = webhook;
  const { url, groups = null, operations = null, causes = null, onFailure } = wish;
  const moment = (ms: number): string => new Date(ms).toISOString();
  const waiting =
    standsAt === null
      ? null
      : {
          ...{ position: String(standsAt), tries: attempts, since: moment(failingSince) },
          nextAt: state === 'active' && dueAt > 0 ? moment(dueAt) : null,
        };
  return {
    ...{ id, url, groups, operations, causes, onFailure, state },
    ...{ cursor: cursorOf({ name: log }, position), waiting, createdAt },
  };
}
