// Conditions that look at other records: `project.isBillable`, `project.client.isInternal`.
import type { Condition, Resource, Value, Values } from '../registry/model.ts';
import { isRecord } from './record-values.ts';
import type { Moment } from './rule.ts';

/** What a condition over other records is judged on. */
type Judged = Pick<Moment, 'resource' | 'values' | 'records' | 'isSound'>;

/** Whether a condition holds. Undefined, so that nothing is said, where a reference on one of its paths is null. */
export async function holds(moment: Judged, condition: Condition | undefined): Promise<boolean | undefined> {
  const { resource, values, records } = moment;
  if (condition === undefined) return undefined;
  const { own, paths } = partsOf(resource, condition);
  if (!moment.isSound(...own)) return undefined;
  const looked: Values = {};
  for (const key of condition.keys) looked[key] = values[key] ?? null;
  for (const { path, steps } of paths) {
    const value = await records.follow(resource, values, path);
    if (value === undefined) return undefined;
    put(looked, steps, value);
  }
  return condition.test(looked);
}

/**
 * Keys whose change calls for a condition. One over other records is judged at every write: they may have changed, and
 * that alone changes nothing here.
 */
export const keysLookedAt = (resource: Resource, condition: Condition | undefined): readonly string[] =>
  condition === undefined || condition.paths.length > 0 ? [...resource.byKey.keys()] : condition.keys;

interface Parts {
  /** The record's own keys that the condition starts from. */
  readonly own: readonly string[];
  readonly paths: readonly { readonly path: string; readonly steps: readonly string[] }[];
}

/** Taken apart once: a condition is that of one group. */
const known = new WeakMap<Condition, Parts>();

function partsOf(resource: Resource, condition: Condition): Parts {
  const parts = known.get(condition);
  if (parts !== undefined) return parts;
  const paths = condition.paths.map((path) => ({ path, steps: path.split('.') }));
  const roots = paths.map(({ steps: [root = ''] }) => resource.byName.get(root)?.key ?? `${root}Id`);
  const made = { own: [...condition.keys, ...roots], paths };
  known.set(condition, made);
  return made;
}

/** Places a value below the names of a path, as CEL reads it. */
function put(record: Values, steps: readonly string[], value: Value): void {
  let here = record;
  for (const step of steps.slice(0, -1)) {
    const found = here[step];
    const inside: Values = isRecord(found) ? found : {};
    here[step] = inside;
    here = inside;
  }
  here[steps.at(-1) ?? ''] = value;
}
