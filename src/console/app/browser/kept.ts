// The viewer's choices in local storage: widths, columns, open sections.

const placeOf = (name: string): string => `praxis.${name}`;

/** Undefined where nothing is kept, or the browser keeps nothing. */
export function kept<T>(name: string): T | undefined {
  try {
    const text = localStorage.getItem(placeOf(name));
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(placeOf(name), JSON.stringify(value));
  } catch {
    // It is as it was the next time.
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(placeOf(name));
  } catch {
    // There is nothing to remove.
  }
}
