// Sources of values that descriptors name as text: `today`, `actingMember`, `workspace.x`, or a path from the record.

import { isUnset } from '../../facts/record-values.ts';
import type { Value } from '../../registry/model/model.ts';
import type { Moment } from './rule.ts';

/** The value of the first source that has one, or undefined. */
export async function firstValue(moment: Moment, sources: readonly string[]): Promise<Value | undefined> {
  for (const source of sources) {
    const value = await sourceValue(moment, source);
    if (!isUnset(value)) return value;
  }
  return undefined;
}

async function sourceValue(moment: Moment, source: string): Promise<Value | undefined> {
  if (source === 'today') return moment.today();
  if (source === 'actingMember') return moment.actingMember;
  const [root = '', ...rest] = source.split('.');
  if (root === 'workspace') return (await moment.records.workspace())[rest.join('.')];
  // Values that are used and not kept, such as ids, are in the record of the write alone.
  return rest.length === 0 ? moment.values[root] : moment.records.follow(moment.resource, moment.values, source);
}
