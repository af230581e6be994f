// Looks up the records that rows name by what people call them: many in one request, and each once.
import type { LookUp } from './columns.ts';
import type { Draft, LookedUp } from './drafts.ts';
import { type ImportCall, ImportFault, isObject, objectOf } from './model.ts';

/** A reference that leads to none, or to several. */
export interface Missing {
  readonly draft: Draft;
  readonly looked: LookedUp;
  /** `'ownerId' does not refer to …` */
  readonly error: string;
}

/** Look-ups of one request. */
const atOnce = 100;
/** Ids that are kept; the oldest go first. */
const mostKept = 10_000;

interface Asked {
  readonly draft: Draft;
  readonly looked: LookedUp;
  readonly filters: readonly (readonly [name: string, text: string])[];
}

export class References {
  readonly #call: ImportCall;
  /** By the address of the list that has shown them. */
  readonly #kept = new Map<string, string>();

  constructor(call: ImportCall) {
    this.#call = call;
  }

  /** Puts ids into bodies. @returns those that are not found */
  async fill(drafts: readonly Draft[]): Promise<readonly Missing[]> {
    const missing: Missing[] = [];
    const asked: Asked[] = drafts.flatMap((draft) =>
      draft.lookUps.map((looked) => ({ draft, looked, filters: [[looked.lookUp.by, looked.text] as const] })),
    );
    const narrowed = await this.#narrow(asked, missing);
    const found = await this.#find(narrowed.map(({ looked, filters }) => addressOf(looked.lookUp, filters)));
    for (const [place, { draft, looked }] of narrowed.entries()) {
      const ids = found[place] ?? [];
      if (ids.length === 1) looked.put(ids[0] ?? '');
      else missing.push({ draft, looked, error: errorOf(looked, ids) });
    }
    return missing;
  }

  /** Adds the filters that narrow look-ups, whose own references are found first. */
  async #narrow(asked: readonly Asked[], missing: Missing[]): Promise<readonly Asked[]> {
    const inner = asked.flatMap(({ looked }) =>
      looked.within.flatMap(({ lookUp, text }) =>
        lookUp === undefined ? [] : [addressOf(lookUp, [[lookUp.by, text]])],
      ),
    );
    const found = await this.#find(inner);
    let next = 0;
    return asked.flatMap((each) => {
      const filters = [...each.filters];
      let isMissing = false;
      for (const { filter, text, lookUp } of each.looked.within) {
        if (lookUp === undefined) filters.push([filter, text]);
        else {
          const ids = found[next] ?? [];
          next += 1;
          if (ids.length === 1) filters.push([filter, ids[0] ?? '']);
          else {
            missing.push({ ...each, error: errorOf({ ...each.looked, lookUp, text }, ids) });
            isMissing = true;
          }
        }
      }
      return isMissing ? [] : [{ ...each, filters }];
    });
  }

  /** @returns the ids of each, two at most */
  async #find(addresses: readonly string[]): Promise<readonly (readonly string[])[]> {
    const found = new Map<string, readonly string[]>();
    for (const address of addresses) {
      const known = this.#kept.get(address);
      if (known !== undefined) found.set(address, [known]);
    }
    const wanted = [...new Set(addresses)].filter((address) => !found.has(address));
    for (let from = 0; from < wanted.length; from += atOnce) {
      const part = wanted.slice(from, from + atOnce);
      const operations = part.map((path) => ({ method: 'GET', path }));
      const { status, body } = await this.#call('POST', '/batch', { body: { operations, atomic: false } });
      const { results, message } = objectOf(body);
      if (status !== 200 || !Array.isArray(results))
        throw new ImportFault(`References cannot be looked up: ${status} ${String(message ?? '')}`);
      for (const [place, address] of part.entries()) {
        const page = objectOf(objectOf(results[place])['body'])['results'];
        const ids = Array.isArray(page) ? page.flatMap((each) => (isObject(each) ? String(each['id']) : [])) : [];
        found.set(address, ids);
        if (ids.length === 1) this.#keep(address, ids[0] ?? '');
      }
    }
    return addresses.map((address) => found.get(address) ?? []);
  }

  #keep(address: string, id: string): void {
    if (this.#kept.size >= mostKept) {
      const [oldest = ''] = this.#kept.keys();
      this.#kept.delete(oldest);
    }
    this.#kept.set(address, id);
  }
}

function addressOf({ group }: LookUp, filters: readonly (readonly [string, string])[]): string {
  const query = new URLSearchParams([...filters, ['limit', '2'], ['fields', 'id']] as [string, string][]);
  return `${group.path}?${query}`;
}

function errorOf({ at, lookUp, text }: LookedUp, ids: readonly string[]): string {
  if (ids.length > 1)
    return `'${at}' must be one record; ${ids.length} have the ${lookUp.by} ${text}: ${ids.join(', ')}`;
  const title = lookUp.group.name.replace(
    /(^|-)(\w)/g,
    (_all, dash: string, letter: string) => `${dash && ' '}${letter.toUpperCase()}`,
  );
  return `'${at}' does not refer to an existing ${title} (${lookUp.words} is ${text})`;
}
