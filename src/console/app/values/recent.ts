// Records that were opened, the last first: kept in the browser as long as somebody is signed in.
import { keep, kept } from '../browser/kept.ts';
import { openedPlace } from '../browser/leaving.ts';

interface Recent {
  readonly group: string;
  readonly id: string;
  readonly name: string;
}

const most = 12;

/** Those that were opened, the last first. */
export const recentRecords = (): readonly Recent[] => kept<Recent[]>(openedPlace) ?? [];

/** Notes that a record has been opened. */
export function noteOpened(opened: Recent): void {
  const others = recentRecords().filter(({ group, id }) => group !== opened.group || id !== opened.id);
  keep(openedPlace, [opened, ...others].slice(0, most));
}
