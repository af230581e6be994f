// A viewer's choices for a view, kept in the address behind `_`, so that a link shows the same view.
import { query, setQuery } from '../../browser/router.ts';

/** @param name Without its `_`. */
export const chosen = (name: string): string | null => query.value.get(`_${name}`);

/** Undefined takes a choice back. */
export function choose(choices: Readonly<Record<string, string | undefined>>): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(choices)) {
    if (value === undefined) next.delete(`_${name}`);
    else next.set(`_${name}`, value);
  }
  setQuery(next);
}
