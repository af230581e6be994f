// A record on its way into the database, and all that is wrong with it so far: what the stages of a write hand on to each other.

import type { WriteOperation } from '../../facts/context.ts';
import type { FieldCode } from '../../problems/codes.ts';
import { fieldFault, withoutPointers } from '../../problems/field-fault.ts';
import { type Problem, problems } from '../../problems.ts';
import type { Value, Values } from '../../registry/model/model.ts';
import { FaultLog } from '../../request/faults.ts';
import type { BodyInput } from '../../request/intent.ts';
import { placeOf } from '../../request/place.ts';
import type { RecordName } from '../changes/change.ts';
import { copyValue } from '../changes/copy-values.ts';
import { sameValue } from '../changes/same-value.ts';
import type { Concerned } from '../plan/concerned.ts';
import type { FigureField } from '../plan/figures.ts';
import type { Group } from '../plan/groups.ts';
import { referenceFaults } from '../transaction/references.ts';
import type { Scope } from '../transaction/scope.ts';
import { type SentFigures, sentFiguresOf } from './sent-figures.ts';

interface DraftOptions {
  readonly scope: Scope;
  readonly group: Group;
  readonly operation: WriteOperation;
  readonly before: Readonly<Values> | undefined;
  readonly values: Values;
  readonly input: BodyInput;
  readonly isCascade?: boolean;
  /** Whether the service itself writes, as an effect of another write. */
  readonly isEffect?: boolean;
  /** Whether the values are those that the record had before: what it holds by itself stands among them, and nobody sends it. */
  readonly isRestored?: boolean;
}

const none: ReadonlySet<string> = new Set();

export class Draft {
  readonly scope: Scope;
  readonly group: Group;
  readonly operation: WriteOperation;
  /** True when the delete comes from the record that owns this one. */
  readonly isCascade: boolean;
  readonly isEffect: boolean;
  readonly isRestored: boolean;
  /** The record as it will be. */
  readonly values: Values;
  /** Keys that the body names. */
  readonly sent: ReadonlySet<string>;
  /** What the body says of fields that follow from a formula. */
  readonly sentFigures: SentFigures;
  faults: FaultLog;
  /** Figures whose values became too long on their way, and those that hang on these, which are not taken. */
  readonly overlong = new Set<FigureField>();
  /** Whether the body has values of figures that are computed, which is wrong whatever becomes of these. */
  saysTooMuch = false;
  /** Of fields with faults what is well-formed. */
  readonly partial: Readonly<Values>;
  /** A conflict that is told unless something else turns out to be wrong. */
  conflict: Problem | undefined;
  /** The record as stored; undefined on create. */
  before: Readonly<Values> | undefined;
  #lockValues: readonly unknown[] | undefined;

  constructor({ scope, group, operation, before, values, input, isCascade, isEffect, isRestored }: DraftOptions) {
    this.scope = scope;
    this.group = group;
    this.operation = operation;
    this.isCascade = isCascade === true;
    this.isEffect = isEffect === true;
    this.isRestored = isRestored === true;
    this.before = before;
    this.values = values;
    this.sentFigures = sentFiguresOf(group, values, this.isRestored ? {} : input.values);
    this.faults = new FaultLog(input.wrong);
    this.partial = input.wrong === undefined ? {} : structuredClone(input.wrong.partial);
    this.sent = new Set([...Object.keys(input.values), ...this.faults.keys]);
  }

  get name(): RecordName {
    return { group: this.group.resource.name, id: String(this.values['id']) };
  }

  /** Takes in a list that the record was read without. */
  addList(key: string, list: Value[]): void {
    this.before = { ...this.before, [key]: list };
    this.values[key] = copyValue(list) ?? null;
  }

  /** Adds `'<place>' <text>`. The place may lead into a list: `lines[0].amount`. */
  refuse(place: string, text: string, code: FieldCode): void {
    const steps = place.split(/[.[\]]+/).filter((step) => step !== '');
    this.faults.add({
      key: steps[0] ?? place,
      place: placeOf(this.group.resource.fields, steps),
      at: place,
      ...fieldFault(place, text, code),
    });
  }

  /** @param keys Those of fields, or places in lists: `lines[0].amount`. */
  isSound(...keys: readonly string[]): boolean {
    if (!this.isDoubtful) return true;
    return !keys.some((key) => this.faults.keys.has(key) || this.faults.places.has(key) || this.#hangsOnOverlong(key));
  }

  #hangsOnOverlong(key: string): boolean {
    return [...this.overlong].some(({ inside: [root], field }) => (root ?? field.key) === key);
  }

  /** Counts as sound from here on. */
  startAfresh(): void {
    this.faults = new FaultLog();
    this.overlong.clear();
  }

  get hasFaults(): boolean {
    return this.faults.keys.size > 0;
  }

  /** Whether any field is not sound. */
  get isDoubtful(): boolean {
    return this.faults.keys.size > 0 || this.overlong.size > 0;
  }

  /** Whether the record is refused, whatever is found yet. */
  get isRefused(): boolean {
    return this.hasFaults || this.conflict !== undefined;
  }

  /** Finds references to nothing. Rules that look at other records are judged only where those exist. */
  async checkReferences(): Promise<void> {
    const faults = await referenceFaults({
      existing: (group, ids) => this.scope.records.existing(group, ids),
      titleOf: (group) => this.scope.records.resource(group).title,
      values: { ...this.values, ...this.partial },
      fields: this.group.resource.fields.filter(({ key }) => this.sent.has(key)),
      isRefused: (place) => this.faults.places.has(place),
    });
    for (const { place, title } of faults)
      this.refuse(place, `does not refer to an existing ${title}`, 'reference-unknown');
  }

  /** @throws Problem with all texts, in the order of the record, when there are any; else the conflict. */
  conclude(): void {
    // The body does not hold the record of an effect.
    if (this.hasFaults)
      throw problems.bodyInvalid(this.isEffect ? withoutPointers(this.faults.first) : this.faults.first);
    if (this.conflict !== undefined) throw this.conflict;
  }

  /** What an update calls for by what has another value by now than before. */
  get changed(): Concerned {
    return this.#concernedBy(none);
  }

  /** The same by what is sent as well. */
  get concerned(): Concerned {
    return this.#concernedBy(this.sent);
  }

  #concernedBy(sent: ReadonlySet<string>): Concerned {
    const { values, group } = this;
    const before = this.before ?? {};
    let keys = '';
    for (const { key } of group.resource.fields) {
      const old = before[key] ?? null;
      const now = values[key] ?? null;
      if (sent.has(key) || (old !== now && !sameValue(old, now))) keys += `${key},`;
    }
    return group.concernedBy(keys);
  }

  /** Whether what this write locks is what it was when this was last asked. */
  hasSameLocks(): boolean {
    const { values, group } = this;
    const before = this.#lockValues;
    const now = group.lockKeys[this.operation]?.map((key) => values[key]);
    this.#lockValues = now;
    if (before === undefined || now === undefined) return false;
    for (let index = 0; index < now.length; index += 1) if (now[index] !== before[index]) return false;
    return true;
  }

  /** Whether a stored field has another value than before. */
  hasChanged(key: string): boolean {
    return this.group.resource.byKey.get(key)?.stored === true && !sameValue(this.before?.[key], this.values[key]);
  }

  /** Keys of the stored fields whose value is another one than before. */
  changedKeys(): string[] {
    const { keys } = this.changed;
    return this.group.resource.fields.flatMap(({ key, stored }) => (stored && keys.has(key) ? [key] : []));
  }
}
