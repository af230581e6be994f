// A `fetch` for our own client without HTTP: a request is parsed and validated as over HTTP, and executed in the
// current transaction.
import type { PraxisOptions } from '../../codegen/generated/client.ts';
import type { Workspace } from '../app/workspace.ts';
import { type Endpoint, endpointsOf } from '../endpoints/routes/endpoint.ts';
import { Problem } from '../problems.ts';
import { parseBody } from '../request/body.ts';
import { parseAddress } from '../request/parse.ts';
import { unreachable } from '../unreachable.ts';

/** What one transaction can do. */
type Batch = Parameters<Parameters<Workspace['engine']['together']>[0]>[0];
type Fetch = NonNullable<PraxisOptions['fetch']>;
type Answer = Awaited<ReturnType<Fetch>>;

/** The base of its addresses; nothing is ever sent there. */
export const inProcess = 'http://in-process.invalid';

const headers = new Headers();
const answerOf = (status: number, text: string): Answer => ({
  ok: status === 200,
  status,
  headers,
  text: () => Promise.resolve(text),
});

export class InProcess {
  readonly #endpoints: ReadonlyMap<string, Endpoint>;
  readonly #created: (resource: Endpoint['resource']) => void;
  #batch: Batch | undefined;
  /** The member who acts. */
  member: string | null = null;

  /** @param created Told of each record that is made of a group. */
  constructor({ registry }: Workspace, created: (resource: Endpoint['resource']) => void) {
    this.#endpoints = new Map(endpointsOf(registry).map((one) => [`${one.method} ${one.path}`, one]));
    this.#created = created;
  }

  /** From now on requests belong to this transaction. */
  enter(batch: Batch): void {
    this.#batch = batch;
  }

  /** Answers a write with the id alone, or nothing: `Prefer: return=minimal` of RFC 7240. */
  readonly fetch: Fetch = async (url, { method, body }) => {
    const [path = '', query = ''] = url.slice(inProcess.length).split('?');
    const [, group = '', id] = path.split('/');
    const endpoint = this.#endpoints.get(`${method} /${group}${id === undefined ? '' : '/{id}'}`);
    if (endpoint === undefined || this.#batch === undefined) throw new Error(`nothing answers ${method} ${path} here`);
    const { resource, operation } = endpoint;
    const record = { group: resource.name, id: id ?? '' };
    const json = typeof body === 'string' ? JSON.parse(body) : {};
    try {
      switch (operation) {
        case 'create': {
          const made = await this.#batch.create(resource.name, parseBody(resource, 'create', json), this.member);
          this.#created(resource);
          return answerOf(200, `{"id":"${String(made['id'])}"}`);
        }
        case 'update':
          await this.#batch.update(record, parseBody(resource, 'update', json), this.member);
          return answerOf(200, '');
        case 'get':
          return answerOf(200, await this.#batch.read(record.group, record.id));
        case 'list': {
          const caller = { tokenId: '', memberId: this.member };
          const intent = { endpoint, caller, body: undefined, ...parseAddress(endpoint, '', query) };
          return answerOf(200, await this.#batch.page(intent));
        }
        case 'put':
        case 'delete':
          unreachable('a history deletes nothing, and knows what it makes');
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { status, message, errors } = error;
      return answerOf(status, JSON.stringify({ status, message, errors }));
    }
  };
}
