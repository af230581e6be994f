// Short notices of what was done, also announced to screen readers.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';

const said = signal<string | undefined>(undefined);
const shownMs = 4000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  clearTimeout(timer);
  said.value = text;
  timer = setTimeout(() => {
    said.value = undefined;
  }, shownMs);
}

export const Said = (): JSX.Element => (
  <div class="said" role="status">
    {said.value !== undefined && <p>{said.value}</p>}
  </div>
);
