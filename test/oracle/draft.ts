// A record that a write makes, changes or takes away, and what is wrong with it.
import type { Group } from './model.ts';
import { bodyInvalid, type Refusal } from './refusal.ts';
import type { Row, Value } from './values.ts';
import type { World } from './world.ts';

export type Cause = 'caller' | 'effect' | 'cascade';

/** How effects change other records: handed in, so that no import goes round. */
export interface Acts {
  create(write: Write, group: Group, values: Readonly<Record<string, Value>>): void;
  update(write: Write, row: Row, values: Readonly<Record<string, Value>>): void;
  remove(write: Write, row: Row): void;
}

/** All that one write does, in a world of its own. */
export interface Write {
  /** The records as they were. */
  readonly origin: World;
  readonly world: World;
  /** Those that are judged when all is done. */
  readonly judged: Draft[];
  /** Records whose body has sent a state that may follow, as they were before. */
  readonly acts: Acts;
  readonly held: { readonly row: Row; readonly old: Row | undefined }[];
}

interface DraftOptions {
  readonly write: Write;
  readonly group: Group;
  readonly operation: 'create' | 'update' | 'delete';
  /** As it will be; of a delete as it was. */
  readonly row: Row;
  readonly before: Row | undefined;
  readonly sent: ReadonlySet<string>;
  readonly cause: Cause;
  /** The records as they were before it. */
  readonly past: World | undefined;
}

export class Draft {
  readonly write: Write;
  readonly group: Group;
  readonly operation: DraftOptions['operation'];
  readonly row: Row;
  readonly before: Row | undefined;
  readonly sent: ReadonlySet<string>;
  readonly cause: Cause;
  readonly past: World | undefined;
  /** Texts by the keys of their fields. */
  readonly #faults: { readonly key: string; readonly text: string }[] = [];
  readonly conflicts: Refusal[] = [];
  /** Records whose references stop a delete. */
  readonly holders: Row[] = [];

  constructor({ write, group, operation, row, before, sent, cause, past }: DraftOptions) {
    this.write = write;
    this.group = group;
    this.operation = operation;
    this.row = row;
    this.before = before;
    this.sent = sent;
    this.cause = cause;
    this.past = past;
  }

  get world(): World {
    return this.write.world;
  }

  /** @param place `lines[0].amount` */
  refuse(place: string, text: string): void {
    this.#faults.push({ key: place, text: `'${place}' ${text}` });
  }

  get isFaulty(): boolean {
    return this.#faults.length > 0;
  }

  /** What is wrong with it, in the order of the record. */
  get refusal(): Refusal | undefined {
    if (!this.isFaulty) return undefined;
    const keys = this.group.shape.fields.map(({ key }) => key);
    const placeOf = (key: string): number => keys.indexOf(key.split(/[.[]/)[0] ?? '');
    const ordered = this.#faults.toSorted((a, b) => placeOf(a.key) - placeOf(b.key));
    return bodyInvalid([...new Set(ordered.map(({ text }) => text))]);
  }

  /** Whether a formula of it sees a field as sound. */
  isSound(key: string): boolean {
    return this.#faults.every((fault) => fault.key.split(/[.[]/)[0] !== key);
  }
}
