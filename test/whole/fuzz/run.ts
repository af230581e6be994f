// Asks two services the same, one request after the other, and compares their answers.
import { type Answer, Connection, NoAnswer } from './connection.ts';
import { Document, type Json, type Operation } from './document.ts';
import type { Findings } from './findings.ts';
import { Generator } from './generator.ts';
import { type Request, toCurl, wireText } from './request.ts';
import { plain, Twins } from './twins.ts';

export interface Side {
  /** `SQLite` */
  readonly name: string;
  /** `http://127.0.0.1:3000` */
  readonly address: string;
  readonly token: string;
  /** What the service has logged of a request, by its id. */
  log(requestId: string): Promise<string>;
}

/** What was sent and answered, over all runs that share it. */
export class Tally {
  count = 0;
  withSlips = 0;
  readonly statuses = new Map<number, number>();
  readonly #sent = new Set<string>();
  readonly #done = new Set<string>();

  add({ operation, method, slips }: Request, status: number): void {
    this.count += 1;
    if (slips.length > 0) this.withSlips += 1;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.#sent.add(operation.id);
    if (status < 300 && method === operation.method) this.#done.add(operation.id);
  }

  /** Of a document's operations, those that were never asked for, and those that never succeeded. */
  missing(operations: readonly Operation[]): {
    readonly unsent: readonly string[];
    readonly undone: readonly string[];
  } {
    const ids = operations.map(({ id }) => id);
    return { unsent: ids.filter((id) => !this.#sent.has(id)), undone: ids.filter((id) => !this.#done.has(id)) };
  }
}

interface PairOptions {
  readonly sides: readonly [Side, Side];
  readonly seed: number;
  readonly findings: Findings;
  readonly tally: Tally;
  /** How long an answer may take. */
  readonly timeoutMs: number;
}

interface PlainRequest {
  readonly operation: Operation;
  /** Below the base, with the query. */
  readonly path: string;
  readonly body?: Json | undefined;
  readonly id?: string | undefined;
}

/** Two services that hold the same records, and the requests to them. */
export class Pair {
  readonly #twins = new Twins();
  readonly document: Document;
  readonly #options: PairOptions;
  readonly #generator: Generator;
  readonly #connections: readonly [Connection, Connection];
  #place = 0;

  private constructor(options: PairOptions, document: Document) {
    this.#options = options;
    this.document = document;
    const [first, second] = options.sides;
    this.#generator = new Generator({ document, seed: options.seed, token: first.token });
    const connectTo = ({ address }: Side): Connection =>
      new Connection(Number(new URL(address).port), options.timeoutMs);
    this.#connections = [connectTo(first), connectTo(second)];
  }

  /** Reads the document of the first service. @throws Error when the second one serves another. */
  static async open(options: PairOptions): Promise<Pair> {
    const [one, other] = await Promise.all(options.sides.map(documentOf));
    if (one === undefined || one !== other) throw new Error('the services do not serve the same document');
    return new Pair(options, new Document(JSON.parse(one)));
  }

  /** Makes and compares so many requests. @param isOver Whether to stop before. */
  async run(count: number, isOver: () => boolean = () => false): Promise<void> {
    for (const request of this.#generator.opening()) await this.#ask(request);
    for (const end = this.#place + count; this.#place < end && !isOver(); ) await this.#ask(this.#generator.next());
  }

  /**
   * Sends one request that is made elsewhere, and learns from its answer as from those of its own.
   * @param path Below the base, with the query. @throws Error where there is no whole answer
   */
  async send(method: string, path: string, body: Json | undefined): Promise<Answer> {
    const [steps = ''] = path.split('?');
    const operation = this.document.operations.find(
      (each) => each.method === method && new RegExp(`^${each.path.replace('{id}', '[^/]+')}$`).test(steps),
    );
    if (operation === undefined) throw new Error(`${method} ${path} is no operation`);
    const id = operation.hasId ? steps.split('/').at(-1) : undefined;
    const answer = await this.#ask(this.#plain({ operation, path, body, id }));
    if (answer === undefined) throw new Error(`${method} ${path} is not answered`);
    return answer;
  }

  /** Reads every record that lists show, on both sides, and compares them. @returns how many there are */
  async compareRecords(): Promise<number> {
    let records = 0;
    for (const list of this.document.operations.filter(({ kind }) => kind === 'list')) {
      for (let last = ''; ; ) {
        const path = `${list.path}?limit=100${last === '' ? '' : `&startingAfter=${last}`}`;
        const answer = await this.#ask(this.#plain({ operation: list, path }));
        const { results = [], hasMore = false } = answer?.status === 200 ? JSON.parse(answer.text) : {};
        records += results.length;
        if (!hasMore) break;
        last = results.at(-1).id;
      }
    }
    return records;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  async #ask(request: Request): Promise<Answer | undefined> {
    const { findings, tally, sides } = this.#options;
    this.#place += 1;
    const place = this.#place;
    const text = wireText(request);
    const results = await Promise.all([
      this.#send(0, text, request),
      this.#send(1, this.#twins.toSecond(text), request),
    ]);
    const [one, other] = results;
    const told = (): string => {
      const from = firstDifference(results);
      const answers = results.map((result, side) => `${sides[side]?.name}: ${shown(result, from)}`);
      return [
        `request ${place} of seed ${this.#options.seed}${slipWords(request)}`,
        toCurl(request, sides[0].address, sides[0].token),
        ...answers,
      ].join('\n');
    };
    for (const [side, result] of results.entries()) {
      const name = sides[side]?.name ?? '';
      if (result instanceof NoAnswer)
        await findings.add({
          kind: `no answer from ${name}: ${request.operation.id}, ${result.message.slice(0, 40)}`,
          details: told,
        });
      else if (result.status >= 500) {
        const details = async (): Promise<string> =>
          `${told()}\n${await sides[side]?.log(result.headers['x-request-id'] ?? '')}`;
        await findings.add({ kind: `${result.status} from ${name}: ${request.operation.id}`, details });
      }
    }
    if (one instanceof NoAnswer || other instanceof NoAnswer) return undefined;
    tally.add(request, one.status);
    const difference = this.#twins.differenceOf(one, other);
    if (difference !== undefined)
      await findings.add({
        kind: `${difference} differs: ${request.operation.id}, ${one.status} and ${other.status}`,
        details: told,
      });
    if (request.expected !== undefined && one.status === 200 && one.text !== request.expected)
      await findings.add({
        kind: `a write has answered something else: ${request.operation.id}`,
        details: () => `${told()}\nthe write: ${request.expected?.slice(0, longestAnswer)}`,
      });
    this.#generator.learn(request, one);
    return one;
  }

  /** A request as everybody sends it. */
  #plain({ operation, path, body, id }: PlainRequest): Request {
    const headers: [string, string][] = [
      ['Host', '127.0.0.1'],
      ['Authorization', `Bearer ${this.#options.sides[0].token}`],
    ];
    if (body !== undefined) headers.push(['Content-Type', 'application/json']);
    return {
      ...{ operation, headers, id, version: '1.1', slips: [], isLast: false, sent: undefined, parts: [] },
      ...{ method: operation.method, target: `${this.document.base}${path}` },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)).toString('latin1'),
    };
  }

  async #send(side: 0 | 1, text: string, { isLast }: Request): Promise<Answer | NoAnswer> {
    try {
      return await this.#connections[side].send(text, isLast);
    } catch (error) {
      if (error instanceof NoAnswer) return error;
      throw error;
    }
  }
}

async function documentOf({ name, address }: Side): Promise<string> {
  const response = await fetch(new URL('/openapi.json', address));
  if (!response.ok) throw new Error(`${name} shows no document`);
  return response.text();
}

const longestAnswer = 3000;
const before = 500;
/** Of a long answer, what is shown begins a little before the difference. */
const shown = (result: Answer | NoAnswer, from: number): string => {
  if (result instanceof NoAnswer) return result.message;
  const start = from < longestAnswer ? 0 : from - before;
  return `${result.status} ${start === 0 ? '' : '…'}${result.text.slice(start, start + longestAnswer)}`;
};

/** Where two answers differ but for what stands for each other in them; 0 where they do not. */
function firstDifference([one, other]: readonly (Answer | NoAnswer)[]): number {
  if (one === undefined || other === undefined || one instanceof NoAnswer || other instanceof NoAnswer) return 0;
  const [first, second] = [one, other].map(({ text }) => plain(text));
  if (first === undefined || second === undefined || first === second) return 0;
  let at = 0;
  while (first[at] === second[at]) at += 1;
  return at;
}

const slipWords = ({ slips }: Request): string => (slips.length === 0 ? '' : `, with: ${slips.join(', ')}`);
