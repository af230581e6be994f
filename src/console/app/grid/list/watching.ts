// What a grid does by itself: it asks again for what one sees while others write, and stands whole on paper.
import { useEffect, useState } from 'preact/hooks';
import { isFollowing, useFollowed } from '../../service/follow.ts';
import type { GroupModel } from '../../service/model.ts';
import type { RecordWindow } from './record-window.ts';

/** So often it looks for what others have written where the feed does not tell it, while somebody looks at it. */
const everyMs = 15_000;

interface Seen {
  readonly first: number;
  readonly last: number;
  /** While a cell is written, its row stays as it was. */
  readonly isPaused: boolean;
}

export function useRefreshing(group: GroupModel, records: RecordWindow, { first, last, isPaused }: Seen): void {
  const isTold = group.isLogged === true && isFollowing.value;
  useFollowed(group.name, () => {
    if (!isPaused) void records.refresh(first, last);
  });
  useEffect(() => {
    if (isPaused) return;
    const look = (): void => {
      if (!document.hidden) void records.refresh(first, last);
    };
    const timer = isTold ? undefined : setInterval(look, everyMs);
    addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', look);
    };
  }, [records, first, last, isPaused, isTold]);
}

/** Whether all rows are wanted, as they are put on paper. */
export function usePrinting(): boolean {
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    const [begin, end] = [() => setPrinted(true), () => setPrinted(false)];
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinted;
}
