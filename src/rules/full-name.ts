// The rule `fullName`: a name put together from its parts.
import { isUnset } from '../facts/record-values.ts';
import { keyArgument, keyOfName, type Rule, textArguments, textOf } from './support/rule.ts';

/**
 * Fills `field` with the `parts` that are set, on create where it is missing, on update where only parts are sent. A rule,
 * because a part that is sent calls for it also as it was, and null on create: defaults by formula go by what changes.
 */
export const fullName = {
  says: 'Where it is not sent, {field} is joined from {parts}.',
  example: {
    properties: {
      name: { type: 'string', maxLength: 255 },
      givenName: { type: ['string', 'null'], maxLength: 100 },
      familyName: { type: ['string', 'null'], maxLength: 100 },
    },
    rules: [{ use: 'fullName', field: 'name', parts: ['givenName', 'familyName'] }],
  },
  parameters: { field: { field: 'text', filled: true }, parts: { list: { field: 'text' } } },
  isLocal: true,
  on: ['create', 'update'],
  looksAt: (use, resource) => textArguments(use, 'parts').map((name) => keyOfName(resource, name)),
  fill: ({ use, resource, operation, values, sent }) => {
    const key = keyArgument(resource, use, 'field');
    const isWanted = operation === 'create' ? isUnset(values[key]) : !sent.has(key);
    if (!isWanted) return;
    const parts = textArguments(use, 'parts').map((name) => textOf(values, keyOfName(resource, name)));
    // Nothing to put together leaves nothing, and the stage after this one says that the name is required.
    values[key] = parts.filter((part) => part !== null && part !== '').join(' ') || null;
  },
} as const satisfies Rule;
