// Large writes are processed in portions: a bounded number of records in memory, a yield between portions.

/** So many records are judged, changed, or go, together. */
export const portionSize = 500;

export const portionsOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / portionSize) }, (_none, place) =>
    all.slice(place * portionSize, (place + 1) * portionSize),
  );
