// Reads what formulas look for in a place: all that a round has asked of it together, and no more records than are wanted.
import { type Ask, askText, recordValue } from '../formulas/evaluate/facts.ts';
import type { RecordValue } from '../formulas/language/value.ts';
import { type Soon, soon } from '../values/soon.ts';
import type { WriteContext } from './context.ts';
import { foundValues, sourceText } from './found-values.ts';
import type { OwnRecord } from './own-record.ts';
import type { Found, RecordSource } from './sources.ts';

/** More records would have to be read than was wanted. */
export class TooManyToRead extends Error {}

interface QueriesOptions {
  readonly records: WriteContext['records'];
  readonly own: OwnRecord | undefined;
  readonly mostRead: number | undefined;
}

export class Queries {
  readonly #records: WriteContext['records'];
  readonly #own: OwnRecord | undefined;
  readonly #mostRead: number | undefined;
  #read = 0;
  /** Asks that have found too many. */
  readonly #beyond = new Set<string>();

  constructor({ records, own, mostRead }: QueriesOptions) {
    this.#records = records;
    this.#own = own;
    this.#mostRead = mostRead;
  }

  /** What is found by each ask; without one: any record. @throws TooManyToRead */
  read(source: RecordSource, asks: readonly (Ask | undefined)[]): Soon<readonly (readonly RecordValue[])[]> {
    const wanted = asks.flatMap((ask) => ask ?? []);
    const most = wanted.length === 0 ? undefined : this.#mostRead;
    const bounded: Soon<void> = most === undefined ? undefined : this.#readFew(source, wanted, most);
    const answer = (found: readonly (readonly Found[])[], any: readonly RecordValue[]) => {
      this.#read += found.reduce((sum, rows) => sum + rows.length, 0);
      const results = found.map((rows) => foundValues(this.#records.facts, source, rows));
      return asks.map((ask) => (ask === undefined ? any : (results.shift() ?? [])));
    };
    return soon(bounded, (): Soon<readonly (readonly RecordValue[])[]> => {
      const read = this.#records.query(source, wanted);
      if (!asks.includes(undefined)) return soon(read, (found) => answer(found, []));
      return Promise.all([read, this.#any(source)]).then(([found, any]) => answer(found, any));
    });
  }

  /** Reads what is asked for where that is no more than is left of so many. @throws TooManyToRead */
  async #readFew(source: RecordSource, asks: readonly Ask[], mostRead: number): Promise<void> {
    const keys = asks.map((ask) => `${sourceText(source)} ${askText(ask)}`);
    const left = Math.floor((mostRead - this.#read) / asks.length);
    if (left < 1 || keys.some((key) => this.#beyond.has(key))) throw new TooManyToRead();
    const few = await this.#records.few(source, asks, left);
    for (const [index, key] of keys.entries()) if (few[index] === false) this.#beyond.add(key);
    if (few.includes(false)) throw new TooManyToRead();
  }

  /** Any one, without its values: it is only asked whether there is one. */
  async #any(source: RecordSource): Promise<readonly RecordValue[]> {
    const isThere = await this.#records.hasAny(source, this.#own?.group === source.group ? this.#own.id : '');
    return isThere ? [recordValue({})] : [];
  }
}
