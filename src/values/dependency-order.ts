// Dependency order (topological sort), and whether one thing depends on another.

/**
 * Each item after those that it needs, otherwise in the given order. Where items need each other in a circle, the one that is
 * come to first stands last.
 * @param needs What an item needs; others than `items` are passed over.
 */
export function inDependencyOrder<T>(items: readonly T[], needs: (item: T) => readonly T[]): readonly T[] {
  const among = new Set(items);
  const begun = new Set<T>();
  const ordered: T[] = [];
  const visit = (item: T): void => {
    if (begun.has(item) || !among.has(item)) return;
    begun.add(item);
    for (const other of needs(item)) visit(other);
    ordered.push(item);
  };
  for (const item of items) visit(item);
  return ordered;
}

/** Whether an item needs another one, however many are between them. Every item is taken to need itself. */
export function dependsOn<T>(item: T, other: T, needs: (item: T) => readonly T[]): boolean {
  const reached = new Set([item]);
  for (const each of reached) for (const next of needs(each)) reached.add(next);
  return reached.has(other);
}
