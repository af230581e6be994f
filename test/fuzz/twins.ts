// Two services that are asked the same: the ids of one stand for those of the other, as they appear in answers.
import type { Answer } from './connection.ts';

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const moments = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** Headers that are another's with every answer. Of tags, only that there is one. */
const ofTheMoment = new Set(['date', 'x-request-id', 'etag', 'keep-alive', 'traceparent']);

export class Twins {
  readonly #toSecond = new Map<string, string>();
  readonly #toFirst = new Map<string, string>();

  /** A request to the first service as the second one is to get it. */
  toSecond(text: string): string {
    return text.replaceAll(ids, (id) => {
      const lower = id.toLowerCase();
      const other = this.#toSecond.get(lower) ?? lower;
      return id === lower ? other : id === id.toUpperCase() ? other.toUpperCase() : id;
    });
  }

  /** Takes tags of records, which go into headers. */
  pairTags(first: Answer, second: Answer): void {
    const [one, other] = [first.headers['etag'], second.headers['etag']];
    if (one !== undefined && other !== undefined && one !== other) this.#pair(one, other);
  }

  /** The second service's tag for one of the first's. */
  tagOfSecond(tag: string): string {
    return this.#toSecond.get(tag) ?? tag;
  }

  /** What differs between two answers, in a word or two; undefined where nothing does. New ids are taken for one another. */
  differenceOf(first: Answer, second: Answer): string | undefined {
    if (first.status !== second.status) return 'status';
    const header = differingHeader(first, second);
    if (header !== undefined) return `header ${header}`;
    if (first.text === second.text) return undefined;
    const [one, other] = [first.text.match(ids) ?? [], second.text.match(ids) ?? []];
    if (plain(first.text) !== plain(second.text)) return 'body';
    const foreign = one.findIndex((id, place) => !this.#pair(id.toLowerCase(), (other[place] ?? '').toLowerCase()));
    return foreign < 0 ? undefined : 'ids in the body';
  }

  /** @returns whether one may stand for the other */
  #pair(first: string, second: string): boolean {
    const known = this.#toSecond.get(first);
    if (known !== undefined) return known === second;
    if (first === second) return true;
    if (this.#toFirst.has(second)) return false;
    this.#toSecond.set(first, second);
    this.#toFirst.set(second, first);
    return true;
  }
}

const plain = (text: string): string => text.replaceAll(ids, '#').replaceAll(moments, '@');

function differingHeader({ headers: first }: Answer, { headers: second }: Answer): string | undefined {
  for (const name of Object.keys({ ...first, ...second })) {
    const [one, other] = [first[name], second[name]];
    const isSame = ofTheMoment.has(name) ? (one === undefined) === (other === undefined) : one === other;
    if (!isSame) return name;
  }
  return undefined;
}
