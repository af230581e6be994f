// What a key of the database that stopped a write means to the caller: which field of which group is taken.
import type { Registry, Resource } from '../registry/model.ts';
import type { ConstraintFault } from '../storage/faults.ts';
import { tablesOf } from '../storage/tables.ts';

/** A unique key that is taken. */
export interface TakenKey {
  readonly resource: Resource;
  /** The field that the message names. */
  readonly word: string;
}

/** Finds unique keys by the name of their index (MySQL) or by their columns (SQLite). */
export class KeyBook {
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
