// Minutes from one time of a day to another.
import { isUnset } from './record-values.ts';
import { keyArgument, type Rule, textOf } from './rule.ts';

/** Fills `field` on create with the minutes from `from` to `to`, where both are set and in order. */
export const minutesBetween = {
  says: 'On create, {field} is the minutes from {from} to {to}, where both are set.',
  parameters: { field: { field: 'integer', filled: true }, from: { field: 'time' }, to: { field: 'time' } },
  isLocal: true,
  on: ['create'],
  fill: ({ use, resource, values, isSound }) => {
    const [key, from, to] = ['field', 'from', 'to'].map((name) => keyArgument(resource, use, name));
    if (key === undefined || from === undefined || to === undefined || !isSound(from, to)) return;
    const [start, end] = [textOf(values, from), textOf(values, to)];
    if (!isUnset(values[key]) || start === null || end === null) return;
    const minutes = minuteOf(end) - minuteOf(start);
    if (minutes > 0) values[key] = minutes;
  },
} as const satisfies Rule;

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
