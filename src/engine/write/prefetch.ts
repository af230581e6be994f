// Prefetch: evaluates all formulas of the write on a partial record and reads what they ask, one round trip per level.

import { ReadFacts } from '../../facts/read-facts.ts';
import { isUnset } from '../../facts/record-values.ts';
import type { Results } from '../../facts/results.ts';
import { factsOf } from '../../facts/without-deleted.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { Memo } from '../../formulas/evaluate/memo.ts';
import { itemsIn } from '../../formulas/evaluate/record-items.ts';
import { withUnknownFields } from '../../formulas/evaluate/unknown-fields.ts';
import { evaluateGenerated } from '../../formulas/generate/generate.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import { type Known, notKnown, type RecordValue, type Unknown } from '../../formulas/language/value.ts';
import { kinds } from '../../registry/model/kinds.ts';
import type { DefaultSource, Field, Value, Values } from '../../registry/model/model.ts';
import { isObject } from '../../values/json.ts';
import { type Soon, soon } from '../../values/soon.ts';
import { copyOf } from '../changes/copy-values.ts';
import { sameValue } from '../changes/same-value.ts';
import type { Draft } from '../draft/draft.ts';
import { fieldValue } from '../draft/field-value.ts';
import { keepingOf } from '../draft/locks-of-reads.ts';
import { writeOf } from '../draft/moment.ts';
import { isComputed } from '../figures/compute-figure.ts';
import type { FigureField } from '../plan/figures.ts';
import type { Group } from '../plan/groups.ts';
import { isLocalCondition } from '../plan/judged.ts';
import { evaluatedByRules } from '../rules/rule-steps.ts';
import { valueAlong } from '../transaction/shown-from.ts';
import { findPathStart } from './default-sources.ts';

/** One formula of the write, or one value that others need. @returns whether all that it looks at is known */
type Step = () => boolean;

/** Reads what the stages of a write will look at. Worth it where each answer is waited for. */
export function prefetch(draft: Draft): Soon<void> {
  const { scope, group } = draft;
  // Of what was before, formulas are not all taken anew.
  if (scope.groups.dialect.hasOneWriter || draft.isRestored || !asksOthers(group)) return undefined;
  return new Prefetcher(draft).read();
}

/** Whether writes of a group may ask for records that one hands on to the next: the settings alone are one round trip in any case. */
const asksOthers = ({ isSelfContained, defaultOrder }: Group): boolean =>
  !isSelfContained || !defaultOrder.asksSettingsAlone;

/** What an item, or the record, is to hold. */
interface Found {
  readonly values: Values;
  readonly value: Value;
}

class Prefetcher {
  readonly #draft: Draft;
  readonly #facts: ReadFacts;
  /** Of what judges. */
  readonly #judging: ReadFacts;
  /** The record as it will be, as far as that is known. */
  readonly #sketch: Values;
  readonly #self: RecordValue;
  /** Of one look at all formulas, until it fills something in. */
  readonly #memo = new Memo();
  readonly #judgingMemo = new Memo();
  /** Records that defaults look for by their values. */
  readonly #sought = new Map<DefaultSource, Value | Unknown>();
  #lookups: Promise<void>[] = [];
  /** What stands in objects and lists, by their keys: the same records each time. */
  readonly #placed = new Map<string, readonly RecordValue[]>();
  /** What the stages that follow need not evaluate again. */
  readonly #results: Results | undefined;

  constructor(draft: Draft) {
    this.#draft = draft;
    this.#sketch = sketchOf(draft);
    const own = writeOf(draft);
    this.#results = own.results;
    this.#results?.begin(this.#sketch);
    this.#self = withUnknownFields(recordValue(this.#sketch), draft.scope.records.facts.encounters);
    const gaps = draft.scope.records.facts.encounters;
    const write = { ...own, values: this.#sketch, gaps, results: undefined, befores: undefined };
    const isNew = draft.operation === 'create';
    this.#facts = new ReadFacts({ records: draft.scope.records, write, isNew });
    this.#judging = factsOf(write, isNew);
  }

  read(): Soon<void> {
    const days = this.#dayWanted();
    return this.#round([...this.#defaults(), ...this.#figures(), ...this.#judgements(), ...this.#effects()], days);
  }

  /** @param days What is read with the first that is read. */
  #round(steps: readonly Step[], days: readonly (() => Promise<void>)[]): Soon<void> {
    const open: Step[] = [];
    for (const step of steps) if (!step()) open.push(step);
    if (open.length === 0) return undefined;
    const lookups = [...this.#lookups.splice(0), ...days.map((want) => want())];
    const asked = this.#readAsked();
    const goOn = (hasRead: boolean): Soon<void> => {
      this.#forget();
      return hasRead || lookups.length > 0 ? this.#round(open, []) : undefined;
    };
    return lookups.length === 0
      ? soon(asked, goOn)
      : Promise.all([asked, ...lookups]).then(([hasRead]) => goOn(hasRead));
  }

  /** The day that was reached is read with the first that is read, where a figure hangs on it. */
  #dayWanted(): (() => Promise<void>)[] {
    const { scope, group } = this.#draft;
    const isWanted = group.figures.some((each) => each.figure.days.length > 0 && isComputed(this.#draft, each));
    return isWanted ? [async () => void (await scope.reached())] : [];
  }

  /** What any of them has asked of records, all of them have. @returns whether anything was asked for */
  #readAsked(): Soon<boolean> {
    return soon(this.#facts.readAsked(), (hasRead) =>
      soon(this.#judging.readAsked(), (hasReadMore) => hasReadMore || hasRead),
    );
  }

  #forget(): void {
    this.#memo.forgetUnknown();
    this.#judgingMemo.forgetUnknown();
  }

  *#defaults(): Generator<Step> {
    const { sourced, late, sourcedInItems } = this.#draft.group.defaultOrder;
    for (const field of new Set([...sourced, ...late]))
      if (this.#sketch[field.key] === undefined) yield () => this.#fill(field, [this.#self]);
    for (const [list, fields] of sourcedInItems)
      for (const field of fields) yield () => this.#fill(field, this.#inside([list]));
  }

  /** Gives a field its default where that is known. */
  #fill(field: Field, places: readonly RecordValue[]): boolean {
    let areKnown = true;
    const found: Found[] = [];
    for (const at of places) {
      const values = at.values as Values; // those of the sketch
      if (values[field.key] !== undefined) continue;
      const value = field.onlyWhen?.rulesOut(values) === true ? null : this.#default(field, at);
      if (value === notKnown) areKnown = false;
      else found.push({ values, value });
    }
    this.#put(field, found);
    return areKnown;
  }

  #put({ key }: Field, found: readonly Found[]): void {
    if (found.length === 0) return;
    let areNew = true;
    for (const { values, value } of found) {
      const old = values[key];
      if (old !== undefined) {
        areNew = false;
        if (!sameValue(old, value)) this.#results?.clear();
      }
      if ((typeof old === 'object' && old !== null) || (typeof value === 'object' && value !== null))
        this.#placed.clear();
      values[key] = value;
    }
    this.#facts.noteChanged(key);
    this.#judging.noteChanged(key);
    for (const memo of [this.#memo, this.#judgingMemo]) areNew ? memo.forgetUnknown() : memo.forget();
  }

  #default(field: Field, at: RecordValue): Value | Unknown {
    for (const source of field.defaultFrom) {
      const value = this.#sourced(field, source, at);
      if (value === notKnown || !isUnset(value)) return value;
    }
    return null;
  }

  #sourced(field: Field, source: DefaultSource, at: RecordValue): Value | Unknown {
    const { scope } = this.#draft;
    switch (source.kind) {
      case 'today':
        return this.#facts.today();
      case 'actingMember':
        return scope.actingMember;
      case 'value': {
        const holds = source.when === undefined || this.#value(source.when.tree, at);
        return holds === notKnown ? notKnown : holds === true ? source.value : null;
      }
      case 'formula': {
        const value = this.#value(source.figure.tree, at);
        return value === notKnown ? notKnown : fieldValue(field, value);
      }
      case 'path':
        return this.#along(at, field, source.path);
      case 'find':
        return this.#find(source);
    }
  }

  #find(source: DefaultSource & { readonly kind: 'find' }): Value | Unknown {
    const known = this.#sought.get(source);
    if (known !== undefined) return known;
    this.#sought.set(source, notKnown);
    const reading = this.#draft.scope.records.list(source.group, source.where, { limit: 1 });
    this.#lookups.push(reading.then(([first]) => void this.#sought.set(source, first?.['id'] ?? null)));
    return notKnown;
  }

  /** Returns the value at the end of a path of a field, which begins at the record or at the item. */
  #along(at: RecordValue, field: Field, path: string): Value | Unknown {
    const { scope, group } = this.#draft;
    const resource = at === this.#self ? group.resource : findPathStart(group, field);
    return valueAlong({ records: scope.records, facts: this.#facts }, { resource, self: at }, path) ?? null;
  }

  *#figures(): Generator<Step> {
    for (const each of this.#draft.group.figures) if (isComputed(this.#draft, each)) yield this.#taking(each);
  }

  #taking(each: FigureField): Step {
    const { field, figure, inside } = each;
    const { when, tree } = figure;
    const facts = this.#draft.group.judgedFigures.has(each.path) ? this.#judging : this.#facts;
    const found: Found[] = [];
    const step = this.#ofEach(inside, (at) => {
      const applies = when === undefined || this.#value(when.tree, at, facts);
      const value = applies === true ? this.#value(tree, at, facts) : applies;
      if (value === notKnown) return false;
      if (applies === true) found.push({ values: at.values as Values, value: fieldValue(field, value) });
      return true;
    });
    return () => {
      const areKnown = step();
      this.#put(field, found.splice(0));
      return areKnown;
    };
  }

  /** A step at each of the items under these keys: all of them ask what they need, until it is known. */
  #ofEach(keys: readonly string[], isKnown: (at: RecordValue) => boolean): Step {
    if (keys.length === 0) return () => isKnown(this.#self);
    const known = new Set<RecordValue>();
    return () => {
      let areKnown = true;
      for (const at of this.#inside(keys)) {
        if (known.has(at)) continue;
        if (isKnown(at)) known.add(at);
        else areKnown = false;
      }
      return areKnown;
    };
  }

  *#judgements(): Generator<Step> {
    const { defaultOrder, states } = this.#draft.group;
    for (const { onlyWhen } of defaultOrder.reaching)
      if (onlyWhen !== undefined) yield () => this.#value(onlyWhen.tree, this.#self, this.#judging) !== notKnown;
    for (const { when } of states.flatMap(({ becomes }) => becomes))
      if (!isLocalCondition(when)) yield () => this.#value(when.tree, this.#self) !== notKnown;
    const { wanted, formulas } = evaluatedByRules(this.#draft);
    if (wanted.length > 0) yield () => this.#judge(wanted);
    for (const { tree, lists } of formulas)
      yield this.#ofEach(lists, (at) => this.#value(tree, at, this.#judging) !== notKnown);
  }

  /** Conditions of the record, by their places: what is known of them is wanted no longer. */
  #judge(wanted: boolean[]): boolean {
    const { conditions } = this.#draft.group;
    const [facts, memo] = [this.#judging, this.#judgingMemo];
    const found = conditions.evaluate(this.#self, { facts, memo }, wanted);
    let areKnown = true;
    for (const [place, tree] of conditions.trees.entries()) {
      const noted = found[place];
      if (noted === undefined) continue;
      wanted[place] = noted.value === notKnown;
      if (noted.value === notKnown) areKnown = false;
      else this.#results?.put(tree, noted, 'judging');
    }
    return areKnown;
  }

  *#effects(): Generator<Step> {
    const { group, operation, sent } = this.#draft;
    for (const effect of group.resource.effects) {
      if (!effect.on.has(operation)) continue;
      if (effect.sent.length > 0 && !effect.sent.some(({ key }) => sent.has(key))) continue;
      // What a log says is known when all that changes is.
      const isLog = effect.kind === 'make' && effect.logs !== undefined;
      const trees = [
        ...(effect.kind === 'make' ? [] : [effect.targets]),
        ...(effect.kind === 'remove' || isLog ? [] : effect.settings.map(({ tree }) => tree)),
      ];
      const write = { ...writeOf(this.#draft), values: this.#sketch, results: undefined, befores: undefined };
      const facts = factsOf({ ...write, keeping: keepingOf(this.#draft, effect.group) }, operation === 'create');
      const chosen = effect.kind === 'make' ? undefined : effect.targets;
      yield () => {
        const acts = effect.when === undefined || this.#value(effect.when.tree, this.#self, facts);
        if (acts !== true) return acts !== notKnown;
        return trees
          .map((tree) => this.#value(tree, this.#self, tree === chosen ? facts : this.#facts))
          .every((value) => value !== notKnown);
      };
    }
  }

  #value(tree: Tree, at: RecordValue, facts = this.#facts): Known | Unknown {
    const memo = facts === this.#facts ? this.#memo : facts === this.#judging ? this.#judgingMemo : undefined;
    const noted = evaluateGenerated(tree, at, { facts, given: nothing, memo });
    if (at === this.#self && memo !== undefined && noted.value !== notKnown)
      this.#results?.put(tree, noted, facts === this.#judging ? 'judging' : 'computing');
    return noted.value;
  }

  /** The record, or what stands in its objects and lists under these keys. */
  #inside(keys: readonly string[]): readonly RecordValue[] {
    if (keys.length === 0) return [this.#self];
    const place = keys.join('.');
    const placed = this.#placed.get(place) ?? this.#lookInside(keys);
    this.#placed.set(place, placed);
    return placed;
  }

  #lookInside(keys: readonly string[]): readonly RecordValue[] {
    return keys.reduce<readonly RecordValue[]>(
      (around, key) =>
        around.flatMap((at) => {
          const value = at.values[key];
          return itemsIn(at, Array.isArray(value) ? value : isObject(value) ? [value] : []).map((item) =>
            withUnknownFields(item, this.#draft.scope.records.facts.encounters),
          );
        }),
      [this.#self],
    );
  }
}

const nothing: readonly Known[] = Object.freeze([]);

/** The record with what stands in its descriptor, and without what is still to be filled in or computed. */
function sketchOf({ group, values, operation }: Draft): Values {
  const sketch = copyOf(values);
  const { fixed, sourced, late } = group.defaultOrder;
  for (const field of fixed)
    if (sketch[field.key] === undefined && field.default !== undefined) sketch[field.key] = field.default;
  const open = new Set([...sourced, ...late].map(({ key }) => key));
  for (const { inside, field, figure } of group.figures) {
    if (inside.length > 0) continue;
    // What is computed now is not what it was.
    if (figure.when === undefined && operation === 'create') delete sketch[field.key];
    open.add(field.key);
  }
  for (const field of group.resource.fields)
    if (!open.has(field.key) && sketch[field.key] === undefined)
      sketch[field.key] = kinds[field.kind].isMany ? [] : null;
  for (const field of group.resource.fields) if (field.kind === 'objects') sketchItems(field.fields, sketch[field.key]);
  return sketch;
}

/** Items without what is still to be filled in or computed; what nothing fills in is nothing. */
function sketchItems(fields: readonly Field[], items: Value | undefined): void {
  for (const item of Array.isArray(items) ? (items as Value[]) : [])
    if (isObject(item))
      for (const field of fields) {
        const values = item as Values;
        if (values[field.key] === undefined && field.figure === undefined && field.defaultFrom.length === 0)
          values[field.key] = field.default ?? (kinds[field.kind].isMany ? [] : null);
        if (field.kind === 'objects') sketchItems(field.fields, values[field.key]);
      }
}
