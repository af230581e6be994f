// The access token: kept for the tab, or for the browser where that is asked. It stands in no address.
import { signal } from '@preact/signals';
import { storedToken, tokenPlace } from './stored-token.ts';

/** The token of who looks; undefined for nobody. */
export const token = signal<string | undefined>(storedToken());

/** Why nobody is signed in any more. */
export const refusal = signal<string | undefined>(undefined);

/** @param isKept Beyond the tab. */
export function signIn(given: string, isKept: boolean): void {
  try {
    (isKept ? localStorage : sessionStorage).setItem(tokenPlace, given);
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
      storage().removeItem(tokenPlace);
    } catch {
      // There is nothing to remove.
    }
  refusal.value = why;
  token.value = undefined;
}
