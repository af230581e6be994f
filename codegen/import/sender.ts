// Sends chunks of records as batches, and reads what became of each record.
import type { GroupShape } from './document.ts';
import type { Draft } from './drafts.ts';
import { type ImportAnswer, type ImportCall, ImportFault, isObject, objectOf } from './model.ts';

export type Verdict =
  | { readonly kind: 'created' | 'updated' | 'unchanged' | 'unjudged' }
  | { readonly kind: 'refused'; readonly errors: readonly string[] };

interface SenderOptions {
  readonly call: ImportCall;
  readonly group: GroupShape;
  readonly key: readonly string[] | undefined;
  readonly mode: 'upsert' | 'create' | 'update';
  readonly isTrial?: boolean | undefined;
  readonly stops?: boolean | undefined;
  readonly run: string;
  readonly repeats?: number | undefined;
  readonly keepsIds?: boolean | undefined;
}

interface Operation {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body: unknown;
  readonly ifMatch?: string;
}

/** A record that is sent, and its place in its chunk. */
interface Sent {
  readonly place: number;
  readonly draft: Draft;
  readonly operation: Operation;
}

/** How often what is refused for the moment is sent again. */
const usualRepeats = 7;

export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** @returns one for each record. @throws ImportFault where the service does not judge them */
  async send(number: number, drafts: readonly Draft[]): Promise<readonly Verdict[]> {
    const { stops = false } = this.#options;
    const verdicts = drafts.map(
      ({ errors }): Verdict => (errors.length > 0 ? { kind: 'refused', errors } : { kind: 'unjudged' }),
    );
    if (stops && verdicts.some(({ kind }) => kind === 'refused')) return verdicts;
    const sent: Sent[] = [];
    for (const [place, draft] of drafts.entries()) {
      if (draft.errors.length > 0 || draft.isUnjudged === true) continue;
      const operation = this.#operationOf(draft);
      if (typeof operation === 'string') verdicts[place] = { kind: 'refused', errors: [operation] };
      else sent.push({ place, draft, operation });
    }
    await this.#judge(sent, verdicts, String(number));
    return verdicts;
  }

  /** What brings a record in, or why nothing can. */
  #operationOf(draft: Draft): Operation | string {
    const { group, key, mode } = this.#options;
    const { path } = group;
    const { id } = draft.body;
    if (key === undefined || mode === 'create') return this.#creation(draft);
    const own = this.#withoutId(draft);
    if (key[0] === 'id') {
      if (typeof id === 'string') return { method: 'PATCH', path: `${path}/${encodeURIComponent(id)}`, body: own };
      return mode === 'update' ? "'id' is required: records are known by it" : this.#creation(draft);
    }
    const missing = key.find((field) => own[field] === undefined || own[field] === null || own[field] === '');
    if (missing !== undefined) return `'${missing}' is required: records are known by it`;
    const query = new URLSearchParams(key.map((field): [string, string] => [field, String(own[field])]));
    return { method: 'PUT', path: `${path}?${query}`, body: own, ...(mode === 'update' && { ifMatch: '*' }) };
  }

  #creation(draft: Draft): Operation {
    const body = this.#options.keepsIds === true ? draft.body : this.#withoutId(draft);
    return { method: 'POST', path: this.#options.group.path, body };
  }

  /** Ids are the service's own to give. */
  #withoutId({ body }: Draft): Draft['body'] {
    const { id: _id, ...others } = body;
    return this.#options.group.fields.has('id') ? body : others;
  }

  async #judge(sent: readonly Sent[], verdicts: Verdict[], name: string): Promise<void> {
    if (sent.length === 0) return;
    const { stops = false, mode } = this.#options;
    const { status, body } = await this.#batch(
      sent.map(({ operation }) => operation),
      name,
    );
    if (status === 413 && sent.length > 1 && !stops) {
      const half = Math.ceil(sent.length / 2);
      await this.#judge(sent.slice(0, half), verdicts, `${name}a`);
      return this.#judge(sent.slice(half), verdicts, `${name}b`);
    }
    const { results, message = '', errors } = objectOf(body);
    const texts = Array.isArray(errors) ? errors.map(String) : [String(message)];
    if (status !== 200 || !Array.isArray(results)) {
      const place = stops ? Number(/^Operation (\d+) was refused/.exec(String(message))?.[1] ?? 0) : 0;
      const refused = sent[place - 1];
      if (refused === undefined) throw new ImportFault(`The service answers ${status}: ${texts.join('; ')}`);
      verdicts[refused.place] = { kind: 'refused', errors: texts };
      return;
    }
    const gone: Sent[] = [];
    for (const [index, one] of sent.entries()) {
      const result = objectOf(results[index]);
      // Known by an id that is nobody's yet.
      const isNew = result['status'] === 404 && one.operation.method === 'PATCH' && mode === 'upsert';
      if (isNew) gone.push({ ...one, operation: this.#creation(one.draft) });
      else verdicts[one.place] = verdictOf(one.operation, result);
    }
    await this.#judge(gone, verdicts, `${name}n`);
  }

  /** Sent again under its key as long as the service cannot answer for the moment. */
  async #batch(operations: readonly Operation[], name: string): Promise<ImportAnswer> {
    const { call, isTrial = false, stops = false, run, repeats = usualRepeats } = this.#options;
    const body = { operations, atomic: stops };
    for (let attempt = 1; ; attempt += 1) {
      const answer = await call('POST', '/batch', {
        body,
        isTrial,
        ...(!isTrial && { key: `import-${run}-${name}` }),
      }).catch((error: unknown) => {
        if (attempt > repeats)
          throw new ImportFault(`The service does not answer: ${error instanceof Error ? error.message : error}`);
        return undefined;
      });
      if (answer?.status === 422)
        throw new ImportFault(
          'A chunk was sent otherwise before: what it refers to has changed. Remove the journal; with a key, nothing is made twice.',
        );
      const isBusy = answer === undefined || [429, 502, 503, 504].includes(answer.status) || isUnderWay(answer);
      if (!isBusy || attempt > repeats) return answer ?? { status: 0, body: undefined };
      await new Promise((resolve) =>
        setTimeout(resolve, Math.min(8000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2)),
      );
    }
  }
}

/** What was sent before is still being done. */
const isUnderWay = ({ status, body }: ImportAnswer): boolean =>
  status === 409 && /Idempotency-Key is being processed/.test(String(objectOf(body)['message']));

function verdictOf({ method }: Operation, result: { readonly [key: string]: unknown }): Verdict {
  const { status, outcome, body } = result;
  if (typeof status === 'number' && status < 300) {
    if (outcome === 'created' || outcome === 'updated' || outcome === 'unchanged') return { kind: outcome };
    return { kind: method === 'POST' ? 'created' : 'updated' };
  }
  if (status === 412) return { kind: 'refused', errors: ['There is no record with this key.'] };
  const { errors, message = '' } = isObject(body) ? body : {};
  return { kind: 'refused', errors: Array.isArray(errors) ? errors.map(String) : [String(message)] };
}
