// Keyboard shortcuts, and the sheet that lists them.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { go, homeAddress, newAddress, steps } from '../browser/router.ts';
import { frameMessages, shortcutMessages } from '../messages/frame.ts';
import { Dialog } from '../parts/dialog.tsx';
import { can, groups } from '../service/model.ts';
import { isSearching } from './search.tsx';

export const isHelpOpen = signal(false);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], dialog') !== null;

/** Presses what is there to be pressed. @returns whether it is */
function press(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  if (found instanceof HTMLButtonElement) found.click();
  return found !== null;
}

function openNew(): boolean {
  const group = groups().at(steps.value[0] ?? '');
  if (group === undefined || !can(group, 'create')) return false;
  go(newAddress(group.path));
  return true;
}

/** What single keys do, where nobody types. @returns whether it did something */
const actions: Readonly<Record<string, () => boolean>> = {
  '?': () => {
    isHelpOpen.value = true;
    return true;
  },
  '/': () => {
    if (press('.filters .quick')) return true;
    isSearching.value = true;
    return true;
  },
  n: openNew,
  e: () => press('[data-key="e"]'),
  g: () => press('.grid'),
  h: () => {
    go(homeAddress);
    return true;
  },
};

/** Keys that are pressed before anything can be done with them: they are pressed again then. */
let early: KeyboardEvent[] | undefined = [];
const keep = (event: KeyboardEvent): void => {
  const isMeant = !isTyping(event.target) && !event.altKey && (event.key.toLowerCase() === 'k' || event.key in actions);
  if (early === undefined || !isMeant) return;
  early.push(event);
  if (event.ctrlKey || event.metaKey) event.preventDefault();
};
addEventListener('keydown', keep);

/** Listens as long as it is there. */
export function useKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        isSearching.value = true;
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (actions[event.key]?.() === true) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    removeEventListener('keydown', keep);
    const pressed = early ?? [];
    early = undefined;
    for (const event of pressed) if (event.key in actions || event.ctrlKey || event.metaKey) onKeyDown(event);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

export function Help(): JSX.Element | null {
  if (!isHelpOpen.value) return null;
  return (
    <Dialog
      title={frameMessages.shortcuts}
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <dl class="keys">
        {shortcutMessages.map(([keys, effect]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
