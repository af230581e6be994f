// The nearest of some names, for who has mistyped one.

/** The nearest of some names, where one is near enough to be meant. */
function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.ceil(name.length / 3) + 1;
  for (const each of known) {
    const distance = distanceOf(name.toLowerCase(), each.toLowerCase(), least);
    if (distance < least) [best, least] = [each, distance];
  }
  return best;
}

/** Letters to change, up to a bound. */
function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) >= most) return most;
  let row = Array.from({ length: other.length + 1 }, (_none, place) => place);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[other.length] ?? most;
}

export const didYouMean = (name: string, known: Iterable<string>): string => {
  const meant = nearest(name, known);
  return meant === undefined ? '' : `; did you mean '${meant}'?`;
};
