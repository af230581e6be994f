// The keys of a grid from the start: it has the focus where nothing else has, and keys that come before its rows are kept for it.
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

const steps: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
let moves = 0;

/** Rows that were gone by keys before there were any. */
export function earlyMoves(): number {
  const kept = moves;
  moves = 0;
  return kept;
}

/** Keeps a move until there are rows. @returns whether the key is one */
export function keepMove(key: string): boolean {
  const step = steps[key];
  moves += step ?? 0;
  return step !== undefined;
}

addEventListener('keydown', (event) => {
  const step = steps[event.key];
  const isElsewhere = event.target !== document.body || event.ctrlKey || event.metaKey || event.altKey;
  if (step === undefined || isElsewhere || document.querySelector('dialog[open]') !== null) return;
  const grid = document.querySelector<HTMLElement>('.group-page .grid');
  if (grid === null) keepMove(event.key);
  else {
    grid.focus({ preventScroll: true });
    grid.dispatchEvent(new KeyboardEvent('keydown', { key: event.key }));
  }
  event.preventDefault();
});

/** Gives a grid the focus where nobody has it: at first, and on the way back. */
export function useGridFocus(grid: RefObject<HTMLElement | null>, isInside: boolean): void {
  useEffect(() => {
    if (!isInside && document.activeElement === document.body) grid.current?.focus({ preventScroll: true });
  }, []);
}
