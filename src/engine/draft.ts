// A record on its way into the database: merged, filled, derived and checked, stage by stage. All that is wrong with it
// is collected before anything is written.
import { holds } from '../behaviours/over-references.ts';
import { isRecord, isUnset } from '../behaviours/record-values.ts';
import { isLocalUse, type Moment, type Rule } from '../behaviours/rule.ts';
import { problems } from '../problems.ts';
import type {
  Condition,
  ConflictKind,
  DefaultSource,
  Field,
  ObjectsField,
  RuleUse,
  Value,
  Values,
} from '../registry/model.ts';
import { FaultLog } from '../request/faults.ts';
import type { BodyInput } from '../request/intent.ts';
import { placeOf } from '../request/place.ts';
import { newId } from '../values/id.ts';
import type { Group, Step } from './groups.ts';
import { referenceFaults } from './references.ts';
import type { Scope } from './scope.ts';

export type WriteOperation = 'create' | 'update' | 'delete';

interface DraftOptions {
  readonly scope: Scope;
  readonly group: Group;
  readonly operation: WriteOperation;
  readonly before: Readonly<Values> | undefined;
  readonly values: Values;
  readonly input: BodyInput;
  readonly isCascade?: boolean;
}

export class Draft {
  readonly scope: Scope;
  readonly group: Group;
  readonly before: Readonly<Values> | undefined;
  readonly values: Values;
  readonly sent: ReadonlySet<string>;
  readonly #operation: WriteOperation;
  readonly #isCascade: boolean;
  readonly #faults: FaultLog;
  readonly #partial: Readonly<Values>;

  constructor({ scope, group, operation, before, values, input, isCascade }: DraftOptions) {
    this.scope = scope;
    this.group = group;
    this.before = before;
    this.values = values;
    this.#operation = operation;
    this.#isCascade = isCascade === true;
    this.#faults = new FaultLog(input.wrong);
    this.#partial = input.wrong === undefined ? {} : structuredClone(input.wrong.partial);
    this.sent = new Set([...Object.keys(input.values), ...this.#faults.keys]);
  }

  /** Adds `'<place>' <text>`. The place may lead into a list: `lines[0].amount`. */
  refuse(place: string, text: string): void {
    const steps = place.split(/[.[\]]+/).filter((step) => step !== '');
    this.#faults.add({
      key: steps[0] ?? place,
      place: placeOf(this.group.resource.fields, steps),
      at: place,
      text: `'${place}' ${text}`,
    });
  }

  isSound(...keys: readonly string[]): boolean {
    return !keys.some((key) => this.#faults.keys.has(key));
  }

  get hasFaults(): boolean {
    return this.#faults.keys.size > 0;
  }

  /** Finds references to nothing. Rules that look at other records are judged only where those exist. */
  async checkReferences(): Promise<void> {
    const { session, groups } = this.scope;
    const values = { ...this.values, ...this.#partial };
    const faults = await referenceFaults({
      ...{ session, groups, values },
      resource: this.group.resource,
      isChosen: (key) => this.sent.has(key),
      isRefused: (place) => this.#faults.places.has(place),
    });
    for (const { place, title } of faults) this.refuse(place, `does not refer to an existing ${title}`);
  }

  /** @throws Problem with all texts, in the order of the record, when there are any. */
  conclude(): void {
    if (this.hasFaults) throw problems.bodyInvalid(this.#faults.first.map(({ text }) => text));
  }

  /** Guards what the rules of this write compare, all at once. */
  async guard(): Promise<void> {
    const guarded = this.group.guards.flatMap(({ rule, use, key, guard }) =>
      key !== '' || this.#concerns(rule, use) ? guard(this.#moment(use, key)) : [],
    );
    await this.scope.guard(...guarded);
  }

  /** Runs one moment of every rule that this write concerns, in the order of the descriptor; or of the local ones alone. */
  async run(step: Step, which: 'every' | 'local' = 'every'): Promise<void> {
    for (const { rule, use, act } of this.group.acts[step]) {
      if (which === 'local' && !isLocalUse(rule, use)) continue;
      if (this.#concerns(rule, use)) await act(this.#moment(use, ''));
    }
  }

  /** Computes the derived fields, then what the rules derive. */
  async derive(): Promise<void> {
    for (const {
      key,
      act: { use, act },
    } of this.group.derivations)
      await act(this.#moment(use, key));
    await this.run('derive');
  }

  #concerns(rule: Rule, use: RuleUse): boolean {
    if (rule.on?.includes(this.#operation) === false) return false;
    if (this.#operation !== 'update' || rule.looksAt === undefined) return true;
    // What a rule before has changed counts as well.
    return rule
      .looksAt(use, this.group.resource)
      .some((key) => this.sent.has(key) || !sameValue(this.before?.[key], this.values[key]));
  }

  #moment(use: RuleUse, key: string): Moment {
    return {
      use,
      key,
      resource: this.group.resource,
      operation: this.#operation,
      before: this.before,
      values: this.values,
      sent: this.sent,
      actingMember: this.scope.actingMember,
      today: () => this.scope.today(),
      records: this.scope,
      refuse: (place, text) => this.refuse(place, text),
      conflict: (kind, group) => this.#conflict(use, kind, group),
      isSound: (...keys) => this.isSound(...keys),
      isCascade: this.#isCascade,
    };
  }

  /** The document shows the conflicts that rules name, so that they answer with no others. */
  #conflict(use: RuleUse, kind: ConflictKind, group: string | undefined): never {
    const write = this.#isCascade ? 'cascade' : this.#operation;
    if (use.conflicts[write] !== kind || (use.conflictsAbout === 'own') !== (group === undefined))
      throw new Error(`rule ${use.use} does not name the conflict ${kind} on ${write}`);
    const { resource } = group === undefined ? this.group : this.scope.groups.get(group);
    throw problems[kind](resource.title);
  }

  /** Gives a value to every field that has none: its default, what a rule gives it, or what unset means. */
  async fill(): Promise<void> {
    const { fixed, sourced, conditional, composite } = this.group.filled;
    // Null is a value that the caller has chosen; only what is missing takes a default. What is not kept has none on update.
    const isMissing = (field: Field): boolean =>
      this.values[field.key] === undefined && (field.stored || this.before === undefined);
    for (const field of fixed) if (isMissing(field)) this.values[field.key] = field.default;
    for (const field of sourced) {
      if (isMissing(field)) this.values[field.key] = await this.#defaultFrom(field.defaultFrom, this.values);
    }
    await this.run('fill');
    for (const field of conditional) await this.#applyCondition(field);
    for (const field of composite) await this.#fillInside(field);
    for (const field of this.group.resource.fields) this.values[field.key] ??= emptyValue(field);
  }

  /** A field that applies only in some states of its record: null where it does not; its default where it does. */
  async #applyCondition(field: Field): Promise<void> {
    const { key, onlyWhen } = field;
    if (onlyWhen === undefined || !this.isSound(...onlyWhen.keys)) return;
    if (!onlyWhen.test(this.values)) {
      if (this.sent.has(key) && !isUnset(this.values[key]) && this.isSound(key)) this.refuse(key, 'is not allowed');
      this.values[key] = notApplying(field);
    } else if (isUnset(this.values[key]) && field.derived === undefined) {
      // An object that applies is there, with the defaults of its fields.
      const otherwise = field.kind === 'object' ? {} : this.values[key];
      this.values[key] = field.default ?? (await this.#defaultFrom(field.defaultFrom, this.values)) ?? otherwise;
    }
  }

  /**
   * Defaults and conditions inside objects and the items of lists, which are always whole. Of those with faults, what is
   * well-formed is judged.
   */
  async #fillInside(field: Field): Promise<void> {
    const value = this.isSound(field.key) ? this.values[field.key] : this.#wellFormed(field);
    if (value === null || value === undefined) return;
    if (field.kind === 'object') await this.#fillItem(field.fields, value as Values, field.key);
    if (field.kind === 'objects' && (this.sent.has(field.key) || this.before === undefined)) {
      const stored = new Set(listOf(this.before?.[field.key]).map((item) => item['id']));
      const root = this.group.resource.fields.indexOf(field);
      for (const [index, item] of itemsOf(value).entries()) {
        const place = `${field.key}[${index}]`;
        if (this.#faults.isDone(field.key, { place: [root, index] })) break;
        if (item === null) continue;
        await this.#fillItem(field.fields, item, place);
        if (field.hasIds && !this.#faults.places.has(`${place}.id`)) this.#ownId(field, item, stored, index);
      }
    }
  }

  /** The items of the lists of an item. */
  async #fillLists(fields: readonly Field[], item: Values, place: string): Promise<void> {
    for (const field of fields) {
      if (field.kind !== 'objects') continue;
      for (const [index, inside] of itemsOf(item[field.key]).entries())
        if (inside !== null) await this.#fillItem(field.fields, inside, `${place}.${field.key}[${index}]`);
    }
  }

  #wellFormed({ key, kind }: Field): Value | undefined {
    const partial = this.#partial[key];
    const stored = this.before?.[key];
    return kind === 'object' && isRecord(partial) && isRecord(stored) ? { ...stored, ...partial } : partial;
  }

  #ownId(field: ObjectsField, item: Values, stored: ReadonlySet<Value | undefined>, index: number): void {
    if (item['id'] === undefined || item['id'] === null) item['id'] = newId();
    else if (!stored.has(item['id']))
      this.refuse(`${field.key}[${index}].id`, 'must be the id of an item of the stored list');
  }

  async #fillItem(fields: readonly Field[], item: Values, place: string): Promise<void> {
    const isSound = (...keys: readonly string[]): boolean =>
      !keys.some((key) => this.#faults.places.has(`${place}.${key}`));
    for (const field of fields) {
      if (field.onlyWhen === undefined && item[field.key] === undefined && field.from === undefined) {
        item[field.key] = field.default ?? (await this.#defaultFrom(field.defaultFrom, item)) ?? emptyValue(field);
      }
    }
    for (const field of fields) {
      const { key, onlyWhen, requiredWhen } = field;
      if (onlyWhen !== undefined && isSound(...onlyWhen.keys) && !onlyWhen.test(item)) {
        if (!isUnset(item[key]) && isSound(key)) this.refuse(`${place}.${key}`, 'is not allowed');
        item[key] = notApplying(field);
      } else if (onlyWhen !== undefined && isUnset(item[key])) {
        item[key] = field.default ?? (await this.#defaultFrom(field.defaultFrom, item)) ?? null;
      }
      const isNeeded = requiredWhen !== undefined && isSound(key, ...requiredWhen.keys) && requiredWhen.test(item);
      if (isNeeded && isUnset(item[key])) this.refuse(`${place}.${key}`, 'is required');
    }
    await this.#fillLists(fields, item, place);
  }

  /** The first source that gives a value. */
  async #defaultFrom(sources: readonly DefaultSource[], values: Readonly<Values>): Promise<Value | undefined> {
    for (const source of sources) {
      const value = await this.#sourceValue(source, values);
      if (!isUnset(value)) return value;
    }
    return undefined;
  }

  /** Judges a condition that may look at other records; false where a reference on its way is null. */
  async #holds(condition: Condition, values: Readonly<Values>): Promise<boolean> {
    if (condition.paths.length === 0) return condition.test(values);
    const judged = {
      resource: this.group.resource,
      values: { ...values },
      records: this.scope,
      isSound: (...keys: readonly string[]) => this.isSound(...keys),
    };
    return (await holds(judged, condition)) === true;
  }

  async #sourceValue(source: DefaultSource, values: Readonly<Values>): Promise<Value | undefined> {
    switch (source.kind) {
      case 'today':
        return this.scope.today();
      case 'actingMember':
        return this.scope.actingMember;
      case 'value':
        return source.when === undefined || (await this.#holds(source.when, values)) ? source.value : undefined;
      case 'find': {
        const [first] = await this.scope.list(source.group, source.where, { limit: 1 });
        return first?.['id'];
      }
      case 'path':
        return this.scope.follow(
          this.group.resource,
          values === this.values ? values : { ...this.values, ...values },
          source.path,
        );
    }
  }

  /** What the record as it will be must have. */
  checkPresence(): void {
    for (const field of this.group.resource.fields) if (this.#lacks(field)) this.refuse(field.key, 'is required');
  }

  /**
   * Whether the references must be looked up before more is judged: a reference to nothing gives no values, and one that
   * is not kept has no foreign key to watch over it.
   */
  doubtsReferences(): boolean {
    return this.group.resource.fields.some(
      (field) =>
        this.#lacks(field) ||
        (field.kind === 'reference' && !field.stored && this.sent.has(field.key) && !isUnset(this.values[field.key])),
    );
  }

  #lacks(field: Field): boolean {
    const { key, requiredWhen } = field;
    if (!isUnset(this.values[key])) return false;
    if (field.derived !== undefined || field.from !== undefined || !this.isSound(key)) return false;
    const isNeeded = requiredWhen !== undefined && this.isSound(...requiredWhen.keys) && requiredWhen.test(this.values);
    const isNever =
      field.unset === 'never' &&
      (field.onCreate || field.onUpdate) &&
      !isEmptyable(field) &&
      field.onlyWhen === undefined &&
      field.inherits.length === 0;
    return isNeeded || (isNever && this.isSound(...this.#fillers(field)));
  }

  /** Keys that a missing value would have come from. Where one of them is wrong, that alone is what the caller must mend. */
  #fillers(field: Field): string[] {
    const { resource } = this.group;
    const paths = field.defaultFrom.flatMap((source) =>
      source.kind === 'path' ? [source.path.split('.')[0] ?? ''] : [],
    );
    const uses = resource.rules.map((use) => Object.values(use.arguments).flat().map(String));
    const words = uses.filter((named) => named.includes(field.name) || named.includes(field.key)).flat();
    const keys = [...paths, ...words].flatMap(
      (word) => (resource.byName.get(word) ?? resource.byKey.get(word))?.key ?? [],
    );
    return keys.filter((key) => key !== field.key);
  }

  /** Keys of the stored fields whose value is another one than before. */
  changedKeys(): string[] {
    return this.group.resource.fields
      .filter((field) => field.stored && !sameValue(this.before?.[field.key], this.values[field.key]))
      .map(({ key }) => key);
  }
}

/** Items of a list; null for one that is none at all. */
const itemsOf = (value: Value | undefined): (Values | null)[] => (Array.isArray(value) ? (value as Values[]) : []);
const listOf = (value: Value | undefined): Values[] => (Array.isArray(value) ? (value as Values[]) : []);

/** Lists may be empty, and switches are never missing. */
const isEmptyable = (field: Field): boolean =>
  field.kind === 'list' || field.kind === 'objects' || field.kind === 'references';

/** What a field holds while it does not apply: null where it can be null, an empty list, a switch that is off. */
function notApplying(field: Field): Value {
  if (field.unset === 'null') return null;
  return emptyValue(field) ?? (field.kind === 'boolean' ? (field.default ?? false) : null);
}

/** What a field holds that nothing gave a value to; undefined where it must have one. */
function emptyValue(field: Field): Value | undefined {
  if (!field.stored && field.kind !== 'boolean') return undefined;
  if (field.kind === 'list' || field.kind === 'objects' || field.kind === 'references') return [];
  if (field.unset === 'empty') return '';
  if (field.unset === 'null') return null;
  // Switches that only the service sets are off until it does.
  return field.kind === 'boolean' && !field.onCreate ? false : undefined;
}

/** Values are compared as the engine holds them: decimals without trailing zeros, keys of objects in the order of fields. */
export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return (a ?? null) === (b ?? null);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item: Value, index) => sameValue(item, b[index] as Value));
  const [left, right] = [a as Values, b as Values];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => sameValue(left[key], right[key]));
}
