// Bulk writes: several writes as one transaction share a read cache, and nothing is answered before the commit.

import { ReadCache } from '../facts/read-cache.ts';
import { problems } from '../problems.ts';
import type { Values } from '../registry/model/model.ts';
import type { BodyInput, Intent } from '../request/intent.ts';
import type { Session } from '../storage/schema/session.ts';
import type { RecordName } from './changes/change.ts';
import type { WriteLog } from './log/write-log.ts';
import type { Groups } from './plan/groups.ts';
import { readPage, readRecord } from './read/read.ts';
import type { Reading } from './read/read-lists.ts';
import { bringBackRecords, type KeptRecord, missingOf } from './restore/recreate.ts';
import type { Attempt } from './transaction/constraints.ts';
import { unknownReference } from './transaction/references.ts';
import { Scope } from './transaction/scope.ts';
import { createRecord, effectsOf, perform, updateRecord } from './write/write.ts';

interface BatchOptions {
  readonly groups: Groups;
  readonly session: Session;
  readonly today: () => string;
  readonly attempt: Attempt;
  readonly recordsPerWrite: number | undefined;
  readonly log: WriteLog | undefined;
}

/** The writes of one transaction, one after the other. */
export class BulkWriter {
  readonly #groups: Groups;
  readonly #session: Session;
  readonly #today: () => string;
  readonly #known = new ReadCache();
  readonly #attempt: Attempt;
  readonly #recordsPerWrite: number | undefined;
  readonly #log: WriteLog | undefined;
  #step = 0;

  constructor({ groups, session, today, attempt, recordsPerWrite, log }: BatchOptions) {
    this.#log = log;
    this.#recordsPerWrite = recordsPerWrite;
    this.#groups = groups;
    this.#session = session;
    this.#today = today;
    this.#attempt = attempt;
  }

  /** Entries of the log tell which write of the transaction they are of. */
  #nextStep(): void {
    this.#step += 1;
    if (this.#log !== undefined) this.#log.step = this.#step;
  }

  #scope(actingMember: string | null): Scope {
    const known = {
      known: this.#known,
      attempt: this.#attempt,
      recordsPerWrite: this.#recordsPerWrite,
      log: this.#log,
    };
    return new Scope({ groups: this.#groups, session: this.#session, actingMember, effectsOf, ...known });
  }

  #reading(group: string): Reading {
    return {
      session: this.#session,
      group: this.#groups.get(group),
      dialect: this.#groups.dialect,
      today: this.#today,
      records: () => this.#scope(null).records,
    };
  }

  /** Makes a record. @returns it as stored. @throws Problem */
  async create(group: string, input: BodyInput, actingMember: string | null = null): Promise<Values> {
    this.#nextStep();
    const scope = this.#scope(actingMember);
    const values = await perform(scope, () => createRecord(scope, { group: this.#groups.get(group), input }));
    await scope.done();
    return values;
  }

  /** Changes a record; its id is empty for a single one, as the workspace's settings are. @throws Problem */
  async update({ group, id }: RecordName, input: BodyInput, actingMember: string | null = null): Promise<void> {
    this.#nextStep();
    const scope = this.#scope(actingMember);
    await perform(scope, () => updateRecord(scope, { group: this.#groups.get(group), id, input }));
    await scope.done();
  }

  /**
   * Makes records again that are not there, as one write. @param onRecord Told which one is under way, undefined behind the last.
   * @returns those that were missing. @throws Problem
   */
  async bringBack(
    records: readonly KeptRecord[],
    onRecord: (record: KeptRecord | undefined) => void,
  ): Promise<readonly KeptRecord[]> {
    this.#nextStep();
    const scope = this.#scope(null);
    const missing = await missingOf(scope, records);
    await perform(scope, async () => {
      await bringBackRecords(scope, missing, (record, gone) => {
        onRecord(record);
        if (gone.length > 0) throw problems.bodyInvalid(gone.map(unknownReference));
      });
      onRecord(undefined);
    });
    await scope.done();
    return missing;
  }

  /** Records whose fields equal these, by key, oldest first, without lists. */
  list(group: string, where: Readonly<Values>, limit?: number): Promise<Values[]> {
    return this.#scope(null).records.list(group, where, limit === undefined ? {} : { limit });
  }

  /** A page of a list as callers see it, as JSON. @throws Problem */
  async page(intent: Intent): Promise<string> {
    return (await readPage(this.#reading(intent.endpoint.resource.name), intent)).toString();
  }

  /** A record as callers see it, as JSON. @throws Problem when there is none. */
  async read(group: string, id: string): Promise<string> {
    const record = await readRecord(this.#reading(group), id);
    if (record === undefined) throw problems.recordUnknown(id);
    return record.text;
  }
}
