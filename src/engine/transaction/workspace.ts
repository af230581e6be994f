// The workspace's settings that every request needs (features, time zone), cached in memory: a process sees its own changes at
// once, and those of others when it looks again.
import { textsOf } from '../../facts/record-values.ts';
import type { Feature, Resource, Values } from '../../registry/model/model.ts';
import { textOf } from '../../rules/support/rule.ts';
import type { UnitOfWork } from '../../storage/unit-of-work.ts';
import { today } from '../../values/date.ts';
import { now } from '../../values/id.ts';
import type { Groups } from '../plan/groups.ts';

export class WorkspaceSettings {
  readonly #groups: Groups;
  readonly #unit: UnitOfWork;
  #features: ReadonlySet<string> = new Set();
  #timeZone = 'UTC';
  #asked = 0;
  #told = 0;

  constructor(groups: Groups, unit: UnitOfWork) {
    this.#groups = groups;
    this.#unit = unit;
  }

  isEnabled(feature: Feature): boolean {
    return this.#features.has(feature.switch);
  }

  /** The date in the workspace's time zone. */
  today(): string {
    return this.dateAt(now());
  }

  /** The date at a time in the workspace's time zone. */
  dateAt(time: Date): string {
    return today(this.#timeZone, time);
  }

  /** Reads the settings again. Of several reads at once the one that began last counts: an older one may end after it. */
  async refresh(): Promise<void> {
    const { workspace } = this.#groups.registry;
    if (workspace === undefined) return;
    this.#asked += 1;
    const turn = this.#asked;
    const session = this.#unit.direct;
    const settings: Values = (await this.#groups.get(workspace.name).rows.find(session, '', { lists: false })) ?? {};
    if (turn < this.#told) return;
    this.#told = turn;
    this.#features = new Set(workspace.features === undefined ? [] : textsOf(settings, workspace.features));
    this.#timeZone = zoneIn(workspace, settings);
  }
}

/** The time zone in the settings of a workspace. */
export function zoneIn(workspace: Resource | undefined, settings: Readonly<Values>): string {
  const zone = workspace?.timeZone === undefined ? null : textOf(settings, workspace.timeZone);
  return zone ?? 'UTC';
}
