// Records that states of other records protect.
import type { Conflicts } from '../registry/model.ts';
import { holds } from './over-references.ts';
import { type Moment, type Rule, textArgument } from './rule.ts';

/**
 * While `when` holds of the stored record, it is read-only; `on` limits that to `update` or `delete`. A record that goes
 * with its owner is not held: the owner's own rules say whether it may go.
 */
export const lockedByOther = {
  says: 'Read-only (409) while {when}[; this concerns {on} alone].',
  parameters: { when: 'condition', on: { oneOf: ['update', 'delete'] } },
  optional: ['on'],
  conflicts: ({ on }): Conflicts =>
    typeof on === 'string' ? { [on]: 'readOnly' } : { update: 'readOnly', delete: 'readOnly' },
  on: ['update', 'delete'],
  lock: (moment) => refuseLocked(moment),
} as const satisfies Rule;

async function refuseLocked({ use, resource, operation, before, records, isCascade, conflict }: Moment): Promise<void> {
  const on = textArgument(use, 'on');
  if (before === undefined || isCascade || (on !== '' && on !== operation)) return;
  const stored = { resource, values: { ...before }, records, isSound: () => true };
  if ((await holds(stored, use.conditions.when)) === true) conflict('readOnly');
}
