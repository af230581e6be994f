// Translates a unique key that stopped a write into the field that the caller knows.
import type { Registry, Resource } from '../../registry/model/model.ts';
import type { ConstraintFault } from '../../storage/schema/error-kinds.ts';
import type { Session } from '../../storage/schema/session.ts';
import { tablesOf } from '../../storage/schema/tables.ts';
import type { Creation, Update } from '../changes/change.ts';
import type { Groups } from '../plan/groups.ts';
import { TriedLocks } from './tried-locks.ts';

/** A unique key that is taken. */
export interface TakenKey {
  readonly resource: Resource;
  /** The field that the message names. */
  readonly word: string;
}

/** Finds unique keys by the name of their index (MySQL) or by their columns (SQLite). */
export class UniqueKeys {
  readonly #keys = new Map<string, TakenKey>();

  constructor(registry: Registry) {
    for (const table of tablesOf(registry)) {
      const resource = registry.resources.get(table.group);
      if (resource === undefined) continue;
      for (const [place, index] of table.indexes.filter(({ unique }) => unique).entries()) {
        const taken = { resource, word: resource.unique[place]?.word ?? 'id' };
        this.#keys.set(index.name, taken);
        this.#keys.set(index.columns.map((column) => `${table.name}.${column}`).join(), taken);
      }
    }
  }

  find(fault: ConstraintFault): TakenKey | undefined {
    return fault.kind === 'unique'
      ? this.#keys.get(Array.isArray(fault.key) ? fault.key.join() : String(fault.key))
      : undefined;
  }
}

/** What of a write a key has stopped. Outlives the transaction. */
export class Attempt {
  /** What it has locked, for the next try. */
  readonly locks = new TriedLocks();
  #stopped: Creation | Update | undefined;

  /** Forgets what has stopped the try before. */
  begin(): void {
    this.#stopped = undefined;
  }

  /** Notes what was stopped; what comes behind it may well fail with it. */
  noteStopped(change: Creation | Update): void {
    this.#stopped ??= change;
  }

  /** Whether it was a new record that was stopped. */
  get hasStoppedCreation(): boolean {
    return this.#stopped?.kind === 'create';
  }

  /**
   * Of the keys that are taken, the first in the order of the descriptor: where there are several, databases name
   * different ones. @returns what the database has named where none is taken any more.
   */
  async firstTaken(session: Session, named: TakenKey, groups: Groups): Promise<TakenKey> {
    const { name, unique } = named.resource;
    if (this.#stopped?.group !== name || unique.length < 2) return named;
    const { id, after } = this.#stopped;
    const { rows } = groups.get(name);
    const record = { ...(await rows.find(session, id, { lists: false })), ...after };
    for (const { fields, word } of unique) {
      const where = Object.fromEntries(fields.map(({ key }) => [key, record[key] ?? null]));
      // Null equals nothing, as the key itself has it.
      if (Object.values(where).includes(null)) continue;
      const others = [{ key: 'id', operator: '!=', value: id }] as const;
      if (await rows.exists(session, where, others)) return { resource: named.resource, word };
    }
    return named;
  }
}
