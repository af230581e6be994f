// Which roles a member holds: judged by the database, all roles in one statement, and kept for a few seconds.
import type { Role } from '../../access/model.ts';
import { dependenciesOf } from '../../formulas/analyse/dependencies.ts';
import type { Registry } from '../../registry/model/model.ts';
import { encode } from '../../storage/schema/columns.ts';
import { bind, type Statement } from '../../storage/schema/compiler.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Session } from '../../storage/schema/session.ts';
import { holdingOf } from '../../storage/sight/holders-sql.ts';
import { actorValue, dayValue } from '../../storage/sight/rule-rows.ts';
import type { Change } from '../changes/change.ts';

/** A right that another process takes away ends here so much later at the most. */
const keptMs = 5000;
/** So many members are kept before those are forgotten whose time is over. */
const mostKept = 10_000;

interface Kept {
  readonly names: Promise<readonly string[]>;
  readonly until: number;
}

interface HoldersParts {
  readonly registry: Registry;
  readonly roles: readonly Role[];
  readonly session: Pick<Session, 'all'>;
  readonly dialect: Dialect;
  /** The day in the workspace's time zone. */
  readonly today: () => string;
}

export class Holders {
  readonly #parts: HoldersParts;
  /** Roles that members can hold. */
  readonly #roles: readonly Role[];
  /** Groups whose records decide on it. */
  readonly #groups: ReadonlySet<string>;
  readonly #statement: Statement | undefined;
  readonly #kept = new Map<string, Kept>();

  constructor(parts: HoldersParts) {
    const { registry, roles } = parts;
    this.#parts = parts;
    this.#roles = roles.filter(({ heldBy }) => heldBy !== undefined);
    this.#groups = groupsRead(this.#roles, registry);
    const conditions = this.#roles.flatMap(({ heldBy }) => heldBy?.tree ?? []);
    this.#statement = conditions.length === 0 ? undefined : holdingOf(conditions, parts);
  }

  /**
   * Names of the roles that a member holds.
   * @throws Problem as a rejection, where the database is away: who holds a role is not guessed
   */
  of(memberId: string): Promise<readonly string[]> {
    const now = performance.now();
    const known = this.#kept.get(memberId);
    if (known !== undefined && now < known.until) return known.names;
    if (this.#kept.size >= mostKept) this.#sweep(now);
    const kept: Kept = { names: this.#read(memberId), until: now + keptMs };
    this.#kept.set(memberId, kept);
    // A failure is not kept.
    kept.names.catch(() => {
      if (this.#kept.get(memberId) === kept) this.#kept.delete(memberId);
    });
    return kept.names;
  }

  /** Forgets all where records have changed that decide on it. What is being read meanwhile is read again by the next who asks. */
  noteChanged(groups: Iterable<string>): void {
    if ([...groups].some((group) => this.#groups.has(group))) this.forget();
  }

  /** The same of the changes of a transaction that is committed. */
  noteChanges(changes: readonly Change[]): void {
    this.noteChanged(changes.map(({ group }) => group));
  }

  /** Forgets all: the next who asks reads. */
  forget(): void {
    this.#kept.clear();
  }

  #sweep(now: number): void {
    for (const [id, { until }] of this.#kept) if (until <= now) this.#kept.delete(id);
    if (this.#kept.size >= mostKept) this.#kept.clear();
  }

  async #read(memberId: string): Promise<readonly string[]> {
    const { session, dialect, today } = this.#parts;
    if (this.#statement === undefined) return [];
    const values = { [actorValue]: memberId, [dayValue]: encode(today(), { kind: 'date' }, dialect) };
    const [row = []] = await session.all(this.#statement.sql, bind(this.#statement, values));
    return this.#roles.flatMap(({ name }, place) => (Number(row[place]) === 1 ? [name] : []));
  }
}

/** The groups at whose records conditions look, that of the members among them. */
function groupsRead(roles: readonly Role[], { actors }: Registry): ReadonlySet<string> {
  const groups = new Set(actors === undefined ? [] : [actors]);
  for (const { heldBy } of roles) {
    if (heldBy === undefined) continue;
    const { reads, collections } = dependenciesOf(heldBy.tree);
    for (const { shape } of reads) groups.add(shape.group);
    for (const { collection } of collections) groups.add(collection.group);
  }
  return groups;
}
