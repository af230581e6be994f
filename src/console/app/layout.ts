// What of the frame is open.
import { signal } from '@preact/signals';

/** Whether the groups are shown, where there is no room for them beside the page. */
export const isMenuOpen = signal(false);
