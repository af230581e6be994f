// Checks `mayAct`: which of the acting records may make requests.
import { excerpt } from '../../../text/excerpt.ts';
import { compileCondition } from '../../formulas/conditions.ts';
import { keyOf } from '../../model/field-names.ts';
import { rowOf } from '../../model/kinds.ts';
import type { FieldCase } from '../fields/field-case.ts';
import { reportCondition } from '../fields/fields.ts';
import type { Linked } from '../fields/paths.ts';

type ConditionContext = Pick<FieldCase, 'scope' | 'report'>;

/** Checks `mayAct`: a condition over the rows of the records whose tokens there are. */
export function checkMayAct({ name, raw }: Pick<Linked, 'name' | 'raw'>, { scope, report }: ConditionContext): void {
  const { properties, resource } = raw;
  const source = resource.mayAct;
  if (source === undefined) return;
  const path = ['resource', 'mayAct'];
  if (scope.actors !== name)
    report(path, `means nothing: no field of a record has "${name}" as its acting member ("defaultFrom")`, 'key');
  reportCondition(source, { scope, report, path, stored: properties });
  const compiled = compileCondition(source, scope);
  if (typeof compiled !== 'object') return;
  for (const [field, one] of Object.entries(properties)) {
    if (one === true || !compiled.keys.includes(keyOf(field, one)) || rowOf(one)?.isMany !== true) continue;
    report(path, `looks at "${field}", which is a list${excerpt(source, Math.max(0, source.indexOf(field)))}`);
  }
}
