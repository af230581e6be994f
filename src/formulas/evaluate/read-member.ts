// Reads a member of a record: a value that is there, or a question for one that is not.
import { unreachable } from '../../unreachable.ts';
import { numberToText } from '../../values/decimal.ts';
import { isObject } from '../../values/json.ts';
import type { Member, Type } from '../language/tree.ts';
import { type Known, notKnown, type RecordValue, type Unknown } from '../language/value.ts';
import type { Facts } from './facts.ts';
import { itemsIn } from './record-items.ts';
import { isGap } from './unknown-fields.ts';

type Read = (record: RecordValue, facts: Facts) => Known | Unknown;

/** Reads a member of records; what a record was read without is asked for. */
export function readerOf(member: Member, type: Type): Read {
  if (member.kind === 'formula') unreachable(`${member.name} is a formula, which is no value of a record`);
  const { key } = member;
  const sound =
    (read: Read): Read =>
    (record, facts) =>
      record.unsound?.has(key) === true || (record.gaps !== undefined && isGap(record, key))
        ? notKnown
        : read(record, facts);
  switch (member.kind) {
    case 'value':
      if (member.isAmong === true)
        return sound((record, facts) => {
          const list = listIn(record, key, facts);
          return list === notKnown ? notKnown : plainValue(list, type);
        });
      return (record) => {
        if (record.unsound?.has(key) === true || (record.gaps !== undefined && isGap(record, key))) return notKnown;
        return record.stored === undefined
          ? plainValue(record.values[key], type)
          : storedValue(record.values[key], type);
      };
    case 'reference': {
      const { by, shape } = member;
      const { group } = shape();
      return sound(({ values }, facts) => {
        const id = values[key];
        if (typeof id !== 'string' || (by !== undefined && values[by.key] !== by.value)) return null;
        return facts.record(group, id);
      });
    }
    case 'references': {
      const { group } = member.shape();
      return sound((record, facts) => {
        const list = listIn(record, key, facts);
        if (list === notKnown) return notKnown;
        const found = list.map((id) => facts.record(group, String(id)));
        return found.includes(notKnown) ? notKnown : (found as Known[]).filter((one) => one !== null);
      });
    }
    case 'others': {
      const shape = member.shape();
      const collection = { group: shape.group, lists: [], shape };
      return ({ id }, facts) =>
        id === undefined
          ? []
          : facts.collection(collection, [{ key: member.field, up: 0, isAmong: false, value: id }], []);
    }
    case 'items':
      return sound((record, facts) => {
        const list = listIn(record, key, facts);
        return list === notKnown ? notKnown : itemsIn(record, list);
      });
    default:
      return sound((record) => {
        const inside = record.values[key];
        return isObject(inside) ? { values: inside, id: undefined, owner: record, place: 0 } : null;
      });
  }
}

/** A list that the record has, or one that it was read without. */
function listIn({ values, stored }: RecordValue, key: string, facts: Facts): readonly unknown[] | Unknown {
  const list = values[key];
  if (list === undefined && stored !== undefined) return facts.list(stored, key);
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}

const plainLists = new WeakMap<readonly unknown[], Known>();

/** The same of a record that was read by itself, which nobody changes: its lists are the same ones each time. */
function storedValue(value: unknown, type: Type): Known {
  if (!Array.isArray(value)) return plainValue(value, type);
  const known = plainLists.get(value) ?? plainValue(value, type);
  plainLists.set(value, known);
  return known;
}

/** A value as records have it: integers are numbers there. */
function plainValue(value: unknown, type: Type): Known {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return numberToText(value);
  if (Array.isArray(value)) {
    const item: Type = type.kind === 'list' ? type.item : { kind: 'text' };
    return value.map((one) => plainValue(one, item));
  }
  return value as Known;
}
