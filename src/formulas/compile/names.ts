// Resolves names in formulas, and paths from record to record.
import { didYouMean } from '../../text/nearest.ts';
import { FormulaFault } from '../language/fault.ts';
import { meantName, meantOfList } from '../language/other-languages.ts';
import type { Node, Span } from '../language/syntax.ts';
import type { Shape, Tree } from '../language/tree.ts';
import { bool, date, recordOf } from '../language/types.ts';
import { collectionTree, itemsTree } from './collections.ts';
import { narrowed } from './non-null.ts';
import { memberTree } from './parts.ts';
import { storedId } from './record-ids.ts';
import type { Any, Compiling } from './scope.ts';

/** What a name stands for: a variable, a member of the record or of what is around it, a word such as `today`, a collection. */
export function nameTree({ name, ...place }: Node & { op: 'name' }, at: Compiling): Any {
  const { start, end } = place;
  const variable = at.variables.findLast((one) => one.name === name);
  if (variable !== undefined) {
    const { slot, type, nullable } = variable;
    return { op: 'variable', slot, name, type, nullable, start, end };
  }
  const { record, workspace, actors, me, hasOld } = at.scope;
  // Before the fields: what a role lets people do must not hang on how a field is called.
  if (name === 'me' && me !== undefined) return { op: 'known', name, type: recordOf(me), nullable: true, start, end };
  let shape: Shape | undefined = record;
  for (let up = 0; shape !== undefined; up += 1, shape = shape.owner) {
    const self: Tree = { op: 'self', up, type: recordOf(shape), nullable: false, start, end };
    const found = memberTree(self, name, { start, end });
    if (found !== undefined) return narrowed(found, at.scope.nonNull);
    if (name === 'record' && shape.owner !== undefined)
      return { op: 'self', up: up + 1, type: recordOf(shape.owner), nullable: false, start, end };
  }
  if (name === 'workspace' && workspace !== undefined)
    return { op: 'known', name, type: recordOf(workspace), nullable: false, start, end };
  if (name === 'today') return { op: 'known', name, type: date, nullable: false, start, end };
  if (name === 'actor') return { op: 'known', name, type: { kind: 'id', group: actors }, nullable: true, start, end };
  if (name === 'old' && hasOld === true)
    return { op: 'known', name, type: recordOf(record), nullable: true, start, end };
  const collection = at.scope.collection(name);
  if (collection !== undefined) return collectionTree(collection, { start, end });
  if (name === 'old') throw new FormulaFault('reads "old", the record before the write, which is unknown here', start);
  const hint = inItem(name, at) || meantName(name) || didYouMean(name, namesOf(at));
  const nor = hint === '' ? ' and which is not the path of a group' : '';
  throw new FormulaFault(`names "${name}", which the record does not have${nor}${hint}`, start);
}

/** A field of the items that a macro goes through, named without the item. */
function inItem(name: string, at: Compiling): string {
  const item = at.variables.findLast(({ type }) => type.kind === 'record' && type.shape.member(name) !== undefined);
  return item === undefined ? '' : `; did you mean "${item.name}.${name}"?`;
}

function namesOf(at: Compiling): readonly string[] {
  const names = [...at.variables.map(({ name }) => name), 'today', 'actor', 'workspace', 'all'];
  if (at.scope.me !== undefined) names.push('me');
  for (let shape: Shape | undefined = at.scope.record; shape !== undefined; shape = shape.owner)
    names.push(...shape.names());
  return [...names, ...at.scope.collectionNames()];
}

/** `of.name` */
export function fieldTree({ of: node, name, start, end }: Node & { op: 'field' }, at: Compiling): Any {
  if (node.op === 'name' && node.name === 'all' && !isOwnName('all', at)) {
    const collection = at.scope.collection(name);
    if (collection !== undefined) return collectionTree(collection, { start, end });
    const hint = didYouMean(name, at.scope.collectionNames());
    throw new FormulaFault(`names the records "${name}", which no group has${hint}`, end - name.length);
  }
  if (node.op === 'name' && node.name === 'sent' && !isOwnName('sent', at)) return sentTree(name, { start, end }, at);
  const of = recordBehind(at.tree(node));
  const { type } = of;
  if (of.op === 'collection') return itemsTree(of, name, { start, end });
  if (type.kind === 'map' && Object.hasOwn(type.entries, name))
    throw new FormulaFault(`reads "${name}" of an object that the formula creates`, start);
  if (type.kind === 'list')
    throw new FormulaFault(
      `reads "${name}" of a list${meantOfList(name) || `; use its items: .map(x, x.${name})`}`,
      end - name.length,
    );
  if (type.kind !== 'record')
    throw new FormulaFault(
      node.op === 'name'
        ? `goes through "${node.name}", which is not a reference`
        : 'reads a field of a value that is not a record',
      node.op === 'name' ? start : end - name.length,
    );
  const found = memberTree(of, name, { start, end });
  if (found?.op === 'field' && found.member.isTransient === true && of.op !== 'self')
    throw new FormulaFault(`"${name}" is not stored, so a path cannot use it`, end - name.length);
  if (found !== undefined) {
    const { me, nonNull } = at.scope;
    return narrowed(me === undefined ? found : storedId(found, at.scope), nonNull);
  }
  const { shape } = type;
  if (name === 'record' && shape.owner !== undefined)
    return { op: 'owner', of, type: recordOf(shape.owner), nullable: of.nullable, start, end };
  throw new FormulaFault(
    `names "${name}", which ${shape.words} does not have${didYouMean(name, shape.names())}`,
    end - name.length,
  );
}

/** `sent.rate` */
function sentTree(name: string, { start, end }: Span, at: Compiling): Tree {
  const { record, hasSent } = at.scope;
  if (hasSent !== true) throw new FormulaFault('reads "sent", the fields of the body, which are unknown here', start);
  const member = record.member(name);
  if (member === undefined || member.kind === 'formula')
    throw new FormulaFault(
      `asks whether "${name}" is sent, which is not a field${didYouMean(name, record.names())}`,
      end - name.length,
    );
  return { op: 'sent', name, key: member.key, type: bool, nullable: false, start, end };
}

function isOwnName(name: string, at: Compiling): boolean {
  if (at.variables.some((one) => one.name === name)) return true;
  for (let shape: Shape | undefined = at.scope.record; shape !== undefined; shape = shape.owner)
    if (shape.member(name) !== undefined) return true;
  return false;
}

/** `id.x`, where the record behind the id has no name of its own. */
function recordBehind(tree: Any): Any {
  if (tree.op === 'named' && tree.formula.behind !== undefined) {
    const formula = tree.formula.behind;
    const { type, nullable } = formula.tree();
    return { ...tree, formula, type, nullable: tree.nullable || nullable };
  }
  if (tree.op !== 'field' || tree.member.kind !== 'value' || tree.member.behind === undefined) return tree;
  const { behind } = tree.member;
  return { ...tree, member: behind, type: recordOf(behind.shape()) };
}
