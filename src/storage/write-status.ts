// Whether the database can be written (disk full, read-only, file replaced): learned from the writes that it refuses, and told
// to health probes. A load balancer that is told so sends no more writes, so this process probes by itself until it is over.
import { type Problem, problems } from '../problems.ts';
import { faultOf, hindranceOf } from './errors.ts';
import type { SchemaRevision } from './rows/schema-revision.ts';
import type { Hindrance } from './schema/error-kinds.ts';
import type { Database } from './schema/session.ts';

const refusals: Readonly<Record<Hindrance, () => Problem>> = {
  full: problems.databaseFull,
  readOnly: problems.databaseReadOnly,
  replaced: problems.databaseReplaced,
};

const writeProbe = "update praxis_state set revision = revision + 1 where name = 'probe'";

export class WriteStatus {
  readonly #database: Database;
  readonly #schema: SchemaRevision;
  #hindrance: Hindrance | undefined;
  /** Whether a write was tried yet: a service that has just started knows nothing. */
  #isProved = false;

  constructor(database: Database, schema: SchemaRevision) {
    this.#database = database;
    this.#schema = schema;
  }

  /** What keeps everybody from writing, as far as is known. */
  get hindrance(): Hindrance | undefined {
    return this.#database.isReplaced?.() === true ? 'replaced' : this.#hindrance;
  }

  /** The problem of everybody who wants to write; undefined where nothing is known to stand in the way. */
  get problem(): Problem | undefined {
    if (this.hindrance !== undefined) return refusals[this.hindrance]();
    return this.#schema.isOutdated ? problems.serviceOutdated() : undefined;
  }

  /** Takes note of an error that came instead of a read or a write. @returns the problem that it is */
  refusal(unit: 'read' | 'write' | 'transaction', error: unknown): Problem {
    const hindrance = unit === 'read' ? undefined : hindranceOf(error);
    if (hindrance === undefined) return problems.databaseAway();
    this.#hindrance = hindrance;
    return refusals[hindrance]();
  }

  /** Tries a write at the start and after a refused one, with a row that serves nothing else. Never throws. */
  async lookAgain(): Promise<void> {
    await this.#schema.look();
    if (this.#isProved && this.#hindrance === undefined) return;
    // An existing row is rewritten in its own page, where a new one may find no room.
    if (this.#hindrance !== 'readOnly' && this.#database.hasRoom?.() === false) {
      this.#hindrance = 'full';
      return;
    }
    const { dialect } = this.#database;
    try {
      if ((await this.#database.run(writeProbe, [])) === 0)
        await this.#database.run(`${dialect.insertIgnore} into praxis_state (name, revision) values ('probe', 1)`, []);
      this.#hindrance = undefined;
      this.#isProved = true;
    } catch (error) {
      const { kind } = faultOf(error);
      // Locked, or not to be reached: nothing was learned.
      if (kind !== 'retry') this.#hindrance = hindranceOf(error) ?? this.#hindrance;
    }
  }
}
