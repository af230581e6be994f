// What the browser forgets as somebody signs out: who comes next is not told what was opened, or begun.
import { effect } from '@preact/signals';
import { refusal, token } from '../service/session.ts';
import { forget } from './kept.ts';
import { forgetImports } from './unfinished.ts';

/** Where records that were opened are kept. */
export const openedPlace = 'recent';

let isIn = false;
effect(() => {
  const isNow = token.value !== undefined;
  if (isIn && !isNow) {
    forget(openedPlace);
    // Whose session has ended goes on with the import after the next sign-in.
    if (refusal.peek() === undefined) forgetImports();
  }
  isIn = isNow;
});
