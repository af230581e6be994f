// The nearest right word, for whoever mistyped one.

/** `; did you mean "unique"?` when one of the words is near enough to be meant, else ''. */
export function didYouMean(word: string, words: Iterable<string>): string {
  const near = nearest(word, words);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** The same as callers are told: `; did you mean 'name'?` */
export function meantName(word: string, words: Iterable<string>): string {
  const near = nearest(word, words);
  return near === undefined ? '' : `; did you mean '${near}'?`;
}

/** The word at the least distance, at most a third of the length away: further ones would be noise. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of words) {
    // The distance is at least the difference of the lengths; a word of a megabyte is not worth a table.
    if (candidate === word || Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Maximum number of words that a message lists in full. */
export const maxWordsInMessage = 20;

/** Returns the three nearest words as a question, for a message that cannot list them all: `did you mean 'a', 'b' or 'c'?` */
export function nearestThree(word: string, words: readonly string[]): string {
  const [first, second, third] = words
    .map((each) => ({ each, distance: editDistance(word.slice(0, 100).toLowerCase(), each.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance)
    .map(({ each }) => `'${each}'`);
  return `did you mean ${first}, ${second} or ${third}?`;
}

/** Optimal string alignment: insert, delete, replace, swap neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_value, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
