// Request bodies: media type, size limit, reading, and discarding what was not read.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExchangeBytes } from '../../admission/bytes-in-flight.ts';
import { ClientDisconnected } from '../../admission/deadline.ts';
import { yieldIfDue } from '../../admission/event-loop.ts';
import { pointerStep } from '../../problems/field-fault.ts';
import { Problem, problems } from '../../problems.ts';
import { JsonFault, pathText, RefusedJson } from '../../values/json/refused-json.ts';
import { type JsonObject, type JsonValue, readJson, readJsonInSteps } from '../../values/json.ts';
import { type JsonLimits, JsonTooLarge } from '../../values/json-limits.ts';

/** How long a caller whose body is refused may go on sending before we hang up. */
const patienceMs = 1000;

/** Requests whose body the parser gave up on, with the reason. */
const broken = new WeakMap<IncomingMessage, Problem>();

/** Tells whoever reads the body, now or later, that its rest will not come (bad chunk, time out). */
export function breakBody(req: IncomingMessage, problem: Problem): void {
  broken.set(req, problem);
  req.emit('broken', problem);
}

/** Limits of a JSON body. Names and values bound its memory, members and parts the time between two pauses. */
const jsonLimits = { names: 20_000, members: 1000, values: 250_000, part: 1_048_576 } as const;

/** Longer bodies are read in steps, so that other requests are answered meanwhile. */
const maxBytesAtOnce = 64 * 1024;

/** Limits of one kind of request. */
export interface BodyLimits {
  readonly bytes: number;
  /** Names of fields that hold free JSON. */
  readonly freeNames?: JsonLimits['freeNames'] | undefined;
  /** Counts the bytes that are in memory. */
  readonly counter?: Pick<ExchangeBytes, 'hold'> | undefined;
}

/** A body: what it says, and its bytes. */
export interface RequestBody {
  readonly json: JsonObject;
  readonly bytes: Uint8Array;
}

/**
 * Reads one JSON object. Asks a caller who waits for `100 Continue` to go on, and only then.
 * @throws Problem 415, 413 at once; 413, 400, 408 and ClientDisconnected as rejections.
 */
export function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  { bytes: limitBytes, freeNames = new Set(), counter }: BodyLimits,
): Promise<RequestBody> {
  const type = req.headers['content-type'];
  const encoding = req.headers['content-encoding'];
  if ((type !== 'application/json' && !isJson(type)) || (encoding !== undefined && !isIdentity(encoding))) {
    throw problems.mediaTypeUnsupported();
  }
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw problems.bodyTooLarge();
  if (req.headers.expect !== undefined && req.httpVersionMinor > 0) res.writeContinue();
  const limits = { ...jsonLimits, freeNames };
  return collect(req, limitBytes, counter).then((bytes) => {
    if (bytes.length > maxBytesAtOnce) return parseInSteps(bytes, limits).then((json) => toBody(json, bytes));
    return toBody(parse(bytes, limits), bytes);
  });
}

function toBody(json: JsonValue, bytes: Buffer): RequestBody {
  if (!isObject(json)) throw problems.bodyNotAnObject();
  return { json, bytes };
}

function parse(bytes: Buffer, limits: JsonLimits): JsonValue {
  try {
    return readJson(bytes, limits);
  } catch (error) {
    throw toProblem(error);
  }
}

async function parseInSteps(bytes: Buffer, limits: JsonLimits): Promise<JsonValue> {
  try {
    const steps = readJsonInSteps(bytes, limits);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      await yieldIfDue();
    }
  } catch (error) {
    throw toProblem(error);
  }
}

function toProblem(error: unknown): unknown {
  if (error instanceof RefusedJson) return refusedProblem(error);
  if (error instanceof JsonFault) return problems.bodyMalformed();
  return error instanceof JsonTooLarge ? problems.bodyTooLarge(error.message) : error;
}

/** Returns the problem of a refused value; a body that is not an object has no field to name. */
function refusedProblem({ path, reason }: RefusedJson): Problem {
  if (typeof path[0] !== 'string') return problems.bodyNotAnObject();
  const text = `'${pathText(path)}' ${reason}`;
  return problems.bodyInvalid([{ text, code: 'invalid-value', pointer: path.map(pointerStep).join('') }]);
}

/** Objects of our reader have no prototype; arrays and wide numbers do. */
const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;

/** `application/json`; of its parameters only a charset has a meaning, and only UTF-8 is read (RFC 8259 section 8.1). */
function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  return type.trim() === 'application/json' && parameters.every(isHarmless);
}

function isHarmless(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=');
  return name.trim() !== 'charset' || /^\s*(?:utf-8|"utf-8")\s*$/.test(value);
}

/** We never unpack: a kilobyte of gzip can hold a gigabyte. */
const isIdentity = (encoding: string | undefined): boolean =>
  encoding === undefined || encoding.toLowerCase() === 'identity';

/** Factor by which a block of unknown length grows. */
const growth = 4;

/**
 * The bytes of a body in one block. Chunks that stay in memory until the end leave it in pieces, and the system gets nothing back.
 */
class GrowingBuffer {
  readonly #expectedBytes: number;
  #block: Buffer = Buffer.alloc(0);
  #size = 0;

  /** @param expectedBytes Length as the caller declares it; 0 if it is unknown */
  constructor(expectedBytes: number) {
    this.#expectedBytes = expectedBytes;
  }

  append(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > this.#block.length) {
      // Not the declared length at once: a caller that sends little of it must not take the memory.
      const grown = Math.max(size, this.#block.length * growth);
      const block = Buffer.allocUnsafeSlow(Math.max(size, Math.min(grown, this.#expectedBytes || grown)));
      this.#block.copy(block, 0, 0, this.#size);
      this.#block = block;
    }
    chunk.copy(this.#block, this.#size);
    this.#size = size;
  }

  bytes(): Buffer {
    return this.#block.subarray(0, this.#size);
  }
}

/** A body is in memory as bytes and as values. */
const bodyCopies = 2;

function findHoldProblem(counter: BodyLimits['counter'], size: number): Problem | undefined {
  try {
    counter?.hold('body', size * bodyCopies);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Event listeners rather than `for await`, which destroys the socket when left early, answer and all. */
function collect(req: IncomingMessage, limitBytes: number, counter: BodyLimits['counter']): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fault = broken.get(req) ?? (req.destroyed ? new ClientDisconnected() : undefined);
    if (fault !== undefined) return reject(fault);
    const body = new GrowingBuffer(Math.min(Number(req.headers['content-length'] ?? 0), limitBytes));
    let size = 0;
    const stop = (): void => {
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('broken', onBroken);
    };
    const onBroken = (problem: Error): void => {
      stop();
      req.pause();
      reject(problem);
    };
    const onClose = (): void => onBroken(new ClientDisconnected());
    const onEnd = (): void => {
      stop();
      resolve(body.bytes());
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      const problem = size > limitBytes ? problems.bodyTooLarge() : findHoldProblem(counter, size);
      if (problem === undefined) body.append(chunk);
      else onBroken(problem);
    };
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('broken', onBroken);
  });
}

/**
 * The bytes of a body that is no JSON, as they come. Asks a caller who waits for `100 Continue` to go on, and only then.
 * @throws Problem 415 for packed ones, 413, 408; ClientDisconnected
 */
export async function* bodyParts(
  req: IncomingMessage,
  res: ServerResponse,
  limitBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!isIdentity(req.headers['content-encoding'])) throw problems.fileTypeWrong('packed ones', undefined);
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw problems.bodyTooLarge();
  const fault = broken.get(req) ?? (req.destroyed ? new ClientDisconnected() : undefined);
  if (fault !== undefined) throw fault;
  if (req.headers.expect !== undefined && req.httpVersionMinor > 0) res.writeContinue();
  let refuseNext: (problem: Problem) => void = () => {};
  const onBroken = (problem: Problem): void => refuseNext(problem);
  req.once('broken', onBroken);
  // Left early, it must not take the connection with it, on which the answer goes.
  const parts: AsyncIterator<Uint8Array> = req.iterator({ destroyOnReturn: false });
  // Not a race with one promise for all parts: that promise would keep every part in memory.
  const readNext = (): Promise<IteratorResult<Uint8Array>> =>
    new Promise((resolve, reject) => {
      const problem = broken.get(req);
      if (problem !== undefined) return reject(problem);
      refuseNext = reject;
      parts.next().then(resolve, reject);
    });
  let size = 0;
  try {
    for (;;) {
      const next = await readNext();
      if (next.done === true) return;
      size += next.value.length;
      if (size > limitBytes) throw problems.bodyTooLarge();
      yield next.value;
    }
  } catch (error) {
    throw error instanceof Problem || !req.destroyed ? error : new ClientDisconnected();
  } finally {
    req.off('broken', onBroken);
    if (!req.readableEnded) await parts.return?.();
  }
}

/**
 * Whether the connection cannot serve another request, because what is left of this one's body is broken, of unknown
 * length, over the limit, or was never asked for (RFC 9110 section 10.1.1). A short rest is skipped by Node.
 */
export function leavesBody(req: IncomingMessage, limitBytes: number): boolean {
  const length = req.headers['content-length'];
  if (length === undefined && req.headers['transfer-encoding'] === undefined) return false;
  if (req.complete) return false;
  return length === undefined || Number(length) > limitBytes || req.headers.expect !== undefined || broken.has(req);
}

/**
 * Throws away what still comes, at most `limitBytes` and one second of it. Closing while bytes are on their way makes
 * the kernel reset the connection, and a reset can take the answer with it before the caller has read it.
 */
export function discardBody(req: IncomingMessage, limitBytes: number): Promise<void> {
  return new Promise((resolve) => {
    if (req.readableEnded || req.destroyed || broken.has(req)) return resolve();
    let size = 0;
    const stop = (): void => {
      clearTimeout(timer);
      req.off('data', onData).off('end', stop).off('close', stop).off('broken', stop);
      req.pause();
      resolve();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limitBytes) stop();
    };
    const timer = setTimeout(stop, patienceMs);
    req.on('data', onData).on('end', stop).on('close', stop).on('broken', stop).resume();
  });
}
