// A group's conditions for the browser, which checks them while somebody types: the compiled trees as JSON, evaluated
// by `src/formulas/evaluate/evaluate.ts` as the service does.
import { partsOf } from '../formulas/language/index-keys.ts';
import { type Node, parseFormula } from '../formulas/language/syntax.ts';
import type { Member, Tree, Type } from '../formulas/language/tree.ts';
import { conditionWords, type FormulaPart, partWords } from '../formulas/words/words.ts';
import type { Condition, DefaultSource, Field, Message, Resource, RuleUse } from '../registry/model/model.ts';
import { labelOf, wordsOf } from './labels.ts';

/** A tree without what only compilers ask for; references know their group by name. */
export interface WireTree {
  readonly op: string;
  readonly [part: string]: unknown;
}

export interface ConditionModel {
  /** For people. */
  readonly words: string;
  readonly tree: WireTree;
}

/** What `onlyWhen`, `requiredWhen` and the `when` of a formula say of a field, by its path: `lines.amount`. */
interface FieldConditions {
  readonly path: string;
  readonly only?: ConditionModel;
  readonly required?: ConditionModel;
  /** While it holds the service computes the field, and takes none. */
  readonly made?: ConditionModel;
}

/** What a condition asks for, taken apart: all or any of several things, down to one with its words. */
export type NeedModel =
  | { readonly op: 'all' | 'any'; readonly of: readonly NeedModel[] }
  | ({ readonly op: 'one' } & ConditionModel);

/** A condition on what a write says. */
export interface MustModel {
  /** Path of the field that it is about; of an item's field, from its list on. */
  readonly path: string;
  readonly that: WireTree;
  /** What the service would say: texts, and formulas. */
  readonly says: readonly (string | WireTree)[];
  /** The field must be what it says, where it does not say it all. */
  readonly isMust: boolean;
  readonly on: readonly string[];
  /** Only where this field changes. */
  readonly changed?: string;
  /** Of one whose answer says only that a change is refused: what it asks for. */
  readonly needs?: NeedModel;
}

export interface LockModel {
  readonly when: ConditionModel;
  /** Of fields; all of them where there are none. */
  readonly keys?: readonly string[];
}

/** Where the value of a field comes from that nobody sends: the first of these that has one. */
export interface DefaultModel {
  readonly key: string;
  readonly sources: readonly DefaultSourceModel[];
}

export type DefaultSourceModel =
  | { readonly kind: 'value'; readonly value: unknown; readonly when?: WireTree }
  | { readonly kind: 'formula'; readonly tree: WireTree }
  /** Names of fields, from reference to reference: `client.currency`, `workspace.currency`. */
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'today' }
  /** Only the service can tell. */
  | { readonly kind: 'unknown' };

export interface GroupConditions {
  readonly fields: readonly FieldConditions[];
  readonly defaults: readonly DefaultModel[];
  readonly musts: readonly MustModel[];
  readonly update: readonly LockModel[];
  readonly delete: readonly LockModel[];
}

/** Whether a group has any that the browser can judge. */
export const hasConditions = (resource: Resource): boolean => {
  const { fields, defaults, musts, update, delete: remove } = conditionsOf(resource);
  return fields.length + defaults.length + musts.length + update.length + remove.length > 0;
};

/** Reports whether a create fills the field from another record, and callers cannot send it: a new record shows it. */
export const isFilledOnCreate = ({ onCreate, onUpdate, shown, defaultFrom }: Field): boolean =>
  !onCreate && !onUpdate && shown && defaultFrom.some(({ kind }) => kind === 'path');

/** All conditions of a group that can be judged by the record, and by the records that it names. */
export function conditionsOf(resource: Resource): GroupConditions {
  const { lockedUpdate, lockedDelete, lockedFields } = resource;
  const lock = (when: Condition | undefined, keys?: readonly string[]): LockModel[] => {
    const condition = conditionModel(when, resource.fields);
    return condition === undefined ? [] : [{ when: condition, ...(keys && { keys }) }];
  };
  return {
    fields: fieldConditions(resource.fields, ''),
    defaults: resource.fields
      .filter((field) => (field.onCreate && field.defaultFrom.length > 0) || isFilledOnCreate(field))
      .map(defaultModel),
    musts: resource.rules.flatMap((rule) => mustModel(rule, resource.fields)),
    update: [
      ...lock(lockedUpdate),
      ...lockedFields.flatMap(({ when, fields }) =>
        lock(
          when,
          fields.map(({ key }) => key),
        ),
      ),
    ],
    delete: lock(lockedDelete),
  };
}

const fieldConditions = (fields: readonly Field[], above: string): FieldConditions[] =>
  fields.flatMap((field) => {
    const path = `${above}${field.name}`;
    const [only, required] = [conditionModel(field.onlyWhen, fields), conditionModel(field.requiredWhen, fields)];
    const made = conditionModel(field.figure?.when, fields);
    const own = { path, ...(only && { only }), ...(required && { required }), ...(made && { made }) };
    const inside = 'fields' in field ? fieldConditions(field.fields, `${path}.`) : [];
    return only === undefined && required === undefined && made === undefined ? inside : [own, ...inside];
  });

const defaultModel = ({ key, defaultFrom }: Field): DefaultModel => ({ key, sources: defaultFrom.map(sourceModel) });

function sourceModel(source: DefaultSource): DefaultSourceModel {
  switch (source.kind) {
    case 'value': {
      const when = source.when && wireTree(source.when.tree);
      if (source.when !== undefined && when === undefined) return { kind: 'unknown' };
      return { kind: 'value', value: source.value, ...(when && { when }) };
    }
    case 'formula': {
      const tree = wireTree(source.figure.tree);
      return tree === undefined ? { kind: 'unknown' } : { kind: 'formula', tree };
    }
    case 'path':
      return { kind: 'path', path: source.path };
    case 'today':
      return { kind: 'today' };
    default:
      return { kind: 'unknown' };
  }
}

function conditionModel(condition: Condition | undefined, fields: readonly Field[]): ConditionModel | undefined {
  const tree = condition && wireTree(condition.tree);
  if (condition === undefined || tree === undefined) return undefined;
  return { words: peopleWords(conditionWords(condition.source), fields), tree };
}

const peopleWords = (parts: readonly FormulaPart[], fields: readonly Field[]): string =>
  parts.map(({ kind, text }) => (kind === 'code' ? asPeopleSay(text, fields) : text)).join('');

/** A field by its label, and a value of an enum by its words. */
function asPeopleSay(text: string, fields: readonly Field[]): string {
  const field = fields.find(({ name, key }) => name === text || key === text);
  if (field !== undefined) return labelOf(field);
  return fields.some((each) => each.kind === 'enum' && each.values.includes(text)) ? wordsOf(text) : text;
}

/** Rules that say what a field must be; what answers with a conflict is the service's to say. */
function mustModel({ use, arguments: given, conditions, messages }: RuleUse, fields: readonly Field[]): MustModel[] {
  if (use !== 'require' && use !== 'requireInItems') return [];
  const { that } = conditions;
  const message = messages['must'] ?? messages['text'];
  const tree = that && wireTree(that.tree);
  const field = given['field'];
  if (given['answers'] === 'cannotChange' && that !== undefined && tree !== undefined && typeof field === 'string')
    return [
      {
        path: field,
        that: tree,
        says: [],
        isMust: false,
        on: ['update'],
        needs: needOf(parseFormula(that.source), that.tree, fields),
      },
    ];
  const says = message && wireMessage(message);
  if (tree === undefined || says === undefined || typeof field !== 'string') return [];
  const on = given['on'] === undefined ? ['create', 'update'] : [given['on']].flat().map(String);
  const path = use === 'require' ? field : `${String(given['list'])}.${field}`;
  const changed = typeof given['changed'] === 'string' ? { changed: given['changed'] } : {};
  return [{ path, that: tree, says, isMust: messages['must'] !== undefined, on, ...changed }];
}

/** A condition and its tree, taken apart side by side: of the one come the words, of the other what is judged. */
function needOf(node: Node, tree: Tree, fields: readonly Field[]): NeedModel {
  const isJoint = tree.op === 'and' || tree.op === 'or';
  if (isJoint && node.op === 'binary')
    return {
      op: tree.op === 'and' ? 'all' : 'any',
      of: [needOf(node.left, tree.left, fields), needOf(node.right, tree.right, fields)],
    };
  return { op: 'one', words: peopleWords(partWords(node), fields), tree: wired(tree) as WireTree };
}

function wireMessage({ parts }: Message): readonly (string | WireTree)[] | undefined {
  const wired = parts.map((part) => (typeof part === 'string' ? part : wireTree(part)));
  return wired.every((part) => part !== undefined) ? wired : undefined;
}

/** So many nodes of a condition the browser is sent; named formulas stand in it wherever they are named. */
const mostNodes = 5000;

/** Undefined for one that looks through records of a group, or is very long: only the service judges it. */
function wireTree(tree: Tree): WireTree | undefined {
  return nodesIn(tree) > mostNodes ? undefined : (wired(tree) as WireTree);
}

const counted = new WeakMap<Tree, number>();

/** How many nodes a tree has, with those of the formulas that it names; no number holds those of one that looks further. */
function nodesIn(tree: Tree): number {
  const known = counted.get(tree);
  if (known !== undefined) return known;
  const named = tree.op === 'named' ? nodesIn(tree.formula.tree()) : 0;
  const inside = partsOf(tree).reduce((sum, part) => sum + nodesIn(part), 1 + named);
  const count = looksFurther(tree) ? Number.POSITIVE_INFINITY : inside;
  counted.set(tree, count);
  return count;
}

const looksFurther = (tree: Tree): boolean =>
  tree.op === 'gather' ||
  tree.op === 'place' ||
  (tree.op === 'field' && (tree.member.kind === 'others' || tree.member.kind === 'formula'));

/** Parts of a node that only compilers ask for. */
const ofCompilers = new Set(['start', 'end', 'nullable', 'variable']);

/** Parts of a node that are no trees themselves. */
const wiredParts: Readonly<Record<string, (part: never) => unknown>> = {
  type: (type: Type) => wiredType(type),
  member: (member: Member) => wiredMember(member),
  formula: ({ tree }: { tree: () => Tree }) => ({ tree: wired(tree()) }),
};

function wired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wired);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      ofCompilers.has(name) || part === undefined ? [] : [[name, (wiredParts[name] ?? wired)(part as never)]],
    ),
  );
}

const wiredType = (type: Type): unknown =>
  type.kind === 'list' ? { kind: type.kind, item: wiredType(type.item) } : { kind: type.kind };

function wiredMember(member: Member): unknown {
  const { kind, name } = member;
  if (member.kind === 'formula') return { kind, name };
  const group = 'shape' in member ? { group: member.shape().group } : {};
  const by = member.kind === 'reference' && member.by !== undefined ? { by: member.by } : {};
  const isAmong = member.kind === 'value' && member.isAmong === true ? { isAmong: true } : {};
  return { kind, name, key: member.key, ...group, ...by, ...isAmong };
}
