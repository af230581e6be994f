// Compares names: folded as the unique keys of the service, as loosely as people write them, or by their distance.

/** Returns text as unique keys compare it: trimmed, without case, in composed form. A test compares it with the service. */
export const fold = (value: unknown): string =>
  String(value ?? '')
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .normalize('NFC');

/** Returns the letters and digits only. Keys that the service may take for one, for example as a slug, give the same. */
export const letters = (value: unknown): string =>
  fold(value)
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Returns the name of a field or a column without case, spaces and `_`. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[\s_]/g, '');

/** Finds the nearest of the known names. @returns undefined if none is near enough */
function findNearest(name: string, knownNames: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let limit = Math.ceil(name.length / 3) + 1;
  for (const each of knownNames) {
    const edits = countEdits(name.toLowerCase(), each.toLowerCase(), limit);
    if (edits < limit) [nearest, limit] = [each, edits];
  }
  return nearest;
}

/** Counts the characters to change between two names, at most up to a limit. */
function countEdits(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let row = Array.from({ length: other.length + 1 }, (_none, position) => position);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[other.length] ?? limit;
}

/** Returns the end of a message, with the nearest name; an empty string if none is near enough. */
export const suggestName = (name: string, knownNames: Iterable<string>): string => {
  const nearest = findNearest(name, knownNames);
  return nearest === undefined ? '' : `; did you mean '${nearest}'?`;
};
