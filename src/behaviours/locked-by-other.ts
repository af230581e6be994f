// Records that states of other records protect.
import { problems } from '../problems.ts';
import { holds } from './over-references.ts';
import { type Rule, textArgument } from './rule.ts';

/**
 * While `when` holds of the stored record, it is read-only; `on` limits that to `update` or `delete`. A record that goes
 * with its owner is not held: the owner's own rules say whether it may go.
 */
export const lockedByOther = {
  says: 'Read-only (409) while {when}[; this concerns {on} alone].',
  parameters: { when: 'condition', on: 'text' },
  optional: ['on'],
  on: ['update', 'delete'],
  // With the first stage, because read-only goes before whatever else is wrong with a body.
  guard: async ({ use, resource, operation, before, records, isCascade }) => {
    const on = textArgument(use, 'on');
    if (before === undefined || isCascade || (on !== '' && on !== operation)) return;
    const stored = { resource, values: { ...before }, records, isSound: () => true };
    if ((await holds(stored, use.conditions.when)) === true) throw problems.readOnly(resource.title);
  },
} as const satisfies Rule;
