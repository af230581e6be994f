// Requests without end, from the document and from what answers show: all operations in rounds, most requests sensible,
// the others with a slip or two. The same seed and the same answers give the same requests.
import { Random } from '../../../src/demo/plan/random.ts';
import { batchOf, type Part, resultsIn } from './batches.ts';
import { Bodies } from './bodies.ts';
import type { Answer } from './connection.ts';
import { type Document, type Json, nodeOf, type Operation } from './document.ts';
import type { Draft, Slip, Tools } from './draft.ts';
import { Harvest, recordsIn } from './harvest.ts';
import { DeclaredHeaders, sensibleQuery } from './queries.ts';
import { repair } from './repair.ts';
import type { Request } from './request.ts';
import { addressSlips } from './slips-of-addresses.ts';
import { byteSlips, dearSlips } from './slips-of-bytes.ts';
import { headerSlips } from './slips-of-headers.ts';
import { valueSlips, writeBody } from './slips-of-values.ts';
import { Values } from './values.ts';

interface GeneratorOptions {
  readonly document: Document;
  readonly seed: number;
  readonly token: string;
}

/** Of all requests, those with a slip. */
const shareWithSlips = 0.4;
/** A record that is one for all is put back so many requests after a change. */
const putBackAfter = 4;
/** A batch stands for all operations, and what explains values for all groups. */
const timesARound: Partial<Record<Operation['kind'], number>> = { batch: 10, explain: 10 };
/** Of the writes that were done, those whose record is read behind them. */
const shareReadBack = 0.15;
/** How often a refused body is mended and sent again. */
const mostRepairs = 4;

type Address = Pick<Draft, 'id' | 'path'>;

export class Generator {
  readonly #document: Document;
  readonly #random: Random;
  readonly #harvest: Harvest;
  readonly #bodies: Bodies;
  readonly #headers: DeclaredHeaders;
  readonly #tools: Tools;
  /** What is left of the round. */
  readonly #round: Operation[] = [];
  /** Records without an id, as they were first shown. */
  readonly #single = new Map<string, Json>();
  /** What the last answer has asked for. */
  #repaired: Request | undefined;
  /** The record that the last write has answered with. */
  #readBack: Request | undefined;
  #repairs = 0;
  /** The last request, where it can be sent again by its key. */
  #keyed: Request | undefined;
  readonly #putBack: { readonly operation: Operation; after: number }[] = [];

  constructor({ document, seed, token }: GeneratorOptions) {
    this.#document = document;
    this.#random = new Random(seed);
    this.#harvest = new Harvest(this.#random);
    const values = new Values(document, this.#random, this.#harvest);
    const { random, harvest } = { random: this.#random, harvest: this.#harvest };
    this.#bodies = new Bodies({ document, random, harvest, values });
    this.#headers = new DeclaredHeaders(document);
    this.#tools = { document, random, harvest, values, token };
  }

  /** Reads what is there: a page of each list, and each record that is one for all. */
  opening(): Request[] {
    return this.#document.operations
      .filter(({ kind, hasId }) => (kind === 'list' || kind === 'get') && !hasId)
      .map((operation) =>
        this.#finish({ ...this.#draft(operation), query: operation.kind === 'list' ? ['limit=100'] : [] }, []),
      );
  }

  next(): Request {
    const readBack = this.#readBack;
    if (readBack !== undefined) {
      this.#readBack = undefined;
      return readBack;
    }
    const repaired = this.#repaired;
    if (repaired !== undefined) {
      this.#repaired = undefined;
      return repaired;
    }
    this.#repairs = 0;
    const keyed = this.#keyed;
    this.#keyed = undefined;
    if (keyed !== undefined && this.#random.chance(0.3)) return keyed;
    const back = this.#due();
    if (back !== undefined) return back;
    const draft = this.#draft(this.#nextOperation());
    draft.query.push(...sensibleQuery(draft.operation, this.#tools));
    draft.headers.push(...this.#headers.of(draft.operation, draft.id, this.#tools));
    const slips: string[] = [];
    if (draft.operation.kind === 'batch') this.#fill(draft, slips);
    else if (draft.operation.body !== undefined) draft.value = this.#bodies.of(draft.operation, draft.id);
    // The address says which record is meant.
    for (const name of draft.operation.keys.flat()) delete draft.value?.[name];
    const isOff = this.#random.chance(shareWithSlips);
    const families = isOff ? this.#families() : [];
    if (families.includes('value')) this.#slip(draft, valueSlips, slips);
    if (draft.value !== undefined) draft.body = Buffer.from(writeBody(draft.value));
    if (families.includes('bytes')) this.#slip(draft, this.#random.chance(0.005) ? dearSlips : byteSlips, slips);
    if (families.includes('address')) this.#slip(draft, addressSlips, slips);
    if (families.includes('headers')) this.#slip(draft, headerSlips, slips);
    const request = this.#finish(draft, slips);
    if (request.headers.some(([name]) => name.toLowerCase() === 'idempotency-key')) this.#keyed = request;
    return request;
  }

  /** Takes from an answer what later requests may name. */
  learn(request: Request, answer: Answer): void {
    const { operation, id, method, headers, slips, target } = request;
    this.#repair(request, answer);
    const isTrial = headers.some(([name, value]) => name.toLowerCase() === 'prefer' && value.includes('rollback'));
    const isOther = method !== operation.method || slips.some((slip) => slip === 'otherPath' || slip === 'absolute');
    if (isTrial || isOther || operation.kind === 'explain') return;
    if (operation.kind === 'batch') {
      if (slips.length === 0 && answer.status === 200) this.#learnParts(request, answer);
      return;
    }
    if (id !== undefined && (answer.status === 204 || answer.status === 404)) {
      this.#harvest.forget(operation.group, id);
      return;
    }
    if (answer.status !== 200 || answer.text === '') return;
    this.#lookAgain(operation, id, answer);
    const isMade = operation.kind === 'create';
    const body: unknown = JSON.parse(answer.text);
    for (const record of recordsIn(body)) this.#harvest.learn(operation.group, record, isMade);
    if (operation.kind === 'list' || target.includes('?')) return;
    const record = nodeOf(body);
    this.#headers.learn(String(record['id']), answer.headers['etag']);
    if (isMade)
      for (const [key, value] of Object.entries(request.sent ?? {}))
        if (typeof value === 'string' && key.endsWith('Id')) this.#harvest.accept(operation.group, key, value);
    if (operation.hasId || isMade) return;
    if (operation.kind === 'get' && !this.#single.has(operation.path)) this.#single.set(operation.path, record);
    if (operation.kind === 'update' && request.sent !== undefined)
      this.#putBack.push({ operation, after: putBackAfter });
  }

  /** What a write answers is what a get answers behind it. An answer that is told again may be out of date. */
  #lookAgain({ kind, path }: Operation, sent: string | undefined, { text, headers }: Answer): void {
    const isWrite = kind === 'create' || kind === 'update';
    // What was answered before may have changed since, and who wants no more is told the id alone.
    const isLess = headers['idempotent-replayed'] !== undefined || headers['preference-applied'] !== undefined;
    if (!isWrite || isLess || !this.#random.chance(shareReadBack)) return;
    const record = kind === 'create' ? `${path}/{id}` : path;
    const get = this.#document.operations.find((each) => each.kind === 'get' && each.path === record);
    if (get === undefined) return;
    const id = get.hasId ? (sent ?? String(nodeOf(JSON.parse(text))['id'])) : undefined;
    this.#readBack = { ...this.#finish(this.#draft(get, addressOf(get, id)), []), expected: text };
  }

  #learnParts(request: Request, { text, headers }: Answer): void {
    for (const [place, { status, text: part, etag }] of resultsIn(JSON.parse(text)).entries()) {
      const { operation, path, id, body } = request.parts[place] ?? {};
      if (operation === undefined || path === undefined) break;
      const asked = { ...request, operation, method: operation.method, target: path, id, sent: body, parts: [] };
      // What was refused within a batch is not sent again by itself.
      if (status < 300)
        this.learn(asked, { status, text: part, headers: etag === undefined ? headers : { ...headers, etag } });
    }
    // A later operation may have changed the record of an earlier one.
    this.#readBack = undefined;
  }

  /** Gives a batch its operations, each made like a request; some have a slip of their own. */
  #fill(draft: Draft, slips: string[]): void {
    const others = this.#document.operations.filter(({ kind }) => kind !== 'batch');
    const count = this.#random.pick([0, 1, 1, 2, 2, 3, 5, 10]);
    const share = this.#random.pick([0, 0, 0.3]);
    draft.parts = Array.from({ length: count }, (): Part => {
      const operation = this.#random.pick(others);
      const part = this.#draft(operation);
      part.query.push(...sensibleQuery(operation, this.#tools));
      if (operation.body !== undefined) part.value = this.#bodies.of(operation, part.id);
      const family = this.#random.chance(share) ? this.#random.pick([valueSlips, addressSlips]) : {};
      this.#slip(part, family, slips);
      const path = part.query.length === 0 ? part.path : `${part.path}?${part.query.join('&')}`;
      const { method, id, value } = part;
      return { operation, method, path, id, body: value, tag: this.#headers.tagOf(id) };
    });
    draft.value = batchOf(draft.parts, this.#random);
  }

  /** Bodies without a slip are to be taken in the end. */
  #repair({ operation, slips, sent, id }: Request, { status, text }: Answer): void {
    const { body: schema } = operation;
    const isWorthIt = slips.length === 0 && (status === 400 || status === 409) && this.#repairs < mostRepairs;
    if (!isWorthIt || operation.kind === 'batch' || sent === undefined || schema === undefined) return;
    const record = id === undefined ? undefined : this.#harvest.record(operation.group, id);
    if (!repair(this.#tools, { body: sent, schema, answer: nodeOf(JSON.parse(text)), record })) return;
    this.#repairs += 1;
    const draft = this.#draft(operation, addressOf(operation, id));
    this.#repaired = this.#finish({ ...draft, value: sent, body: Buffer.from(writeBody(sent)) }, []);
  }

  #nextOperation(): Operation {
    if (this.#round.length === 0) this.#round.push(...this.#shuffled());
    const next = this.#round.pop();
    if (next === undefined) throw new Error('the document has no operations');
    return next;
  }

  #shuffled(): Operation[] {
    const all = this.#document.operations.flatMap((each) => Array<Operation>(timesARound[each.kind] ?? 1).fill(each));
    for (let place = all.length - 1; place > 0; place -= 1) {
      const other = this.#random.between(0, place);
      const [one, two] = [all[place], all[other]];
      if (one !== undefined && two !== undefined) [all[place], all[other]] = [two, one];
    }
    return all;
  }

  /** Where the slips are; seldom in two places. */
  #families(): string[] {
    const family = (): string =>
      this.#random.pick(['value', 'value', 'value', 'bytes', 'address', 'address', 'headers']);
    return this.#random.chance(0.15) ? [family(), family()] : [family()];
  }

  #slip(draft: Draft, family: Readonly<Record<string, Slip>>, slips: string[]): void {
    const names = Object.keys(family);
    for (let tries = 0; tries < 5 && names.length > 0; tries += 1) {
      const name = this.#random.pick(names);
      if (family[name]?.(draft, this.#tools) !== true) continue;
      slips.push(name);
      return;
    }
  }

  #draft(operation: Operation, address = this.#addressFor(operation)): Draft {
    const { method, body } = operation;
    const headers: [string, string][] = [
      ['Host', '127.0.0.1'],
      ['Authorization', `Bearer ${this.#tools.token}`],
    ];
    if (body !== undefined) headers.push(['Content-Type', 'application/json']);
    return {
      ...{ operation, method, headers, ...address },
      ...{ origin: '', query: [], value: undefined, body: undefined, version: '1.1', isLast: false, parts: [] },
    };
  }

  #addressFor(operation: Operation): Address {
    const { kind, group, hasId } = operation;
    if (kind === 'explain') return this.#explained(operation);
    if (!hasId) return addressOf(operation, undefined);
    return addressOf(operation, kind === 'delete' ? this.#harvest.idToDelete(group) : this.#harvest.idOf(group));
  }

  /** A record of any group, and a field of it, of an object in it or of the items of a list. */
  #explained({ path, inPath }: Operation): Address {
    const paths = inPath.find(({ name }) => name === 'group')?.schema['enum'];
    const group = Array.isArray(paths) ? String(this.#random.pick(paths)) : '';
    const list = this.#document.operations.find((each) => each.kind === 'list' && each.path === `/${group}`);
    const record = this.#harvest.recordOf(list?.group ?? '');
    const id = typeof record?.['id'] === 'string' ? record['id'] : this.#harvest.idOf(list?.group ?? '');
    const field = this.#random.chance(0.05) ? 'nothing' : this.#random.pick(namesIn(record ?? { id }));
    return { id, path: path.replace('{group}', group).replace('{id}', id).replace('{field}', field) };
  }

  #finish(draft: Draft, slips: readonly string[]): Request {
    const { operation, method, origin, path, query, headers, body, version, id, isLast, value, parts } = draft;
    const target = `${origin}${this.#document.base}${path}`;
    return {
      ...{ operation, method, headers, version, id, isLast, slips, sent: value, parts },
      target: `${target}${query.length === 0 ? '' : `?${query.join('&')}`}`,
      body: body?.toString('latin1'),
    };
  }

  /** A record that is one for all decides over too much to be left as chance made it. */
  #due(): Request | undefined {
    const [first] = this.#putBack;
    if (first === undefined) return undefined;
    first.after -= 1;
    if (first.after > 0) return undefined;
    this.#putBack.shift();
    const { operation } = first;
    const record = this.#single.get(operation.path);
    if (record === undefined || operation.body === undefined) return undefined;
    const draft = this.#draft(operation);
    draft.body = Buffer.from(writeBody(this.#bodies.like(operation.body, record)));
    return this.#finish(draft, []);
  }
}

const addressOf = ({ path }: Operation, id: string | undefined): Address => ({
  id,
  path: path.replace('{id}', id ?? ''),
});

/** Names of fields that a record shows, those inside of objects and items behind the name of these. */
function namesIn(record: Json): readonly string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const inside = nodeOf(Array.isArray(value) ? value[0] : value);
    return [name, ...Object.keys(inside).map((key) => `${name}.${key}`)];
  });
}
