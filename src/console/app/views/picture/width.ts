// Hook: the current width of an element.
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export function useWidth(of: RefObject<HTMLElement | null>, first = 900): number {
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    const element = of.current;
    if (element === null) return;
    const look = (): void => setWidth(Math.max(Math.floor(element.clientWidth), 240));
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    look();
    return () => sizes.disconnect();
  }, [of]);
  return width;
}
