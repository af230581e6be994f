// Normalises checked descriptors: raw JSON → model. It runs only after all checks have passed, and so cannot fail.
import type { Shape, Tree } from '../../formulas/language/tree.ts';
import { unreachable } from '../../unreachable.ts';
import { daysOf, movesIn } from '../formulas/days.ts';
import { givenOf, sourceOf } from '../formulas/named-formulas.ts';
import type { Shapes } from '../formulas/shapes.ts';
import { isScalar } from '../model/kinds.ts';
import {
  type Field,
  type FieldLock,
  type Operation,
  operations,
  type Resource,
  type RuleSignature,
} from '../model/model.ts';
import { parseShownAs } from '../model/shown-as.ts';
import type { RawDescriptor, RawField } from '../model/vocabulary.ts';
import { effectOf } from './effects.ts';
import { type FieldContext, fieldContext, normaliseField, optional } from './normalise-fields.ts';
import { condition, rulesOf, ruleUse } from './normalise-rules.ts';

/** A descriptor that has been checked, with where it was found. */
export interface Checked {
  readonly name: string;
  readonly file: string;
  readonly raw: RawDescriptor;
}

/** A checked descriptor → its resource. */
export function normaliseDescriptor(
  { name, file, raw }: Checked,
  { signatures, shapes }: { readonly signatures: Readonly<Record<string, RuleSignature>>; readonly shapes: Shapes },
): Resource {
  const { resource } = raw;
  const scopes: FieldContext['scopes'] = (fields) => shapes.scopeInside(name, fields);
  const known = { signatures, scopes, isComputed: resource.computed !== undefined };
  const context = fieldContext(raw, { ...known, keys: new Set((resource.unique ?? []).flat()) }, '');
  const fields = fieldsOf(raw, context);
  const byName = new Map(fields.map((field) => [field.name, field]));
  const named = (words: readonly string[]): Field[] =>
    words.map((word) => byName.get(word)).filter((field) => field !== undefined);
  const moves = movesIn(fields);
  const effects = (resource.effects ?? []).map((effect) => effectOf(effect, { scope: context.scope, fields, moves }));
  return deepFreeze({
    name,
    file,
    renamedFrom: raw.renamedFrom,
    title: raw.title,
    description: raw.description,
    area: resource.area ?? 'Resources',
    path: resource.path,
    operations: new Set<Operation>(operations.filter((operation) => resource.operations.includes(operation))),
    feature: resource.feature,
    singleton: resource.singleton === true,
    ifMatch: resource.ifMatch === true,
    isLogged: resource.changes !== false && resource.computed === undefined,
    isWorkspace: resource.workspace === true,
    timeZone: resource.timeZone,
    features: resource.features,
    computed: computedOf(resource, context),
    shownAs: parseShownAs(resource.shownAs) ?? [],
    shows: resource.shows,
    views: resource.views,
    fields,
    byKey: new Map(fields.map((field) => [field.key, field])),
    byName,
    unique: (resource.unique ?? []).map((words) => ({ fields: named(words), word: words.at(-1) ?? '' })),
    indexes: (resource.indexes ?? []).map(named),
    mayAct: optional(resource.mayAct, context.scope),
    signIn: signInOf(resource.signIn, { byName, scope: context.scope }),
    lockedUpdate: optional(resource.locked?.update, context.scope),
    lockedDelete: optional(resource.locked?.delete, context.scope),
    effects,
    days: daysOf(moves, effects),
    rules: rulesOf(raw, { group: name, fields, signatures, shapes }),
    decisions: new Set(named(resource.decisions ?? []).map(({ key }) => key)),
    lockedFields: (resource.locked?.fields ?? []).map(({ when, open, closed = [] }): FieldLock => {
      const known = named(open ?? closed);
      const isLocked = (field: Field): boolean =>
        known.includes(field) === (open === undefined) && field.onUpdate && isTyped(field);
      return {
        when: condition(when, context.scope),
        isOfAllBut: open !== undefined,
        named: known,
        fields: fields.filter(isLocked),
      };
    }),
    formulas: Object.entries(resource.formulas ?? {}).map(([word, formula]) => ({
      name: word,
      given: givenOf(formula),
      source: sourceOf(formula),
      tree: namedTree(context.scope.record, word),
    })),
    setup: resource.setup ?? [],
  });
}

/** The checks let only texts be names. */
function signInOf(
  raw: RawDescriptor['resource']['signIn'],
  { byName, scope }: { readonly byName: ReadonlyMap<string, Field>; readonly scope: FieldContext['scope'] },
): Resource['signIn'] {
  const name = byName.get(raw?.name ?? '');
  return raw === undefined || name === undefined || !isScalar(name)
    ? undefined
    : { name, when: optional(raw.when, scope) };
}

/** Whether callers may ever send a field: one that is computed under a condition is typed in where that does not hold. */
const isTyped = ({ figure }: Field): boolean => figure === undefined || figure.when !== undefined;

function computedOf({ computed }: RawDescriptor['resource'], context: FieldContext): Resource['computed'] {
  if (typeof computed === 'object') return ruleUse(computed, context);
  return computed === true ? true : undefined;
}

const id: RawField = { type: 'string', format: 'uuid', readOnly: true, description: 'Identifier' };
const createdAt: RawField = { type: 'string', format: 'date-time', readOnly: true, description: 'Creation time' };

/** The fields of a record. What is kept has an id first, and its time of creation last or where the descriptor has it. */
function fieldsOf({ properties }: RawDescriptor, context: FieldContext): Field[] {
  const all = context.isComputed ? properties : { id, ...properties, createdAt };
  return Object.entries(all).flatMap(([name, raw]) => (raw === true ? [] : [normaliseField(name, raw, context)]));
}

/** A named formula that the checks have accepted. */
function namedTree(record: Shape, word: string): Tree {
  const member = record.member(word);
  if (member?.kind !== 'formula') unreachable(`unchecked formula: ${word}`);
  return member.formula.tree();
}

function deepFreeze<T>(value: T): T {
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.isFrozen(value) ||
    value instanceof Map ||
    value instanceof Set
  )
    return value;
  Object.freeze(value);
  for (const inside of Object.values(value)) deepFreeze(inside);
  return value;
}
