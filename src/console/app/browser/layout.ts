// Which parts of the frame are open.
import { effect, signal } from '@preact/signals';
import { keep, kept } from './kept.ts';

/** Whether the groups are shown, where there is no room for them beside the page. */
export const isMenuOpen = signal(false);

/** Whether records say what their fields mean. */
export const areMeaningsShown = signal(kept<boolean>('meanings') === true);
effect(() => {
  if (areMeaningsShown.value !== (kept<boolean>('meanings') === true)) keep('meanings', areMeaningsShown.value);
});
