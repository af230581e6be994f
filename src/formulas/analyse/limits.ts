// Which comparisons of a condition a database can apply to the records of a collection, with the same meaning on every engine.

import { joinedBy, namesSlot, narrowingsOf, partsOf } from '../language/index-keys.ts';
import type { Tree, Type, ValueMember } from '../language/tree.ts';

export type LimitSign = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** A field of the record that is compared with what does not hang on the record. */
export interface Limiting {
  readonly member: ValueMember;
  readonly sign: LimitSign;
  readonly value: Tree;
  readonly orNull: boolean;
}

/** @param slot That of the variable that goes through the collection. */
export function limitsOf(where: Tree, slot: number): readonly Limiting[] {
  const found: Limiting[] = [];
  for (const part of joinedBy('and', where)) {
    if (narrowingsOf(part, slot).length > 0) continue;
    const limit = limitBy(part, slot);
    // A record that is left out behind it would no longer tell that it is read through a null reference.
    if (limit === undefined && readsThrough(part)) break;
    if (limit !== undefined) found.push(limit);
  }
  return found;
}

const readsThrough = (tree: Tree): boolean =>
  (tree.op === 'field' && tree.of.op === 'field') || tree.op === 'named' || partsOf(tree).some(readsThrough);

function limitBy(tree: Tree, slot: number): Limiting | undefined {
  switch (tree.op) {
    case 'field':
      return switchLimit(tree, slot, '==');
    case 'not':
      return switchLimit(tree.of, slot, '!=');
    case 'equal':
      return comparedLimit(tree, slot, tree.isNot ? '!=' : '==');
    case 'compare':
      return comparedLimit(tree, slot, tree.sign);
    case 'or':
      return nullOrLimit(tree, slot);
    default:
      return undefined;
  }
}

/** `x.isBillable`, `!x.isBillable`. */
function switchLimit(tree: Tree, slot: number, sign: '==' | '!='): Limiting | undefined {
  const member = memberOf(tree, slot);
  if (member?.type.kind !== 'bool') return undefined;
  const { start, end } = tree;
  const value: Tree = {
    op: 'literal',
    literal: { kind: 'bool', value: true },
    type: member.type,
    nullable: false,
    start,
    end,
  };
  return { member, sign, value, orNull: false };
}

const turned = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

interface Sides {
  readonly left: Tree;
  readonly right: Tree;
}

function comparedLimit({ left, right }: Sides, slot: number, sign: LimitSign): Limiting | undefined {
  const [first, second] = [memberOf(left, slot), memberOf(right, slot)];
  const [member, value] = first === undefined ? [second, left] : [first, right];
  const isSame = sign === '==' || sign === '!=';
  if (member === undefined || namesSlot(value, slot) || !isPlain(member.type, value, isSame)) return undefined;
  return { member, sign: first === undefined ? turned[sign] : sign, value, orNull: false };
}

/** `x.end == null || x.end >= day` */
function nullOrLimit({ left, right }: Sides, slot: number): Limiting | undefined {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const [open, limit] = [limitBy(one, slot), limitBy(other, slot)];
    const isOpen = open?.sign === '==' && open.value.op === 'literal' && open.value.literal.kind === 'null';
    if (isOpen && limit !== undefined && limit.member === open.member && !isNull(limit.value))
      return { ...limit, orNull: true };
  }
  return undefined;
}

const isNull = (tree: Tree): boolean => tree.op === 'literal' && tree.literal.kind === 'null';

/** A field of the record itself. */
function memberOf(tree: Tree, slot: number): ValueMember | undefined {
  if (tree.op !== 'field' || tree.of.op !== 'variable' || tree.of.slot !== slot) return undefined;
  return tree.member.kind === 'value' && tree.member.branches === undefined ? tree.member : undefined;
}

/** Whether every engine compares these as we do. */
function isPlain(type: Type, { type: other }: Tree, isSame: boolean): boolean {
  if (other.kind === 'null') return isSame && type.kind !== 'list';
  if (type.kind !== other.kind) return false;
  if (type.kind === 'number') return type.scale === 0;
  if (type.kind === 'text')
    return isSame && type.values !== undefined && 'values' in other && other.values !== undefined;
  return type.kind === 'date' || (isSame && (type.kind === 'bool' || type.kind === 'id'));
}
