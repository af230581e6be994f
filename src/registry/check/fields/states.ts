// Checks the keywords of states: `becomes`, `transitions` and `initialStates`.
import type { JSONPath } from 'jsonc-parser';
import { excerpt } from '../../../text/excerpt.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { compileTransition, fleetingIn } from '../../formulas/conditions.ts';
import { anyState, isReadOnly } from '../../model/vocabulary.ts';
import type { FieldCase } from './field-case.ts';

/** Checks that each value is one of the field's, and each condition one that maintenance can judge. */
export function checkStates({ field, path, scope, report }: FieldCase): void {
  for (const [index, { to, when }] of (field.becomes ?? []).entries()) {
    const place = [...path, 'becomes', index];
    const values = field.enum ?? [];
    if (field.type === 'boolean') {
      if (typeof to !== 'boolean') report([...place, 'to'], 'must be true or false');
    } else if (field.enum === undefined) report([...path, 'becomes'], 'is only for enums and booleans', 'key');
    else if (!values.includes(String(to)) || typeof to !== 'string')
      report([...place, 'to'], `"${String(to)}" is not one of its values${didYouMean(String(to), values)}`);
    const condition = compileTransition(when, scope);
    if (typeof condition === 'string') report([...place, 'when'], condition);
    if (typeof condition !== 'object') continue;
    const fleeting = fleetingIn(condition.tree);
    if (fleeting !== undefined) report([...place, 'when'], `${fleeting.text}${excerpt(when, fleeting.offset)}`);
  }
}

/** Checks that `transitions` names values of the enum, on a field that an update can change. */
export function checkTransitions({ field, path, report }: FieldCase): void {
  if (field.transitions === undefined) return;
  const values = field.enum ?? [];
  const check = (value: string, place: JSONPath, where: 'key' | 'value'): void => {
    if (!values.includes(value)) report(place, notInEnum(value, values), where);
  };
  for (const [from, targets] of Object.entries(field.transitions)) {
    check(from, [...path, 'transitions', from], 'key');
    for (const [index, target] of targets.entries()) check(target, [...path, 'transitions', from, index], 'value');
  }
  if (field.immutable === true) report([...path, 'transitions'], 'has no effect with "immutable"', 'key');
}

/** Checks that `initialStates` names values of the enum and is declared exactly if a create can send the field. */
export function checkInitialStates({ field, path, report }: FieldCase): void {
  const { initialStates, transitions, default: value, enum: values = [] } = field;
  const place = [...path, 'initialStates'];
  const isSentOnCreate = field.updateOnly !== true && !isReadOnly(field);
  if (initialStates === undefined) {
    if (transitions !== undefined && isSentOnCreate && field.enum !== undefined)
      report(
        [...path, 'transitions'],
        `needs "initialStates"; list the values that a create may send, as in ${JSON.stringify([value ?? values[0]])}, or write "${anyState}"`,
        'key',
      );
    return;
  }
  if (transitions === undefined) report(place, 'has no effect without "transitions"', 'key');
  else if (!isSentOnCreate) report(place, 'has no effect; a create cannot send the field', 'key');
  if (initialStates === anyState) return;
  for (const [index, state] of initialStates.entries())
    if (!values.includes(state)) report([...place, index], notInEnum(state, values));
  if (typeof value === 'string' && !initialStates.includes(value))
    report([...path, 'default'], `"${value}" is not in "initialStates"; add it there, or choose another default`);
}

const notInEnum = (value: string, values: readonly string[]): string =>
  `"${value}" is not in "enum"${didYouMean(value, values)}`;
