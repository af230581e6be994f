// Pans a timeline by pointer or wheel: the drawing moves at once, and is redrawn when it rests.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PanProps {
  readonly perDay: number;
  /** Days later. */
  readonly onPan: (days: number) => void;
  readonly onZoom: (step: -1 | 1) => void;
}

interface Pan {
  readonly handlers: Readonly<Record<`on${string}`, (event: never) => void>>;
  readonly moved: RefObject<SVGGElement | null>;
}

/** Pixels from which on it is meant. */
const meant = 5;
const restMs = 140;

export function usePan(holder: RefObject<HTMLElement | null>, props: PanProps): Pan {
  const moved = useRef<SVGGElement>(null);
  const from = useRef<{ readonly x: number; readonly pointer: number } | undefined>(undefined);
  const shift = useRef(0);
  const hasDragged = useRef(false);
  const now = useRef(props);
  now.current = props;

  const show = (pixels: number): void => {
    shift.current = pixels;
    moved.current?.setAttribute('transform', `translate(${pixels} 0)`);
  };
  const settle = (): void => {
    const days = -Math.round(shift.current / now.current.perDay);
    show(0);
    if (days !== 0) now.current.onPan(days);
  };
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onWheel = (event: WheelEvent): void => {
      if (event.ctrlKey) {
        event.preventDefault();
        clearTimeout(timer);
        timer = setTimeout(() => now.current.onZoom(event.deltaY > 0 ? 1 : -1), restMs);
        return;
      }
      const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (Math.abs(sideways) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
      event.preventDefault();
      show(shift.current - sideways);
      clearTimeout(timer);
      timer = setTimeout(settle, restMs);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      clearTimeout(timer);
      element.removeEventListener('wheel', onWheel);
    };
  }, [holder]);

  return {
    moved,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        hasDragged.current = false;
        if (event.button === 0) from.current = { x: event.clientX, pointer: event.pointerId };
      },
      onPointerMove: (event: PointerEvent) => {
        const start = from.current;
        if (start === undefined || start.pointer !== event.pointerId) return;
        const pixels = event.clientX - start.x;
        if (!hasDragged.current && Math.abs(pixels) < meant) return;
        if (!hasDragged.current) holder.current?.setPointerCapture(start.pointer);
        hasDragged.current = true;
        getSelection()?.removeAllRanges();
        show(pixels);
      },
      onPointerUp: () => {
        from.current = undefined;
        if (hasDragged.current) settle();
        // The click that belongs to it comes at once, if there is one; all later ones are meant.
        setTimeout(() => {
          hasDragged.current = false;
        });
      },
      onPointerCancel: () => {
        from.current = undefined;
        show(0);
      },
      onDragStart: (event: Event) => event.preventDefault(),
      // What was dragged by a bar was not clicked.
      onClickCapture: (event: Event) => {
        if (!hasDragged.current) return;
        hasDragged.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
