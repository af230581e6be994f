// The cards of a board: the records of each state, page by page, and the change from one state to another.
import { signal } from '@preact/signals';
import { withoutPlace } from '../../controls/draft.ts';
import { forgetLists } from '../../grid/list/places.ts';
import { boardMessages } from '../../messages/views.ts';
import { type ApiProblem, asProblem, get, list, type Shown, update } from '../../service/api.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { wordsOf } from '../../values/format.ts';
import { keyOf } from '../picture/values.ts';
import { equalsFilter } from '../shape/shapes.ts';
import type { Stage } from './stages.ts';

const pageOfCards = 50;

/** A list whose records stand in these columns. */
interface Source {
  readonly query: URLSearchParams;
  readonly states: readonly string[];
  last: string | undefined;
  isEnd: boolean;
  isMigrating: boolean;
}

export interface Card {
  readonly id: string;
  readonly record: Shown;
  readonly state: string;
  /** Whether its change is being asked for. */
  readonly isMoving: boolean;
  /** Why it did not go where it should. */
  readonly refusal: string | undefined;
}

interface Columns {
  readonly group: GroupModel;
  /** The state, or the reference to a stage. */
  readonly field: FieldModel;
  readonly stages: readonly Stage[];
}

export class BoardCards {
  readonly #group: GroupModel;
  readonly #field: FieldModel;
  readonly #stages: readonly Stage[];
  readonly #sources: readonly Source[];
  readonly #ends = new AbortController();
  readonly cards = signal<readonly Card[]>([]);
  readonly problem = signal<ApiProblem | undefined>(undefined);
  /** Rises when a list has come further. */
  readonly version = signal(0);
  /** The only state that the filters leave. */
  readonly only: string | undefined;

  constructor({ group, field, stages }: Columns, filters: URLSearchParams) {
    this.#group = group;
    this.#field = field;
    this.#stages = stages;
    const name = equalsFilter(group, field.name);
    this.only = name === undefined ? undefined : (filters.get(name) ?? undefined);
    const source = (query: URLSearchParams, states: readonly string[]): Source => {
      query.set('limit', String(pageOfCards));
      return { query, states, last: undefined, isEnd: false, isMigrating: false };
    };
    const values = stages.map(({ id }) => id);
    this.#sources =
      name === undefined
        ? [source(new URLSearchParams(filters), values)]
        : values
            .filter((value) => this.only === undefined || value === this.only)
            .map((value) => {
              const query = new URLSearchParams(filters);
              query.set(name, value);
              return source(query, [value]);
            });
  }

  start(): void {
    for (const { states } of this.#sources) void this.more(states[0] ?? '');
  }

  stop(): void {
    this.#ends.abort();
  }

  again(): void {
    this.problem.value = undefined;
    this.start();
  }

  #sourceOf = (state: string): Source | undefined => this.#sources.find(({ states }) => states.includes(state));

  hasMore(state: string): boolean {
    this.version.value;
    const source = this.#sourceOf(state);
    return source !== undefined && !source.isEnd;
  }

  /** Reads the next cards of a column. */
  async more(state: string): Promise<void> {
    const source = this.#sourceOf(state);
    if (source === undefined || source.isEnd || source.isMigrating) return;
    source.isMigrating = true;
    const query = new URLSearchParams(source.query);
    if (source.last !== undefined) query.set('startingAfter', source.last);
    try {
      const { results, hasMore } = await list(this.#group.path, query, this.#ends.signal);
      source.last = results.at(-1)?.id ?? source.last;
      source.isEnd = !hasMore;
      const known = new Set(this.cards.value.map(({ id }) => id));
      const cards = results.map((record) => this.#card(record)).filter(({ id }) => !known.has(id));
      this.cards.value = [...this.cards.value, ...cards];
    } catch (error) {
      if (!this.#ends.signal.aborted) this.problem.value = asProblem(error);
    } finally {
      source.isMigrating = false;
      this.version.value += 1;
    }
  }

  #card = (record: Shown, refusal?: string): Card => ({
    id: String(record.id),
    record,
    state: keyOf(this.#field, record).id,
    isMoving: false,
    refusal,
  });

  /** States that may follow on that of a card. */
  next({ state }: Card): readonly string[] {
    // What is no state may become any other one; the service says where that is not so.
    const { kind, transitions } = this.#field;
    if (kind === 'reference') return this.#stages.flatMap(({ id }) => (id === state ? [] : [id]));
    return transitions?.[state] ?? [];
  }

  /** The card stands first in its column. */
  #put(card: Card): void {
    this.cards.value = [card, ...this.cards.value.filter(({ id }) => id !== card.id)];
  }

  #replace(card: Card): void {
    this.cards.value = this.cards.value.map((one) => (one.id === card.id ? card : one));
  }

  /**
   * Changes the state of a record, seen at once; it goes back where the service refuses.
   * @returns what to say of it
   */
  async move(card: Card, to: string): Promise<string> {
    if (!this.next(card).includes(to)) {
      const reason = this.#mayFollow(card);
      this.#replace({ ...card, refusal: reason });
      return reason;
    }
    const before = this.cards.value;
    this.#put({ ...card, state: to, isMoving: true, refusal: undefined });
    try {
      const { record: now, etag } = await get(this.#group.path, card.id);
      // Nobody moves on what they have not seen.
      if (JSON.stringify(now) !== JSON.stringify(card.record)) {
        const reason = boardMessages.changedMeanwhile;
        this.#put(this.#card(now, reason));
        return reason;
      }
      const body = JSON.stringify({ [this.#field.key]: to });
      const { record } = await update(this.#group.path, card.id, { body, ifMatch: etag });
      this.#put(this.#card(record));
      forgetLists();
      return boardMessages.moved(this.#text(keyOf(this.#field, record).id).toLowerCase());
    } catch (error) {
      const { message, errors } = asProblem(error);
      const reason = errors.length > 0 ? errors.map(withoutPlace).join('. ') : message;
      this.cards.value = before.map((one) =>
        one.id === card.id ? { ...card, isMoving: false, refusal: reason } : one,
      );
      return reason;
    }
  }

  #text = (id: string): string => this.#stages.find((stage) => stage.id === id)?.text ?? wordsOf(id);

  #mayFollow(card: Card): string {
    const states = this.next(card).map((state) => this.#text(state));
    const own = this.#text(card.state);
    return states.length === 0 ? boardMessages.noneAllowedNext(own) : boardMessages.allowedNext(own, states.join(', '));
  }
}
