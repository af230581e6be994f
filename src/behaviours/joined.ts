// A text put together from values of other records.
import { codePoints } from '../values/format.ts';
import { keyArgument, type Rule, textArgument, textArguments } from './rule.ts';
import { firstValue } from './sources.ts';

/** Fills `field` on create with the values at the paths `of` that are set, with the text `with` between them. */
export const joined = {
  says: 'On create, where it is not sent, {field} is made of {of}.',
  parameters: { field: { field: 'text', filled: true }, of: { list: { path: 'text' } }, with: 'text' },
  on: ['create'],
  fill: async (moment) => {
    const { use, resource, values, sent } = moment;
    const key = keyArgument(resource, use, 'field');
    if (sent.has(key)) return;
    const parts: string[] = [];
    for (const path of textArguments(use, 'of')) {
      const part = await firstValue(moment, [path]);
      if (typeof part === 'string') parts.push(part);
    }
    const text = parts.join(textArgument(use, 'with'));
    const field = resource.byKey.get(key);
    if (field?.kind === 'text' && codePoints(text) > field.maxLength) {
      moment.refuse(key, `must be at most ${field.maxLength} characters`);
    } else values[key] = text === '' ? null : text;
  },
} as const satisfies Rule;
