// Judges what callers with rights want to write: the record as it is stored, under its lock, then as the write leaves it. Only
// what a caller wants is judged; what follows from it belongs to the write.
import { type AccessOperation, type Rule, writes } from '../../access/model.ts';
import type { Grants } from '../../access/rights.ts';
import { judgedBy, type RoleCondition, type Truth } from '../../access/truth.ts';
import { areAllowed, areShowing, verdictsOf } from '../../access/verdict.ts';
import type { ReadFacts } from '../../facts/read-facts.ts';
import { isRecord } from '../../facts/record-values.ts';
import { factsOf } from '../../facts/without-deleted.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { Problem, problems } from '../../problems.ts';
import type { Field, Value, Values } from '../../registry/model/model.ts';
import type { BodyInput } from '../../request/intent.ts';
import { faultOf } from '../../storage/errors.ts';
import { filesToName } from '../../storage/files/seen-files.ts';
import type { Bound } from '../../storage/schema/cells.ts';
import { newId } from '../../values/id.ts';
import { type Change, nameInFull } from '../changes/change.ts';
import { isAsStored } from '../changes/same-value.ts';
import type { Group } from '../plan/groups.ts';
import { namesIn, rename } from '../transaction/references.ts';
import type { Judge, JudgedDraft, Judging, Scope } from '../transaction/scope.ts';
import type { Viewer } from './caller-sight.ts';
import { visibleAmong } from './visible.ts';

/** So many fields are named. */
const mostNamed = 50;

/** What is known of a rule whose conditions were judged. */
interface Held {
  readonly grants: Grants;
  /** Allows whose condition holds of the stored record. */
  readonly allows: readonly Rule[];
  /** Forbids whose condition does not surely fail, and which say what the write must not leave. */
  readonly forbids: readonly Rule[];
}

/** A stored record that is to be changed or deleted. */
interface StoredRecord extends Pick<Judging, 'before' | 'idAsSent' | 'newValues'> {
  readonly operation: 'update' | 'delete';
}

/** A write that was judged as far as the record is stored. */
interface Begun {
  readonly group: Group;
  readonly operation: 'create' | 'update';
  readonly before: Readonly<Values> | undefined;
  /** By the entries of the rights. */
  readonly held: readonly Held[];
  /** Fields that have another value by the body, in the order of the record. */
  readonly changed: readonly Field[];
  /** Fields whose stored value the caller does not see. */
  readonly unseen: ReadonlySet<Field>;
  draft: JudgedDraft | undefined;
}

export class WriteJudge implements Judge {
  readonly #viewer: Viewer;
  #begun: Begun | undefined;
  #unseen: ReadonlySet<Field> = new Set();
  readonly #visible: ReadonlyMap<string, boolean>;

  /** @param visible Whether records are visible, by `nameInFull`, as far as it was read already */
  constructor(viewer: Viewer, visible: ReadonlyMap<string, boolean> = new Map()) {
    this.#viewer = viewer;
    this.#visible = visible;
  }

  /** A create, before its body is judged. @throws Problem 403 for fields that no rule covers */
  creates(group: Group, input: BodyInput): void {
    const grants = this.#grants(group, 'create');
    const changed = fieldsSent(group, input, 'onCreate');
    const held = grants.map((each): Held => ({ grants: each, allows: each.allows, forbids: each.forbids }));
    this.#refuseFields(held, { group, operation: 'create', fields: changed });
    // What nobody is shown of any record is not shown of this one.
    this.#unseen = new Set(group.resource.fields.filter((field) => !this.#viewer.sight.shows(group.resource, field)));
    this.#begun = { group, operation: 'create', before: undefined, held, changed, unseen: new Set(), draft: undefined };
  }

  /** @throws Problem 404 */
  async meets(
    scope: Scope,
    { resource: { name, singleton } }: Group,
    { id, idAsSent }: Parameters<Judge['meets']>[2],
  ): Promise<void> {
    if (singleton || this.#viewer.sight.isAllVisible(name)) return;
    const seen = await this.#visibleAmong(scope, name, [id]);
    if (!seen.has(id)) throw problems.recordUnknown(idAsSent);
  }

  /** An update of a record that is locked. @throws Problem 404, 403 */
  async updates(scope: Scope, group: Group, { before, idAsSent, inputOf, newValues }: Judging): Promise<void> {
    const facts = storedFacts(scope, group, before);
    const unseen = await this.#seenOrUnknown(group, facts, { before, idAsSent, operation: 'update', newValues });
    this.#unseen = unseen;
    const held = await this.#judgeStored(group, 'update', { facts, before });
    const input = inputOf();
    const changed = fieldsSent(group, input, 'onUpdate').filter(
      (field) => unseen.has(field) || isChanged(field, before[field.key], input),
    );
    this.#refuseFields(held, { group, operation: 'update', fields: changed });
    this.#begun = { group, operation: 'update', before, held, changed, unseen, draft: undefined };
  }

  /** A delete of a record that is locked. @throws Problem 404, 403 */
  async deletes(scope: Scope, group: Group, { before, idAsSent }: Omit<Judging, 'inputOf'>): Promise<void> {
    const facts = storedFacts(scope, group, before);
    await this.#seenOrUnknown(group, facts, { before, idAsSent, operation: 'delete' });
    await this.#judgeStored(group, 'delete', { facts, before });
  }

  /**
   * Refuses references to records that the caller does not see, as those to records that there are not. They lead to nothing from
   * then on: what else is wrong is told as if nothing were there.
   */
  async references(scope: Scope, draft: JudgedDraft): Promise<void> {
    const begun = this.#begun;
    if (begun === undefined) return;
    begun.draft = draft;
    for (const field of draft.group.resource.fields) {
      if (!draft.sent.has(field.key)) continue;
      const stored = begun.before === undefined || begun.unseen.has(field) ? [] : [...namesIn([field], begun.before)];
      const known = new Set(stored.map(({ target, id }) => `${target} ${id}`));
      const sent = Object.hasOwn(draft.partial, field.key) ? draft.partial : draft.values;
      const named = [...namesIn([field], sent)].filter(({ target, id }) => !known.has(`${target} ${id}`));
      for (const [target, wanted] of Map.groupBy(named, (each) => each.target)) {
        // The write refuses references to records that do not exist.
        if (this.#viewer.sight.isAllReferable(target)) continue;
        const ids = [...new Set(wanted.map(({ id }) => id))];
        const seen = await this.#referable(scope, target, ids);
        const { title } = scope.records.resource(target);
        for (const each of wanted) {
          if (seen.has(each.id)) continue;
          draft.refuse(each.place, `does not refer to an existing ${title}`, 'reference-unknown');
          rename(each, newId());
        }
      }
    }
  }

  /** Which records may be named: those that are seen; files where a record shows them. */
  #referable(scope: Scope, target: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { session, groups } = scope;
    const { registry, dialect, statements } = groups;
    const { sight, values } = this.#viewer;
    if (target !== registry.files?.name) return this.#visibleAmong(scope, target, ids);
    scope.settle(target);
    const unit = { read: (text: string, given: readonly Bound[]) => session.all(text, given) };
    const seeing = { registry, dialect, kept: statements, sight: sight.sql, isOpen: () => true };
    return filesToName(unit, seeing, { ids, values });
  }

  async #visibleAmong(scope: Scope, group: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const isVisible = (id: string): boolean | undefined => this.#visible.get(nameInFull({ group, id }));
    const visible = ids.filter((id) => isVisible(id) === true);
    const unread = ids.filter((id) => isVisible(id) === undefined);
    if (unread.length === 0) return new Set(visible);
    scope.settle(group);
    return new Set([...visible, ...(await visibleAmong(scope.session, this.#viewer, { group, ids: unread }))]);
  }

  /** What the write leaves, when all of it is known. @throws Problem 403 */
  async conclude(scope: Scope): Promise<void> {
    const begun = this.#begun;
    if (begun?.draft === undefined) return;
    const { group, operation, before, draft, changed } = begun;
    const { name } = draft;
    if (scope.isGone(name.group, name.id)) return;
    const values = scope.wantedOf(name)?.after ?? draft.values;
    const facts = factsIn(scope, group, {
      operation,
      before,
      values: { ...draft.values, ...values },
      sent: draft.sent,
    });
    const self = { ...draft.values, ...values };
    const newState = (refusedBy: string | null): Problem =>
      problems.accessDenied.newState(operation, group.resource.title, refusedBy);
    // The stored record fulfils the conditions of allows, and no condition of a forbid.
    const keepsTruth = ({ when, after }: Rule): boolean =>
      operation === 'update' && after === undefined && scope.changes.every((change) => isUnread(change, when));
    for (const { grants, allows, forbids } of begun.held) {
      for (const rule of grants.forbids) {
        if (keepsTruth(rule)) continue;
        const { when, after } = rule;
        // Of an update the condition was judged as the record was stored, where another says what it must not become.
        const isLeftOut = operation === 'update' && after !== undefined;
        const held = isLeftOut ? forbids.includes(rule) : (await truth(facts, when, self)) !== false;
        if (held && (after === undefined || (await truth(facts, after, self)) !== false))
          throw forbidden(rule, newState(rule.id));
      }
      const left: Rule[] = [];
      for (const rule of allows) {
        if (keepsTruth(rule)) {
          left.push(rule);
          continue;
        }
        const { when, after } = rule;
        const isOfWhen = operation === 'create' || after === undefined;
        const holds = !isOfWhen || (await truth(facts, when, self)) === true;
        if (holds && (await truth(facts, after, self)) === true) left.push(rule);
      }
      if (left.length === 0 || changed.some(({ key }) => !left.some((rule) => writes(rule, key)))) throw newState(null);
    }
  }

  async insteadOf(scope: Scope, error: unknown): Promise<Problem | undefined> {
    const isConflict =
      error instanceof Problem
        ? error.status === 409 && error.code !== 'record-read-only'
        : faultOf(error).kind === 'unique';
    if (!isConflict) return undefined;
    try {
      await this.conclude(scope);
    } catch (refused) {
      if (refused instanceof Problem && refused.status === 403) return refused;
    }
    return undefined;
  }

  hides(key: string): boolean {
    return [...this.#unseen].some((field) => field.key === key);
  }

  isAbout({ group, name }: Pick<JudgedDraft, 'group' | 'name'>): boolean {
    const about = this.#begun;
    if (about?.group.resource.name !== group.resource.name) return false;
    return about.before === undefined ? about.draft?.name.id === name.id : about.before['id'] === name.id;
  }

  lists(group: string): boolean {
    return this.#viewer.sight.listsAll(group);
  }

  #grants(group: Group, operation: AccessOperation): readonly Grants[] {
    const { name, title } = group.resource;
    const grants = this.#viewer.sight.rights.on(name, operation);
    if (grants === undefined) throw problems.accessDenied.group(operation, title, null);
    return grants;
  }

  /** @returns fields whose stored value is not shown. @throws Problem 404 where the record is not seen */
  async #seenOrUnknown(
    group: Group,
    facts: ReadFacts,
    { before, idAsSent, operation: wanted, newValues }: StoredRecord,
  ): Promise<ReadonlySet<Field>> {
    const { name, fields } = group.resource;
    const self = recordValue(before);
    const { rights } = this.#viewer.sight;
    const after = newValues && recordValue({ ...before, ...newValues });
    const rules = (rights.on(name, wanted) ?? []).flatMap(({ allows, forbids }) => [...allows, ...forbids]);
    // What a get shows is what the caller has before the eyes who changes it.
    const [got = [], listed = []] = await judgedBy(facts, ({ truth }) => {
      // The conditions of the operation come next: read their facts in the same rounds, for the new values also.
      for (const { when } of rules)
        if (when !== undefined) for (const each of after === undefined ? [self] : [self, after]) truth(when, each);
      return (['get', 'list'] as const).map((operation) =>
        verdictsOf(rights.on(name, operation), {
          ...{ operation, changed: [], knowsNew: false },
          truth: (condition) => truth(condition, self),
        }),
      );
    });
    if (!areAllowed(got) && !areAllowed(listed)) throw problems.recordUnknown(idAsSent);
    const isShown = (field: Field): boolean => field.shown && areAllowed(got) && areShowing(got, field.name);
    return new Set(fields.filter((field) => !isShown(field)));
  }

  async #judgeStored(
    group: Group,
    operation: 'update' | 'delete',
    { facts, before }: { readonly facts: ReadFacts; readonly before: Readonly<Values> },
  ): Promise<readonly Held[]> {
    const { title } = group.resource;
    const held: Held[] = [];
    for (const grants of this.#grants(group, operation)) {
      const forbids: Rule[] = [];
      for (const rule of grants.forbids)
        if ((await truth(facts, rule.when, before)) !== false) {
          if (rule.after === undefined) throw forbidden(rule, problems.accessDenied.record(operation, title, rule.id));
          forbids.push(rule);
        }
      const allows: Rule[] = [];
      for (const rule of grants.allows) if ((await truth(facts, rule.when, before)) === true) allows.push(rule);
      if (allows.length === 0) throw problems.accessDenied.record(operation, title, null);
      held.push({ grants, allows, forbids });
    }
    return held;
  }

  #refuseFields(
    held: readonly Held[],
    { group, operation, fields }: { group: Group; operation: 'create' | 'update'; fields: readonly Field[] },
  ): void {
    const refused = fields.filter(({ key }) => held.some(({ allows }) => !allows.some((rule) => writes(rule, key))));
    if (refused.length === 0) return;
    const keys = refused.slice(0, mostNamed).map(({ key }) => key);
    throw problems.accessDenied.fields(operation, group.resource.title, keys);
  }
}

/** Reports whether a condition reads nothing that a change may have changed. */
const isUnread = (change: Change, condition: RoleCondition | undefined): boolean =>
  condition === undefined ||
  (change.kind === 'update' && !change.keys.some((key) => condition.readsField(change.group, key)));

const forbidden = ({ because, id }: Rule, otherwise: Problem): Problem =>
  because === undefined ? otherwise : problems.accessDenied.because(because, id);

/** Whether a condition holds; always without one. */
async function truth(facts: ReadFacts, condition: RoleCondition | undefined, values: Readonly<Values>): Promise<Truth> {
  if (condition === undefined) return true;
  const self = recordValue(values);
  return facts.known(() => condition.truth(self, facts));
}

interface State {
  readonly operation: 'create' | 'update';
  readonly before: Readonly<Values> | undefined;
  readonly values: Values;
  readonly sent: ReadonlySet<string>;
}

/** What conditions look at: the records as the write sees them by now. */
const factsIn = (scope: Scope, { resource }: Group, state: State): ReadFacts =>
  factsOf({
    ...state,
    resource,
    actingMember: scope.actingMember,
    today: () => scope.today(),
    records: scope.records,
    beingDeleted: scope.beingDeleted,
  });

const storedFacts = (scope: Scope, group: Group, before: Readonly<Values>): ReadFacts =>
  factsIn(scope, group, { operation: 'update', before, values: { ...before }, sent: new Set() });

/** Fields that a body names, whether what it says of them is well-formed or not. */
function fieldsSent(
  { resource }: Group,
  { values, wrong }: BodyInput,
  accepted: 'onCreate' | 'onUpdate',
): readonly Field[] {
  return resource.fields.filter(
    (field) => field[accepted] && (Object.hasOwn(values, field.key) || wrong?.keys.has(field.key) === true),
  );
}

/** Objects are merged field by field. */
function isChanged(field: Field, stored: Value | undefined, { values, wrong }: BodyInput): boolean {
  if (wrong?.keys.has(field.key) === true) return true;
  const sent = values[field.key];
  const isMerged = field.kind === 'object' && isRecord(sent) && isRecord(stored);
  return !isAsStored(field, stored, isMerged ? { ...stored, ...sent } : sent);
}
