// Two services that are asked the same: the ids of one stand for those of the other, as they appear in answers.
import type { Answer } from './connection.ts';

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const moments = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** A tag of a record, from its version on, in a header, or in a text of JSON; or of an answer that has no version. */
const tags = /(?<=")(?:\d+-)?[\w-]{16}(?=\\?")/g;
/** Those that have a version, which is to be the same. */
const versions = /(?<="\d+-)[\w-]{16}(?=\\?")/g;
/** A tag that is nothing but a digest of an answer, which has ids in it. */
const digest = /^(?:W\/)?"[\w-]{16}"$/;
/** Headers that are another's with every answer. */
const ofTheMoment = new Set(['date', 'x-request-id', 'traceparent']);
/** Whether a connection is kept hangs on how much of a body that nobody reads has come before the answer went. */
const ofConnection = new Set(['connection', 'keep-alive']);

export class Twins {
  readonly #toSecond = new Map<string, string>();
  readonly #toFirst = new Map<string, string>();

  /** A request to the first service as the second one is to get it. */
  toSecond(text: string): string {
    const withTags = text.replaceAll(tags, (tag) => this.#toSecond.get(tag) ?? tag);
    return withTags.replaceAll(ids, (id) => {
      const lower = id.toLowerCase();
      const other = this.#toSecond.get(lower) ?? lower;
      return id === lower ? other : id === id.toUpperCase() ? other.toUpperCase() : id;
    });
  }

  /** What differs between two answers, in a word or two; undefined where nothing does. New ids are taken for one another. */
  differenceOf(first: Answer, second: Answer): string | undefined {
    if (first.status !== second.status) return 'status';
    const header = differingHeader(first, second);
    if (header !== undefined) return `header ${header}`;
    const [one, other] = [first, second].map(({ headers, text }) => `${headers['etag'] ?? ''} ${text}`);
    if (one === undefined || other === undefined || one === other) return undefined;
    if (plain(first.text) !== plain(second.text)) return 'body';
    const areSame = [ids, tags].every((names) => {
      const [own, foreign] = [one.match(names) ?? [], other.match(names) ?? []];
      return own.every((name, place) => this.#pair(lowered(name), lowered(foreign[place] ?? '')));
    });
    return areSame ? undefined : 'ids in the body';
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

/** Ids may be spelled either way, tags may not. */
const lowered = (name: string): string => (name.length === 36 ? name.toLowerCase() : name);

/** A text without what differs from one service to the other, as long as it is. */
export const plain = (text: string): string =>
  [ids, moments, versions].reduce((left, names) => left.replaceAll(names, (name) => '#'.repeat(name.length)), text);

function differingHeader({ headers: first }: Answer, { headers: second }: Answer): string | undefined {
  for (const name of Object.keys({ ...first, ...second })) {
    const [one, other] = [first[name], second[name]];
    if (ofConnection.has(name)) continue;
    const isSame = ofTheMoment.has(name)
      ? (one === undefined) === (other === undefined)
      : plain(one ?? '').replace(digest, '#') === plain(other ?? '').replace(digest, '#');
    if (!isSame) return name;
  }
  return undefined;
}
