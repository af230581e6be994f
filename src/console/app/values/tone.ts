// The colour of a state: by its place in the graph of transitions, not by its name. The first state is quiet, a state
// without further transitions is settled, those between are under way.
import type { FieldModel } from '../service/model.ts';

export type Tone = 'plain' | 'begin' | 'going' | 'settled' | 'back';

const known = new WeakMap<FieldModel, ReadonlyMap<string, Tone>>();

export function toneOf(field: FieldModel, value: string): Tone {
  const tones = known.get(field) ?? tonesOf(field);
  known.set(field, tones);
  return tones.get(value) ?? 'plain';
}

function tonesOf({ values = [], transitions = {}, default: first = values[0] }: FieldModel): ReadonlyMap<string, Tone> {
  const steps = distances(String(first), transitions);
  return new Map(
    values.map((value): readonly [string, Tone] => {
      const next = transitions[value] ?? [];
      const own = steps.get(value);
      if (value === first) return [value, 'begin'];
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
