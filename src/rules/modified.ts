// The rule `modified`: the time of the last change. The write itself sets it, once it knows whether anything has changed.
import type { Rule } from './support/rule.ts';

/** Marks the field; see `modifiedField` of the engine. */
export const modified = {
  says: 'The time of the last change.',
  example: {
    properties: {
      modifiedAt: { type: 'string', format: 'date-time', readOnly: true, computedBy: { use: 'modified' } },
    },
  },
  parameters: {},
  gives: { field: 'dateTime' },
  isLocal: true,
} as const satisfies Rule;
