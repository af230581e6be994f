// What a formula reads of records of one group: of that on which it stands, of those behind references, of those it goes through.
import { fieldNamed } from './evaluate.ts';
import { groupIn, type Model, shapeIn } from './model.ts';
import type { Field, Shape } from './shape.ts';
import { type Node, partsOf } from './syntax.ts';

/** Records, or items of their lists. */
interface Where {
  readonly group: string;
  readonly lists: readonly string[];
}

interface Reading {
  readonly model: Model;
  readonly self: Where;
  readonly variables: ReadonlyMap<string, Where | undefined>;
  readonly note: (where: Where, key: string) => void;
}

/** Keys of the records of a group that a formula on one of them reads; what stands in a list is that list. */
export function keysRead(node: Node, { group }: Shape, model: Model): readonly string[] {
  const keys = new Set<string>();
  const note = (where: Where, key: string): void => {
    if (where.group === group) keys.add(where.lists[0] ?? key);
  };
  walk(node, { model, self: { group, lists: [] }, variables: new Map(), note });
  return [...keys];
}

/** @returns the records that a part gives, or a list of them */
function walk(node: Node, at: Reading): Where | undefined {
  const { model, self, variables } = at;
  switch (node.op) {
    case 'name': {
      if (variables.has(node.name)) return variables.get(node.name);
      if (node.name === 'old') return self;
      for (let lists = self.lists; ; lists = lists.slice(0, -1)) {
        const found = memberOf({ group: self.group, lists }, node.name, at);
        if (found !== undefined) return found.gives;
        if (lists.length === 0) break;
      }
      return collectionOf(node.name, model);
    }
    case 'member': {
      if (node.of.op === 'name' && node.of.name === 'all') return collectionOf(node.name, model);
      const of = walk(node.of, at);
      return of && memberOf(of, node.name, at)?.gives;
    }
    case 'method':
      return walkMethod(node, at);
    case 'call': {
      const [value, name, body] = node.args;
      if (node.name === 'with' && value !== undefined && name?.op === 'name' && body !== undefined)
        return walk(body, { ...at, variables: new Map([...variables, [name.name, walk(value, at)]]) });
      const given = node.args.map((arg) => walk(arg, at));
      const own = groupIn(model, self.group).formulas[node.name];
      if (own !== undefined)
        return walk(own.is, { ...at, self: { group: self.group, lists: [] }, variables: new Map() });
      return given.find((one) => one !== undefined);
    }
    default: {
      const given = partsOf(node).map((part) => walk(part, at));
      const isGiver = node.op === 'if' || node.op === 'list' || node.op === 'index';
      return isGiver ? given.find((one) => one !== undefined) : undefined;
    }
  }
}

function walkMethod({ of, name, args }: Node & { op: 'method' }, at: Reading): Where | undefined {
  const items = walk(of, at);
  const [variable, body] = args;
  if (variable?.op === 'name' && body !== undefined) {
    const found = walk(body, { ...at, variables: new Map([...at.variables, [variable.name, items]]) });
    return name === 'map' ? found : items;
  }
  for (const arg of args) walk(arg, at);
  return items && (memberOf(items, name, at)?.gives ?? items);
}

const collectionOf = (name: string, { collections }: Model): Where | undefined => {
  const group = collections.get(name);
  return group === undefined ? undefined : { group, lists: [] };
};

/** @returns undefined where there is no such member */
function memberOf(where: Where, name: string, at: Reading): { readonly gives: Where | undefined } | undefined {
  const { model, note } = at;
  const { group, lists } = where;
  const field = fieldNamed(shapeIn(model, group, lists), name);
  if (field !== undefined) {
    note(where, field.key);
    return { gives: behind(field, where, name) };
  }
  if (lists.length > 0) return name === 'record' ? { gives: { group, lists: lists.slice(0, -1) } } : undefined;
  if (name === 'id') return { gives: undefined };
  const formula = groupIn(model, group).formulas[name];
  return formula && { gives: walk(formula.is, { ...at, self: where, variables: new Map() }) };
}

function behind(
  { kind, key, name: own, target, items }: Field,
  { group, lists }: Where,
  name: string,
): Where | undefined {
  if (items !== undefined) return { group, lists: [...lists, own] };
  const isRecord = (kind === 'reference' || kind === 'references') && name !== key;
  return isRecord ? { group: target, lists: [] } : undefined;
}
