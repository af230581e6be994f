// A list of members that begins with the one who acts.
import { keyArgument, type Rule } from './rule.ts';

/** Fills `list` on create with the acting member, where it is not sent. */
export const actingMemberIn = {
  says: 'On create, {list} holds the acting member unless it is sent.',
  parameters: { list: { field: 'references', filled: true } },
  on: ['create'],
  fill: ({ use, resource, values, sent, actingMember }) => {
    const key = keyArgument(resource, use, 'list');
    if (!sent.has(key) && actingMember !== null) values[key] = [actingMember];
  },
} as const satisfies Rule;
