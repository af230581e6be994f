// A domain, read once: its groups with their conditions, effects and locks.
import {
  collectionName,
  type Domain,
  type Field,
  type Happening,
  type Named,
  type RawCondition,
  type RawDescriptor,
  type Shape,
  shapeOfGroup,
} from './shape.ts';
import { type Node, parseFormula } from './syntax.ts';

/** A text with the values of formulas in it. */
type Message = readonly (string | Node)[];

export interface Condition {
  readonly source: string;
  readonly that: Node;
  /** The key that the text is about. */
  readonly key: string;
  readonly message: Message;
  readonly answers: string | undefined;
  readonly about: string | undefined;
  readonly on: readonly string[];
  readonly changed: string | undefined;
  /** Whether every update calls for it. */
  readonly isAlways: boolean;
}

/** A list whose items name records of the group; or two references of links. */
export type Line =
  | { readonly list: string; readonly key: string }
  | { readonly list: undefined; readonly from: string; readonly to: string };

export interface Effect {
  readonly on: readonly Happening[];
  readonly when: Node | undefined;
  readonly make: string | undefined;
  readonly change: Node | undefined;
  readonly remove: Node | undefined;
  readonly settings: readonly (readonly [string, Node])[];
}

export interface Group {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly shape: Shape;
  readonly conditions: readonly Condition[];
  readonly effects: readonly Effect[];
  readonly lockedUpdate: Node | undefined;
  readonly lockedDelete: Node | undefined;
  readonly lockedFields: readonly { readonly when: Node; readonly keys: ReadonlySet<string> }[];
  readonly decisions: ReadonlySet<string>;
  /** What never leads back: `uses.part`, or from one end of a link to the other. */
  readonly lines: readonly Line[];
  readonly formulas: Named;
  /** Names of the fields by which its collections may be narrowed. */
  readonly sought: ReadonlySet<string>;
}

export interface Model {
  readonly groups: ReadonlyMap<string, Group>;
  /** Groups by the names of their collections. */
  readonly collections: ReadonlyMap<string, string>;
  /** Whether anything asks what was before a write. */
  readonly hasBefore: boolean;
}

function messageOf(text: string): Message {
  const parts: (string | Node)[] = [];
  for (const [, plain, brace, formula] of text.matchAll(/([^{]+)|(\{\{)|\{([^{}]*)\}/g)) {
    if (plain !== undefined) parts.push(plain);
    else if (brace !== undefined) parts.push('{');
    else parts.push(parseFormula(formula ?? ''));
  }
  return parts;
}

function conditionOf(raw: Partial<RawCondition>, shape: Shape, standing?: Field): Condition {
  const { that = 'true', be, must, text, field, answers, about, on = ['create', 'update'], changed, always } = raw;
  const words = text ?? `must be ${be ?? must ?? ''}`;
  const named = standing ?? shape.fields.find(({ name, key }) => name === field || key === field);
  const ons = [on].flat();
  const key = named?.key ?? '';
  return {
    ...{ source: that, that: parseFormula(that), key, message: messageOf(words), answers, about, on: ons, changed },
    isAlways: always === true,
  };
}

const optional = (source: string | undefined): Node | undefined =>
  source === undefined ? undefined : parseFormula(source);

/** Names of fields of `locked` as keys. */
function keysOf(shape: Shape, names: readonly string[]): readonly string[] {
  return shape.fields.filter(({ name, key }) => names.includes(name) || names.includes(key)).map(({ key }) => key);
}

function lineOf(
  shape: Shape,
  { field, from, to }: Readonly<Partial<Record<'field' | 'from' | 'to', string | undefined>>>,
): Line[] {
  const [upper, lower] = keysOf(shape, [from ?? '']).concat(keysOf(shape, [to ?? '']));
  if (upper !== undefined && lower !== undefined) return [{ list: undefined, from: upper, to: lower }];
  const [list, name] = (field ?? '').split('.');
  const items = shape.fields.find((each) => each.name === list)?.items;
  const key = items?.fields.find((each) => each.name === name || each.key === name)?.key;
  return list === undefined || key === undefined ? [] : [{ list, key }];
}

function groupOf(name: string, raw: RawDescriptor): Group {
  const { resource, title } = raw;
  const shape = shapeOfGroup(name, raw);
  const { locked = {}, rules = [], effects = [], decisions = [], indexes = [] } = resource;
  const standing = shape.fields.flatMap((field) => (field.raw.must ?? []).map((one) => conditionOf(one, shape, field)));
  const declared = rules.filter(({ use }) => use === 'require').map((one) => conditionOf(one, shape));
  const all = shape.fields.map(({ key }) => key);
  return {
    name,
    title,
    path: resource.path,
    shape,
    conditions: [...declared, ...standing],
    effects: effects.map(({ on, when, make, change, remove, with: given, set }) => ({
      on,
      when: optional(when),
      make,
      change: optional(change),
      remove: optional(remove),
      settings: Object.entries(given ?? set ?? {}).map(([key, source]) => [key, parseFormula(source)] as const),
    })),
    lockedUpdate: optional(locked.update),
    lockedDelete: optional(locked.delete),
    lockedFields: (locked.fields ?? []).map(({ when, open, closed }) => {
      const opened = keysOf(shape, open ?? []);
      const keys = closed === undefined ? all.filter((key) => !opened.includes(key)) : keysOf(shape, closed);
      return { when: parseFormula(when), keys: new Set(keys) };
    }),
    decisions: new Set(keysOf(shape, decisions)),
    lines: rules.flatMap(({ use, field, from, to }) => (use === 'noCircle' ? lineOf(shape, { field, from, to }) : [])),
    formulas: shape.named,
    sought: new Set([
      'id',
      ...indexes.flat(),
      ...shape.fields.filter(({ kind }) => kind === 'reference').map(({ key }) => key),
    ]),
  };
}

export function modelOf(domain: Domain): Model {
  const groups = Object.entries(domain).map(([name, raw]) => [name, groupOf(name, raw)] as const);
  return {
    groups: new Map(groups),
    collections: new Map(groups.map(([name, { path }]) => [collectionName(path), name])),
    hasBefore: JSON.stringify(domain).includes('before('),
  };
}

export function groupIn(model: Model, name: string): Group {
  const group = model.groups.get(name);
  if (group === undefined) throw new Error(`there is no group ${name}`);
  return group;
}

/** The shape of a row. */
export function shapeIn(model: Model, group: string, lists: readonly string[]): Shape {
  let { shape } = groupIn(model, group);
  for (const list of lists) {
    const inner = shape.fields.find(({ name }) => name === list)?.items;
    if (inner === undefined) throw new Error(`${group} has no list ${list}`);
    shape = inner;
  }
  return shape;
}
