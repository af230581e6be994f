// Conditions that look at other records: `project.isBillable`, `project.client.isInternal`.
import type { Condition, Resource, Value, Values } from '../registry/model.ts';
import { isRecord } from './record-values.ts';
import type { Moment } from './rule.ts';

/** What a condition over other records is judged on. */
type Judged = Pick<Moment, 'resource' | 'values' | 'records' | 'isSound'>;

/** Whether a condition holds. Undefined, so that nothing is said, where a reference on one of its paths is null. */
export async function holds(moment: Judged, condition: Condition | undefined): Promise<boolean | undefined> {
  const { resource, values, records } = moment;
  if (condition === undefined || !moment.isSound(...ownKeys(resource, condition))) return undefined;
  const known: Values = {};
  for (const key of condition.keys) known[key] = values[key] ?? null;
  for (const path of condition.paths) {
    const value = await records.follow(resource, values, path);
    if (value === undefined) return undefined;
    put(known, path.split('.'), value);
  }
  return condition.test(known);
}

/**
 * Keys whose change calls for a condition. One over other records is judged at every write: they may have changed, and
 * that alone changes nothing here.
 */
export const keysLookedAt = (resource: Resource, condition: Condition | undefined): readonly string[] =>
  condition === undefined || condition.paths.length > 0 ? [...resource.byKey.keys()] : condition.keys;

/** The record's own keys that a condition starts from. */
function ownKeys(resource: Resource, { keys, paths }: Condition): readonly string[] {
  const roots = paths.map((path) => path.split('.')[0] ?? '');
  return [...keys, ...roots.map((root) => resource.byName.get(root)?.key ?? `${root}Id`)];
}

/** Places a value below the names of a path, as CEL reads it. */
function put(record: Values, [step = '', ...rest]: readonly string[], value: Value): void {
  if (rest.length === 0) {
    record[step] = value;
    return;
  }
  const known = record[step];
  const inside: Values = isRecord(known) ? known : {};
  record[step] = inside;
  put(inside, rest, value);
}
