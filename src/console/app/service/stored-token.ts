// The access token as the browser keeps it: for the tab, or beyond it.

export const tokenPlace = 'praxis.token';

/** Browsers that keep nothing for us throw. */
function stored(storage: () => Storage): string | null {
  try {
    return storage().getItem(tokenPlace);
  } catch {
    return null;
  }
}

/** The one of the tab before that of the browser. */
export const storedToken = (): string | undefined =>
  stored(() => sessionStorage) ?? stored(() => localStorage) ?? undefined;
