// Checks automatic transitions of states (`becomes`).
import { excerpt } from '../../../text/excerpt.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { compileTransition, fleetingIn } from '../../formulas/conditions.ts';
import type { FieldCase } from './field-case.ts';

/** Checks that each value is one of the field's, and each condition one that maintenance can judge. */
export function checkStates({ field, path, scope, report }: FieldCase): void {
  for (const [index, { to, when }] of (field.becomes ?? []).entries()) {
    const place = [...path, 'becomes', index];
    const values = field.enum ?? [];
    if (field.type === 'boolean') {
      if (typeof to !== 'boolean') report([...place, 'to'], 'must be true or false');
    } else if (field.enum === undefined) report([...path, 'becomes'], 'stands on enums and booleans alone', 'key');
    else if (!values.includes(String(to)) || typeof to !== 'string')
      report([...place, 'to'], `"${String(to)}" is none of its values${didYouMean(String(to), values)}`);
    const condition = compileTransition(when, scope);
    if (typeof condition === 'string') report([...place, 'when'], condition);
    if (typeof condition !== 'object') continue;
    const fleeting = fleetingIn(condition.tree);
    if (fleeting !== undefined) report([...place, 'when'], `${fleeting.text}${excerpt(when, fleeting.offset)}`);
  }
}
