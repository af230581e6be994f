// Fields that move with the day, and the records of which they do.
import { type DayBound, dayReads } from '../../formulas/analyse/day-bounds.ts';
import { dependenciesOf, type Read } from '../../formulas/analyse/dependencies.ts';
import type { Scope } from '../../formulas/compile/scope.ts';
import { keyOf } from '../model/field-names.ts';
import type { Effect, Field, Registry } from '../model/model.ts';
import type { RawDescriptor } from '../model/vocabulary.ts';
import { compileTransition } from './conditions.ts';
import { compileFigure, readsBehind } from './figures.ts';

/** A field that follows from formulas: whom a day concerns by these alone, and what they read. */
interface Following {
  readonly key: string;
  readonly days: readonly DayBound[];
  readonly reads: readonly Read[];
}

/** Fields of a record that a day may move, by key, with the records of which it may, be it by other fields of theirs. */
export type Moves = ReadonlyMap<string, readonly DayBound[]>;

/** Of a descriptor that is being checked. @param scope The names of its record. */
export function movesInRaw({ properties }: Pick<RawDescriptor, 'properties'>, scope: Scope): Moves {
  const following = Object.entries(properties).flatMap(([name, field]): readonly Following[] => {
    if (field === true) return [];
    const key = keyOf(name, field);
    const figure = field.formula === undefined ? undefined : compileFigure(field, scope);
    const isKept = typeof figure === 'object' && figure.taken === 'always';
    const states = (field.becomes ?? []).flatMap(({ when }): readonly Following[] => {
      const condition = compileTransition(when, scope);
      if (typeof condition !== 'object') return [];
      return [{ key, days: dayReads(condition.tree).bounds, reads: dependenciesOf(condition.tree).reads }];
    });
    return [...(isKept ? [{ key, days: figure.days, reads: readsBehind(figure) }] : []), ...states];
  });
  return closed(following);
}

/** Of a record's fields, those of its objects and items too. */
export const movesIn = (fields: readonly Field[]): Moves => closed(fields.flatMap((field) => followingIn(field)));

function followingIn(field: Field, root: string = field.key): readonly Following[] {
  const { figure, becomes } = field;
  const inside = 'fields' in field ? field.fields.flatMap((each) => followingIn(each, root)) : [];
  return [
    ...(figure?.taken === 'always' ? [{ key: root, days: figure.days, reads: readsBehind(figure) }] : []),
    ...becomes.map(({ days, when }) => ({ key: root, days, reads: dependenciesOf(when.tree).reads })),
    ...inside,
  ];
}

/** What follows from a field that moves moves with it. */
function closed(following: readonly Following[]): Moves {
  const moves = new Map<string, readonly DayBound[]>();
  for (let isStill = false; !isStill; ) {
    isStill = true;
    for (const { key, days, reads } of following) {
      const behind = reads.flatMap((read) => (read.isOwn ? (moves.get(read.key) ?? []) : []));
      const known = moves.get(key) ?? [];
      const all = distinct([...known, ...days, ...behind]);
      if (all.length === known.length) continue;
      moves.set(key, all);
      isStill = false;
    }
  }
  return moves;
}

/** Whom a day concerns in all. */
export const daysOf = (moves: Moves, effects: readonly Pick<Effect, 'days'>[]): readonly DayBound[] =>
  distinct([...[...moves.values()].flat(), ...effects.flatMap(({ days }) => days)]);

/** Whether anything that is kept, or done, hangs on the day. */
export const hasDays = ({ resources }: Pick<Registry, 'resources'>): boolean =>
  [...resources.values()].some(({ days }) => days.length > 0);

const distinct = (bounds: readonly DayBound[]): readonly DayBound[] => [
  ...new Map(bounds.map((bound) => [`${bound.key} ${bound.from} ${bound.to}`, bound])).values(),
];
