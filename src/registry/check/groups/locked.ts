// Checks `locked`: when records, or some of their fields, cannot change.
import type { JSONPath } from 'jsonc-parser';
import { didYouMean } from '../../../text/nearest.ts';
import { isReadOnly, own, type RawDescriptor, type RawFieldLock } from '../../model/vocabulary.ts';
import type { FieldCase, Fields } from '../fields/field-case.ts';
import { reportCondition } from '../fields/fields.ts';

type ConditionContext = Pick<FieldCase, 'scope' | 'report'>;

/**
 * Checks `locked`: its conditions are about the stored record, those of fields also about others, and its names are those of
 * fields that can change.
 */
export function checkLocked({ properties, resource }: RawDescriptor, known: ConditionContext): void {
  const { locked = {} } = resource;
  for (const which of ['update', 'delete'] as const) {
    const source = locked[which];
    if (source !== undefined)
      reportCondition(source, { ...known, path: ['resource', 'locked', which], stored: properties });
  }
  for (const [index, lock] of (locked.fields ?? []).entries()) {
    const path = ['resource', 'locked', 'fields', index];
    reportCondition(lock.when, { ...known, path: [...path, 'when'], stored: properties, isOverOthers: true });
    checkNames(lock, properties, { path, report: known.report });
  }
}

interface LockPath extends Pick<FieldCase, 'report'> {
  readonly path: JSONPath;
}

function checkNames(lock: RawFieldLock, fields: Fields, { path, report }: LockPath): void {
  if (lock.open === undefined && lock.closed === undefined)
    report(path, 'has neither "open" nor "closed"; list the fields that can still change, or those that cannot');
  if (lock.open !== undefined && lock.closed !== undefined)
    report([...path, 'closed'], 'has no effect with "open"; keep one of them', 'key');
  for (const which of ['open', 'closed'] as const) {
    const names = lock[which] ?? [];
    for (const [index, name] of names.entries()) {
      const place = [...path, which, index];
      const field = own(fields, name);
      if (field === undefined) report(place, `"${name}" is not a field${didYouMean(name, Object.keys(fields))}`);
      else if (!canChange(field)) report(place, `"${name}" cannot be changed by callers; remove it`);
    }
  }
}

const canChange = (field: Fields[string]): boolean =>
  typeof field === 'object' && !isReadOnly(field) && field.immutable !== true;
