// Drag and drop by mouse, pen or finger: which card is held, its offset, and the column below it.
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';

export interface Held {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly over: string | undefined;
}

export interface Drag {
  readonly held: Held | undefined;
  readonly handlers: Readonly<Record<`on${string}`, (event: never) => void>>;
}

interface Start {
  readonly id: string;
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  isMigrating: boolean;
}

/** Pixels from which on it is meant. */
const meant = 5;
/** Pixels from an edge at which the columns move along. */
const nearEdge = 48;
const edgeStep = 14;

const columnAt = (x: number, y: number): string | undefined =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-state]')?.dataset['state'];

/** @param onDrop Told of the column in which a card was let go; undefined for none. */
export function useDrag(
  board: RefObject<HTMLElement | null>,
  onDrop: (id: string, to: string | undefined) => void,
): Drag {
  const [held, setHeld] = useState<Held | undefined>(undefined);
  const start = useRef<Start | undefined>(undefined);
  const hasDragged = useRef(false);

  const onPointerDown = (event: PointerEvent): void => {
    hasDragged.current = false;
    const target = event.target as Element;
    const card = target.closest<HTMLElement>('[data-card]');
    const isHandle = target.closest('.handle') !== null;
    const isOther = target.closest('button, input') !== null && !isHandle;
    // A finger scrolls; it drags by the handle.
    if (card === null || isOther || event.button !== 0 || (event.pointerType === 'touch' && !isHandle)) return;
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    start.current = { id: card.dataset['card'] ?? '', pointer, x, y, isMigrating: false };
  };
  const onPointerMove = (event: PointerEvent): void => {
    const from = start.current;
    if (from === undefined || event.pointerId !== from.pointer) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.isMigrating && Math.hypot(x, y) < meant) return;
    if (!from.isMigrating) board.current?.setPointerCapture(from.pointer);
    from.isMigrating = true;
    hasDragged.current = true;
    getSelection()?.removeAllRanges();
    const box = board.current?.getBoundingClientRect();
    if (box !== undefined && event.clientX > box.right - nearEdge) board.current?.scrollBy(edgeStep, 0);
    if (box !== undefined && event.clientX < box.left + nearEdge) board.current?.scrollBy(-edgeStep, 0);
    setHeld({ id: from.id, x, y, over: columnAt(event.clientX, event.clientY) });
  };
  const end =
    (isDropped: boolean) =>
    (event: PointerEvent): void => {
      const from = start.current;
      start.current = undefined;
      setHeld(undefined);
      // The click that belongs to it comes at once, if there is one; all later ones are meant.
      setTimeout(() => {
        hasDragged.current = false;
      });
      if (from?.isMigrating === true && isDropped) onDrop(from.id, columnAt(event.clientX, event.clientY));
    };
  return {
    held,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp: end(true),
      onPointerCancel: end(false),
      onDragStart: (event: Event) => event.preventDefault(),
      // What was dragged by its link was not clicked.
      onClickCapture: (event: Event) => {
        if (!hasDragged.current) return;
        hasDragged.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
