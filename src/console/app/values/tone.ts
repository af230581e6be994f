// The colour of a state. First by its place in the graph of transitions: where it begins, what is under way, where it ends. How
// an end was meant no graph says: that is in its word.
import type { FieldModel } from '../service/model.ts';

export type Tone = 'plain' | 'begin' | 'going' | 'settled' | 'back' | 'ended';

const endedBadly =
  /^(?:void|voided|cancell?ed|rejected|refused|declined|failed|lost|expired|overdue|stopped|broken|missing|written_off)$/;
const doneWell = /^(?:done|completed?|paid|won|approved|accepted|finished|closed|settled|applied|returned|delivered)$/;
const begins =
  /^(?:draft|new|open|planned|tentative|not_started|not_submitted|pending|waiting|queued|inactive|archived)$/;
const goesOn = /^(?:active|in_progress|under_way|running|confirmed|issued|sent|submitted|started)$/;

/** Whether a word of a closed set says how far something is: it may change along a way, or is called so. */
export const isState = ({ kind, name, transitions }: FieldModel): boolean =>
  kind === 'enum' && (transitions !== undefined || /(?:status|state|stage)(?:Id)?$/i.test(name));

const known = new WeakMap<FieldModel, ReadonlyMap<string, Tone>>();

export function toneOf(field: FieldModel, value: string): Tone {
  if (!isState(field)) return 'plain';
  const tones = known.get(field) ?? (field.transitions === undefined ? tonesOfWords(field) : tonesOfGraph(field));
  known.set(field, tones);
  return tones.get(value) ?? 'plain';
}

const toneOfWord = (value: string): Tone | undefined => {
  if (endedBadly.test(value)) return 'ended';
  if (doneWell.test(value)) return 'settled';
  if (goesOn.test(value)) return 'going';
  return begins.test(value) ? 'begin' : undefined;
};

const tonesOfWords = ({ values = [] }: FieldModel): ReadonlyMap<string, Tone> =>
  new Map(values.map((value) => [value, toneOfWord(value) ?? 'plain'] as const));

function tonesOfGraph({
  values = [],
  transitions = {},
  default: first = values[0],
}: FieldModel): ReadonlyMap<string, Tone> {
  const steps = distances(String(first), transitions);
  return new Map(
    values.map((value): readonly [string, Tone] => {
      const next = transitions[value] ?? [];
      const own = steps.get(value);
      if (value === first) return [value, 'begin'];
      if (endedBadly.test(value)) return [value, 'ended'];
      // Nothing follows, or it comes by itself: the end of a way.
      if (next.length === 0 || own === undefined) return [value, 'settled'];
      const isBack = next.every((to) => (steps.get(to) ?? 0) <= own) && next.length > 1;
      return [value, isBack ? 'back' : next.every((to) => (steps.get(to) ?? 0) < own) ? 'settled' : 'going'];
    }),
  );
}

/** How many steps a value is from the first. */
function distances(
  first: string,
  transitions: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, number> {
  const steps = new Map([[first, 0]]);
  for (const [value, step] of steps)
    for (const next of transitions[value] ?? []) if (!steps.has(next)) steps.set(next, step + 1);
  return steps;
}
