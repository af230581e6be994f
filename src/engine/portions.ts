// Many records of one write, so many at a time: a write takes as many statements as it has portions, holds no more than one
// of them in hand, and gives way to others between them.

/** So many records are judged, changed, or go, together. */
export const portionSize = 500;

export const portionsOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / portionSize) }, (_none, place) =>
    all.slice(place * portionSize, (place + 1) * portionSize),
  );
