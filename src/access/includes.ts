// Which roles a role includes, those that these include among them, and circles of them.

interface Included {
  /** Names of the roles that each includes, however far, each once and without itself. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  /** Each circle once, from its first name in the order of the alphabet. */
  readonly circles: readonly (readonly string[])[];
}

/** @param includes Names that a role names, by its own. Names of roles that there are not lead nowhere. */
export function includedBy(includes: ReadonlyMap<string, readonly string[]>): Included {
  const circles = new Map<string, readonly string[]>();
  const visit = (name: string, trail: readonly string[], found: Set<string>): void => {
    for (const next of includes.get(name) ?? []) {
      const from = trail.indexOf(next);
      if (from >= 0) {
        const circle = turned(trail.slice(from));
        circles.set(circle.join(' '), circle);
      } else if (!found.has(next)) {
        found.add(next);
        visit(next, [...trail, next], found);
      }
    }
  };
  const roles = new Map<string, readonly string[]>();
  for (const name of includes.keys()) {
    const found = new Set<string>();
    visit(name, [name], found);
    roles.set(name, [...found]);
  }
  return { roles, circles: [...circles.values()] };
}

/** The same circle from its least name on. */
function turned(circle: readonly string[]): readonly string[] {
  const start = circle.indexOf([...circle].sort()[0] ?? '');
  return [...circle.slice(start), ...circle.slice(0, start)];
}
