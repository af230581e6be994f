// The rule `noCircle`: references of a group to itself never lead back.
import { keyArgument, type Rule, textOf, workspaceRow } from './support/rule.ts';

/** The record that `field` names, the one that it names in turn and so on: none is this record. */
export const noCircle = {
  says: 'The record in {field}, the one that it names in turn, and so on: none of them may be this record.',
  example: {
    properties: { parent: { reference: 'example', nullable: true, onDelete: 'clear' } },
    rules: [{ use: 'noCircle', field: 'parent' }],
  },
  refuses: [{ at: '{field}', text: 'must be another {this}, and not lead back to this one' }],
  parameters: { field: { field: 'reference', to: 'this', kept: true } },
  on: ['update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'field')],
  guards: [],
  // Two changes at once could close a circle of which each sees a half.
  guard: () => workspaceRow,
  check: async ({ use, resource, values, records, refuse, isSound }) => {
    const key = keyArgument(resource, use, 'field');
    const own = textOf(values, 'id');
    const seen = new Set<string>();
    let next = isSound(key) ? textOf(values, key) : null;
    while (next !== null && !seen.has(next)) {
      if (next === own) return refuse(key, `must be another ${resource.title}, and not lead back to this one`);
      seen.add(next);
      const record = await records.find(resource.name, next);
      next = record === undefined ? null : textOf(record, key);
    }
  },
} as const satisfies Rule;
