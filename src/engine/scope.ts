// What one write works with: its transaction, who asks, the records as it sees them, and what it wants to change.
import type { Effects, Guarded } from '../behaviours/rule.ts';
import type { Session } from '../storage/session.ts';
import { today } from '../values/date.ts';
import { now } from '../values/id.ts';
import type { Change, RecordName } from './change.ts';
import { Attempt } from './constraints.ts';
import type { Groups } from './groups.ts';
import { Pending } from './pending.ts';
import { Recollection } from './recollection.ts';
import { SeenRecords } from './seen-records.ts';

/** How rules change records; the write stages hand themselves in, so that no import goes round. */
export type EffectsOf = (scope: Scope, cause: { readonly rule: string; readonly of: RecordName }) => Effects;

interface ScopeOptions {
  readonly groups: Groups;
  readonly session: Session;
  readonly actingMember: string | null;
  readonly effectsOf: EffectsOf;
  /** What the transaction has read already, where several writes share one. */
  readonly known?: Recollection;
  /** Where to note what is stored, for when a key stops it. */
  readonly attempt?: Attempt;
}

export class Scope {
  readonly groups: Groups;
  readonly session: Session;
  readonly actingMember: string | null;
  readonly records: SeenRecords;
  readonly effectsOf: EffectsOf;
  /** Records whose delete is under way, by `nameInFull`: to formulas they are gone. */
  readonly leaving = new Set<string>();
  readonly #known: Recollection;
  readonly #pending: Pending;
  #today: string | undefined;

  constructor({ groups, session, actingMember, effectsOf, known, attempt = new Attempt() }: ScopeOptions) {
    this.groups = groups;
    this.session = session;
    this.actingMember = actingMember;
    this.effectsOf = effectsOf;
    this.#known = known ?? new Recollection();
    this.#pending = new Pending((changes) => groups.writer.carryOut(session, changes, attempt));
    this.records = new SeenRecords({ groups, session, known: this.#known, pending: this.#pending });
  }

  /** All that this write has wanted to change so far, in order. */
  get changes(): readonly Change[] {
    return this.#pending.all;
  }

  /** Wants a change. What was read before is forgotten where it may have changed. */
  collect(change: Change): void {
    this.#pending.add(change);
    this.#known.forget(change.group, change.id);
  }

  /** Carries out what is wanted so far. */
  flush(): Promise<void> {
    return this.#pending.flush();
  }

  /** To be awaited before rows of a group are asked for in another way than by `records`. */
  settled(group: string): Promise<void> {
    return this.#pending.settle(group);
  }

  /** The date in the workspace's time zone. */
  async today(): Promise<string> {
    this.#today ??= today(String((await this.records.workspace())['timeZoneId'] ?? 'UTC'), now());
    return this.#today;
  }

  async guard(...guarded: readonly Guarded[]): Promise<void> {
    const open = this.#openGuards(guarded);
    if (open.size === 0) return;
    // In one order, of groups and of ids, so that two writes never wait for each other.
    for (const name of [...open.keys()].sort()) {
      const ids = [...(open.get(name) ?? [])].sort();
      await this.groups.writer.guard(this.session, name, ids);
      for (const id of ids) this.#known.guarded.add(`${name}/${id}`);
    }
    // Others who held them have ended, and what they wrote counts; from here on nobody else writes what they guard.
    // Where there is one writer, nobody else has written since the transaction began.
    if (!this.groups.dialect.hasOneWriter) this.#known.forget();
  }

  /** Ids by group that are not guarded yet; the empty one for the single record of the workspace's settings. */
  #openGuards(guarded: readonly Guarded[]): ReadonlyMap<string, ReadonlySet<string>> {
    const { workspace } = this.groups.registry;
    const open = new Map<string, Set<string>>();
    for (const { group, ids } of guarded) {
      const name = group ?? workspace?.name;
      if (name === undefined) continue;
      for (const id of group === undefined ? [''] : ids)
        if (!this.#known.guarded.has(`${name}/${id}`)) open.set(name, (open.get(name) ?? new Set()).add(id));
    }
    return open;
  }
}
