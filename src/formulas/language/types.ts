// Types of formulas: constructors, their names in words, and the common type of two.
import type { Member, PlainKind, PlainType, Shape, Type } from './tree.ts';

/** Whether its values are of letters and signs of ASCII alone: ids, and texts that are told one by one. */
export const isCode = (type: Type): boolean =>
  type.kind === 'id' || (type.kind === 'text' && type.values !== undefined);

export const number: PlainType = { kind: 'number' };
/** A whole number. */
export const whole: PlainType = { kind: 'number', scale: 0 };
export const text: PlainType = { kind: 'text' };
export const bool: PlainType = { kind: 'bool' };
export const date: PlainType = { kind: 'date' };
const nothing: Type = { kind: 'null' };
export const listOf = (item: Type): Type => ({ kind: 'list', item });
export const recordOf = (shape: Shape): Type => ({ kind: 'record', shape });

/** A type as people say it. */
export function typeWords(type: Type): string {
  switch (type.kind) {
    case 'number':
      return 'a number';
    case 'text':
      return 'a text';
    case 'bool':
      return 'true or false';
    case 'date':
      return 'a date';
    case 'instant':
      return 'an instant';
    case 'time':
      return 'a time of day';
    case 'id':
      return type.group === undefined ? 'an id' : `an id of "${type.group}"`;
    case 'record':
      return type.shape.kind === 'record' ? `a record of "${type.shape.group}"` : type.shape.words;
    case 'list':
      return 'a list';
    case 'map':
      return 'an object';
    default:
      return 'null';
  }
}

/** The type that two values have in common; undefined where they have none. Null goes with everything. */
export function common(a: Type, b: Type): Type | undefined {
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a.kind === 'id' && b.kind === 'id') return commonId(a, b);
  if (a.kind === 'list' && b.kind === 'list') {
    const item = common(a.item, b.item);
    return item && listOf(item);
  }
  if (a.kind === 'record' && b.kind === 'record') return recordOf(commonShape(a.shape, b.shape));
  if (a.kind === 'map' && b.kind === 'map') return commonMap(a.entries, b.entries);
  // Ids are texts wherever one of the two is said as a text.
  if ((a.kind === 'id' && b.kind === 'text') || (a.kind === 'text' && b.kind === 'id')) return text;
  if (a.kind !== b.kind) return undefined;
  return a.kind === 'number' ? number : commonText(a, b);
}

function commonId(a: Type & { kind: 'id' }, b: Type & { kind: 'id' }): Type | undefined {
  if (a.group === b.group || b.group === undefined) return a;
  return a.group === undefined ? b : undefined;
}

function commonText(a: Type, b: Type): Type {
  const values = [a, b].map((type) => ('values' in type ? type.values : undefined));
  const [first, second] = values;
  if (first === undefined || second === undefined) return { kind: a.kind as PlainKind };
  return { kind: 'text', values: [...new Set([...first, ...second])] };
}

function commonMap(a: Readonly<Record<string, Type>>, b: Readonly<Record<string, Type>>): Type | undefined {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return undefined;
  const entries: Record<string, Type> = {};
  for (const key of keys) {
    const type = common(a[key] ?? nothing, b[key] ?? nothing);
    if (type === undefined || !Object.hasOwn(b, key)) return undefined;
    entries[key] = type;
  }
  return { kind: 'map', entries };
}

/** A record of one of two groups: it has the members that both have, and in the same type. */
function commonShape(a: Shape, b: Shape): Shape {
  if (a === b) return a;
  const both = (name: string): Member | undefined => {
    const [left, right] = [a.member(name), b.member(name)];
    if (left?.kind !== 'value' || right?.kind !== 'value' || left.key !== right.key) return undefined;
    const type = common(left.type, right.type);
    return type && { ...left, type, nullable: left.nullable || right.nullable, isSought: false };
  };
  return {
    group: a.group === b.group ? a.group : '',
    words: `${a.words} or ${b.words}`,
    kind: a.kind === 'record' && b.kind === 'record' ? 'record' : 'object',
    lists: a.lists,
    member: both,
    names: () => a.names().filter((name) => both(name) !== undefined),
    owner: undefined,
  };
}
