// `list.previous(m, key)`: the record before this one in an order, put together of what a database finds at once: among those with the
// same key the last that was made before it, else the last of those with a lesser key.
import { FormulaFault } from '../language/fault.ts';
import { functionRow } from '../language/functions.ts';
import { joinedBy } from '../language/index-keys.ts';
import { previousUsage } from '../language/names.ts';
import type { Node } from '../language/syntax.ts';
import type { Comparison, Order, Tree, TreeOf, Type, ValueMember } from '../language/tree.ts';
import { bool, recordOf } from '../language/types.ts';
import { memberTree } from './parts.ts';
import type { Any, Compiling } from './scope.ts';

/** What is sought, as the formula says it. */
interface Sought {
  readonly found: TreeOf<'gather'>;
  /** By which they are in order, before that of their making. */
  readonly key: ValueMember | undefined;
}

export function previousTree({ of, args, start }: Node & { op: 'call'; of: Node }, at: Compiling): Tree {
  const [variable, body] = args;
  if (variable?.op !== 'name' || body === undefined || args.length > 2)
    throw new FormulaFault(`"previous" has another form: ${previousUsage}`, of.end);
  const receiver = at.tree(of);
  const found = searchOf(receiver, at, of);
  const item = { name: variable.name, slot: found.slot, type: recordOf(found.collection.shape), nullable: false };
  const parts = body.op === 'list' ? body.items : [body];
  const members = parts.map((part) => memberAt(at.inside(item, part), found.slot, part));
  const [first, ...others] = members.filter(({ key }) => key !== 'id');
  if (
    others.length > 0 ||
    (members.findIndex(({ key }) => key === 'id') < members.length - 1 && members.some(({ key }) => key === 'id'))
  )
    throw new FormulaFault(`"previous" is ordered by one field, then by creation: ${previousUsage}`, start);
  return beside({ found, key: first }, 'before');
}

/** The one search of records of the group on whose record the formula stands. */
function searchOf(tree: Any, { scope }: Compiling, { start }: Node): TreeOf<'gather'> {
  const isOwn = tree.op === 'gather' && scope.record.kind === 'record' && tree.collection.group === scope.record.group;
  if (tree.op !== 'gather' || !isOwn || tree.collection.lists.length > 0 || tree.where === undefined)
    throw new FormulaFault(
      `"previous" is called on records of this group, narrowed by one condition: ${previousUsage}`,
      start,
    );
  return tree;
}

/** A field of the record that has a value always, and is in the same order on every engine. */
function memberAt(tree: Tree, slot: number, { start }: Node): ValueMember {
  const isOfItem = tree.op === 'field' && tree.of.op === 'variable' && tree.of.slot === slot;
  if (!isOfItem || tree.member.kind !== 'value' || !(tree.member.key === 'id' || isInOrder(tree.type)))
    throw new FormulaFault(
      '"previous" is ordered by a date, a timestamp, a time, a number or "id" of the records',
      start,
    );
  if (tree.nullable) throw new FormulaFault(`"previous" is ordered by "${tree.member.name}", which may be null`, start);
  return tree.member;
}

const isInOrder = ({ kind }: Type): boolean =>
  kind === 'date' || kind === 'instant' || kind === 'time' || kind === 'number';

/** The record that stands next to this one, before or after it. */
function beside(sought: Sought, side: 'before' | 'after'): Tree {
  const args = nearest(sought, side);
  const [only] = args;
  if (only !== undefined && args.length === 1) return only;
  const { found } = sought;
  const typed = functionRow('coalesce').typed(args);
  if ('fault' in typed) throw new FormulaFault(typed.fault, found.start);
  return { op: 'call', name: 'coalesce', args, ...typed, start: found.start, end: found.end };
}

/** The nearest of those with the same key by their making, then the nearest of all others by their key: the first counts. */
function nearest(sought: Sought, side: 'before' | 'after'): readonly TreeOf<'macro'>[] {
  const { found, key } = sought;
  const sign = side === 'before' ? '<' : '>';
  const same = key === undefined ? [] : [equal(found, key)];
  const made = madeBeside(found, sign);
  const ordered = side === 'before' ? orderOf(sought) : undefined;
  const among = (...conditions: readonly Tree[]): TreeOf<'gather'> => ({
    ...found,
    where: [found.where, ...conditions].flatMap((one) => one ?? []).reduce((left, right) => both(found, left, right)),
    ...(ordered && { order: ordered }),
  });
  const alike = oneOf(among(...same, made), undefined, side);
  return key === undefined ? [alike] : [alike, oneOf(among(compared(found, key, sign)), key, side)];
}

/** How whom a change concerns is found: the one behind it alone, from which it goes on. */
function orderOf({ found, key }: Sought): Order {
  const { group } = found.collection;
  const parts = joinedBy('and', found.where as Tree).map((part) => commonKey(part, found.slot));
  const label = `previous ${group} ${parts.join()} ${key?.key ?? ''}`;
  const isEven = !parts.includes(undefined);
  const common = parts.flatMap((one) => one ?? []);
  const made: { next?: Tree; behind?: readonly TreeOf<'macro'>[] } = {};
  // Frozen as it is: whoever freezes all that there is in a formula would follow it without end.
  return Object.freeze({
    label,
    group,
    common,
    keys: [...common, ...(key === undefined ? [] : [key.key])],
    isEven,
    get next() {
      made.next ??= beside({ found, key }, 'after');
      return made.next;
    },
    get behind() {
      made.behind ??= nearest({ found, key }, 'after');
      return made.behind;
    },
    toJSON: () => label,
  });
}

/** The key of a field in which a record and this one are equal; undefined for any other condition. */
function commonKey(part: Tree, slot: number): string | undefined {
  if (part.op !== 'equal' || part.isNot) return undefined;
  const [one, other] =
    part.left.op === 'field' && part.left.of.op === 'self' ? [part.right, part.left] : [part.left, part.right];
  if (one.op !== 'field' || other.op !== 'field' || one.member.kind !== 'value' || other.member.kind !== 'value')
    return undefined;
  const isSame = one.of.op === 'variable' && one.of.slot === slot && other.of.op === 'self' && other.of.up === 0;
  return isSame && one.member.key === other.member.key ? one.member.key : undefined;
}

const place = ({ start, end }: Tree): { readonly start: number; readonly end: number } => ({ start, end });

const both = (found: Tree, left: Tree, right: Tree): Tree => ({
  op: 'and',
  left,
  right,
  type: bool,
  nullable: false,
  ...place(found),
});

/** A field of the records that are sought, and of this one. */
function sides(found: TreeOf<'gather'>, member: ValueMember): { readonly left: Tree; readonly right: Tree } {
  const type = recordOf(found.collection.shape);
  const { slot, variable: name } = found;
  const field = (of: Tree): Tree => ({
    op: 'field',
    of,
    member,
    type: member.type,
    nullable: member.nullable,
    ...place(found),
  });
  return {
    left: field({ op: 'variable', slot, name, type, nullable: false, ...place(found) }),
    right: field({ op: 'self', up: 0, type, nullable: false, ...place(found) }),
  };
}

const equal = (found: TreeOf<'gather'>, member: ValueMember): Tree => ({
  ...{ op: 'equal', isNot: false, ...sides(found, member), type: bool, nullable: false },
  ...place(found),
});

const compared = (found: TreeOf<'gather'>, member: ValueMember, sign: Comparison): Tree => ({
  ...{ op: 'compare', sign, ...sides(found, member), type: bool, nullable: false },
  ...place(found),
});

/** Of those that were made in one moment, ids tell which came first. */
function madeBeside(found: TreeOf<'gather'>, sign: Comparison): Tree {
  const self: Tree = { op: 'self', up: 0, type: recordOf(found.collection.shape), nullable: false, ...place(found) };
  const [madeAt, id] = ['createdAt', 'id'].map((name) => memberTree(self, name, place(found)));
  const members = [madeAt, id].flatMap((tree) =>
    tree?.op === 'field' && tree.member.kind === 'value' ? [tree.member] : [],
  );
  const [moment, own] = members;
  if (moment === undefined || own === undefined) throw new FormulaFault('"previous" needs stored records', found.start);
  const tie = both(found, equal(found, moment), compared(found, own, sign));
  return { op: 'or', left: compared(found, moment, sign), right: tie, type: bool, nullable: false, ...place(found) };
}

function oneOf(of: TreeOf<'gather'>, key: ValueMember | undefined, side: 'before' | 'after'): TreeOf<'macro'> {
  const { slot, variable } = of;
  const body = key && sides(of, key).left;
  const name = side === 'before' ? 'last' : 'first';
  return {
    op: 'macro',
    name,
    of,
    slot,
    variable,
    body,
    type: recordOf(of.collection.shape),
    nullable: true,
    ...place(of),
  };
}
