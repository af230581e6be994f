// Sends chunks of records as batches, and reads what became of each record.
import { readJsonText } from '../../src/values/json.ts';
import { unlimited } from '../../src/values/json-limits.ts';
import type { GroupShape } from './document.ts';
import type { Draft } from './drafts.ts';
import { type ImportAnswer, type ImportCall, ImportFault, isObject, type Json, objectOf } from './model.ts';
import { bodyOf, findFreeNames, saysNothingNew, withoutShown } from './values.ts';

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
  readonly onNotice?: (text: string) => void;
}

interface Operation {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body: unknown;
  readonly ifMatch?: string;
}

/** Records as they are, by their ids: what bodies would say of them. */
type Known = ReadonlyMap<string, Json>;

/** A record that is sent, and its place in its chunk. */
interface Sent {
  readonly place: number;
  readonly draft: Draft;
  readonly operation: Operation;
}

/** Records that are read in one request. */
const atOnce = 100;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** How often what is refused for the moment is sent again. */
const usualRepeats = 7;

export class Sender {
  readonly #options: SenderOptions;
  /** Fields that were left out of records which show them and bodies do not take. */
  readonly leftOut = new Set<string>();
  #hasNoted = false;

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
    const known = await this.#known(drafts);
    for (const [place, draft] of drafts.entries()) {
      if (draft.errors.length > 0 || draft.isUnjudged === true) continue;
      const operation = this.#operationOf(draft, known);
      if ('kind' in operation) verdicts[place] = operation;
      else sent.push({ place, draft, operation });
    }
    // In one batch where all of it is to be taken or nothing.
    const isChange = ({ operation }: Sent): boolean => !stops && operation.method === 'PATCH';
    await this.#judge(sent.filter(isChange), verdicts, `${number}u`);
    await this.#judge(
      sent.filter((one) => !isChange(one)),
      verdicts,
      String(number),
    );
    return verdicts;
  }

  /** What brings a record in, or what becomes of it without. */
  #operationOf(draft: Draft, known: Known): Operation | Verdict {
    const { group, key, mode } = this.#options;
    const { path } = group;
    const { id } = draft.body;
    if (key === undefined || mode === 'create') return this.#creation(draft);
    if (key[0] === 'id') {
      if (typeof id === 'string') return this.#change(id, this.#bodyOf(draft, group.fields), known.get(id));
      return mode === 'update' ? isRequired('id') : this.#creation(draft);
    }
    const body = this.#createdBody(draft);
    const missing = key.find((field) => body[field] === undefined || body[field] === null || body[field] === '');
    if (missing !== undefined) return isRequired(missing);
    const query = new URLSearchParams(key.map((field): [string, string] => [field, String(body[field])]));
    return { method: 'PUT', path: `${path}?${query}`, body, ...(mode === 'update' && { ifMatch: '*' }) };
  }

  /**
   * Returns an update of the fields that differ from the stored record. The service may refuse other values today: an older
   * version accepted them. Fields that only a create takes are left out if the record does not show them.
   */
  #change(id: string, body: Json, known: Json | undefined): Operation | Verdict {
    const { path, updated, fields } = this.#options.group;
    const address = { method: 'PATCH' as const, path: `${path}/${encodeURIComponent(id)}` };
    if (known === undefined) return { ...address, body };
    const isTold = (name: string): boolean => updated.has(name) || Object.hasOwn(known, name);
    for (const name of Object.keys(body)) if (!isTold(name)) this.leftOut.add(name);
    const others = Object.entries(body).filter(([name]) => isTold(name));
    const isNew = ([name, value]: readonly [string, unknown]): boolean =>
      !saysNothingNew({ [name]: value }, known, fields);
    const changes = others.filter(isNew);
    return changes.length === 0 ? { kind: 'unchanged' } : { ...address, body: Object.fromEntries(changes) };
  }

  #creation(draft: Draft): Operation {
    const { keepsIds, group } = this.#options;
    const { id } = draft.body;
    const body = this.#createdBody(draft);
    return { method: 'POST', path: group.path, body: keepsIds === true && id !== undefined ? { ...body, id } : body };
  }

  /** Returns the body of a create. The service gives the ids. */
  #createdBody(draft: Draft): Json {
    const { keepsIds, group } = this.#options;
    if (draft.body['id'] !== undefined && keepsIds !== true && !group.created.has('id')) this.leftOut.add('id');
    return this.#bodyOf(draft, group.created);
  }

  /** Returns a body of the fields that it takes. */
  #bodyOf({ body, own }: Draft, fields: GroupShape['fields']): Json {
    const { id: _id, ...others } = body;
    return withoutShown(fields.has('id') ? body : others, { fields, own, onLeft: (path) => this.leftOut.add(path) });
  }

  /** Of records that are known by their ids, those that are there and have one row. */
  async #known(drafts: readonly Draft[]): Promise<Known> {
    const { group, key, mode } = this.#options;
    const known = new Map<string, Json>();
    if (key?.[0] !== 'id' || mode === 'create' || !group.operations.has('get')) return known;
    const rows = Map.groupBy(drafts, ({ body }) => String(body['id']));
    // Of several rows of one record the later ones find what the first has made of it.
    const ids = [...rows].flatMap(([id, own]) => (uuid.test(id) && own.length === 1 ? [id] : []));
    for (let from = 0; from < ids.length; from += atOnce) {
      const part = ids.slice(from, from + atOnce);
      const operations = part.map((id) => ({ method: 'GET', path: `${group.path}/${id}` }));
      const { status, body, text } = await this.#post({ body: { operations, atomic: false } });
      const freeNames = findFreeNames(group.fields, {});
      // Free JSON is compared by its text, which the parsed body does not have.
      const isRead = freeNames !== undefined && text !== undefined && status === 200;
      const { results, message } = objectOf(isRead ? readJsonText(text, { ...unlimited, freeNames }) : body);
      if (status !== 200 || !Array.isArray(results))
        throw new ImportFault(`Records cannot be read: ${status} ${String(message ?? '')}`);
      for (const [place, id] of part.entries()) {
        const { status: found, body: record } = objectOf(results[place]);
        if (found !== 200) continue;
        const { fields } = group;
        known.set(id, withoutShown(bodyOf(objectOf(record), fields), { fields, own: {}, onLeft: () => {} }));
      }
    }
    return known;
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
      if (isNew) this.#noteNew(one.draft);
      if (isNew) gone.push({ ...one, operation: this.#creation(one.draft) });
      else verdicts[one.place] = verdictOf(one.operation, result);
    }
    await this.#judge(gone, verdicts, `${name}n`);
  }

  /** Reports once that new records do not have the ids of the file. */
  #noteNew({ rows }: Draft): void {
    const { keepsIds = false, onNotice } = this.#options;
    if (keepsIds || this.#hasNoted) return;
    this.#hasNoted = true;
    onNotice?.(`No record has the id of line ${rows[0]?.line}: such rows are created, with other ids.`);
  }

  #batch(operations: readonly Operation[], name: string): Promise<ImportAnswer> {
    const { isTrial = false, stops = false, run } = this.#options;
    // What changes records that are there says the same when it comes again, and is less when a part of it has come.
    const isRepeatable = operations.every(({ method }) => method === 'PATCH');
    const key = isTrial || isRepeatable ? {} : { key: `import-${run}-${name}` };
    return this.#post({ body: { operations, atomic: stops }, isTrial, ...key });
  }

  /** Sent again as long as the service cannot answer for the moment. */
  async #post(request: Parameters<ImportCall>[2]): Promise<ImportAnswer> {
    const { call, repeats = usualRepeats } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await call('POST', '/batch', request).catch((error: unknown) => {
        if (attempt > repeats)
          throw new ImportFault(`The service does not answer: ${error instanceof Error ? error.message : error}`);
        return undefined;
      });
      if (answer?.status === 422)
        throw new ImportFault(
          'A chunk differs from the one sent before, because its references have changed. Remove the journal; with a key, no record is created twice.',
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

const isRequired = (field: string): Verdict => ({
  kind: 'refused',
  errors: [`'${field}' is required: records are known by it`],
});

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
