// The access token: kept for the tab, or for the browser where that is asked. It stands in no address.
import { signal } from '@preact/signals';

const place = 'praxis.token';

/** Browsers that keep nothing for us throw. */
function stored(storage: () => Storage): string | null {
  try {
    return storage().getItem(place);
  } catch {
    return null;
  }
}

/** The token of who looks; undefined for nobody. */
export const token = signal<string | undefined>(
  stored(() => sessionStorage) ?? stored(() => localStorage) ?? undefined,
);

/** Why nobody is signed in any more. */
export const refusal = signal<string | undefined>(undefined);

/** @param isKept Beyond the tab. */
export function signIn(given: string, isKept: boolean): void {
  try {
    (isKept ? localStorage : sessionStorage).setItem(place, given);
  } catch {
    // It is kept as long as the page.
  }
  refusal.value = undefined;
  token.value = given;
}

/** @param why What to say where to sign in again. */
export function signOut(why?: string): void {
  for (const storage of [() => sessionStorage, () => localStorage])
    try {
      storage().removeItem(place);
    } catch {
      // There is nothing to remove.
    }
  refusal.value = why;
  token.value = undefined;
}
